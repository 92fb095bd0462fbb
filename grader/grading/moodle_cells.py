"""One cell for all blanks of a question, as Moodle exports what was filled in: `part 1: 3; part 2: B`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.answers.blank import OPTION_SEPARATOR, Blank, BlankError, Box, Choice
from grader.answers.choice_blanks import option_readings
from grader.base.phrases import BoundPhrase

PART_WORDS = (
    "part", "parte", "partea", "partie", "Partie", "Teil", "deel", "del", "Delen", "osa", "část", "časť",
    "część", "rész", "bölüm", "phần", "частина", "часть", "частка", "μέρος", "Μέρος", "חלק", "الجزء",
    "部件", "部分", "子问题",
)  # fmt: skip
"""How the language packs of Moodle call a blank (`subqresponse` of its `qtype_multianswer`)."""

_FIRST = re.compile(rf"({'|'.join(map(re.escape, PART_WORDS))})( ?)1( ?[:：])(?= |$)")


_SIGNED = re.compile(r"\((\d{1,4}), ([0-9A-Z]{1,12})\)\s*$", re.ASCII)


@dataclass(frozen=True, slots=True)
class BlankLabels:
    """What stands before and behind the number of a blank, in the language of whoever filled it in."""

    before: str = "part "
    after: str = ":"

    def label(self, number: int) -> str:
        """The label of a blank, counted from 1."""
        return f"{self.before}{number}{self.after}"


def signature(question: str, code: str) -> str:
    """What stands at the end of a question on a platform: its label and the code of its variant."""
    return f"({question}, {code})"


def parse_signature(text: str) -> tuple[str, str] | None:
    """The label and the code at the end of a question's text; None where there is no such thing."""
    found = _SIGNED.search(text)
    return None if found is None else (found[1], found[2])


def parse_labels(cell: str) -> BlankLabels | None:
    """The labels in a cell; None for a cell that has none, as those of any other question."""
    found = _FIRST.match(cell.lstrip())
    return None if found is None else BlankLabels(found[1] + found[2], found[3])


def write_cell(filled: Sequence[str], labels: BlankLabels = BlankLabels()) -> str:
    """What is in the blanks of a question, in one cell."""
    return OPTION_SEPARATOR.join(
        f"{labels.label(number)} {text}" for number, text in enumerate(filled, 1)
    ).strip()


def correct_answer(blank: Blank) -> str:
    """What Moodle says is right in a blank: the plainest language, the first option or all of them."""
    if isinstance(blank, Box):
        return blank.spellings[0] if blank.whole_number is None else str(blank.whole_number)
    right = [option.text for option in blank.options if option.share > 0]
    return OPTION_SEPARATOR.join(right) if blank.allows_several else right[0]


def count_blanks(cell: str, labels: BlankLabels) -> int:
    """How many blanks a cell has, as far as their labels follow each other."""
    number, place = 1, 0
    while (place := cell.find(OPTION_SEPARATOR + labels.label(number + 1), place)) >= 0:
        number += 1
    return number


def read_cell(cell: str, labels: BlankLabels, blanks: Sequence[Blank]) -> tuple[str, ...]:
    """What is in each of these blanks.

    Texts may hold whatever parts the blanks: options, because names do, and boxes, because people type
    anything. The cell is taken apart in the only way in which every choice is one, and no box holds a label.
    Raises `BlankError` where there is no such way or more than one.
    """
    cell = " ".join(cell.split())
    label = re.compile(f"{re.escape(OPTION_SEPARATOR + labels.before)}[0-9]+{re.escape(labels.after)}")
    # What the blanks so far hold, by the place behind the label of the next one; two ways are enough.
    ways: dict[int, list[tuple[str, ...]]] = {len(labels.label(1)): [()]}
    for number, blank in enumerate(blanks, 1):
        following: dict[int, list[tuple[str, ...]]] = {}
        parting = OPTION_SEPARATOR + labels.label(number + 1) if number < len(blanks) else ""
        ends = re.compile(f"(?={re.escape(parting)})" if parting else r"\Z")
        for start, before in ways.items():
            for end in (found.start() for found in ends.finditer(cell, start)):
                text = cell[start:end].strip()
                if isinstance(blank, Choice):
                    fits = not text or bool(option_readings(blank, text))
                else:
                    fits = label.search(cell, start, end) is None
                if fits:
                    after = following.setdefault(end + len(parting), [])
                    after += [(*each, text) for each in before][: 2 - len(after)]
        ways = following
    found = [way for each in ways.values() for way in each]
    if len(found) == 1:
        return found[0]
    if found:
        raise BlankError("the cell can be taken apart into its blanks in more than one way")
    raise BlankError(
        BoundPhrase(
            "the cell does not hold the {count} blank of this question",
            "the cell does not hold the {count} blanks of this question",
            len(blanks),
        )
    )
