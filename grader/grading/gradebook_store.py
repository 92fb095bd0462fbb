"""The gradebook: one SQLite file to which submissions and marks are appended; nothing in it changes."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, TypeVar
from zlib import crc32

from grader.grading.exam_keys import hash_texts
from grader.grading.file_readings import Reading
from grader.grading.gradebook_file import (
    SQLITE_FAILURES,
    begin_writing,
    connect,
    damaged_error,
    ignore_wait,
    translate_failure,
)
from grader.grading.records import (
    ENTRY_COLUMNS,
    MADE_COLUMNS,
    ROW_COLUMNS,
    SUBMISSION_COLUMNS,
    WITHDRAWN,
    Entry,
    OddRow,
    Outcome,
    Submission,
)
from grader.tables.rows import replace_surrogates

T = TypeVar("T")

MAX_CACHED_OUTCOMES = 50_000
"""The most different outcomes whose digests are kept in memory."""


@dataclass(slots=True)
class Gradebook:
    """An open gradebook; a context manager that closes it.

    Many may read, and one writes at a time: `writing` waits for its turn, and `on_wait` is called if that
    takes more than a moment. When a `writing` block ends, everything it appended is safe on disk; if it
    fails, nothing is appended.
    """

    path: Path
    connection: sqlite3.Connection
    on_wait: Callable[[], None] = ignore_wait

    @classmethod
    def open(cls, path: Path, *, create: bool = False, on_wait: Callable[[], None] = ignore_wait) -> Self:
        """Open a gradebook, with `create` also a file that is missing or empty.

        Without write access it can only be read.
        Raises `GradebookError` for a file that is not a gradebook, `FileNotFoundError` and other `OSError`s.
        """
        if not create and not path.is_file():
            raise FileNotFoundError(2, "there is no gradebook", str(path))
        return cls(path, connect(path, on_wait), on_wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run one transaction, once no other program writes; everything in it is appended, or nothing.

        Raises `OSError` if the disk is full, cannot be written, or another program does not finish,
        `GradebookError` if the file is damaged.
        """
        with self.translating_errors("written"):
            begin_writing(self.connection, self.on_wait)
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def translating_errors(self, attempted: str) -> Iterator[None]:
        """Raise the errors of SQLite as `translate_failure` says."""
        try:
            yield
        except SQLITE_FAILURES as error:
            raise translate_failure(self.path, error, attempted) from None

    # Appending, inside `writing` ----------------------------------------------------------------------

    def append_intake(
        self, program: str, sources: Sequence[Mapping[str, Any]], counts: Mapping[str, int]
    ) -> None:
        """Append the record of an intake: its files and the counts of its rows."""
        row = utc_timestamp(), program, json.dumps(list(sources)), json.dumps(dict(counts))
        self.connection.execute(
            _insert("intakes", "id", *_INTAKE_COLUMNS, "checksum"), (self.next_intake(), *row, _checksum(row))
        )

    def next_intake(self) -> int:
        """Return the number of the next intake."""
        return self._count("SELECT coalesce(max(id), 0) + 1 FROM intakes")

    def append_rows(self, intake: int, rows: Iterable[OddRow]) -> None:
        """Append rows that did not simply count."""
        values = ((*map(replace_surrogates, row[:5]), json.dumps(row.cells), row.reading) for row in rows)
        self.connection.executemany(
            _insert("rows", "intake", *ROW_COLUMNS, "checksum"),
            ((intake, *row, _checksum(row)) for row in values),
        )

    def append_submissions(self, intake: int, submissions: Iterable[Submission]) -> None:
        """Append replies as they were handed in."""
        rows = ((*each[1:-2], int(each.late), int(each.aside)) for each in submissions)
        self.connection.executemany(
            _insert("submissions", "intake", *SUBMISSION_COLUMNS, "checksum"),
            ((intake, *row, _checksum(row)) for row in rows),
        )

    def append_entries(self, entries: Sequence[Entry]) -> int:
        """Append marks; return how many were appended.

        A mark by grading is skipped if the last mark is of the same reply (or replies, with follow-through),
        of a later one, or an override. So two programs may grade a class at the same time, and only a new
        reply changes a mark.
        """
        at = utc_timestamp()
        self.append_outcomes({entry.outcome for entry in entries})
        rows = (
            (*each[:3], each.maker, replace_surrogates(each.reason), at, _outcome_row(each.outcome)[0])
            for each in entries
        )
        return self.connection.executemany(_INSERT_MARK, rows).rowcount

    def append_outcomes(self, outcomes: Iterable[Outcome]) -> list[str | None]:
        """Append the outcomes that are not stored yet; return the digests of all given ones."""
        rows = [*map(_outcome_row, outcomes)]
        self.connection.executemany(_INSERT_OUTCOME, rows)
        return [row[0] for row in rows]

    # Reading ------------------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read the gradebook as it is at one moment, although other programs may go on writing."""
        with self.translating_errors("read"):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement. Raises `GradebookError` if the file is damaged, else `OSError`."""
        with self.translating_errors("read"):
            # `yield from` would close the cursor when the connection may be closed already.
            for row in self.connection.execute(statement, values):  # noqa: UP028
                yield row

    def _read(self, read: Callable[..., T], rows: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """Convert every row. Raises `GradebookError` for a row that this program did not write."""
        for row in rows:
            try:
                record = read(*row)
            except (ValueError, TypeError, LookupError) as error:
                raise damaged_error(self.path, error) from None
            yield record

    def _count(self, statement: str) -> int:
        ((count,),) = self._rows(statement)
        return int(count)

    def _texts(self, statement: str, values: Sequence[object] = ()) -> tuple[str, ...]:
        return tuple(text for (text,) in self._read(_complete, self._rows(statement, values)))

    def pending(self) -> Iterator[Submission]:
        """Yield the last submissions that have no mark yet and no override, by student and question."""
        return self._read(_submission, self._rows(f"{_SELECT_PENDING} {_IN_ORDER}"))

    def pending_count(self) -> int:
        """Count the submissions that `pending` yields."""
        return self._count(f"SELECT count(*) FROM ({_SELECT_PENDING})")

    def is_waiting(self) -> bool:
        """Return whether `pending` yields any submission."""
        return self._count(f"SELECT EXISTS ({_SELECT_PENDING})") > 0

    def newest_submission_id(self) -> int:
        """Return the number of the submission that was appended last."""
        return self._count("SELECT coalesce(max(id), 0) FROM submissions")

    def newest_mark_id(self) -> int:
        """Return the number of the mark that was appended last."""
        return self._count("SELECT coalesce(max(id), 0) FROM marks")

    def mark_counts_since(self, newest: int) -> list[tuple[str, int]]:
        """Return one mark of each state, as JSON, and how many marks after this one have it."""
        return list(self._rows(_COUNT_MARKS, (newest,)))

    def submissions_since(self, newest: int) -> frozenset[tuple[str, str]]:
        """Return student and part of the submissions appended after this one that are not kept aside."""
        rows = self._rows("SELECT student, question FROM submissions WHERE id > ? AND NOT aside", (newest,))
        return frozenset((student, part) for student, part in rows)

    def submission_count(self) -> int:
        """Count the submissions that `last_submissions` yields."""
        return self._count(f"SELECT count(*) FROM ({_SELECT_LAST})")

    def last_submissions(self) -> Iterator[Submission]:
        """Yield the last submission of every student for every part, by student and question."""
        return self._read(_submission, self._rows(f"{_SELECT_LAST} {_IN_ORDER}"))

    def submissions_of(self, student: str) -> dict[str, Submission]:
        """Return the last submission of one student for every part."""
        return last_by_part(self.all_submissions_of(student))

    def all_submissions_of(self, *students: str) -> tuple[Submission, ...]:
        """Return all submissions of some students, the oldest first."""
        rows = self._rows(
            f"{_SELECT_SUBMISSIONS} WHERE s.student {_IN_LIST} ORDER BY s.id", (json.dumps(students),)
        )
        return tuple(self._read(_submission, rows))

    def entries_of(self, student: str) -> dict[str, Entry]:
        """Return the mark of one student that holds for every part."""
        return standing_entries(self.history(student))

    def history(self, *students: str) -> tuple[Entry, ...]:
        """Return all marks that some students ever had, the oldest first."""
        return tuple(self._read(_entry, self._rows(_SELECT_MARKS, (json.dumps(students),))))

    def students(self) -> tuple[str, ...]:
        """Return the students who handed something in or have a mark, sorted."""
        return self._texts("SELECT student FROM submissions UNION SELECT student FROM marks ORDER BY student")

    def variants(self) -> tuple[str, ...]:
        """Return the codes of all variants with submissions, sorted."""
        return self._texts("SELECT DISTINCT variant FROM submissions ORDER BY variant")

    def odd_rows(self) -> tuple[OddRow, ...]:
        """Return the rows that did not simply count."""
        rows = self._rows(f"SELECT {', '.join(ROW_COLUMNS)}, checksum FROM rows ORDER BY id")
        return tuple(self._read(_odd_row, rows))

    def readings(self) -> tuple[Reading, ...]:
        """Return every reading of every file, the oldest first."""
        rows = self._rows(f"SELECT {', '.join(_INTAKE_COLUMNS)}, checksum FROM intakes ORDER BY id")
        intakes = self._read(_sources, rows)
        return tuple(each for sources in intakes for each in sources)

    def row_owners(self) -> dict[str, str]:
        """Return the owners of rows that were given: identifier in the row -> identifier of the student."""
        owners: dict[str, str] = {}
        for each in self.readings():
            owners |= each["same"]
        return owners

    def ignored_rows(self) -> frozenset[str]:
        """Return the rows that belong to no student, by the student they name or by their places."""
        return frozenset(row for each in self.readings() for row in each.get("ignored", ()))

    def column_maps(self) -> dict[str, dict[str, str]]:
        """Return the last column options of each file, by the hash of the file."""
        return {each["digest"]: each["map"] for each in self.readings() if each["map"]}

    def students_in(self, readings: Iterable[int]) -> tuple[str, ...]:
        """Return the students with a submission from one of these readings."""
        return self._texts(
            f"SELECT DISTINCT student FROM submissions WHERE reading {_IN_LIST} ORDER BY student",
            (json.dumps(sorted(readings)),),
        )


def _insert(table: str, *columns: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


_INTAKE_COLUMNS = ("at", "program", "sources", "counts")
_RESULT_COLUMNS = ("state", "points", "maximum")
_INSERT_OUTCOME = (
    f"{_insert('outcomes', 'digest', *MADE_COLUMNS, *_RESULT_COLUMNS)} ON CONFLICT (digest) DO NOTHING"
)
_CHECKSUM_SQL = """(
    coalesce(handed, crc32(CAST(student || char(0) || question AS BLOB))) * 3 + named * 5
    + coalesce(submission, 0) * 7 + crc32(CAST(maker || char(0) || reason || char(0) || at AS BLOB))
) & 4294967295"""
APPEND_MARKS_SQL = f"""
INSERT INTO marks (student, question, submission, maker, reason, at, outcome, checksum)
SELECT student, question, submission, maker, reason, at, outcome, {_CHECKSUM_SQL} FROM ({{}})
"""
"""Appends marks from a table with these columns; SQLite computes the checksum. In that table `handed` is the
checksum of the submission, if there is one, and `named` that of the outcome's digest."""

_INSERT_MARK = APPEND_MARKS_SQL.format("""
SELECT e.*, o.id AS outcome, s.checksum AS handed, crc32(CAST(o.digest AS BLOB)) AS named FROM (
    SELECT ? AS student, ? AS question, ? AS submission, ? AS maker, ? AS reason, ? AS at
) e JOIN outcomes o ON o.digest = ? LEFT JOIN submissions s ON s.id = e.submission
""")
_COUNT_MARKS = """
SELECT o.content, count(*) FROM marks m CROSS JOIN outcomes o ON o.id = m.outcome WHERE m.id > ?
GROUP BY o.state, CASE o.state WHEN 'ERROR' THEN o.content END
"""
_IN_LIST = "IN (SELECT value FROM json_each(?))"
_SELECT_MARKS = f"""
SELECT {", ".join(ENTRY_COLUMNS)}, digest, checksum = {_CHECKSUM_SQL} FROM (
    SELECT m.*, {", ".join(MADE_COLUMNS)}, m.id AS identity, digest,
        s.checksum AS handed, crc32(CAST(o.digest AS BLOB)) AS named
    FROM marks m LEFT JOIN outcomes o ON o.id = m.outcome LEFT JOIN submissions s
    ON s.id = m.submission AND s.student = m.student AND s.question = m.question
    WHERE m.student {_IN_LIST} ORDER BY m.id
)
"""
_SELECT_SUBMISSIONS = f"SELECT s.id, {', '.join(SUBMISSION_COLUMNS)}, checksum FROM submissions s"
_IS_COUNTING = (
    f"NOT s.aside AND s.contested <> '{WITHDRAWN}' AND NOT EXISTS (SELECT 1"
    " FROM submissions n WHERE n.student = s.student AND n.question = s.question AND n.aside = 0"
    " AND n.id > s.id)"
)
"""True if a submission `s` counts: it is the last one of its student for its part."""

_SELECT_LAST = f"{_SELECT_SUBMISSIONS} WHERE {_IS_COUNTING}"

_IS_UNMARKED = (
    "NOT EXISTS (SELECT 1 FROM marks m WHERE m.student = s.student AND m.question = s.question"
    " AND (m.submission >= s.id OR m.maker = 'override')"
    " AND NOT EXISTS (SELECT 1 FROM marks w WHERE w.student = m.student AND w.question = m.question"
    " AND w.id > m.id AND w.maker = 'withdrawn'))"
)
"""True if a submission `s` waits: neither it nor a later one has a mark, and no mark was set by hand.

Marks before a withdrawal do not count.
"""

IS_PENDING_SQL = f"{_IS_COUNTING} AND {_IS_UNMARKED}"
"""True if a submission `s` counts and waits to be marked."""

_SELECT_PENDING = f"{_SELECT_SUBMISSIONS} WHERE {IS_PENDING_SQL}"

_IN_ORDER = "ORDER BY s.student, s.question"  # the order of the index, so that nothing has to be sorted


def last_by_part(submissions: Iterable[Submission]) -> dict[str, Submission]:
    """Return the submission that counts for every part, given all of one student, the oldest first."""
    last = {submission.question: submission for submission in submissions if not submission.aside}
    return {question: submission for question, submission in last.items() if not submission.withdrawn}


def standing_entries(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the mark that holds for every part, given all of one student, the oldest first."""
    last = {entry.question: entry for entry in entries}
    return {question: entry for question, entry in last.items() if entry.maker != "withdrawn"}


def utc_timestamp() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _complete(*row: Any) -> tuple[Any, ...]:
    """Return a row. Raises `ValueError` if a value is missing."""
    if None in row:
        raise ValueError("something is missing")
    return row


def _checksum(row: Sequence[Any]) -> int:
    """Return a checksum by which a row that was changed later is recognised."""
    return crc32(("\0".join(["%s"] * len(row)) % tuple(row)).encode())  # faster than to join the values


def _verified(*row: Any) -> tuple[Any, ...]:
    """Return a row without its checksum. Raises `ValueError` if it is not as it was written."""
    *values, checksum = row
    if _checksum(values) != checksum:
        raise ValueError("a row is not what was written")
    return tuple(values)


def _sources(*row: Any) -> Any:
    return json.loads(_verified(*row)[2])


def _submission(identity: int, *row: Any) -> Submission:
    row = _verified(*row)
    return Submission(identity, *row[:-2], *map(bool, row[-2:]))


def _odd_row(*row: Any) -> OddRow:
    odd_row = OddRow(*_verified(*row))
    return odd_row._replace(cells=tuple(json.loads(row[5])))


@lru_cache(maxsize=MAX_CACHED_OUTCOMES)
def _outcome_row(outcome: Outcome) -> tuple[str | None, ...]:
    """Return the row of an outcome; its digest is the first value."""
    mark = json.loads(outcome.content)
    return (hash_texts(*outcome), *outcome, *(mark[name] for name in _RESULT_COLUMNS))


def _entry(*row: Any) -> Entry:
    """Return a mark. Raises `ValueError` if it is not as it was written."""
    *values, digest, is_checksum_right = row
    entry = Entry(*values)
    if not is_checksum_right or _outcome_row(entry.outcome)[0] != digest:
        raise ValueError(f"the mark {entry.identity} is not what was written")
    return entry
