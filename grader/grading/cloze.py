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
from grader.grading.exam_keys import ExamKeys, PartKey, cached_exercise
from grader.grading.moodle_cells import (
    BlankLabels,
    correct_answer,
    count_blanks,
    parse_labels,
    parse_signature,
    read_cell,
    write_cell,
)
from grader.grading.records import TURNED_INTO_DATE, UNKNOWN_VARIANT, UNREADABLE_BLANK
from grader.tables.column_names import QUESTION, RIGHT_ANSWER
from grader.tables.columns import Columns
from grader.tables.formulas import unguard_formula
from grader.tables.rows import ClassTable, DateCell
from grader.trees.notation.diagnostics import Diagnostics

REPORT_HINT = "tick 'question text' above Moodle's report of the responses, and download it again"


class ClozeReply(NamedTuple):
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


class ClozeReader:
    """Reads the cells of one exam; what it needs of a variant it works out once."""

    def __init__(self, exam_keys: ExamKeys) -> None:
        self._exam_keys = exam_keys
        self._contents = cache(self._contents_of)
        self._right = cache(self._right_in)

    def read(
        self, cell: str, question: str, right: str, parts: Sequence[str], variant: str
    ) -> Mapping[str, ClozeReply] | None:
        """The reply to each of these parts of one question, for a student who has this variant on paper.

        `question` and `right`, its text and its right answer, are empty where Moodle's table has them not.
        Where the text of the question says which one it is, the replies are to its parts. Where there are
        blanks for whole replies, a teacher has made the question, and everybody has the variant of the class
        list. None when the cell has no labels, as that of a question of another type.
        """
        labels, sign = parse_labels(cell), parse_signature(question)
        if labels is None and (sign is None or cell.strip()):
            return None
        labels = labels or BlankLabels()
        response = " ".join(cell.split())
        count = count_blanks(response, labels)
        blank = not response or response == write_cell([""] * count, labels)
        if sign is not None:
            parts = [part.name for part in self._exam_keys.parts if part.question == sign[0]] or parts
        try:
            if sign is None and count == len(parts) != self._count(variant, parts):
                whole = read_cell(response, labels, [_WHOLE] * count)
                return {part: ClozeReply(text, variant) for part, text in zip(parts, whole, strict=True)}
            variant = self._variant(sign, right, labels, parts, variant)
            asked = self._parts(variant, parts)
            if blank:
                return dict.fromkeys(parts, ClozeReply("", variant))
            filled = read_cell(response, labels, [blank for part in asked for blank in part.blanks])
        except _UntoldError as error:
            untold = ClozeReply(response, variant, f"{UNKNOWN_VARIANT}: {error}")
            return dict.fromkeys(parts, ClozeReply("", variant) if blank else untold)
        except BlankError as error:
            return dict.fromkeys(
                parts, ClozeReply(response, variant, _unread(error, self._exam_keys.language))
            )
        return dict(_replies(asked, filled, variant))

    def read_boxes_of_part(self, filled: Mapping[str, str], part: str, variant: str) -> ClozeReply:
        """The reply to a part of which every box has a column of its own, by what the boxes are called."""
        said = "; ".join(f"{label}: {text}" for label, text in filled.items() if text.strip())
        dated = next((text for text in filled.values() if isinstance(text, DateCell)), None)
        if dated is not None:
            return ClozeReply(said, variant, f"{TURNED_INTO_DATE} {dated}")
        try:
            asked = self._parts(variant, (part,))
            labels = [blank.label for each in asked for blank in each.blanks]
            for label, text in filled.items():
                if text.strip() and label not in labels:
                    raise BlankError("this paper has no box {label}", label=quote(label))
        except BlankError as error:
            return ClozeReply(said, variant, _unread(error, self._exam_keys.language))
        texts = [" ".join(unguard_formula(filled.get(label, "")).split()) for label in labels]
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
                raise _UntoldError(f"{why}; {REPORT_HINT}")
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
            texts = [correct_answer(blank) for part in self._parts(code, parts) for blank in part.blanks]
            found.setdefault(" ".join(write_cell(texts, labels).split()), []).append(code)
        return found

    def _parts(self, variant: str, parts: Sequence[str]) -> list[_Asked]:
        """These parts of a variant. Raises `BlankError` when the record of one is damaged."""
        return [_asked(key) for key in self._exam_keys.part_keys(variant) if key.part in parts]


@lru_cache(maxsize=4_096)
def _asked(key: PartKey) -> _Asked:
    exercise = cached_exercise(key.exercise, key.own)
    if isinstance(exercise, Diagnostics):
        raise BlankError("the key cannot be read: {why}", why=next(iter(exercise)).message)
    return _Asked(key.part, exercise, exercise.blanks.with_boxes.blanks)


def _unread(error: BlankError, language: Language) -> str:
    """Why a reply is contested that does not fill in its blanks; students read what is behind the colon."""
    return f"{UNREADABLE_BLANK}{language.render(error.message)}"


def _replies(
    asked: Sequence[_Asked], filled: Sequence[str], variant: str
) -> Iterator[tuple[str, ClozeReply]]:
    """The reply to every part in its blanks; where one cannot be read, what is in all of them."""
    rest = iter(filled)
    for part in asked:
        texts, public = list(islice(rest, len(part.blanks))), part.exercise.public
        try:
            reply = part.exercise.kind.form.reply_from_blanks(part.blanks, texts, public.tree, public.terms)
            yield part.name, ClozeReply(reply, variant)
        except BlankError as error:
            named = zip(part.blanks, texts, strict=True)
            said = "; ".join(f"{blank.label}: {text}" if blank.label else text for blank, text in named)
            yield part.name, ClozeReply(said, variant, _unread(error, public.terms.language))


def columns_beside_responses(
    table: ClassTable, columns: Columns
) -> Mapping[int, tuple[int | None, int | None]]:
    """Return the columns with a question's text and its correct answer, by the column of the responses."""
    questions, answers = (
        {
            found[1]: place
            for place, name in enumerate(table.columns)
            if (found := names.fullmatch(name.casefold()))
        }
        for names in (QUESTION, RIGHT_ANSWER)
    )
    numbers = {column.place: column.column.rpartition(" ")[2] for column in columns.replies}
    return {place: (questions.get(number), answers.get(number)) for place, number in numbers.items()}
