"""Replies that many students gave alike: found as pairs, marked once, and appended by one statement."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from grader.grading.gradebook import APPEND, COUNTS, NAMED, UNMARKED, Gradebook, now, outcome_digest
from grader.grading.gradebook_file import NO_NEWS
from grader.grading.records import Made

Pair: TypeAlias = tuple[str, str, str, str]
"""Variant, part, reply, and why it is contested: equal pairs have equal marks, whoever gave them."""


class Alike:
    """The replies to some parts that wait in a gradebook, and the marks of the pairs that were met.

    Both stand in tables of this connection alone, until `close`. Pairs and students are matched where they
    are: nothing is read, looked up or written for every student who replied so.
    """

    def __init__(self, book: Gradebook, parts: Sequence[str]) -> None:
        self.book = book
        self.execute = book.connection.execute
        self.characters = 0
        self.outcomes = Counter[str]()
        with book.in_our_terms("read"):
            for statement in (*_GONE, *_TABLES):
                self.execute(statement)
            self.changes = self.written_by_others()
            self.execute(_WAIT, (json.dumps(parts),))
            ((self.waiting,),) = self.execute("SELECT count(*) FROM waiting")

    def close(self) -> None:
        """Forget everything."""
        with self.book.in_our_terms("read"):
            for statement in _GONE:
                self.execute(statement)

    def written_by_others(self) -> int:
        """A number that is another one when anybody else has written into the gradebook meanwhile."""
        ((number,),) = self.execute("PRAGMA data_version")
        return int(number)

    def met(self, behind: int, last: int) -> list[Pair]:
        """The pairs among some of the replies that wait, counted from 1, whose marks are not known yet."""
        with self.book.in_our_terms("read"):
            return self.execute(_MET, {"behind": behind, "last": last}).fetchall()

    def forget(self) -> None:
        """Forget what pairs earned, where no marks of those that were met are still to come."""
        with self.book.in_our_terms("read"):
            self.execute("DELETE FROM made")
        self.characters = 0

    def append(self, marks: Mapping[Pair, Made], behind: int, last: int) -> int:
        """Append the marks of some of the replies that wait, inside `writing`; returns how many.

        `marks` are those of the pairs that were `met` there. Left out is a reply that counts no more, or is
        marked by now, which only others can have brought about. So every mark is news, and the trigger that
        asks so of each, which takes longer than all else, is away meanwhile.
        """
        if (changes := self.written_by_others()) != self.changes:
            self.execute(_SETTLED)
            self.changes = changes
        self.book.append_outcomes(marks.values())
        self.characters += sum(len(pair[2]) for pair in marks)
        learned = ((*pair, outcome_digest(made)) for pair, made in marks.items())
        self.book.connection.executemany(_LEARN, learned)
        ((before,),) = self.execute("SELECT coalesce(max(id), 0) FROM marks")
        self.execute("DROP TRIGGER temp.no_news")
        self.execute(_APPEND, {"behind": behind, "last": last, "at": now()})
        self.execute(NO_NEWS)
        ((numbers,),) = self.execute(_OUTCOMES, (before,))
        found = numbers.split(",") if numbers else []
        self.outcomes.update(found)
        return len(found)

    def states(self) -> Counter[str]:
        """How many marks were appended, by state."""
        with self.book.in_our_terms("read"):
            of = dict(self.execute(_STATES, (json.dumps([*map(int, self.outcomes)]),)))
        states = Counter[str]()
        for number, times in self.outcomes.items():
            states[of[int(number)]] += times
        return states

    def count(self, pair: Pair, behind: int, last: int) -> int:
        """How many of some of the replies that wait are this pair."""
        ((found,),) = self.execute(_COUNT, (behind, last, *pair))
        return int(found)


_GONE = ("DROP TABLE IF EXISTS temp.waiting", "DROP TABLE IF EXISTS temp.made")
_TABLES = (
    "CREATE TEMP TABLE waiting (number INTEGER PRIMARY KEY, submission INTEGER)",
    """
CREATE TEMP TABLE made (
    reply TEXT, variant TEXT, question TEXT, contested TEXT, outcome INTEGER, named INTEGER,
    PRIMARY KEY (reply, variant, question, contested)
) WITHOUT ROWID
""",
)
"""The replies that wait; and for every pair what it earned, with a checksum of the digest of that."""

_WAIT = (
    "INSERT INTO waiting (submission) SELECT s.id FROM submissions s"
    f" WHERE s.question IN (SELECT value FROM json_each(?)) AND {COUNTS} AND {UNMARKED}"
)
_SOME = "FROM waiting w CROSS JOIN submissions s ON s.id = w.submission"
_SETTLED = (
    f"DELETE FROM waiting WHERE number IN (SELECT w.number {_SOME} WHERE NOT ({COUNTS} AND {UNMARKED}))"
)
_RANGE = "w.number > :behind AND w.number <= :last"
_SAME = " AND ".join(f"m.{name} = s.{name}" for name in ("variant", "question", "reply", "contested"))
_MET = (
    f"SELECT DISTINCT s.variant, s.question, s.reply, s.contested {_SOME}"
    f" WHERE {_RANGE} AND NOT EXISTS (SELECT 1 FROM made m WHERE {_SAME})"
)
_LEARN = f"""
INSERT INTO made (variant, question, reply, contested, outcome, named)
SELECT ?, ?, ?, ?, o.id, {NAMED} FROM outcomes o WHERE o.digest = ?
"""
_APPEND = APPEND.format(f"""
SELECT s.student, s.question, s.id AS submission, 'grading' AS maker, '' AS reason, :at AS at, m.outcome,
s.checksum AS handed, m.named {_SOME} CROSS JOIN made m ON {_SAME} WHERE {_RANGE}
""")
_OUTCOMES = "SELECT group_concat(outcome) FROM marks WHERE id > ?"  # to count them SQLite would sort them
_STATES = "SELECT id, state FROM outcomes WHERE id IN (SELECT value FROM json_each(?))"
_COUNT = (
    f"SELECT count(*) {_SOME} WHERE w.number > ? AND w.number <= ?"
    " AND (s.variant, s.question, s.reply, s.contested) = (?, ?, ?, ?)"
)
