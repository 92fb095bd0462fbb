"""Replies that many students gave alike: found as pairs, marked once, and appended by one statement."""

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from grader.grading.gradebook_file import SKIP_UNCHANGED_MARKS_SQL
from grader.grading.gradebook_store import (
    APPEND_MARKS_SQL,
    DIGEST_CHECKSUM_SQL,
    IS_COUNTING_SQL,
    IS_UNMARKED_SQL,
    Gradebook,
    outcome_digest,
    utc_timestamp,
)
from grader.grading.records import Outcome

MAX_BATCH_GROWTH = 8
"""A batch may be so many times as large where fewer than one in so many of its replies are new."""

Pair: TypeAlias = tuple[str, str, str, str]
"""Variant, part, reply, and why it is contested: equal pairs have equal marks, whoever gave them."""


class PendingBatch(NamedTuple):
    """Some of the replies that wait.

    - `submissions`: their numbers, as a list in JSON.
    - `pairs`: those of their pairs that no batch before had.
    - `forgets_earlier`: whether the pairs of all batches before are forgotten.
    """

    submissions: str
    pairs: Sequence[Pair]
    forgets_earlier: bool


def pending_batches(
    path: Path, parts: Sequence[str], size: int, batches: int, remembered: int
) -> Generator[PendingBatch, None, None]:
    """The replies to some parts that wait in a gradebook now, batch by batch.

    - `size`: the most replies of a batch of which many are new; `MAX_BATCH_GROWTH` times that where few are.
    - `batches`: at least so many are made, so that a class that is small is not lost as a whole.
    - `remembered`: so many characters of pairs are remembered, and then forgotten.
    """
    with Gradebook.open(path) as book:
        execute = book.connection.execute
        with book.translating_errors("read"):
            execute(_MET)
        newest, last, characters = book.newest_submission_id(), 0, 0
        # What others mark from now on is left out in `append`.
        still_open = _OPEN if book.has_marks() else IS_COUNTING_SQL
        most = max(1, newest // batches)
        least, most = min(size, most), min(MAX_BATCH_GROWTH * size, most)
        size = least
        while last < newest:
            with book.translating_errors("read"):
                found = _WAITING.format(still_open), (last, last := last + size, json.dumps(parts))
                ((submissions,),) = execute(*found)
                if anew := characters > remembered:
                    execute("DELETE FROM met")
                    characters = 0
                pairs = execute(_NEW, (submissions,)).fetchall()
                book.connection.executemany("INSERT INTO met VALUES (?, ?, ?, ?)", pairs)
            characters += sum(len(pair[2]) for pair in pairs)
            size = min(2 * size, most) if MAX_BATCH_GROWTH * len(pairs) < size else least
            if submissions != "[]":
                yield PendingBatch(submissions, pairs, anew)


class MarkedPairs:
    """The marks of pairs, which stand in a table of this connection alone, until `close`.

    `states` counts the marks that were appended, by state.
    Pairs and students are matched where they are: nothing is read, looked up or written for every student
    who replied so.
    """

    def __init__(self, book: Gradebook) -> None:
        self.book = book
        self.execute = book.connection.execute
        self.states = Counter[str]()
        with book.translating_errors("read"):
            self.execute(_GONE)
            self.execute(_MADE)
            self.changes = self.foreign_write_count()

    def close(self) -> None:
        """Forget everything."""
        with self.book.translating_errors("read"):
            self.execute(_GONE)

    def foreign_write_count(self) -> int:
        """A number that is another one when anybody else has written into the gradebook meanwhile."""
        ((number,),) = self.execute("PRAGMA data_version")
        return int(number)

    def append(self, batch: PendingBatch, marks: Mapping[Pair, Outcome]) -> int:
        """Append the marks of a batch, inside `writing`; returns how many.

        `marks` are those of its new pairs. Left out is a reply that counts no more, or is marked by now,
        which only others can have brought about. So every mark is news, and the trigger that asks so of each,
        which takes longer than all else, is away meanwhile.
        """
        if batch.forgets_earlier:
            self.execute("DELETE FROM made")
        self.book.append_outcomes(marks.values())
        learned = ((*pair, outcome_digest(made)) for pair, made in marks.items())
        self.book.connection.executemany(_LEARN, learned)
        ((before,),) = self.execute("SELECT coalesce(max(id), 0) FROM marks")
        alone = self.foreign_write_count() == self.changes
        self.execute("DROP TRIGGER temp.no_news")
        appended = self.execute(
            _APPEND if alone else _APPEND_OPEN, (utc_timestamp(), batch.submissions)
        ).rowcount
        self.execute(SKIP_UNCHANGED_MARKS_SQL)
        others = dict(self.execute(_OTHERS, (before,)))
        self.states.update(others, GRADED=appended - sum(others.values()))
        return appended

    def count(self, batch: PendingBatch, pair: Pair) -> int:
        """How many replies of a batch are this pair."""
        ((found,),) = self.execute(_COUNT, (batch.submissions, *pair))
        return int(found)


_PAIR = "variant TEXT, question TEXT, reply TEXT, contested TEXT"
_KEY = "PRIMARY KEY (reply, variant, question, contested)"
_MET = f"CREATE TEMP TABLE met ({_PAIR}, {_KEY}) WITHOUT ROWID"
_GONE = "DROP TABLE IF EXISTS temp.made"
_MADE = f"CREATE TEMP TABLE made ({_PAIR}, outcome INTEGER, named INTEGER, state TEXT, {_KEY}) WITHOUT ROWID"
"""For every pair what it earned, with a checksum of the digest of that, and the state of its mark."""

_OPEN = f"{IS_COUNTING_SQL} AND {IS_UNMARKED_SQL}"
_WAITING = (
    "SELECT json_group_array(s.id) FROM submissions s WHERE s.id > ? AND s.id <= ?"
    " AND s.question IN (SELECT value FROM json_each(?)) AND {}"
)
_SOME = "FROM json_each(?) w CROSS JOIN submissions s ON s.id = w.value"
_SAME = " AND ".join(f"m.{name} = s.{name}" for name in ("variant", "question", "reply", "contested"))
_NEW = (
    f"SELECT DISTINCT s.variant, s.question, s.reply, s.contested {_SOME}"
    f" WHERE NOT EXISTS (SELECT 1 FROM met m WHERE {_SAME})"
)
_LEARN = f"""
INSERT INTO made (variant, question, reply, contested, outcome, named, state)
SELECT ?, ?, ?, ?, o.id, {DIGEST_CHECKSUM_SQL}, o.state FROM outcomes o WHERE o.digest = ?
"""
_MARKS = f"""
SELECT s.student, s.question, s.id AS submission, 'grading' AS maker, '' AS reason, ? AS at, m.outcome,
s.checksum AS handed, m.named {_SOME} CROSS JOIN made m ON {_SAME}
"""
_APPEND = APPEND_MARKS_SQL.format(_MARKS)
_APPEND_OPEN = APPEND_MARKS_SQL.format(f"{_MARKS} WHERE {_OPEN}")
_OTHERS = """
SELECT o.state, count(*) FROM marks m
CROSS JOIN (SELECT DISTINCT outcome, state FROM made WHERE state <> 'GRADED') o ON o.outcome = m.outcome
WHERE m.id > ? GROUP BY o.state
"""
_COUNT = f"SELECT count(*) {_SOME} WHERE (s.variant, s.question, s.reply, s.contested) = (?, ?, ?, ?)"
