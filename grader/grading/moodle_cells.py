"""One cell for all blanks of a question, as Moodle exports a response: `part 1: 3; part 2: B`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.answers.blank import OPTION_SEPARATOR, Blank, BlankError
from grader.answers.choice_blanks import option_readings
from grader.base.phrases import BoundPhrase

PART_WORDS = (
    "part", "parte", "partea", "partie", "Partie", "Teil", "deel", "del", "Delen", "osa", "část", "časť",
    "część", "rész", "bölüm", "phần", "частина", "часть", "частка", "μέρος", "Μέρος", "חלק", "الجزء",
    "部件", "部分", "子问题",
)  # fmt: skip
"""The words for a blank in the language packs of Moodle (`subqresponse` of its `qtype_multianswer`)."""

_FIRST = re.compile(rf"({'|'.join(map(re.escape, PART_WORDS))})( ?)1( ?[:：])(?= |$)")


_SIGNED = re.compile(r"\((\d{1,4}), ([0-9A-Z]{1,12})\)\s*$", re.ASCII)


@dataclass(frozen=True, slots=True)
class BlankLabels:
    """The text before and after the number of a blank, in the language of the student's Moodle."""

    before: str = "part "
    after: str = ":"

    def label(self, number: int) -> str:
        """Return the label of a blank, counted from 1."""
        return f"{self.before}{number}{self.after}"


def signature(question: str, code: str) -> str:
    """Return the end of a question's text on a platform: its label and the code of its variant."""
    return f"({question}, {code})"


def parse_signature(text: str) -> tuple[str, str] | None:
    """Return the label and the code at the end of a question's text, or None if it has no signature."""
    match = _SIGNED.search(text)
    return None if match is None else (match[1], match[2])


def parse_labels(cell: str) -> BlankLabels | None:
    """Return the labels in a cell, or None if it has none, as for any other type of question."""
    match = _FIRST.match(cell.lstrip())
    return None if match is None else BlankLabels(match[1] + match[2], match[3])


def write_cell(filled: Sequence[str], labels: BlankLabels) -> str:
    """Write the texts of the blanks of a question in one cell."""
    return OPTION_SEPARATOR.join(
        f"{labels.label(number)} {text}" for number, text in enumerate(filled, 1)
    ).strip()


def correct_answer(blank: Blank) -> str:
    """Return Moodle's correct answer for a blank: its plainest spelling, or the correct option or options."""
    if not blank.options:
        return blank.spellings[0] if blank.whole_number is None else str(blank.whole_number)
    correct = [option.text for option in blank.options if option.share > 0]
    return OPTION_SEPARATOR.join(correct) if blank.allows_several else correct[0]


def count_blanks(cell: str, labels: BlankLabels) -> int:
    """Count the blanks of a cell that starts with the first label: 1, and each label that follows in turn."""
    number, place = 1, 0
    while (place := cell.find(OPTION_SEPARATOR + labels.label(number + 1), place)) >= 0:
        number += 1
    return number


def read_cell(cell: str, labels: BlankLabels, blanks: Sequence[Blank]) -> tuple[str, ...]:
    """Split a cell into the texts of these blanks.

    Any text may contain the separator: options, because names do, and boxes, because people type anything.
    The cell is split in the only way in which every choice is one of its options and no box contains a label.
    Raises `BlankError` if there is no such way or more than one.
    """
    cell = " ".join(cell.split())
    label = re.compile(f"{re.escape(OPTION_SEPARATOR + labels.before)}[0-9]+{re.escape(labels.after)}")
    # The texts of the blanks so far, by the position after the label of the next blank. Two ways to split
    # up to one position are enough to know that the cell is ambiguous.
    splits_by_end: dict[int, list[tuple[str, ...]]] = {len(labels.label(1)): [()]}
    for number, blank in enumerate(blanks, 1):
        next_splits: dict[int, list[tuple[str, ...]]] = {}
        separator = OPTION_SEPARATOR + labels.label(number + 1) if number < len(blanks) else ""
        ends = re.compile(f"(?={re.escape(separator)})" if separator else r"\Z")
        for start, splits in splits_by_end.items():
            for end in (complete.start() for complete in ends.finditer(cell, start)):
                text = cell[start:end].strip()
                if blank.options:
                    fits = not text or bool(option_readings(blank, text))
                else:
                    fits = label.search(cell, start, end) is None
                if fits:
                    known = next_splits.setdefault(end + len(separator), [])
                    known += [(*texts, text) for texts in splits][: 2 - len(known)]
        splits_by_end = next_splits
    complete = [split for texts in splits_by_end.values() for split in texts]
    if len(complete) == 1:
        return complete[0]
    if complete:
        raise BlankError("the cell can be split into its blanks in more than one way")
    raise BlankError(
        BoundPhrase(
            "the cell does not contain the {count} blank of this question",
            "the cell does not contain the {count} blanks of this question",
            len(blanks),
        )
    )
