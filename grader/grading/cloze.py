"""Replies in the blanks of Moodle's Cloze questions, and whose variant they answer: Moodle draws it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from grader.answers.blank import Blank, BlankError, Box
from grader.base.phrases import Language
from grader.base.safe_text import quote
from grader.exercises.exercise import Exercise
from grader.grading.exam_keys import ExamKeys, PartKey, exercise_of
from grader.grading.moodle_cells import (
    BlankLabels,
    count_in,
    labels_of,
    read_cell,
    right_answer,
    signed,
    write_cell,
)
from grader.grading.records import DATED, UNREAD, UNTOLD
from grader.tables.formulas import unguarded
from grader.tables.rows import Dated
from grader.trees.notation.diagnostics import Diagnostics

REPORT = "tick 'question text' above Moodle's report of the responses, and download it again"


class Told(NamedTuple):
    """A reply, the variant that it answers, and why it cannot be told what it says."""

    text: str
    variant: str
    contested: str = ""


_WHOLE = Box("", (), 0)
"""A box that takes a whole reply."""


class _UntoldError(ValueError):
    """A question of which nobody can say which variant it is; the message says why."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A part as Moodle asks it."""

    name: str
    exercise: Exercise
    blanks: tuple[Blank, ...]


class Cloze:
    """Reads the cells of one exam; what it needs of a variant it works out once."""

    def __init__(self, exam_keys: ExamKeys) -> None:
        self._exam_keys = exam_keys
        self._contents = cache(self._contents_of)
        self._right = cache(self._right_in)

    def read(
        self, cell: str, question: str, right: str, parts: Sequence[str], variant: str
    ) -> Mapping[str, Told] | None:
        """The reply to each of these parts of one question, for a student who has this variant on paper.

        `question` and `right`, its text and its right answer, are empty where Moodle's table has them not.
        Where the text of the question says which one it is, the replies are to its parts. Where there are
        blanks for whole replies, a teacher has made the question, and everybody has the variant of the class
        list. None when the cell has no labels, as that of a question of another type.
        """
        labels, sign = labels_of(cell), signed(question)
        if labels is None and (sign is None or cell.strip()):
            return None
        labels = labels or BlankLabels()
        response = " ".join(cell.split())
        count = count_in(response, labels)
        blank = not response or response == write_cell([""] * count, labels)
        if sign is not None:
            parts = [part.name for part in self._exam_keys.parts if part.question == sign[0]] or parts
        try:
            if sign is None and count == len(parts) != self._count(variant, parts):
                whole = read_cell(response, labels, [_WHOLE] * count)
                return {part: Told(text, variant) for part, text in zip(parts, whole, strict=True)}
            variant = self._variant(sign, right, labels, parts, variant)
            asked = self._parts(variant, parts)
            if blank:
                return dict.fromkeys(parts, Told("", variant))
            filled = read_cell(response, labels, [blank for part in asked for blank in part.blanks])
        except _UntoldError as error:
            untold = Told(response, variant, f"{UNTOLD}: {error}")
            return dict.fromkeys(parts, Told("", variant) if blank else untold)
        except BlankError as error:
            return dict.fromkeys(parts, Told(response, variant, _unread(error, self._exam_keys.language)))
        return dict(_replies(asked, filled, variant))

    def boxed(self, filled: Mapping[str, str], part: str, variant: str) -> Told:
        """The reply to a part of which every box has a column of its own, by what the boxes are called."""
        said = "; ".join(f"{label}: {text}" for label, text in filled.items() if text.strip())
        dated = next((text for text in filled.values() if isinstance(text, Dated)), None)
        if dated is not None:
            return Told(said, variant, f"{DATED} {dated}")
        try:
            asked = self._parts(variant, (part,))
            labels = [blank.label for each in asked for blank in each.blanks]
            for label, text in filled.items():
                if text.strip() and label not in labels:
                    raise BlankError("this paper has no box {label}", label=quote(label))
        except BlankError as error:
            return Told(said, variant, _unread(error, self._exam_keys.language))
        texts = [" ".join(unguarded(filled.get(label, "")).split()) for label in labels]
        return dict(_replies(asked, texts, variant))[part]

    def _count(self, variant: str, parts: Sequence[str]) -> int:
        """How many blanks our questions have for these parts."""
        return sum(len(part.blanks) for part in self._parts(variant, parts))

    def _variant(
        self, sign: tuple[str, str] | None, right: str, labels: BlankLabels, parts: Sequence[str], own: str
    ) -> str:
        """The variant that a student had of a question: drawn by Moodle, if there are several.

        It is the student's own one if that has the same question.
        """
        label = self._exam_keys.labels[parts[0]]
        contents = self._contents(label)
        if sign is not None:
            if sign[0] != label or sign[1] not in contents:
                raise _UntoldError(f"this exam has no question {sign[0]} in a variant {sign[1]}")
            code = sign[1]
        elif len(set(contents.values())) == 1:
            return own
        else:
            found = self._right(tuple(parts), labels).get(" ".join(right.split()), ())
            fits = {contents[each]: each for each in found}
            if len(fits) != 1:
                why = "several have this right answer" if fits else "Moodle has drawn it"
                raise _UntoldError(f"{why}; {REPORT}")
            (code,) = fits.values()
        return own if contents[code] == contents[own] else code

    def _contents_of(self, label: str) -> Mapping[str, tuple[str, ...]]:
        """What a question is in every variant: equal where it is the same question."""
        return {
            code: tuple(part.exercise for part in self._exam_keys.question(code, label).parts)
            for code in self._exam_keys.variants
        }

    def _right_in(self, parts: tuple[str, ...], labels: BlankLabels) -> Mapping[str, Sequence[str]]:
        """The variants by the right answer to these parts, as Moodle writes it in some language."""
        found: dict[str, list[str]] = {}
        for code in self._exam_keys.variants:
            texts = [right_answer(blank) for part in self._parts(code, parts) for blank in part.blanks]
            found.setdefault(" ".join(write_cell(texts, labels).split()), []).append(code)
        return found

    def _parts(self, variant: str, parts: Sequence[str]) -> list[_Asked]:
        """These parts of a variant. Raises `BlankError` when the record of one is damaged."""
        return [_asked(key) for key in self._exam_keys.keys(variant) if key.part in parts]


@lru_cache(maxsize=4_096)
def _asked(key: PartKey) -> _Asked:
    exercise = exercise_of(key.exercise, key.own)
    if isinstance(exercise, Diagnostics):
        raise BlankError("the key cannot be read: {why}", why=next(iter(exercise)).message)
    return _Asked(key.part, exercise, exercise.blanks.boxed.blanks)


def _unread(error: BlankError, language: Language) -> str:
    """Why a reply is contested that does not fill in its blanks; students read what is behind the colon."""
    return f"{UNREAD}{language.said(error.message)}"


def _replies(asked: Sequence[_Asked], filled: Sequence[str], variant: str) -> Iterator[tuple[str, Told]]:
    """The reply to every part in its blanks; where one cannot be read, what is in all of them."""
    rest = iter(filled)
    for part in asked:
        texts, public = list(islice(rest, len(part.blanks))), part.exercise.public
        try:
            reply = part.exercise.kind.form.filled_in(part.blanks, texts, public.tree, public.terms)
            yield part.name, Told(reply, variant)
        except BlankError as error:
            named = zip(part.blanks, texts, strict=True)
            said = "; ".join(f"{blank.label}: {text}" if blank.label else text for blank, text in named)
            yield part.name, Told(said, variant, _unread(error, public.terms.language))
