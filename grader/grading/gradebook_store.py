"""The gradebook: one SQLite file to which submissions and marks are appended; nothing in it changes."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain, islice
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
    SubmissionColumns,
)
from grader.tables.rows import replace_surrogates

T = TypeVar("T")

MAX_BOUND_VALUES = 30_000
"""The most values that are bound to what inserts many rows; an old SQLite may take fewer."""

MAX_CACHED_OUTCOMES = 50_000
"""How many different outcomes are kept in memory while marks are appended or read."""


@dataclass(slots=True)
class Gradebook:
    """An open gradebook; a context manager that closes it.

    Many may read, one writes at a time: `writing` waits for its turn, and `on_wait` is called when that is
    longer than a moment. What a `writing` block has appended is safe on disk when the block ends, all of
    it or nothing.
    """

    path: Path
    connection: sqlite3.Connection
    on_wait: Callable[[], None] = ignore_wait

    @classmethod
    def open(cls, path: Path, *, create: bool = False, tell: Callable[[], None] = ignore_wait) -> Self:
        """Open a gradebook, or make an empty one; where nothing can be written it can only be read.

        Raises `GradebookError` for a file that is none, `FileNotFoundError` and other `OSError`s.
        """
        if not create and not path.is_file():
            raise FileNotFoundError(2, "there is no gradebook", str(path))
        return cls(path, connect(path, tell), tell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: waits until no other program writes, then appends everything or nothing.

        Raises `OSError` when the disk is full, cannot be written, or another program does not finish,
        `GradebookError` when the file is damaged.
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
    def translating_errors(self, what: str) -> Iterator[None]:
        """Say in our terms how SQLite fails meanwhile, see `failure`."""
        try:
            yield
        except SQLITE_FAILURES as error:
            raise translate_failure(self.path, error, what) from None

    # Appending, inside `writing` ----------------------------------------------------------------------

    def append_intake(
        self, program: str, sources: Sequence[Mapping[str, Any]], counts: Mapping[str, int]
    ) -> None:
        """Note that files were taken in."""
        row = utc_timestamp(), program, json.dumps(list(sources)), json.dumps(dict(counts))
        self.connection.execute(
            _insert("intakes", "id", *_INTAKE, "checksum"), (self.next_intake(), *row, _checksum(row))
        )

    def next_intake(self) -> int:
        """The number of the intake that is appended next."""
        return self._count("SELECT coalesce(max(id), 0) + 1 FROM intakes")

    def append_rows(self, intake: int, rows: Iterable[OddRow]) -> None:
        """Keep rows that did not simply count."""
        kept = ((*map(replace_surrogates, row[:5]), json.dumps(row.cells), row.reading) for row in rows)
        self.connection.executemany(
            _insert("rows", "intake", *ROW_COLUMNS, "checksum"),
            ((intake, *row, _checksum(row)) for row in kept),
        )

    def append_submissions(self, intake: int, columns: SubmissionColumns) -> None:
        """Append replies as they came.

        Binding values takes longer than all else: what they have alike is bound once for many rows.
        """
        alike, own = (
            columns.constant_fields,
            {name: columns.varying_fields[name] for name in _SIGNS if name in columns.varying_fields},
        )
        constant = {name: (_SIGNS[name] % said).replace("%", "%%") for name, said in alike.items()}
        joined = "\0".join((_SIGNS | constant).values()).__mod__
        checksums = map(crc32, map(str.encode, map(joined, zip(*own.values(), strict=True))))
        cells = zip(*own.values(), checksums, strict=True)
        bound = min(MAX_BOUND_VALUES, self.connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER))
        while some := list(islice(cells, (bound - len(alike) - 1) // (len(own) + 1))):
            statement = _insert_together("submissions", ("intake", *alike), (*own, "checksum"), len(some))
            self.connection.execute(statement, (intake, *alike.values(), *chain.from_iterable(some)))

    def append_entries(self, entries: Sequence[Entry]) -> int:
        """Append marks; returns how many were appended.

        A mark by grading is left out when the last mark is of the same reply, or of the same replies where
        parts follow, of a later one, or an override: so two programs may grade the same class at once, and
        no marks move but for a new reply.
        """
        at = utc_timestamp()
        self.append_outcomes({entry.outcome for entry in entries})
        rows = (
            (*each[:3], each.maker, replace_surrogates(each.reason), at, outcome_digest(each.outcome))
            for each in entries
        )
        return self.connection.executemany(_APPEND, rows).rowcount

    def append_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Append what replies earned, where it is not there yet: what many have alike is kept once."""
        rows = []
        for made in outcomes:
            record = json.loads(made.content)
            rows.append((outcome_digest(made), *made, *(record[name] for name in _WORTH)))
        self.connection.executemany(_OUTCOME, rows)

    # Reading ------------------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Whatever is read meanwhile is of one moment, though others may go on writing."""
        with self.translating_errors("read"):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement. Raises `GradebookError` when the file is damaged, else `OSError`."""
        with self.translating_errors("read"):
            # `yield from` would close the cursor when the connection may be closed already.
            for row in self.connection.execute(statement, values):  # noqa: UP028
                yield row

    def _read(self, read: Callable[..., T], rows: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """What every row says. Raises `GradebookError` for one that was not written like this."""
        for row in rows:
            try:
                said = read(*row)
            except (ValueError, TypeError, LookupError) as error:
                raise damaged_error(self.path, error) from None
            yield said

    def _count(self, statement: str) -> int:
        ((count,),) = self._rows(statement)
        return int(count)

    def _texts(self, statement: str, values: Sequence[object] = ()) -> tuple[str, ...]:
        return tuple(text for (text,) in self._read(_whole, self._rows(statement, values)))

    def pending(self) -> Iterator[Submission]:
        """The last submissions that have no mark yet and no override, by student and question."""
        return self._read(_submission, self._rows(f"{_LAST} AND {IS_UNMARKED_SQL} {_ORDER}"))

    def pending_count(self) -> int:
        """How many submissions `pending` gives."""
        return self._count(f"SELECT count(*) FROM ({_LAST} AND {IS_UNMARKED_SQL})")

    def is_waiting(self) -> bool:
        """Whether `pending` gives any."""
        return self._count(f"SELECT EXISTS ({_LAST} AND {IS_UNMARKED_SQL})") > 0

    def has_marks(self) -> bool:
        """Whether anything is marked."""
        return self._count("SELECT EXISTS (SELECT 1 FROM marks)") > 0

    def newest_submission_id(self) -> int:
        """The number of the submission that was appended last."""
        return self._count("SELECT coalesce(max(id), 0) FROM submissions")

    def submissions_since(self, newest: int) -> frozenset[tuple[str, str]]:
        """The student and the part of every submission that was appended after this one and counts."""
        rows = self._rows("SELECT student, question FROM submissions WHERE id > ? AND NOT aside", (newest,))
        return frozenset((student, part) for student, part in rows)

    def submission_count(self) -> int:
        """How many submissions `last_submissions` gives."""
        return self._count(f"SELECT count(*) FROM ({_LAST})")

    def last_submissions(self) -> Iterator[Submission]:
        """The last submission of every student for every part, by student and question."""
        return self._read(_submission, self._rows(f"{_LAST} {_ORDER}"))

    def submissions_of(self, student: str) -> dict[str, Submission]:
        """The last submission of one student for every part."""
        return last_by_part(self.all_submissions_of(student))

    def all_submissions_of(self, *students: str) -> tuple[Submission, ...]:
        """Every submission of a student, or of several, the oldest first."""
        rows = self._rows(f"{_COLUMNS} WHERE s.student {_AMONG} ORDER BY s.id", (json.dumps(students),))
        return tuple(self._read(_submission, rows))

    def entries_of(self, student: str) -> dict[str, Entry]:
        """The mark that holds for one student for every part."""
        return {entry.question: entry for entry in self.history(student)}

    def history(self, *students: str) -> tuple[Entry, ...]:
        """Every mark that a student ever had, or several had, the oldest first."""
        return tuple(self._read(_entry, self._rows(_MARKS_OF, (json.dumps(students),))))

    def students(self) -> tuple[str, ...]:
        """Everybody who handed something in or has a mark, sorted."""
        return self._texts("SELECT student FROM submissions UNION SELECT student FROM marks ORDER BY student")

    def variants(self) -> tuple[str, ...]:
        """The codes of all variants that somebody handed something in for, sorted."""
        return self._texts("SELECT DISTINCT variant FROM submissions ORDER BY variant")

    def odd_rows(self) -> tuple[OddRow, ...]:
        """The rows that did not simply count."""
        rows = self._rows(f"SELECT {', '.join(ROW_COLUMNS)}, checksum FROM rows ORDER BY id")
        return tuple(self._read(_odd_row, rows))

    def readings(self) -> tuple[Reading, ...]:
        """Every reading of every file, the oldest first."""
        rows = self._rows(f"SELECT {', '.join(_INTAKE)}, checksum FROM intakes ORDER BY id")
        intakes = self._read(_sources, rows)
        return tuple(each for sources in intakes for each in sources)

    def row_owners(self) -> dict[str, str]:
        """Whose the rows are that somebody has said it of: as it is in a row -> identifier of the student."""
        told: dict[str, str] = {}
        for each in self.readings():
            told |= each["same"]
        return told

    def ignored_rows(self) -> frozenset[str]:
        """The rows that somebody has said are nobody's, as they name their student or by their places."""
        return frozenset(row for each in self.readings() for row in each.get("ignored", ()))

    def column_maps(self) -> dict[str, dict[str, str]]:
        """What was last told of the columns of a file, by the hash of the file."""
        return {each["digest"]: each["map"] for each in self.readings() if each["map"]}

    def students_in(self, readings: Iterable[int]) -> tuple[str, ...]:
        """Everybody of whom there is a submission from one of these readings."""
        return self._texts(
            f"SELECT DISTINCT student FROM submissions WHERE reading {_AMONG} ORDER BY student",
            (json.dumps(sorted(readings)),),
        )


def _insert(table: str, *columns: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


@lru_cache(maxsize=100)
def _insert_together(table: str, alike: Sequence[str], own: Sequence[str], rows: int) -> str:
    """Inserts so many rows: takes what is alike in all of them, and then row by row what is not."""
    values = ", ".join([f"({', '.join('?' * len(own))})"] * rows)
    asked = "?, " * len(alike)
    return f"INSERT INTO {table} ({', '.join((*alike, *own))}) SELECT {asked}* FROM (VALUES {values})"


_INTAKE = ("at", "program", "sources", "counts")
_WORTH = ("state", "points", "maximum")
_OUTCOME = f"{_insert('outcomes', 'digest', *MADE_COLUMNS, *_WORTH)} ON CONFLICT (digest) DO NOTHING"
_SEAL = """(
    coalesce(handed, crc32(CAST(student || char(0) || question AS BLOB))) * 3 + named * 5
    + coalesce(submission, 0) * 7 + crc32(CAST(maker || char(0) || reason || char(0) || at AS BLOB))
) & 4294967295"""
DIGEST_CHECKSUM_SQL = "crc32(CAST(o.digest AS BLOB)) AS named"
APPEND_MARKS_SQL = f"""
INSERT INTO marks (student, question, submission, maker, reason, at, outcome, checksum)
SELECT student, question, submission, maker, reason, at, outcome, {_SEAL} FROM ({{}})
"""
"""Appends marks from a table with these columns, but for the checksum, which SQLite makes of others: in that
table `handed` is the checksum of the submission, if there is one, and `named` one of the outcome's digest."""

_APPEND = APPEND_MARKS_SQL.format(f"""
SELECT e.*, o.id AS outcome, s.checksum AS handed, {DIGEST_CHECKSUM_SQL} FROM (
    SELECT ? AS student, ? AS question, ? AS submission, ? AS maker, ? AS reason, ? AS at
) e JOIN outcomes o ON o.digest = ? LEFT JOIN submissions s ON s.id = e.submission
""")
_AMONG = "IN (SELECT value FROM json_each(?))"
_MARKS_OF = f"""
SELECT {", ".join(ENTRY_COLUMNS)}, digest, checksum = {_SEAL} FROM (
    SELECT m.*, {", ".join(MADE_COLUMNS)}, m.id AS identity, digest,
        s.checksum AS handed, {DIGEST_CHECKSUM_SQL}
    FROM marks m LEFT JOIN outcomes o ON o.id = m.outcome LEFT JOIN submissions s
    ON s.id = m.submission AND s.student = m.student AND s.question = m.question
    WHERE m.student {_AMONG} ORDER BY m.id
)
"""
_COLUMNS = f"SELECT s.id, {', '.join(SUBMISSION_COLUMNS)}, checksum FROM submissions s"
IS_COUNTING_SQL = (
    f"NOT s.aside AND s.contested <> '{WITHDRAWN}' AND NOT EXISTS (SELECT 1"
    " FROM submissions n WHERE n.student = s.student AND n.question = s.question AND n.aside = 0"
    " AND n.id > s.id)"
)
"""Whether a submission `s` counts: it is the last one of its student for its part."""

_LAST = f"{_COLUMNS} WHERE {IS_COUNTING_SQL}"

IS_UNMARKED_SQL = (
    "NOT EXISTS (SELECT 1 FROM marks m WHERE m.student = s.student AND m.question = s.question"
    " AND (m.submission >= s.id OR m.maker = 'override'))"
)
"""Whether a submission `s` waits: nobody has marked it, or one after it, and no mark was set by hand."""

_ORDER = "ORDER BY s.student, s.question"  # the order of the index, so that nothing has to be sorted


def last_by_part(submissions: Iterable[Submission]) -> dict[str, Submission]:
    """What counts for every part among all that one student handed in, the oldest first."""
    last = {found.question: found for found in submissions if not found.aside}
    return {question: found for question, found in last.items() if not found.withdrawn}


def utc_timestamp() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _whole(*row: Any) -> tuple[Any, ...]:
    """A row in which something stands everywhere. Raises `ValueError` for any other."""
    if None in row:
        raise ValueError("something is missing")
    return row


def _checksum(row: tuple[Any, ...]) -> int:
    """What tells a row from one in which anything has changed since."""
    return crc32((_joined(len(row)) % row).encode())


@cache
def _joined(count: int) -> str:
    """What makes one text of so many values: faster than to join them."""
    return "\0".join(["%s"] * count)


_SIGNS = dict.fromkeys(SUBMISSION_COLUMNS, "%s") | {"late": "%d", "aside": "%d"}
"""How the columns of a submission are written for its checksum: truth is 1."""


def _sound(*row: Any) -> tuple[Any, ...]:
    """A row without its checksum. Raises `ValueError` when it is not as it was written."""
    *said, checksum = row
    row = tuple(said)
    if _checksum(row) != checksum:
        raise ValueError("a row is not what was written")
    return row


def _sources(*row: Any) -> Any:
    return json.loads(_sound(*row)[2])


def _submission(identity: int, *row: Any) -> Submission:
    row = _sound(*row)
    return Submission(identity, *row[:-2], *map(bool, row[-2:]))


def _odd_row(*row: Any) -> OddRow:
    found = OddRow(*_sound(*row))
    return found._replace(cells=tuple(json.loads(row[5])))


@lru_cache(maxsize=MAX_CACHED_OUTCOMES)
def outcome_digest(made: Outcome) -> str:
    """What tells what a reply earned from all else that others earned."""
    return hash_texts(*made)


def _entry(*row: Any) -> Entry:
    """A mark. Raises `ValueError` when it is not as it was written."""
    *said, name, sound = row
    entry = Entry(*said)
    if not sound or outcome_digest(entry.outcome) != name:
        raise ValueError(f"the mark {entry.identity} is not what was written")
    return entry
