"""Screens of alike pictures that a person confirms at a glance: doubtful boxes, and digits of this exam."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.scanning.box_pictures import BoxPictures, ScannedBox
from grader.scanning.crops import data_url
from grader.scanning.journal import Subject
from grader.scanning.piles import Pile, sort_into_piles
from grader.scanning.replies import BoxDoubt, PagesByNumber
from grader.scanning.written_numbers import CELL_SIGNS, EMPTY
from grader.web.messages.documents import Record
from grader.web.review_sentences import CROSSED, EMPTY_BOX
from grader.web.review_tasks import ReviewedExam

BOXES_PER_SCREEN, DIGITS_PER_SCREEN, EMPTY_PER_SCREEN = 40, 60, 120
"""The most pictures on a screen; whether a box is empty is seen at once."""

MIN_BOXES_ON_SCREEN = 4
"""The fewest boxes on a screen; fewer are asked one by one, in their rows."""

MAX_ROWS = 12
"""The most rows of alike digits on a screen; single ones stand side by side."""


@dataclass(slots=True)
class ReviewScreens:
    """Makes the screens.

    - `excluded`: the keys of pictures that a person took out of a pile; boxes are then asked in their row,
      and digits alone on a screen of single ones.
    - `skipped`: the keys of single digits that were left without a name; their numbers are typed as a whole.
    """

    reviewed: ReviewedExam
    pictures: BoxPictures
    excluded: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)

    def take_out(self, keys: Sequence[str]) -> None:
        """Ask about these pictures in another way: first alone, then as parts of a whole number."""
        self.skipped.update(key for key in keys if key in self.excluded)
        self.excluded.update(keys)

    def put_back(self) -> None:
        """Sort all pictures into piles again."""
        self.excluded.clear()
        self.skipped.clear()

    def box_screens(self, doubts: Sequence[BoxDoubt], pages: PagesByNumber) -> Iterator[tuple[str, Record]]:
        """Yield a screen of boxes to cross, in rows by what they look like, and its key; none for few."""
        boxes = []
        for doubt in doubts:
            page, box = pages[doubt.variant, doubt.page], self.reviewed.boxes(doubt.variant).get(doubt.box)
            if box is not None and not box.is_written and page.flat and not page.by_hand:
                boxes.append(ScannedBox(page, box))
        boxes = [each for each in boxes if each.key not in self.excluded]
        guesses = self.pictures.guesses(boxes)
        rows: dict[str, list[ScannedBox]] = {}
        for (guess, _), each in sorted(
            zip(guesses, boxes, strict=True), key=lambda pair: (pair[0][0], pair[0][1])
        ):
            rows.setdefault(guess, []).append(each)
        rows.pop("", None)
        room, chosen = BOXES_PER_SCREEN, []
        for says in sorted(rows, key=lambda says: -len(rows[says])):
            if rows[says][:room]:
                chosen.append((says, rows[says][:room]))
                room -= len(chosen[-1][1])
        if BOXES_PER_SCREEN - room < MIN_BOXES_ON_SCREEN:
            return
        say = self.reviewed.language.say
        choices = [{"says": "crossed", "label": say(CROSSED)}, {"says": "empty", "label": say(EMPTY_BOX)}]
        titles = {"crossed": say("These look crossed."), "empty": say("These look empty or taken back.")}
        yield self._screen(
            "box",
            say("Is every box in the right row?"),
            say("Click a box in the wrong row once, and an unclear one twice. Enter confirms the rest."),
            [self._row(found, says, choices, title=titles[says]) for says, found in chosen],
        )

    def digit_screens(self, doubts: Sequence[BoxDoubt], pages: PagesByNumber) -> Iterator[tuple[str, Record]]:
        """Yield screens of boxes to write in, and their keys: those that look empty, then piles of signs.

        Nothing counts that no person has seen, so boxes that look empty are shown as well.
        """
        decisions = self.reviewed.journal.decisions()
        by_meaning: dict[str, list[ScannedBox]] = {}
        for meaning, each in self._cells(doubts, pages, decisions):
            by_meaning.setdefault(meaning, []).append(each)
        say = self.reviewed.language.say
        every = [each for found in by_meaning.values() for each in found]
        looks = dict(zip((each.key for each in every), self.pictures.cells(every), strict=True))
        empty = [each for each in every if looks[each.key].looks_empty and each.key not in self.excluded]
        empty.sort(key=lambda each: -looks[each.key].ink)
        if empty:
            nothing = [{"says": EMPTY, "label": say(EMPTY_BOX)}]
            yield self._screen(
                "written",
                say("Are all these boxes empty?"),
                say("Click each box in which something is written. Enter confirms the rest."),
                [self._row(empty[:EMPTY_PER_SCREEN], EMPTY, nothing)],
            )
        rows, singles = [], []
        for meaning, found in by_meaning.items():
            sorted_boxes = [
                each for each in found if not looks[each.key].looks_empty and each.key not in self.excluded
            ]
            singles += [(meaning, each) for each in found if each.key in self.excluded]
            piles = self._piles(sorted_boxes, meaning, decisions, pages)
            rows += [(meaning, pile.name, [sorted_boxes[place] for place in pile.members]) for pile in piles]
        single_rows = [(meaning, "", [each]) for meaning, each in singles]
        if rows_that_fit := self._fill([*rows, *single_rows]):
            yield self._screen(
                "written",
                say("What is written in these boxes?"),
                say("Type what is in each row, and click boxes that do not belong there. Enter confirms."),
                [
                    self._row(found, name, [], accepts=CELL_SIGNS[meaning])
                    for meaning, name, found in rows_that_fit
                ],
            )

    def _cells(
        self, doubts: Sequence[BoxDoubt], pages: PagesByNumber, decisions: Mapping[Subject, str]
    ) -> Iterator[tuple[str, ScannedBox]]:
        """Yield the undecided boxes for digits, with their meaning."""
        for doubt in doubts:
            if doubt.sort != "written":
                continue
            page, found = pages[doubt.variant, doubt.page], self.reviewed.group(doubt.variant, doubt.box)
            if found is None or found[1].place != "cells" or not page.flat or page.by_hand:
                continue
            cells = self.reviewed.exam.layout(page.variant)[page.page - 1]
            boxes = [ScannedBox(page, box) for box in cells if box.entry == doubt.box]
            if any(each.key in self.skipped for each in boxes):
                continue
            for meaning, each in zip(found[1].meanings, boxes, strict=True):
                if (page.variant, page.page, each.box.name) not in decisions:
                    yield meaning, each

    def _piles(
        self,
        boxes: Sequence[ScannedBox],
        meaning: str,
        decisions: Mapping[Subject, str],
        pages: PagesByNumber,
    ) -> list[Pile]:
        """Sort boxes into piles, by the likeness to boxes of the same meaning that a person has named."""
        if not boxes:
            return []
        examples, names = [], []
        for (variant, number, name), says in decisions.items():
            page, box = pages.get((variant, number)), self.reviewed.boxes(variant).get(name)
            if page is None or box is None or not box.is_cell or not page.flat:
                continue
            if says in CELL_SIGNS[meaning]:
                examples.append(ScannedBox(page, box))
                names.append(says)
        vectors = np.stack([look.vector for look in self.pictures.cells(boxes)])
        example_vectors = [look.vector for look in self.pictures.cells(examples)]
        return sort_into_piles(vectors, np.stack(example_vectors) if example_vectors else vectors[:0], names)

    def _fill(
        self, rows: Sequence[tuple[str, str, Sequence[ScannedBox]]]
    ) -> list[tuple[str, str, Sequence[ScannedBox]]]:
        """Return the rows that fit on one screen."""
        rows_that_fit, room, count = [], DIGITS_PER_SCREEN, 0
        for meaning, name, found in rows:
            if not room or (len(found) > 1 and count == MAX_ROWS):
                break
            rows_that_fit.append((meaning, name, found[:room]))
            room -= len(found[:room])
            count += len(found) > 1
        return rows_that_fit

    def _row(
        self,
        boxes: Sequence[ScannedBox],
        says: str,
        choices: Sequence[Record],
        *,
        title: str = "",
        accepts: str = "",
    ) -> Record:
        """Return a row: the guess for all, what can be chosen or typed instead, and the boxes' pictures."""
        labels = {variant: self.reviewed.labels(variant) for variant in {each.page.variant for each in boxes}}
        crops = self.pictures.crops(boxes)
        return {
            "says": says,
            "title": title,
            "choices": list(choices),
            "accepts": accepts,
            "items": [
                {
                    "key": each.key,
                    "image": data_url(picture or None),
                    "label": f"{self.reviewed.student(each.page.variant)}, "
                    f"{labels[each.page.variant][each.box.name]}",
                }
                for each, picture in zip(boxes, crops, strict=True)
            ],
        }

    def _screen(
        self, counter: str, title: str, instruction: str, rows: Sequence[Record]
    ) -> tuple[str, Record]:
        """Return a screen with its key, which is its title with the first box on it."""
        key = f"{title} {rows[0]['items'][0]['key']}"
        task = {"sort": counter, "title": title, "why": "", "how": instruction, "boxes": []}
        return key, {**task, "rows": list(rows)}
