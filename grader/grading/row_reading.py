"""One row of submissions: whether the attempt is finished, when it was handed in, and the replies in it."""

from collections.abc import Mapping

from grader.grading.cloze import ClozeReader, ClozeReply, columns_beside_responses
from grader.grading.drawn_trees import replies_from_tree
from grader.grading.exam_keys import ExamKeys
from grader.grading.records import NOTHING_ENTERED, TURNED_INTO_DATE, UNDECIDED_SCAN, UNKNOWN_VARIANT
from grader.tables.column_names import UNFINISHED_STATES
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
        self._question_columns = columns_beside_responses(table, columns)

    def time(self, row: Row) -> str:
        """Return when a row was handed in, as it is written; empty if the row does not say."""
        return next((text for place in self._time_columns if (text := row.cells[place].strip())), "")

    def unfinished_reason(self, row: Row) -> str:
        """Return why a row is not a finished attempt; empty for a finished one."""
        states = [row.cells[place].strip() for place in self._state_columns]
        replies = (row.cells[column.place].strip() for column in self._reply_columns)
        unfinished = [text for text in states if text.casefold() in UNFINISHED_STATES]
        if self._is_moodle:  # an attempt without a beginning or an end has `-` for it
            times = (row.cells[place].strip() for place in self._time_columns)
            unfinished += [text for text in (*states, *times) if text == _NEVER]
        elif states and not any((*states, *replies)):
            return NOTHING_ENTERED
        return f"the attempt is not finished: {unfinished[0][:60]}" if unfinished else ""

    def replies(self, row: Row, student: str) -> Mapping[str, ClozeReply]:
        """Return the reply of a row to every part that a column answers.

        A part that two columns answer has a contested reply; one whose cells are absent has none.
        """
        replies: dict[str, ClozeReply] = {}
        own = self._exam_keys.variant_of(student)
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
