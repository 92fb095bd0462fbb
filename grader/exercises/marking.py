"""Mark one reply: its state, its points, and the misconception that explains it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, reduce
from typing import Any, Literal, NamedTuple

from grader.answers.form import MAX_REPLY_BYTES, Ambiguous, Item, Malformed, Policy, Terms
from grader.answers.reply_words import words
from grader.base.numbers import Number, normalize_number, read_number, write_number
from grader.base.phrases import Phrase
from grader.exercises.exercise import Exercise
from grader.exercises.tree_reply import UnusableDrawing, reply_from_text
from grader.questions.beliefs import PAYOFFS_FOR_PATHS

MIN_NEARNESS = 3
"""A misconception explains a reply that differs from its answer in at most a third of the items
in which that answer differs from the key: then the reply is at least twice as near to it as to the key."""

_BELIEF_TERMS = Terms(policy=Policy("net"))
"""The terms for comparing a reply with a belief, independent of those of the question."""

MAX_CACHED_REPLIES = 100_000
"""The maximum number of replies in the cache of a marker."""

AT_LINE = Phrase("line {line}: {reason}")
"""The message about a reply of several lines that cannot be read."""

_SEVERAL_NAMED = Phrase("several are named, but the question asks for one")
"""The message about a reply with several answers of different worth."""

_NO_ANSWER_BUT_READABLE = Phrase("this says that there is no answer, but it also contains one: {reading}")
"""The message about a reply that begins with "no answer" and goes on."""

_NUMBER = re.compile("[0-9]+")

_AS_JSON = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))


class State(StrEnum):
    """How the marking of one reply ended."""

    GRADED = "GRADED"
    BLANK = "BLANK"
    UNPARSEABLE = "UNPARSEABLE"
    AMBIGUOUS = "AMBIGUOUS"
    ERROR = "ERROR"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Note:
    """A misconception that explains a reply: its stable code, and whether it explains all or most of it."""

    code: str
    match: Literal["equal", "nearest"]


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a reply.

    - `points`: exact, None unless the state is GRADED.
    - `maximum`: the full mark.
    - `notes`: the misconceptions that explain the reply; several are alternatives.
    - `understood`: the reply as it was read, in canonical text.
    - `items`: the verdict on each item: right, wrong, missing, extra, or consistent with earlier entries.
    - `follow_through`: the points among them that were earned by following through.
    - `message`: why a reply is UNPARSEABLE or AMBIGUOUS, with the place and a hint; else empty.
    """

    state: State
    points: Number | None
    maximum: Number
    notes: tuple[Note, ...] = ()
    understood: str = ""
    items: tuple[Item, ...] = ()
    follow_through: Number = 0
    message: str = ""


class MarkedReply(NamedTuple):
    """The mark of a reply, the answer that was read (None unless GRADED), and the mark as JSON text."""

    mark: Mark
    answer: Any
    content: str


class Doubt(NamedTuple):
    """Why a reply has no points, and its possible readings as canonical texts.

    `is_partial`: the one reading is only the part before the place that cannot be read.
    """

    reason: str
    readings: tuple[str, ...]
    is_partial: bool = False


class Marker:
    """Marks replies to one exercise; parses the key once and caches the marks of equal replies."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._kind = exercise.kind
        self._key = exercise.answer(exercise.key)
        self._cache: dict[str, MarkedReply] = {}

    @cached_property
    def _beliefs(self) -> Mapping[str, Any]:
        """The answer of every belief, by its code; parsed only when a reply is incorrect."""
        return {code: self.exercise.answer(text) for code, text in self.exercise.beliefs.items()}

    def _by_payoffs(self, answer: Any) -> Any:
        """Return an answer with payoffs in place of leaf numbers, or None if the form has no leaf numbers."""
        by_payoffs = self._kind.form.by_payoffs
        return by_payoffs and by_payoffs(answer, self.exercise.public.tree)

    @cached_property
    def _key_by_payoffs(self) -> Any:
        """The key with payoffs in place of leaf numbers."""
        return self._by_payoffs(self._key)

    @cached_property
    def _beliefs_by_payoffs(self) -> tuple[Any, ...]:
        """The answers of the beliefs with payoffs in place of leaf numbers."""
        return tuple(map(self._by_payoffs, self._beliefs.values()))

    @cached_property
    def _key_distances(self) -> Mapping[str, int]:
        """The number of items in which the answer of each belief differs from the key."""
        distance = self._kind.form.distance
        assert distance is not None
        return {code: distance(answer, self._key) for code, answer in self._beliefs.items()}

    def mark(self, text: str) -> Mark:
        """Mark one reply, as the student typed it: an answer, or the tree with the answer drawn on it."""
        return self.mark_with_answer(text).mark

    def mark_with_answer(self, text: str) -> MarkedReply:
        """Mark one reply, and return the answer that was read too."""
        cached = self._cache.get(text)
        if cached is not None:
            return cached
        mark, answer = self._marked(text)
        marked = MarkedReply(mark, answer, write_mark(mark))
        if len(self._cache) < MAX_CACHED_REPLIES and len(text) <= MAX_REPLY_BYTES:
            self._cache[text] = marked
        return marked

    def doubt(self, text: str) -> Doubt:
        """Return why a reply has no points, and its possible readings.

        If the reply cannot be read, these are the readings of all of it with decimal commas, or else the part
        before that place.
        """
        mark, form = self.mark(text), self._kind.form
        public = self.exercise.public
        drawn_reply = reply_from_text(text, self.exercise)
        if isinstance(drawn_reply, UnusableDrawing):
            return Doubt(drawn_reply.message, ())
        typed = text if drawn_reply is None else drawn_reply
        reply = form.read(typed, public.tree, public.terms)
        message = mark.message
        if isinstance(reply, Malformed):
            other = form.read(typed, public.tree, replace(public.terms, decimal_comma=True))
            if isinstance(other, Malformed):
                return Doubt(message, (reply.understood,) if reply.understood else (), is_partial=True)
            reply = other
        elif isinstance(reply, Ambiguous):
            message = reply.message
        if isinstance(reply, Ambiguous):
            return Doubt(message, reply.readings)
        written = form.write(reply, public.tree)
        return Doubt(message, (written,) if written else ())

    def _marked(self, text: str) -> tuple[Mark, Any]:
        """Return the mark of a reply and the answer that was read in it; None unless it is graded."""
        public, form = self.exercise.public, self._kind.form
        maximum, language = public.terms.points, public.terms.language
        if len(text.encode("utf-8", "replace")) > MAX_REPLY_BYTES:
            message = language.term("the answer is longer than {size} KB", size=MAX_REPLY_BYTES // 1024)
            return Mark(State.UNPARSEABLE, None, maximum, message=message), None
        drawn_reply = reply_from_text(text, self.exercise)
        if isinstance(drawn_reply, UnusableDrawing):
            state = State.AMBIGUOUS if drawn_reply.ambiguous else State.UNPARSEABLE
            return Mark(state, None, maximum, message=drawn_reply.message), None
        numbers = len(_NUMBER.findall(text)) if drawn_reply is None else 0
        text = text if drawn_reply is None else drawn_reply
        if not text.strip():
            return Mark(State.BLANK, None, maximum), None
        reply = form.read(text, public.tree, public.terms)
        unreadable = self._mark_without_points(text, reply)
        if unreadable is not None:
            return unreadable, None
        conflict = self._conflicting_answers_mark(reply)
        if conflict is not None:
            return conflict, None
        strict, best = self._kind.credit(public.case, reply, self._key, public.terms)
        points, strictly = (normalize_number(credit.share * maximum) for credit in (best, strict))
        mark = Mark(
            state=State.GRADED,
            points=points,
            maximum=maximum,
            notes=self._notes(reply, numbers) if strict.share < 1 else (),
            understood=form.write(reply, public.tree),
            items=best.items,
            follow_through=normalize_number(points - strictly),
        )
        return mark, reply

    def _mark_without_points(self, text: str, reply: Any) -> Mark | None:
        """Return a mark without points if a reply is unreadable, ambiguous or says "no answer"; else None."""
        public, form = self.exercise.public, self._kind.form
        maximum, language = public.terms.points, public.terms.language
        no_answer_words, is_whole_reply = words(public.terms.language_code).no_answer_phrase(text)
        if isinstance(reply, Malformed):
            if form.is_no_answer(text, public.tree, public.terms):
                return Mark(State.BLANK, None, maximum)
            message = reply.message
            if reply.hint:
                message = language.term("{message} ({hint})", message=message, hint=reply.hint)
            if "\n" in text.strip():
                message = language.term(AT_LINE, line=reply.line, reason=message)
            return Mark(State.UNPARSEABLE, None, maximum, understood=reply.understood, message=message)
        if isinstance(reply, Ambiguous):
            return self._ambiguous_mark(reply.message, reply.readings)
        if no_answer_words:
            understood = form.write(reply, public.tree)
            if not {*no_answer_words} - {*" '"} <= {*understood.casefold()}:  # in `k a` K and A may be nodes
                if is_whole_reply:
                    return Mark(State.BLANK, None, maximum)
                message = language.term(_NO_ANSWER_BUT_READABLE, reading=language.reply(understood))
                return Mark(State.AMBIGUOUS, None, maximum, message=message)
        if form.has_entries and not reply and self._is_no_known_answer(reply):
            message = language.term("the answer does not name any node")
            return Mark(State.UNPARSEABLE, None, maximum, message=message)
        return None

    def _ambiguous_mark(self, reason: str, readings: Sequence[str]) -> Mark:
        """Return the mark of a reply with several readings, which are canonical texts."""
        terms = self.exercise.public.terms
        language = terms.language
        either = reduce(
            lambda one, other: language.term("{one} or {other}", one=one, other=other),
            map(language.reply, readings),
        )
        message = language.term("{message}: {readings}", message=reason, readings=either)
        return Mark(State.AMBIGUOUS, None, terms.points, message=message)

    def _conflicting_answers_mark(self, reply: Any) -> Mark | None:
        """Return the mark of a reply with several answers of different worth to a question that asks for one.

        None for the answer of a misconception.
        """
        public, form = self.exercise.public, self._kind.form
        terms, singles = public.terms, form.single_answers
        answers = singles(reply) if singles and not terms.every else ()
        shares = {self._kind.credit(public.case, each, self._key, terms)[1].share for each in answers}
        if len(shares) < 2 or any(reply == answer for answer in self._beliefs.values()):
            return None
        readings = [form.write(each, public.tree) for each in answers]
        return self._ambiguous_mark(terms.language.term(_SEVERAL_NAMED), readings)

    def _is_no_known_answer(self, reply: Any) -> bool:
        """Return whether an empty reply is neither the key nor the answer of a belief."""
        return all(reply != answer for answer in (self._key, *self._beliefs.values()))

    def _matches(self, reply: Any, answer: Any) -> bool:
        """Return whether a reply matches an answer; it never matches None.

        A reply with more entries than an incomplete answer does not match it.
        """
        public = self.exercise.public
        if answer and self._kind.form.has_entries and len(answer) < min(len(reply), len(self._key)):
            return False
        return answer is not None and self._kind.form.is_right(reply, answer, public.tree, public.terms)

    def _notes(self, reply: Any, numbers: int) -> tuple[Note, ...]:
        """The beliefs whose answer is the reply, or else the nearest ones, if they are clearly nearer.

        A reply has to contain half of the answer of a belief: an empty reply is near every small answer.
        `numbers` counts the numbers that the student typed, since only these can be payoffs; a single number
        may be a payoff of some belief's answer by accident.
        """
        form, public = self._kind.form, self.exercise.public
        equal = [code for code, answer in self._beliefs.items() if self._matches(reply, answer)]
        if (numbers and self._matches(reply, self._key_by_payoffs)) or (
            numbers > 1
            and not equal
            and any(self._matches(reply, answer) for answer in self._beliefs_by_payoffs)
        ):
            equal.append(f"{self._kind.code}.{PAYOFFS_FOR_PATHS}")
        if equal:
            return tuple(Note(code, "equal") for code in equal)
        if form.distance is None or self._kind.accepts is not None:
            return ()  # several correct answers are not parts of one key
        distances = {
            code: distance
            for code, answer in self._beliefs.items()
            if (distance := form.distance(reply, answer)) * MIN_NEARNESS <= self._key_distances[code]
            and form.credit(reply, answer, public.tree, _BELIEF_TERMS, texts=False).share * 2 >= 1
        }
        least = min(distances.values(), default=0)
        return tuple(Note(code, "nearest") for code, distance in distances.items() if distance == least)


def mark(exercise: Exercise, text: str) -> Mark:
    """Mark one reply; use a `Marker` to mark many replies to the same exercise.

    Raises `TypeError` unless the arguments are an exercise and a text.
    """
    if not isinstance(exercise, Exercise) or not isinstance(text, str):
        given = " and ".join(type(each).__name__ for each in (exercise, text))
        raise TypeError(f"mark takes an exercise and then the text of a reply, not {given}")
    return Marker(exercise).mark(text)


def write_mark(mark: Mark) -> str:
    """Write a mark as JSON text for the gradebook; equal marks give equal text."""
    record = {
        "state": mark.state.value,
        "points": None if mark.points is None else write_number(mark.points),
        "maximum": write_number(mark.maximum),
        "notes": [[note.code, note.match] for note in mark.notes],
        "understood": mark.understood,
        "items": mark.items,
        "follow_through": write_number(mark.follow_through),
        "message": mark.message,
    }
    return _AS_JSON.encode(record)


def read_mark(content: str) -> Mark:
    """Read a mark that `write_mark` wrote."""
    record = json.loads(content)
    return Mark(
        state=State(record["state"]),
        points=None if record["points"] is None else read_number(record["points"]),
        maximum=read_number(record["maximum"]),
        notes=tuple(Note(code, match) for code, match in record["notes"]),
        understood=record["understood"],
        items=tuple(Item(*item) for item in record["items"]),
        follow_through=read_number(record["follow_through"]),
        message=record["message"],
    )
