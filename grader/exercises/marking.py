"""One reply, one mark: its state, its points, and the misconception behind it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, reduce
from typing import Any, Literal, NamedTuple

from grader.answers.form import MAX_REPLY_BYTES, Ambiguous, Item, Malformed, Policy, Terms
from grader.answers.reply_words import words
from grader.base.numbers import Number, normalize_number, read_number, write_number
from grader.base.phrases import BoundPhrase, Phrase
from grader.exercises.exercise import Exercise
from grader.exercises.tree_reply import UnusableDrawing, reply_from_text
from grader.questions.beliefs import PAYOFFS_FOR_PATHS

MIN_NEARNESS = 3
"""A misconception explains a reply that differs from its answer in at most a third of the items
in which that answer differs from the key: then the reply is at least twice as near to it as to the key."""

_BY_HALVES = Terms(policy=Policy("net"))
"""The terms on which a reply is compared with a belief, whatever those of the question."""

MAX_CACHED_REPLIES = 100_000
"""How many different replies a marker remembers."""


AT_LINE = Phrase("line {line}: {reason}")
"""Why a reply of several lines cannot be read, and where."""

SEVERAL_NAMED = Phrase("several are named, but the question asks for one")
"""Why a reply is left open of which a part is correct."""

NO_ANSWER_BUT_READABLE = Phrase("this says that there is no answer, but it also contains one: {reading}")
"""Why a reply is left open that begins as one without an answer."""

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
    """What a reply is worth.

    - `points`: exact, None unless the state is GRADED.
    - `maximum`: the full mark.
    - `notes`: the misconceptions that explain the reply; several when they cannot be told apart.
    - `understood`: the reply as it was read, in canonical text.
    - `items`: what was right, wrong, missing, extra, or followed from the student's own entries.
    - `follow_through`: how many of the points were earned by following through.
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
    """A reply that was marked: its mark, the answer that was read, and the mark as JSON text.

    The answer is None unless the mark is GRADED.
    """

    mark: Mark
    answer: Any
    content: str


class Doubt(NamedTuple):
    """Why a reply has no points, and as what it can be read: canonical texts, none if as nothing."""

    reason: str
    readings: tuple[str, ...]


class Marker:
    """Marks replies to one exercise; reads the key once and remembers the replies it has seen."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._kind = exercise.kind
        self._key = exercise.answer(exercise.key)
        self._seen: dict[str, MarkedReply] = {}

    @cached_property
    def _beliefs(self) -> Mapping[str, Any]:
        """The answer of every belief, by its code; right replies never need them."""
        return {code: self.exercise.answer(text) for code, text in self.exercise.beliefs.items()}

    def _by_payoffs(self, answer: Any) -> Any:
        """What someone writes who names the leaves of an answer by their payoffs; None where nobody can."""
        by_payoffs = self._kind.form.by_payoffs
        return by_payoffs and by_payoffs(answer, self.exercise.public.tree)

    @cached_property
    def _known_by_payoffs(self) -> Any:
        """The same of someone who knows the answer."""
        return self._by_payoffs(self._key)

    @cached_property
    def _believed_by_payoffs(self) -> tuple[Any, ...]:
        """The same of everybody who has a belief."""
        return tuple(map(self._by_payoffs, self._beliefs.values()))

    @cached_property
    def _far(self) -> Mapping[str, int]:
        """In how many items the answer of every belief differs from the key."""
        distance = self._kind.form.distance
        assert distance is not None
        return {code: distance(answer, self._key) for code, answer in self._beliefs.items()}

    def mark(self, text: str) -> Mark:
        """Mark one reply, as the student typed it: an answer, or the tree with the answer drawn on it."""
        return self.mark_with_answer(text).mark

    def mark_with_answer(self, text: str) -> MarkedReply:
        """The mark of one reply with the answer that was marked."""
        seen = self._seen.get(text)
        if seen is not None:
            return seen
        mark, answer = self._marked(text)
        found = MarkedReply(mark, answer, write_mark(mark))
        if len(self._seen) < MAX_CACHED_REPLIES and len(text) <= MAX_REPLY_BYTES:
            self._seen[text] = found
        return found

    def doubt(self, text: str) -> Doubt:
        """Return why a reply has no points, and its possible readings.

        If the reply cannot be read, the reading is the part before that place.
        """
        mark, form = self.mark(text), self._kind.form
        public = self.exercise.public
        drawn_reply = reply_from_text(text, self.exercise)
        if isinstance(drawn_reply, UnusableDrawing):
            return Doubt(drawn_reply.message, ())
        reply = form.read(text if drawn_reply is None else drawn_reply, public.tree, public.terms)
        if isinstance(reply, Ambiguous):
            return Doubt(reply.message, reply.readings)
        understood = reply.understood if isinstance(reply, Malformed) else form.write(reply, public.tree)
        return Doubt(mark.message, (understood,) if understood else ())

    def _marked(self, text: str) -> tuple[Mark, Any]:
        public, form = self.exercise.public, self._kind.form
        maximum, language = public.terms.points, public.terms.language
        if len(text.encode("utf-8", "replace")) > MAX_REPLY_BYTES:
            message = language.term("the answer is longer than {size} KB", size=MAX_REPLY_BYTES // 1024)
            return Mark(State.UNPARSEABLE, None, maximum, message=message), None
        drawn = reply_from_text(text, self.exercise)
        if isinstance(drawn, UnusableDrawing):
            state = State.AMBIGUOUS if drawn.ambiguous else State.UNPARSEABLE
            return Mark(state, None, maximum, message=drawn.message), None
        numbers = len(_NUMBER.findall(text)) if drawn is None else 0
        text = text if drawn is None else drawn
        if not text.strip():
            return Mark(State.BLANK, None, maximum), None
        reply = form.read(text, public.tree, public.terms)
        without = self._without(text, reply)
        if without is not None:
            return without, None
        several = self._several(reply)
        if several is not None:
            return several, None
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

    def _without(self, text: str, reply: Any) -> Mark | None:
        """The mark without points of what cannot be read as one answer, or says that there is none."""
        public, form = self.exercise.public, self._kind.form
        maximum, language = public.terms.points, public.terms.language
        admitted, alone = words(public.terms.language_code).no_answer_phrase(text)
        if isinstance(reply, Malformed):
            if alone:
                return Mark(State.BLANK, None, maximum)
            message = reply.message
            if reply.hint:
                message = language.term("{message} ({hint})", message=message, hint=reply.hint)
            if "\n" in text.strip():
                message = language.term(AT_LINE, line=reply.line, reason=message)
            return Mark(State.UNPARSEABLE, None, maximum, understood=reply.understood, message=message)
        if isinstance(reply, Ambiguous):
            readings = reduce(
                lambda one, other: language.term("{one} or {other}", one=one, other=other),
                map(language.reply, reply.readings),
            )
            message = language.term("{message}: {readings}", message=reply.message, readings=readings)
            return Mark(State.AMBIGUOUS, None, maximum, message=message)
        if admitted:
            understood = form.write(reply, public.tree)
            if not {*admitted} - {*" '"} <= {*understood.casefold()}:  # in `k a` K and A may be nodes
                if alone:
                    return Mark(State.BLANK, None, maximum)
                message = language.term(NO_ANSWER_BUT_READABLE, reading=language.reply(understood))
                return Mark(State.AMBIGUOUS, None, maximum, message=message)
        if form.has_entries and not reply and self._lacks(reply):
            message = language.term("the answer does not name any node")
            return Mark(State.UNPARSEABLE, None, maximum, message=message)
        return None

    def _several(self, reply: Any) -> Mark | None:
        """The mark of a reply that names two things where one is asked for, if these earn differently.

        Not of one that is the answer of a misconception.
        """
        public, form = self.exercise.public, self._kind.form
        terms, singles = public.terms, form.single_answers
        answers = singles(reply) if singles and not terms.every else ()
        shares = {self._kind.credit(public.case, each, self._key, terms)[1].share for each in answers}
        if len(shares) < 2 or any(reply == answer for answer in self._beliefs.values()):
            return None
        readings = tuple(form.write(each, public.tree) for each in answers)
        return self._without("", Ambiguous(terms.language.render(BoundPhrase(SEVERAL_NAMED)), readings))

    def _lacks(self, reply: Any) -> bool:
        """Whether an empty reply is the answer of nobody: neither the key nor what a belief leads to."""
        return all(reply != answer for answer in (self._key, *self._beliefs.values()))

    def _is(self, reply: Any, answer: Any) -> bool:
        """Whether a reply is this answer; None is no answer.

        An answer that leaves out what belongs to the key is nobody's who says more.
        """
        public = self.exercise.public
        if answer and self._kind.form.has_entries and len(answer) < min(len(reply), len(self._key)):
            return False
        return answer is not None and self._kind.form.is_right(reply, answer, public.tree, public.terms)

    def _notes(self, reply: Any, numbers: int) -> tuple[Note, ...]:
        """The beliefs whose answer is the reply, or else the nearest ones, if they are clearly nearer.

        Half of a belief's answer has to be in a reply that is put down to it: an empty reply is near to
        every small answer, and comes from none of them.
        `numbers` is how many the student typed: only they can be payoffs, and that one number happens to be
        the payoff in the answer of some belief says too little.
        """
        form, public = self._kind.form, self.exercise.public
        same = [code for code, answer in self._beliefs.items() if self._is(reply, answer)]
        if (numbers and self._is(reply, self._known_by_payoffs)) or (
            numbers > 1 and not same and any(self._is(reply, answer) for answer in self._believed_by_payoffs)
        ):
            same.append(f"{self._kind.code}.{PAYOFFS_FOR_PATHS}")
        if same:
            return tuple(Note(code, "equal") for code in same)
        if form.distance is None or self._kind.accepts is not None:
            return ()  # where many answers are right, one is no part of another
        distances = {
            code: distance
            for code, answer in self._beliefs.items()
            if (distance := form.distance(reply, answer)) * MIN_NEARNESS <= self._far[code]
            and form.credit(reply, answer, public.tree, _BY_HALVES, texts=False).share * 2 >= 1
        }
        least = min(distances.values(), default=0)
        return tuple(Note(code, "nearest") for code, distance in distances.items() if distance == least)


def mark(exercise: Exercise, text: str) -> Mark:
    """Mark one reply; use a `Marker` to mark many replies to the same exercise.

    Raises `TypeError` for anything but an exercise and, behind it, a text.
    """
    if not isinstance(exercise, Exercise) or not isinstance(text, str):
        given = " and ".join(type(each).__name__ for each in (exercise, text))
        raise TypeError(f"mark takes an exercise and then the text of a reply, not {given}")
    return Marker(exercise).mark(text)


def write_mark(mark: Mark) -> str:
    """A mark as JSON text, as the gradebook keeps it: equal marks give equal text."""
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
    """The mark that `write_mark` wrote."""
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
