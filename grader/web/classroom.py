"""A question that a class answers on its phones: the replies, their counts, and what the wall shows."""

import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from threading import Condition, Thread
from typing import Any, Literal

from grader.base.phrases import Language, Phrase
from grader.exercises.exercise import Exercise
from grader.exercises.feedback import SEVERAL_NOTES, Feedback
from grader.exercises.marking import Mark, Marker, State
from grader.questions.beliefs import BELIEFS
from grader.trees.annotations import Header
from grader.trees.notation.writing import write_tree
from grader.trees.rules import rules_to_keys
from grader.web.messages.documents import Record
from grader.web.messages.message_fields import message_error
from grader.web.messages.question_records import question_record
from grader.web.question_pool import QuestionSource, read_question

MAX_PHONES = 1_000
"""The most phones of a class, more than a lecture hall has seats; others are refused."""

MAX_REPLY_LENGTH = 4_000
"""The most characters of a reply of a phone."""

MAX_PHONE_KEY_LENGTH = 40
"""The most characters of the random key by which a phone is known until the program ends."""

TREES_PER_CLASS = 30
"""How many trees a class shares if every phone has its own; more would take time to grow."""

MAX_ANSWERS_SHOWN = 6
"""The most frequent answers without a misconception that are counted separately."""

MAX_ATTEMPTS = 2
"""The first try, and the one after the discussion."""

MAX_FIRST_NUMBER = 1_000_000_000
"""The most that the number of the first question can be."""

VIEWS = ("join", "question", "counts", "tree", "steps")
"""What the wall can show."""

CORRECT, UNREADABLE, OTHER = Phrase("Correct"), Phrase("Not readable"), Phrase("Other answers")

NOTHING_OPEN = Phrase("No question is open.")
TOO_LATE = Phrase("This answer came too late: the question is closed.")
CLASS_FULL = Phrase("Too many phones have joined.")
TOO_LONG = Phrase("This answer is too long.")
ANSWER_FIRST = Phrase("Write your answer first.")

Category = Literal["correct", "belief", "answer", "unreadable", "other"]


@dataclass(frozen=True, slots=True)
class PhoneOutcome:
    """What one reply counts as: its category, the codes of its misconceptions or its text, and its nodes."""

    category: Category
    label: str
    nodes: tuple[int, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class CountedExercise:
    """An exercise of the class, its marker, and what pages show of it."""

    exercise: Exercise
    marker: Marker
    feedback: Feedback
    record: Record
    tree: str

    @classmethod
    def read(cls, content: Mapping[str, Any], language: Language) -> "CountedExercise":
        """Read an exercise of the pool. Raises `ValueError` if the record was changed."""
        exercise = read_question(content, language)
        tree, rules = exercise.public.tree, exercise.public.rules
        # The steps of the search follow the header, from which an exercise takes the rules away.
        header = Header.from_keys({**tree.header.by_key, **rules_to_keys(rules)})
        text = write_tree(tree.with_header(header))
        return cls(exercise, Marker(exercise), Feedback(exercise), question_record(exercise), text)

    def outcome(self, reply: str) -> PhoneOutcome:
        """Mark a reply, and return what it counts as.

        1. `unreadable` if it has no mark, as a blank one.
        2. `correct` for full points.
        3. `belief` with any misconception: the label has the codes, separated by blanks.
        4. Otherwise `answer`, even with partial credit: the label is the reply as it was understood.
        """
        mark = self.marker.mark(reply)
        if mark.state is not State.GRADED:
            return PhoneOutcome("unreadable", "", (), mark)
        nodes = self._named_nodes(mark)
        if mark.points == mark.maximum:
            return PhoneOutcome("correct", "", nodes, mark)
        # Kinds name their misconceptions `kind.code`; the class counts by the misconception alone.
        beliefs = sorted({note.code.rpartition(".")[2] for note in mark.notes})
        if beliefs:
            return PhoneOutcome("belief", " ".join(beliefs), nodes, mark)
        return PhoneOutcome("answer", self.exercise.public.terms.language.reply(mark.understood), nodes, mark)

    def _named_nodes(self, mark: Mark) -> tuple[int, ...]:
        """Return the nodes that a reply names, and those below which it names every leaf."""
        tree = self.exercise.public.tree
        mentioned = {item.node for item in mark.items if item.node is not None and item.reply}
        if self.exercise.kind.form.screen_input == "leaves":
            for node in reversed(tree.internal):
                if node and all(child in mentioned for child in tree.children[node]):
                    mentioned.add(node)
        return tuple(sorted(mentioned)) if self.exercise.kind.form.screen_input in NODE_INPUTS else ()


NODE_INPUTS = frozenset(("leaves", "branches", "leaf", "child", "choices"))
"""The ways to answer by touching nodes that can be counted at every node."""


@dataclass(slots=True)
class PhoneAttempt:
    """The replies of one try by phone, and the outcomes of those that are marked."""

    replies: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, PhoneOutcome] = field(default_factory=dict)


@dataclass(slots=True)
class Round:
    """A question of the class.

    - `number`: one more than that of the question before; the first one of a program is random, because a
      phone that was open before a restart must not take it for its own question.
    - `exercises`: one for all, or several that are dealt to the phones in turn.
    - `places`: which exercise each phone has.
    """

    number: int
    kind: str
    exercises: Sequence[CountedExercise]
    places: dict[str, int] = field(default_factory=dict)
    attempts: list[PhoneAttempt] = field(default_factory=lambda: [PhoneAttempt()])
    is_open: bool = True
    is_revealed: bool = False

    def exercise_of(self, phone: str) -> CountedExercise:
        """Return the exercise of a phone, which keeps it in the second try."""
        place = self.places.setdefault(phone, len(self.places) % len(self.exercises))
        return self.exercises[place]


class Classroom:
    """The question of a class and its counts; several threads may use it.

    Nothing is known of a phone but the random key that its page made up, and nothing is written to any file.
    Replies are marked one after the other by a thread of its own, so that receiving them never waits.
    """

    def __init__(self, pool: QuestionSource) -> None:
        self.pool, self.language = pool, pool.language
        self._round: Round | None = None
        self._phones: set[str] = set()
        self._view, self._slide = "join", 0
        self._number = Random().randrange(MAX_FIRST_NUMBER)
        self._shared: Counter[tuple[str, str]] = Counter()
        self._changed = Condition()
        Thread(target=self._mark_replies, daemon=True).start()

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of the current question, one for all or several; none if there is no question."""
        current = self._round
        return () if current is None else tuple(each.exercise for each in current.exercises)

    # What phones do

    def look(self, phone: str, known: int) -> Record:
        """Return what a phone shows; its question only if it is not the one with the number it knows.

        A phone that is new joins the class. Raises `MessageError` if the class is full.
        """
        with self._changed:
            self._join(phone)
            current = self._round
            if current is None:
                return {"number": 0, "is_open": False}
            exercise = current.exercise_of(phone)
            attempt = current.attempts[-1]
            record: Record = {
                "number": current.number,
                "attempt": len(current.attempts),
                "is_open": current.is_open,
                "reply": attempt.replies.get(phone, ""),
                "verdict": self._verdict(current, phone) if current.is_revealed else None,
            }
        if known != current.number:
            record["question"] = exercise.record
        return record

    def answer(self, phone: str, number: int, attempt: int, reply: str) -> Record:
        """Record a reply of a phone in place of an earlier one. Raises `MessageError` if it cannot count."""
        if len(reply) > MAX_REPLY_LENGTH:
            raise message_error(TOO_LONG)
        if not reply.strip():
            raise message_error(ANSWER_FIRST)
        with self._changed:
            self._join(phone)
            current = self._round
            if current is None:
                raise message_error(NOTHING_OPEN)
            if not current.is_open or (number, attempt) != (current.number, len(current.attempts)):
                raise message_error(TOO_LATE)
            current.exercise_of(phone)
            latest = current.attempts[-1]
            if latest.replies.get(phone) != reply:
                latest.replies[phone] = reply
                latest.outcomes.pop(phone, None)
                self._changed.notify_all()
        return {"received": True}

    def _join(self, phone: str) -> None:
        """Note a phone. Raises `MessageError` if it is new and the class is full."""
        if phone not in self._phones and len(self._phones) >= MAX_PHONES:
            raise message_error(CLASS_FULL)
        self._phones.add(phone)

    def _verdict(self, current: Round, phone: str) -> Record:
        """Return the verdict of a phone: whether it is correct, its misconceptions, the correct answer."""
        exercise = current.exercise_of(phone)
        outcomes = [each.outcomes[phone] for each in current.attempts if phone in each.outcomes]
        outcome = outcomes[-1] if outcomes else None
        reasons = [] if outcome is None else list(exercise.feedback.diagnosis(outcome.mark))
        is_correct = outcome is not None and outcome.category == "correct"
        return {
            "is_answered": outcome is not None,
            "is_correct": is_correct,
            "reasons": reasons,
            "answer": exercise.exercise.printed_key,
        }

    # What the teacher does

    def start(self, kind: str, level: str, is_shared: bool) -> None:
        """Start a question; the replies to the one before are forgotten. Raises `MessageError`.

        One tree for all is another every time: each start grows one more, until there are enough.
        """
        place = self._shared[kind, level] % TREES_PER_CLASS
        records = self.pool.questions(kind, level, place + 1 if is_shared else TREES_PER_CLASS)
        if not records:
            raise message_error(NOTHING_OPEN)
        chosen = [records[place % len(records)]] if is_shared else records
        exercises = [CountedExercise.read(each, self.language) for each in chosen]
        with self._changed:
            self._shared[kind, level] += is_shared
            self._number += 1
            self._round = Round(self._number, kind, exercises)
            self._view, self._slide = "question", 0

    def close(self) -> None:
        """Take no more replies to this try."""
        with self._changed:
            self._current().is_open = False

    def ask_again(self) -> None:
        """Open the second try; the counts of the first one stay."""
        with self._changed:
            current = self._current()
            if len(current.attempts) < MAX_ATTEMPTS:
                current.attempts.append(PhoneAttempt())
            current.is_open, current.is_revealed = True, False
            self._view = "question"

    def reveal(self) -> None:
        """Close the question, and show the correct answer on every phone."""
        with self._changed:
            current = self._current()
            current.is_open, current.is_revealed = False, True

    def show(self, view: str, slide: int) -> None:
        """Show something else on the wall, or another step of the search."""
        with self._changed:
            self._view = view if view in VIEWS else self._view
            self._slide = max(0, slide)

    def end(self) -> None:
        """Forget the question with its replies."""
        with self._changed:
            self._round, self._view = None, "join"

    def _current(self) -> Round:
        """Return the round that is going on. Raises `MessageError` if there is none."""
        if self._round is None:
            raise message_error(NOTHING_OPEN)
        return self._round

    # What the wall and the teacher see

    def state(self, known: int, *, all_counts: bool) -> Record:
        """Return what the teacher's page shows, or the wall, which has counts only where it shows them."""
        with self._changed:
            current = self._round
            record: Record = {
                "view": self._view,
                "slide": self._slide,
                "phones": len(self._phones),
                "number": 0,
            }
            if current is None:
                return record
            record |= {
                "number": current.number,
                "kind": current.kind,
                "attempt": len(current.attempts),
                "is_open": current.is_open,
                "is_revealed": current.is_revealed,
                "is_shared": len(current.exercises) == 1,
                "answered": [len(each.replies) for each in current.attempts],
                "waiting": sum(len(each.replies) - len(each.outcomes) for each in current.attempts),
            }
            if all_counts or self._view in ("counts", "tree"):
                record |= {"counts": self._counts(current), "crossed": _count_named_nodes(current)}
        if known != current.number:
            shared = current.exercises[0]
            record |= {"question": shared.record, "tree": shared.tree}
        return record

    def _counts(self, current: Round) -> list[Record]:
        """Return the counts of every try by misconception, and of other replies by what they say.

        The correct ones come first, then misconceptions, then other answers; each by falling counts.
        """
        counts = [
            Counter((each.category, each.label) for each in attempt.outcomes.values())
            for attempt in current.attempts
        ]
        both: Counter[tuple[Category, str]] = sum(counts, Counter())
        plain = [key for key, _ in both.most_common() if key[0] == "answer"][MAX_ANSWERS_SHOWN:]
        for count in counts:
            rest = sum(count.pop(key, 0) for key in plain)
            if rest:
                count["other", ""] = rest
        keys = sorted(
            {key for count in counts for key in count},
            key=lambda key: (CATEGORY_ORDER.index(key[0]), -sum(count[key] for count in counts), key[1]),
        )
        return [
            {
                "category": category,
                "label": self._label(category, label),
                "counts": [count[category, label] for count in counts],
            }
            for category, label in keys
        ]

    def _label(self, category: Category, label: str) -> str:
        """Return a category's label in words; a reply stays as it is, and several beliefs become one text."""
        language = self.language
        if category == "belief":
            symptoms = [language.say(BELIEFS[code].symptom) for code in label.split()]
            return symptoms[0] if len(symptoms) == 1 else " / ".join([language.say(SEVERAL_NOTES), *symptoms])
        names = {"correct": CORRECT, "unreadable": UNREADABLE, "other": OTHER}
        return language.term(names[category]) if category in names else label

    # Marking

    def _mark_replies(self) -> None:
        """Mark the replies that wait, one at a time, as long as the program runs.

        A reply that makes marking raise an exception counts as unreadable; its traceback goes to stderr.
        """
        while True:
            with self._changed:
                while (task := self._next_reply()) is None:
                    self._changed.wait()
                exercise, attempt, phone, reply = task
            try:
                outcome = exercise.outcome(reply)
            except Exception as error:  # a fault of ours must not end the only thread that marks
                traceback.print_exc()
                maximum = exercise.exercise.public.terms.points
                outcome = PhoneOutcome(
                    "unreadable", "", (), Mark(State.ERROR, None, maximum, message=repr(error))
                )
            with self._changed:
                if attempt.replies.get(phone) == reply:  # otherwise another one has replaced it
                    attempt.outcomes[phone] = outcome

    def _next_reply(self) -> tuple[CountedExercise, PhoneAttempt, str, str] | None:
        """Return the first waiting reply with its exercise, attempt and phone; None if no reply waits."""
        if self._round is None:
            return None
        for attempt in self._round.attempts:
            for phone, reply in attempt.replies.items():
                if phone not in attempt.outcomes:
                    return self._round.exercise_of(phone), attempt, phone, reply
        return None


CATEGORY_ORDER: tuple[Category, ...] = ("correct", "belief", "answer", "other", "unreadable")
"""The order of the counts."""


def _count_named_nodes(current: Round) -> dict[str, list[int]]:
    """Map the nodes that replies name to the number of these replies in each attempt.

    Empty unless all phones have the same tree.
    """
    if len(current.exercises) > 1:
        return {}
    counts = [
        Counter(node for each in attempt.outcomes.values() for node in each.nodes)
        for attempt in current.attempts
    ]
    nodes = sorted({node for count in counts for node in count})
    return {str(node): [count[node] for count in counts] for node in nodes}
