"""Replies that many students gave alike: found as pairs, marked once, and appended by one statement."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias
from zlib import crc32

from grader.grading.gradebook import COUNTS, UNMARKED, Gradebook, now, outcome
from grader.grading.gradebook_file import NO_NEWS
from grader.grading.shards import Made

Pair: TypeAlias = tuple[str, str, str, str]
"""Variant, part, reply, and why it is contested: equal pairs have equal marks, whoever gave them."""


class Alike:
    """The replies to some parts that wait in a gradebook, and the marks of the pairs that were met.

    Both stand in tables of this connection alone, which are gone with it. Pairs and students are matched
    where they are: nothing is read, looked up or written for every student who replied so.
    """

    def __init__(self, book: Gradebook, parts: Sequence[str]) -> None:
        self.book = book
        self.connection = book.connection
        self.connection.create_function("crc32", 1, crc32, deterministic=True)
        with book.in_our_terms("read"):
            for statement in _TABLES:
                self.connection.execute(statement)
            self.connection.execute(_WAIT, (json.dumps(parts),))
            ((self.waiting,),) = self.connection.execute("SELECT count(*) FROM waiting")

    def met(self, behind: int, last: int) -> list[Pair]:
        """The pairs among some of the replies that wait, counted from 1, whose marks are not known yet."""
        with self.book.in_our_terms("read"):
            return self.connection.execute(_MET, {"behind": behind, "last": last}).fetchall()

    def learn(self, marks: Mapping[Pair, Made]) -> None:
        """Note the marks of pairs, inside `writing`."""
        self.book.append_outcomes({made.content for made in marks.values()})
        rows = []
        for pair, made in marks.items():
            name, *worth = outcome(made.content)
            rest = "\0".join(("", *made[1:], "grading", "", ""))
            rows.append((*pair, name, *worth, *made[1:], f"{name}\0", rest))
        self.connection.executemany(_LEARN, rows)

    def forget(self) -> None:
        """Forget the marks of all pairs, so that they take no more room."""
        self.connection.execute("DELETE FROM made")

    def append(self, behind: int, last: int) -> Mapping[str, int]:
        """Append the marks of some of the replies that wait, inside `writing`; returns how many, by state.

        Left out is a reply that counts no more, or is marked by now. So every mark is news, and the trigger
        that asks so of each, which takes longer than all else, is away meanwhile.
        """
        execute = self.connection.execute
        ((before,),) = execute("SELECT coalesce(max(id), 0) FROM marks")
        execute("DROP TRIGGER temp.no_news")
        execute(_APPEND, {"behind": behind, "last": last, "at": now()})
        execute(NO_NEWS)
        return dict(execute("SELECT state, count(*) FROM marks WHERE id > ? GROUP BY state", (before,)))

    def count(self, pair: Pair, behind: int, last: int) -> int:
        """How many of some of the replies that wait are this pair."""
        ((found,),) = self.connection.execute(_COUNT, (behind, last, *pair))
        return int(found)


_TABLES = (
    "DROP TABLE IF EXISTS temp.waiting",
    "DROP TABLE IF EXISTS temp.made",
    "CREATE TEMP TABLE waiting (number INTEGER PRIMARY KEY, submission INTEGER)",
    """
CREATE TEMP TABLE made (
    variant TEXT, question TEXT, reply TEXT, contested TEXT, outcome INTEGER, state TEXT, points TEXT,
    maximum TEXT, basis TEXT, key TEXT, policy TEXT, program TEXT, before TEXT, after TEXT,
    PRIMARY KEY (variant, question, reply, contested)
) WITHOUT ROWID
""",
)
"""The replies that wait; and for every pair what goes into its marks, with what stands before and behind the
student, the part and the submission in what the checksum is of."""

_WAIT = (
    "INSERT INTO waiting (submission) SELECT s.id FROM submissions s"
    f" WHERE s.question IN (SELECT value FROM json_each(?)) AND {COUNTS} AND {UNMARKED}"
)
_SOME = "FROM waiting w CROSS JOIN submissions s ON s.id = w.submission"
_RANGE = "w.number > :behind AND w.number <= :last"
_SAME = " AND ".join(f"m.{name} = s.{name}" for name in ("variant", "question", "reply", "contested"))
_MET = (
    f"SELECT DISTINCT s.variant, s.question, s.reply, s.contested {_SOME}"
    f" WHERE {_RANGE} AND NOT EXISTS (SELECT 1 FROM made m WHERE {_SAME})"
)
_LEARN = f"INSERT INTO made VALUES (?, ?, ?, ?, (SELECT id FROM outcomes WHERE digest = ?){', ?' * 9})"
_APPEND = f"""
INSERT INTO marks (
    outcome, state, points, maximum, student, question, submission, basis, key, policy, program, maker,
    reason, at, checksum
) SELECT
    m.outcome, m.state, m.points, m.maximum, s.student, s.question, s.id, m.basis, m.key, m.policy, m.program,
    'grading', '', :at, crc32(CAST(
        m.before || s.student || char(0) || s.question || char(0) || s.id || m.after || :at AS BLOB
    ))
{_SOME} CROSS JOIN made m ON {_SAME} WHERE {_RANGE} AND {COUNTS} AND {UNMARKED}
"""
_COUNT = (
    f"SELECT count(*) {_SOME} WHERE w.number > ? AND w.number <= ?"
    " AND (s.variant, s.question, s.reply, s.contested) = (?, ?, ?, ?)"
)
