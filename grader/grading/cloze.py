"""Replies in the blanks of Moodle's Cloze questions, and the variant they answer, which Moodle draws."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from grader.answers.blank import NO_NODE, Blank, BlankError
from grader.answers.box_blanks import is_nothing
from grader.base.phrases import Language
from grader.base.safe_text import quote
from grader.exercises.exercise import Exercise
from grader.grading.exam_keys import ExamKeys, PartKey
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


MAX_BOX_READINGS = 9
"""The most readings of boxes that a person is offered: each has a digit as its key."""


class ClozeReply(NamedTuple):
    """A reply, the variant that it answers, and why it is contested, if it is."""

    text: str
    variant: str
    contested: str = ""


_WHOLE_REPLY = Blank()
"""A box that takes a whole reply."""


class _UnknownVariantError(ValueError):
    """The variant of a question is unknown; the message says why."""


@dataclass(frozen=True, slots=True)
class _ClozePart:
    """A part as Moodle asks it."""

    name: str
    exercise: Exercise
    blanks: tuple[Blank, ...]

    def reply(self, texts: Sequence[str]) -> str:
        """Return the reply that these texts in its blanks are. Raises `BlankError` if one cannot be read."""
        public = self.exercise.public
        return self.exercise.kind.form.reply_from_blanks(self.blanks, texts, public.tree, public.terms)

    def says_nothing(self, text: str) -> bool:
        """Return whether a text in a box says that there is no answer or no entry."""
        public = self.exercise.public
        return is_nothing(text) or self.exercise.kind.form.is_no_answer(text, public.tree, public.terms)


class ClozeReader:
    """Reads the cells of one exam; what it needs to know about a variant is computed once."""

    def __init__(self, exam_keys: ExamKeys) -> None:
        self._exam_keys = exam_keys
        self._contents = cache(self._contents_by_variant)
        self._variants_with = cache(self._variants_by_answer)

    def read(
        self, cell: str, question: str, right: str, parts: Sequence[str], variant: str
    ) -> Mapping[str, ClozeReply] | None:
        """Return the reply to each of these parts of one question, for a student with this variant on paper.

        - `question`, `right`: the text and the correct answer of the question; empty if Moodle's table has
          no such columns.

        1. A cell without labels belongs to a question of another type, and None is returned.
        2. If the text of the question names it, the replies are to its parts.
        3. If there is one blank for each part, and not one for each of our blanks, a teacher has made the
           question, and every student has the variant of the class list.
        4. Otherwise the variant is found first, and then the blanks of that variant are read.
        """
        labels, signed = parse_labels(cell), parse_signature(question)
        if labels is None and (signed is None or cell.strip()):
            return None
        labels = labels or BlankLabels()
        response = " ".join(cell.split())
        count = count_blanks(response, labels)
        blank = not response or response == write_cell([""] * count, labels)
        if signed is not None:
            parts = [part.name for part in self._exam_keys.parts if part.question == signed[0]] or parts
        try:
            if signed is None and count == len(parts) != self._count(variant, parts):
                texts = read_cell(response, labels, [_WHOLE_REPLY] * count)
                return {part: ClozeReply(text, variant) for part, text in zip(parts, texts, strict=True)}
            variant = self._variant(signed, right, labels, parts, variant)
            cloze_parts = self._parts(variant, parts)
            if blank:
                return dict.fromkeys(parts, ClozeReply("", variant))
            filled = read_cell(response, labels, [blank for part in cloze_parts for blank in part.blanks])
        except _UnknownVariantError as error:
            unknown = ClozeReply(response, variant, f"{UNKNOWN_VARIANT}: {error}")
            return dict.fromkeys(parts, ClozeReply("", variant) if blank else unknown)
        except BlankError as error:
            return dict.fromkeys(
                parts, ClozeReply(response, variant, _unreadable_reason(self._exam_keys.language, error))
            )
        return dict(_replies(cloze_parts, filled, variant))

    def read_boxes_of_part(self, filled: Mapping[str, str], part: str, variant: str) -> ClozeReply:
        """Return the reply to a part whose boxes have a column each, given their texts by box label.

        A date, or a text in a box that the paper lacks, makes the reply contested, unless it says nothing.
        """
        texts = {label: " ".join(unguard_formula(text).split()) for label, text in filled.items()}
        dates = [text for text in filled.values() if isinstance(text, DateCell)]
        try:
            cloze_parts = self._parts(variant, (part,))
        except BlankError as error:
            reason = _unreadable_reason(self._exam_keys.language, error)
            return ClozeReply(_boxes_text(texts, texts), variant, reason)
        labels = [blank.label for each in cloze_parts for blank in each.blanks]
        absent = [
            label for label in texts if label not in labels and not cloze_parts[0].says_nothing(texts[label])
        ]
        if dates:
            return ClozeReply(_boxes_text(texts, labels), variant, f"{TURNED_INTO_DATE} {dates[0]}")
        if absent:
            trouble = BlankError("this paper has no box {label}", label=quote(absent[0]))
            reason = _unreadable_reason(self._exam_keys.language, trouble)
            return ClozeReply(_boxes_text(texts, labels), variant, reason)
        return dict(_replies(cloze_parts, [texts.get(label, "") for label in labels], variant))[part]

    def _count(self, variant: str, parts: Sequence[str]) -> int:
        """Count the blanks that our questions have for these parts."""
        return sum(len(part.blanks) for part in self._parts(variant, parts))

    def _variant(
        self, signed: tuple[str, str] | None, right: str, labels: BlankLabels, parts: Sequence[str], own: str
    ) -> str:
        """Return the variant of a question that a student had, which Moodle draws if there are several.

        It is the student's own one if that has the same question. Raises `_UnknownVariantError`.
        """
        label = self._exam_keys.labels[parts[0]]
        contents = self._contents(label)
        if signed is not None:
            if signed[0] != label or signed[1] not in contents:
                raise _UnknownVariantError(f"this exam has no question {signed[0]} in a variant {signed[1]}")
            code = signed[1]
        elif len(set(contents.values())) == 1:
            return own
        else:
            candidates = self._variants_with(tuple(parts), labels).get(" ".join(right.split()), ())
            codes_by_content = {contents[each]: each for each in candidates}
            if len(codes_by_content) != 1:
                why = "several have this right answer" if codes_by_content else "Moodle has drawn it"
                raise _UnknownVariantError(f"{why}; {REPORT_HINT}")
            (code,) = codes_by_content.values()
        return own if contents[code] == contents[own] else code

    def _contents_by_variant(self, label: str) -> Mapping[str, tuple[str, ...]]:
        """Return variant code -> the exercises of a question; equal where the question is the same."""
        return {
            code: tuple(part.exercise for part in self._exam_keys.question(code, label).parts)
            for code in self._exam_keys.variants
        }

    def _variants_by_answer(self, parts: tuple[str, ...], labels: BlankLabels) -> Mapping[str, Sequence[str]]:
        """Return the correct answer to these parts, as Moodle writes it in some language -> the variants."""
        variants_by_answer: dict[str, list[str]] = {}
        for code in self._exam_keys.variants:
            texts = [correct_answer(blank) for part in self._parts(code, parts) for blank in part.blanks]
            variants_by_answer.setdefault(" ".join(write_cell(texts, labels).split()), []).append(code)
        return variants_by_answer

    def _parts(self, variant: str, parts: Sequence[str]) -> list[_ClozePart]:
        """Return these parts of a variant. Raises `BlankError` if the record of one is damaged."""
        return [_cloze_part(key) for key in self._exam_keys.part_keys(variant) if key.part in parts]


@lru_cache(maxsize=4_096)
def _cloze_part(key: PartKey) -> _ClozePart:
    """Return a part with its exercise and blanks. Raises `BlankError` if its key cannot be read."""
    exercise = key.read_exercise()
    if isinstance(exercise, Diagnostics):
        raise BlankError("the key cannot be read: {why}", why=next(iter(exercise)).message)
    return _ClozePart(key.part, exercise, exercise.blanks.with_boxes.blanks)


def box_contents_text(blanks: Sequence[Blank], texts: Sequence[str]) -> str:
    """Return what all boxes of a part hold, as a person sees it: `A: 3; B: eh?`."""
    labelled = zip(blanks, texts, strict=True)
    return "; ".join(f"{blank.label}: {text}" if blank.label else text for blank, text in labelled)


def _boxes_text(texts: Mapping[str, str], labels: Collection[str]) -> str:
    """Return what boxes hold, by their labels, as `box_contents_text` does; empty ones are left out.

    Boxes that the paper does not have, with none of these labels, have their label in quotation marks.
    """
    absent = {label: '"{}"'.format(label.replace('"', "'")) for label in texts if label not in labels}
    return "; ".join(f"{absent.get(label, label)}: {text}" for label, text in texts.items() if text)


def _parse_boxes(text: str, blanks: Sequence[Blank], missing: Sequence[str] = ()) -> list[str] | None:
    """Return what each box holds; the inverse of `box_contents_text` and `_boxes_text`.

    Boxes may be missing, and what the paper has no box for is left out. None if the text does not consist of
    such labels, each once, or some box has no label.
    """
    labels = sorted((blank.label for blank in blanks), key=len, reverse=True)
    if "" in labels:
        return None
    heads = [*re.finditer(rf"(?:^|;)\s*({'|'.join(map(re.escape, labels))}|\"[^\"]*\"): ?", text)]
    if not heads or heads[0].start() or len({head[1] for head in heads}) < len(heads):
        return None
    ends = [*(head.start() for head in heads[1:]), len(text)]
    text_by_label = {head[1]: text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)}
    others = missing or [""] * len(blanks)
    return [text_by_label.get(blank.label, old) for blank, old in zip(blanks, others, strict=True)]


def reply_of_boxes(text: str, key: PartKey) -> str:
    """Return the reply to a part whose boxes hold this; empty for a text without boxes, or one unreadable."""
    part = _cloze_part(key)
    texts = _parse_boxes(text, part.blanks)
    try:
        return "" if texts is None else part.reply(texts)
    except BlankError:
        return ""


def readings_of_boxes(text: str, key: PartKey) -> list[str]:
    """Return the possible replies to a part whose boxes hold this, without those that cannot be read.

    If boxes may mean something, every combination is a reading, unless there are too many; the last reading
    leaves all of them out.
    """
    part = _cloze_part(key)
    texts = _parse_boxes(text, part.blanks)
    if texts is None:
        return []
    last, _ = _without_unreadable(part, texts)
    readings = dict.fromkeys([*islice(_readings(part, texts), MAX_BOX_READINGS + 1), last])
    if len(readings) > MAX_BOX_READINGS:
        readings = {last: None}
    return [reading for reading in readings if reading]


def _readings(part: _ClozePart, texts: Sequence[str]) -> Iterator[str]:
    """Yield the replies in boxes with all their meanings; a box without any is left out."""
    try:
        yield part.reply(texts)
        return
    except BlankError as error:
        blank, meanings = error.blank, error.readings
    pairs = [*zip(part.blanks, texts, strict=True)]
    others = [[meaning if each == blank else text for each, text in pairs] for meaning in meanings]
    for other in others or [_without_box(part, texts, blank)]:
        if other != [*texts]:
            yield from _readings(part, other)


def _without_unreadable(part: _ClozePart, texts: Sequence[str]) -> tuple[str, list[BlankError]]:
    """Return the reply in the boxes that can be read, and the trouble with each of the others."""
    errors: list[BlankError] = []
    while True:
        try:
            return part.reply(texts), errors
        except BlankError as error:
            errors.append(error)
        rest = _without_box(part, texts, errors[-1].blank)
        if rest == [*texts]:
            return "", errors
        texts = rest


def _without_box(part: _ClozePart, texts: Sequence[str], blank: Blank | None) -> list[str]:
    """Return what boxes hold, without this box and the others of its node."""
    return [
        ""
        if blank is not None and (each == blank or (blank.node != NO_NODE and each.node == blank.node))
        else text
        for each, text in zip(part.blanks, texts, strict=True)
    ]


def typed_reply(text: str, key: PartKey, written: str) -> str:
    """Return the reply that a person has typed for a part, also as what each of its boxes holds.

    If `written` says what its boxes hold, those that the typed reply does not name stay as they are.
    Raises `BlankError` if one of them cannot be read.
    """
    part = _cloze_part(key)
    public, form = part.exercise.public, part.exercise.kind.form
    texts = _parse_boxes(written, part.blanks)
    if texts is None:
        return reply_of_boxes(text, key) or text
    typed_texts = _parse_boxes(text, part.blanks, missing=texts)
    if typed_texts is not None:
        return part.reply(typed_texts)
    typed = form.read(text, public.tree, public.terms) if form.has_entries else None
    if not isinstance(typed, tuple) or not typed:
        return text
    typed_entries = dict(typed)
    others = [
        "" if blank.node in typed_entries else old for blank, old in zip(part.blanks, texts, strict=True)
    ]
    reply = part.reply(others)
    rest = dict(form.parse_canonical(reply, public.tree)) if reply else {}
    return form.write(tuple(sorted((rest | typed_entries).items())), public.tree)


def _unreadable_reason(language: Language, *errors: BlankError) -> str:
    """Return why a reply with unreadable blanks is contested; students read the text after the colon."""
    return UNREADABLE_BLANK + "; ".join(language.render(error.message) for error in errors)


def _replies(
    cloze_parts: Sequence[_ClozePart], filled: Sequence[str], variant: str
) -> Iterator[tuple[str, ClozeReply]]:
    """Yield the reply to every part; if a blank cannot be read, it is the texts of all blanks of the part."""
    texts_left = iter(filled)
    for part in cloze_parts:
        texts = list(islice(texts_left, len(part.blanks)))
        reply, errors = _without_unreadable(part, texts)
        reason = ""
        if errors:
            reply = box_contents_text(part.blanks, texts)
            reason = _unreadable_reason(part.exercise.public.terms.language, *errors)
        yield part.name, ClozeReply(reply, variant, reason)


def columns_beside_responses(
    table: ClassTable, columns: Columns
) -> Mapping[int, tuple[int | None, int | None]]:
    """Return the columns with a question's text and its correct answer, by the column of the responses."""
    questions, answers = (
        {
            match[1]: place
            for place, name in enumerate(table.columns)
            if (match := names.fullmatch(name.casefold()))
        }
        for names in (QUESTION, RIGHT_ANSWER)
    )
    numbers = {column.place: column.column.rpartition(" ")[2] for column in columns.replies}
    return {place: (questions.get(number), answers.get(number)) for place, number in numbers.items()}
