"""The students that an exam expects, and the points that they earn on average."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grader.base.json_records import RecordError, read_field
from grader.base.numbers import Number, NumeralError, read_number, write_number
from grader.exam.paper import Question
from grader.exercises.exercise import Exercise
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Marker

Chances: TypeAlias = Mapping[Fraction, Fraction]
"""The probability of each number of points; together they are 1."""


@dataclass(frozen=True, slots=True)
class Population:
    """Assumptions about the students of an exam.

    - `mistaken`: the share of students who have one misconception each, every one equally often. They
      answer every part by it; where it changes nothing, and without one, they answer correctly.
    - `slips`: the share of answers in which any student slips: the answer is then that of some
      misconception about this part, every one equally often.
    - `blanks`: the share of answers that any student leaves blank.
    - `shares`: the share of students with each misconception, as statistics of finished exams have it;
      without any, `mistaken` is divided equally.
    """

    mistaken: Number = Fraction(3, 10)
    slips: Number = Fraction(1, 10)
    blanks: Number = Fraction(1, 20)
    shares: tuple[tuple[str, Fraction], ...] = ()

    def to_json(self) -> dict[str, str]:
        """Return what a blueprint assumes as a JSON object."""
        shares = {"mistaken": self.mistaken, "slips": self.slips, "blanks": self.blanks}
        return {name: write_number(share) for name, share in shares.items()}

    @classmethod
    def from_json(cls, record: object, place: str) -> "Population":
        """Read the JSON object. Raises `RecordError`, its place below `place`."""
        if not isinstance(record, dict):
            raise RecordError(place, "this is not an object")

        def share(name: str) -> Number:
            return read_number(read_field(record, name, str, f"{place}."))

        try:
            return cls(share("mistaken"), share("slips"), share("blanks"))
        except NumeralError as error:
            raise RecordError(place, f"this is not a share: {error}") from None


USUAL_STUDENTS = Population()
"""The assumptions of a blueprint that states none."""


def misconceptions_among(questions: Iterable[Question]) -> tuple[str, ...]:
    """Return the names of the misconceptions that lead to an incorrect answer somewhere, sorted."""
    return tuple(
        sorted(
            {
                name
                for question in questions
                for part in question.parts
                for name in _answers_by_misconception(part)
            }
        )
    )


def average_points(
    points: Mapping[str, Fraction], population: Population, misconceptions: Sequence[str]
) -> Fraction:
    """Return the average of what `points_by_misconception` gives, over the students of a population.

    `misconceptions` are those that students can have (`misconceptions_among` all variants that are compared).
    """
    return sum(
        (share * points.get(name, points[""]) for name, share in student_shares(population, misconceptions)),
        Fraction(0),
    )


def points_by_misconception(question: Question, population: Population) -> Mapping[str, Fraction]:
    """Return the points that students earn on average with each misconception that has an effect.

    An empty name stands for all other students. Slips and blanks are those of the population, and later
    parts are marked with follow-through.
    """
    mistaken = [_answers_by_misconception(part) for part in question.parts]
    names = ["", *sorted({name for answers in mistaken for name in answers})]
    parts = [_ReplyPoints(part, population) for part in question.parts]
    points = {}
    for name in names:
        answers = [
            incorrect.get(name, part.key) for incorrect, part in zip(mistaken, question.parts, strict=True)
        ]
        intended = list(zip(parts, answers, strict=True))
        points[name] = sum(
            (
                part.mean(answer, intended[:place] if question.follow_through else [])
                for place, (part, answer) in enumerate(intended)
            ),
            Fraction(0),
        )
    return points


def student_shares(population: Population, misconceptions: Sequence[str]) -> Iterator[tuple[str, Fraction]]:
    """Yield each misconception with the share of students who have it; an empty name for none."""
    if population.shares:
        known = dict(population.shares)
        measured = {name: known.get(name, Fraction(0)) for name in misconceptions}
        # A student has one misconception at most, but answers to several questions may show several.
        scale = max(Fraction(1), sum(measured.values(), Fraction(0)))
        yield "", 1 - sum(measured.values(), Fraction(0)) / scale
        yield from ((name, share / scale) for name, share in measured.items())
        return
    mistaken = Fraction(population.mistaken if misconceptions else 0)
    yield "", 1 - mistaken
    for name in misconceptions:
        yield name, mistaken * Fraction(1, len(misconceptions))


def _answers_by_misconception(exercise: Exercise) -> dict[str, str]:
    """Return the incorrect answers by the misconceptions that lead to them."""
    start = f"{exercise.public.kind}."
    return {code.removeprefix(start): answer for code, answer in exercise.beliefs.items()}


class _ReplyPoints:
    """The points of replies to one part; each reply is marked once, as in a class.

    In `earlier`, each earlier part comes with the answer that the students intend there. They may slip in it
    or leave it blank, so their reply to that part varies.
    """

    def __init__(self, exercise: Exercise, population: Population) -> None:
        self._exercise, self._marker = exercise, Marker(exercise)
        self._slips, self._blanks = Fraction(population.slips), Fraction(population.blanks)
        self._slipped = tuple(exercise.beliefs.values()) or ("",)
        self._followed: dict[tuple[str, int, str], Fraction] = {}
        self._after_accidents: dict[tuple[str, int], Chances] = {}
        self._means: dict[tuple[str, tuple[str, ...]], Fraction] = {}

    def mean(self, answer: str, earlier: "Sequence[tuple[_ReplyPoints, str]]") -> Fraction:
        """Return the mean points of the students who intend this answer; they may slip or leave it blank."""
        slipped = sum((self._mean_of_reply(reply, earlier) for reply in self._slipped), Fraction(0))
        intended = self._mean_of_reply(answer, earlier)
        return (1 - self._slips - self._blanks) * intended + self._slips * slipped * Fraction(
            1, len(self._slipped)
        )

    def _mean_of_reply(self, reply: str, earlier: "Sequence[tuple[_ReplyPoints, str]]") -> Fraction:
        """Return the mean points of a reply, over what its authors may have written in the earlier parts."""
        answers = tuple(answer for _, answer in earlier)
        if (reply, answers) not in self._means:
            # Of the earlier replies that this one may follow from, the one that gives most counts.
            best: Chances = {self._points(reply): Fraction(1)}
            for place, (other, answer) in enumerate(earlier):
                if not other._exercise.kind.carries.keys().isdisjoint(self._exercise.kind.takes):
                    best = _maximum(best, self._points_after(reply, place, other, answer))
            self._means[reply, answers] = sum(
                (points * chance for points, chance in best.items()), Fraction(0)
            )
        return self._means[reply, answers]

    def _points_after(self, reply: str, place: int, other: "_ReplyPoints", answer: str) -> Chances:
        """Return the points of a reply if its authors intend this answer to the earlier part `other`."""
        accidents = self._after_accidents.get((reply, place))
        if accidents is None:
            accidents = defaultdict(Fraction)
            accidents[self._followed_points(reply, place, other, "")] += other._blanks
            for before in other._slipped:
                points = self._followed_points(reply, place, other, before)
                accidents[points] += other._slips * Fraction(1, len(other._slipped))
            self._after_accidents[reply, place] = accidents
        chances = defaultdict(Fraction, accidents)
        chances[self._followed_points(reply, place, other, answer)] += 1 - other._slips - other._blanks
        return chances

    def _followed_points(self, reply: str, place: int, other: "_ReplyPoints", before: str) -> Fraction:
        """Return the points of a reply after the reply `before` to the earlier part `other`."""
        points = self._followed.get((reply, place, before))
        if points is None:
            marked = self._marker.mark_with_answer(reply)
            earlier = [(other._exercise, other._marker.mark_with_answer(before).answer)]
            mark = apply_follow_through(self._exercise, marked.mark, marked.answer, earlier)
            points = self._followed[reply, place, before] = Fraction(mark.points or 0)
        return points

    def _points(self, reply: str) -> Fraction:
        """Return the points of a reply by itself; 0 if it has no mark."""
        return Fraction(self._marker.mark(reply).points or 0)


def _maximum(one: Chances, other: Chances) -> Chances:
    """Return the chances of the larger of two independent numbers of points."""
    chances = defaultdict[Fraction, Fraction](Fraction)
    for left, weight in one.items():
        for right, chance in other.items():
            chances[max(left, right)] += weight * chance
    return chances
