"""The file of a gradebook: its tables, the SQLite settings, how it is opened, and how it fails."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from zlib import crc32

from grader.base.records import SchemaError, schema_fault
from grader.base.safe_text import safe_line

SCHEMA = 4

MAX_WAIT_SECONDS = 60.0
"""The seconds to wait for another program that is writing."""

WAIT_NOTICE_SECONDS = 1.0
"""The seconds after which the wait is reported."""

_TABLES = """
CREATE TABLE intakes (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, program TEXT NOT NULL,
    sources TEXT NOT NULL, counts TEXT NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE rows (
    id INTEGER PRIMARY KEY, intake INTEGER NOT NULL, place TEXT NOT NULL, said TEXT NOT NULL,
    student TEXT NOT NULL, fate TEXT NOT NULL, why TEXT NOT NULL, cells TEXT NOT NULL,
    reading INTEGER NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY, intake INTEGER NOT NULL, place TEXT NOT NULL, student TEXT NOT NULL,
    question TEXT NOT NULL, variant TEXT NOT NULL, reply TEXT NOT NULL, contested TEXT NOT NULL,
    time TEXT NOT NULL, late INTEGER NOT NULL, aside INTEGER NOT NULL, reading INTEGER NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX submissions_of ON submissions (student, question, aside);
CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, content TEXT NOT NULL, basis TEXT NOT NULL,
    key TEXT NOT NULL, policy TEXT NOT NULL, program TEXT NOT NULL, state TEXT NOT NULL, points TEXT,
    maximum TEXT NOT NULL
);
CREATE TABLE marks (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, question TEXT NOT NULL, submission INTEGER,
    outcome INTEGER NOT NULL, maker TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX marks_of ON marks (student, question);
"""

SKIP_UNCHANGED_MARKS_SQL = """
CREATE TEMP TRIGGER no_news BEFORE INSERT ON main.marks WHEN NEW.maker = 'grading' AND EXISTS (
    SELECT 1 FROM marks
    WHERE id = (SELECT max(id) FROM marks WHERE student = NEW.student AND question = NEW.question)
    AND (
        maker = 'override' OR coalesce(submission, 0) > coalesce(NEW.submission, 0)
        OR (
            submission IS NEW.submission AND (SELECT basis FROM outcomes WHERE id = outcome)
            = (SELECT basis FROM outcomes WHERE id = NEW.outcome)
        )
    )
)
BEGIN SELECT RAISE(IGNORE); END
"""
"""Skips a mark by grading if the last mark is of the same reply or of a later one, or an override.

Another key, policy or program does not make a new mark: only a regrade changes marks for those.
A trigger is faster than a condition in the INSERT, for which SQLite would copy every row first.
"""

PAGE_BYTES = 16_384
"""The bytes of a page; large pages are faster where many rows are written together."""

MAX_LOG_BYTES = 16 * 2**20
"""The bytes to which an emptied log is truncated."""

_MIN_FILE_BYTES = 512
"""The smallest SQLite file that is not empty; SQLite would overwrite a shorter file."""

_NO_WAIT = "PRAGMA busy_timeout = 0"
_WAIT = f"PRAGMA busy_timeout = {1000 * MAX_WAIT_SECONDS:.0f}"

_APPENDED = ("intakes", "rows", "submissions", "outcomes", "marks")


class GradebookError(ValueError):
    """A file that is not a gradebook, or a gradebook that cannot be used like this."""


def ignore_wait() -> None:
    """Do nothing when another program is waited for."""


def connect(path: Path, on_wait: Callable[[], None] = ignore_wait) -> sqlite3.Connection:
    """Connect to a gradebook, which is made if there is none; without write access it can only be read.

    `on_wait` is called when the connection waits for another program that is writing.
    Raises `GradebookError` for a file that is not a gradebook, `SchemaError` for one of another schema,
    and `OSError` for a file that cannot be opened.
    """
    # Only SQLite opens the file itself: on Unix, closing it would release the locks of all connections of
    # this process, and another program could then remove the log.
    with suppress(FileNotFoundError):
        if 0 < path.stat().st_size < _MIN_FILE_BYTES:
            raise GradebookError(f"{path.name} is not a gradebook")
    connection = _connection(path, on_wait)
    try:
        _prepare(connection, path, on_wait)
    except (*SQLITE_FAILURES, GradebookError) as error:
        connection.close()
        raise translate_failure(path, error, "opened") from None
    except SchemaError:
        connection.close()
        raise
    return connection


def begin_writing(connection: sqlite3.Connection, on_wait: Callable[[], None]) -> None:
    """Begin to write as soon as no other program does; `on_wait` is called if that takes a moment."""
    connection.execute(_NO_WAIT)
    try:
        _wait_and_run(lambda: connection.execute("BEGIN IMMEDIATE"), on_wait)
    finally:
        connection.execute(_WAIT)


def _prepare(connection: sqlite3.Connection, path: Path, on_wait: Callable[[], None]) -> None:
    """Make the tables in an empty file; refuse a file of another schema."""
    if _version(connection) == 0:
        begin_writing(connection, on_wait)
        if _version(connection) == 0:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            for table in _APPENDED:
                for change in ("UPDATE", "DELETE"):
                    connection.execute(
                        f"CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} BEGIN "
                        f"SELECT RAISE(ABORT, 'a gradebook is only ever appended to'); END"
                    )
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    if (version := _version(connection)) != SCHEMA:
        raise SchemaError(schema_fault(str(path), version, SCHEMA, _maker_of(connection), _OLDER))
    connection.execute(SKIP_UNCHANGED_MARKS_SQL)
    connection.create_function("crc32", 1, crc32, deterministic=True)


_OLDER = (
    "use the version that made it; or save the marks set by hand with `gametree gradebook overrides`, move "
    "the file away, grade again, and set them again with `gametree gradebook override --table`"
)
"""The hint for a gradebook of an older schema."""


def _maker_of(connection: sqlite3.Connection) -> str:
    """Return the version that last took something in; empty if there are no tables of this schema."""
    try:
        row = connection.execute("SELECT program FROM intakes ORDER BY id DESC LIMIT 1").fetchone()
    except SQLITE_FAILURES:
        return ""
    return f"gametree-grader {row[0]}" if row else ""


def _version(connection: sqlite3.Connection) -> int:
    row: tuple[int] = connection.execute("PRAGMA user_version").fetchone()
    return row[0]


def _connection(path: Path, on_wait: Callable[[], None]) -> sqlite3.Connection:
    """Open a connection that may write, or one that reads if the folder or file cannot be written."""
    writing = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        writing.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a file that is made now
        _wait_and_run(lambda: writing.execute("PRAGMA journal_mode = WAL"), on_wait)
        writing.execute(_WAIT)
        writing.execute("PRAGMA synchronous = FULL")
        writing.execute("PRAGMA wal_autocheckpoint = 0")  # the last connection to close empties the log
        writing.execute(f"PRAGMA journal_size_limit = {MAX_LOG_BYTES}")  # truncates a long log later
    except SQLITE_FAILURES as error:
        writing.close()
        if _code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise translate_failure(path, error, "opened") from None
    else:
        return writing
    # Without a log next to it the file is complete and no program has it open. A log can only be read with
    # the index that SQLite keeps of it, which may be there.
    log = path.with_name(f"{path.name}-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)


_OUTSIDE = {
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EIO,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
}
"""SQLite errors that are not a fault of the file -> the code of the `OSError` to raise."""


SQLITE_FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors that SQLite raises; the second if its message quotes a damaged file."""


def _code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def translate_failure(path: Path, error: Exception, attempted: str) -> Exception:
    """Return the error to raise when SQLite fails.

    It is an `OSError` if the file cannot be `attempted` now ("opened", "read", "written"), and a
    `GradebookError` if it is not a gradebook or a damaged one.
    """
    code = _code(error)
    if isinstance(error, GradebookError):
        return error
    if code in _OUTSIDE:
        return OSError(_OUTSIDE[code], f"the gradebook cannot be {attempted} ({error})", str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return GradebookError(f"{path.name} is not a gradebook: {error}")
    return damaged_error(path, error)


def damaged_error(path: Path, reason: object) -> GradebookError:
    """Return the error for a gradebook with contents that this program did not write."""
    return GradebookError(f"{path.name} is damaged: {safe_line(str(reason), 200)}")


def _wait_and_run(step: Callable[[], object], on_wait: Callable[[], None]) -> None:
    """Repeat a step until no other program blocks it; report the wait once, after a moment.

    SQLite itself would wait silently, and not at all for a change of the journal.
    """
    start, is_reported = monotonic(), False
    while True:
        try:
            step()
        except sqlite3.OperationalError as error:
            waited = monotonic() - start
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > MAX_WAIT_SECONDS:
                raise
            if waited > WAIT_NOTICE_SECONDS and not is_reported:
                is_reported = True
                on_wait()
            sleep(0.01)
        else:
            return
