"""One row of submissions: whether the attempt is finished, when it was handed in, and the replies in it."""

from collections.abc import Mapping, Sequence, Set

from grader.base.safe_text import quote
from grader.grading.cloze import ClozeReader, ClozeReply, columns_beside_responses
from grader.grading.drawn_trees import replies_from_tree
from grader.grading.exam_keys import ExamKeys
from grader.grading.records import (
    NOTHING_ENTERED,
    OTHER_VARIANT,
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNKNOWN_VARIANT,
)
from grader.tables.column_names import FINISHED_STATES, UNFINISHED_STATES
from grader.tables.columns import Columns
from grader.tables.formulas import unguard_formula
from grader.tables.rows import AbsentCell, ClassTable, DateCell, PendingCell, Row, TreeCell

_NEVER = "-"
"""Moodle's sign for no answer, no time and no attempt."""


class RowReader:
    """Reads the rows of one table of submissions."""

    def __init__(self, exam_keys: ExamKeys, cloze: ClozeReader, table: ClassTable, columns: Columns) -> None:
        self._exam_keys, self._cloze = exam_keys, cloze
        self._reply_columns, self._parts = columns.replies, columns.parts
        self._is_moodle = columns.origin == "moodle"
        self._time_columns = columns.places_by_role.get("time", ())
        self._state_columns = columns.places_by_role.get("state", ())
        self._variant_columns = columns.places_by_role.get("variant", ())
        self._codes = {code.casefold(): code for code in exam_keys.variants}
        self._finished_word = exam_keys.language.term("finished")
        self._finished_states = FINISHED_STATES | {self._finished_word.casefold()}
        self._question_columns = columns_beside_responses(table, columns)

    def time(self, row: Row) -> str:
        """Return when a row was handed in, as it is written; empty if the row does not say."""
        return next((text for place in self._time_columns if (text := row.cells[place].strip())), "")

    def unfinished_reason(self, row: Row) -> str:
        """Return why a row is not a finished attempt; empty for a finished one.

        1. A known state of an unfinished attempt decides, and in Moodle a dash as state or time.
        2. A row with replies is finished in any other state.
        3. A row without replies in a table with states is a blank paper only if its state says so.
        """
        states = [row.cells[place].strip() for place in self._state_columns]
        unfinished = [text for text in states if text.casefold() in UNFINISHED_STATES]
        if self._is_moodle:  # an attempt without a beginning or an end has `-` for it
            times = (row.cells[place].strip() for place in self._time_columns)
            unfinished += [text for text in (*states, *times) if text == _NEVER]
        if unfinished:
            return f"the attempt is not finished: {unfinished[0][:60]}"
        if not states or self._has_replies(row) or any(map(self._is_finished, states)):
            return ""
        written = next(filter(None, states), "")
        if not written:
            return NOTHING_ENTERED
        return (
            f"nothing was entered, and the state {quote(written)} is not known; write "
            f"{self._finished_word!r} for a paper handed in empty, or nothing for an absent student"
        )

    def unknown_states(self, row: Row) -> Sequence[str]:
        """Return the states of a row that name neither a finished nor an unfinished attempt."""
        states = (row.cells[place].strip() for place in self._state_columns)
        return [
            text
            for text in states
            if text not in ("", _NEVER)
            and text.casefold() not in UNFINISHED_STATES
            and not self._is_finished(text)
        ]

    def _is_finished(self, state: str) -> bool:
        return state.casefold() in self._finished_states

    def _has_replies(self, row: Row) -> bool:
        texts = (row.cells[column.place].strip() for column in self._reply_columns)
        return any(text and not (self._is_moodle and text == _NEVER) for text in texts)

    def replies(self, row: Row, student: str) -> Mapping[str, ClozeReply]:
        """Return the reply of a row to every part that a column answers.

        If the row says another variant than its student has, its replies are taken as answers to that one,
        if the exam has it, and a person decides; except for questions that are the same in both.
        """
        own, written = self._exam_keys.variant_of(student), self._written_variant(row)
        if written in ("", own):
            return self._replies(row, own)
        same: Set[str] = frozenset()
        answered = own
        reason = f"{OTHER_VARIANT}{quote(written)}, which this exam does not have"
        if written in self._exam_keys.variants:
            same, answered = self._same_parts(own, written), written
            reason = f"{OTHER_VARIANT}{written}, and this student has {own}"
        replies = self._replies(row, answered)
        return {
            part: reply._replace(variant=own)
            if part in same or not reply.text.strip()
            else reply._replace(contested=reason)
            for part, reply in replies.items()
        }

    def _written_variant(self, row: Row) -> str:
        """Return the variant that a row says, as the exam writes it; empty if it says none, or has a dash."""
        texts = (unguard_formula(row.cells[place]).strip() for place in self._variant_columns)
        text = next((text for text in texts if text not in ("", _NEVER)), "")
        return self._codes.get(text.casefold(), text)

    def _same_parts(self, code: str, other: str) -> Set[str]:
        """Return the parts of questions that are equal in two variants, such as those of a given tree."""
        questions, others = (self._exam_keys.variants[each] for each in (code, other))
        return {
            key.part
            for question, twin in zip(questions, others, strict=True)
            if [key.exercise for key in question.parts] == [key.exercise for key in twin.parts]
            for key in question.parts
        }

    def _replies(self, row: Row, own: str) -> Mapping[str, ClozeReply]:
        """Return the reply of a row to every part, as answers to the variant `own` unless Moodle drew one.

        A part that two columns answer has a contested reply; one whose cells are absent has none.
        """
        replies: dict[str, ClozeReply] = {}
        texts_by_box: dict[str, dict[str, str]] = {}
        for column in self._reply_columns:
            cell = row.cells[column.place]
            if isinstance(cell, AbsentCell):
                continue
            if column.box:
                texts_by_box.setdefault(column.parts[0], {})[column.box] = cell
                continue
            if isinstance(cell, TreeCell):  # then all cells are
                keys = [key for key in self._exam_keys.part_keys(own) if key.part in self._parts]
                return {part: ClozeReply(text, own) for part, text in replies_from_tree(cell, keys).items()}
            whole = self._whole_reply(cell, own)
            answers: Mapping[str, ClozeReply] = dict.fromkeys(column.parts, whole)
            if self._is_moodle and not whole.contested:
                question, right = (
                    "" if place is None else row.cells[place]
                    for place in self._question_columns[column.place]
                )
                answers = self._cloze.read(whole.text, question, right, column.parts, own) or answers
            for part, reply in answers.items():
                if part in replies:
                    reply = whole._replace(contested=f"{UNKNOWN_VARIANT}: two columns hold this question")
                replies[part] = reply
        for part, texts in texts_by_box.items():
            replies[part] = self._cloze.read_boxes_of_part(texts, part, own)
        return replies

    def _whole_reply(self, cell: str, variant: str) -> ClozeReply:
        """Return a cell as one reply to this variant.

        A date, and a scan that waits for a person, are contested; Moodle's sign for no answer is blank.
        """
        if isinstance(cell, DateCell):
            return ClozeReply(str(cell), variant, f"{TURNED_INTO_DATE} {cell}")
        if isinstance(cell, PendingCell):
            return ClozeReply("", variant, f"{UNDECIDED_SCAN}{cell}")
        never = self._is_moodle and cell.strip() == _NEVER
        return ClozeReply("" if never else unguard_formula(cell), variant)
