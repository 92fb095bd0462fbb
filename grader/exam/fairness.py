"""The certificate of an exam: the points that students are expected to earn on each paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from grader.base.statistics import standard_deviation
from grader.exam.paper import Paper
from grader.exam.population import (
    Population,
    average_points,
    points_by_misconception,
    student_shares,
)

MAX_CAUSES = 3
"""The most causes that are given for the expected points of one paper."""


@dataclass(frozen=True, slots=True)
class QuestionPoints:
    """One question of one paper: its full mark, and the points by misconception, an empty name for none."""

    label: str
    maximum: Fraction
    points: Mapping[str, Fraction]

    def points_with(self, misconception: str) -> Fraction:
        """Return the points of students with a misconception, which may have no effect here."""
        return self.points.get(misconception, self.points[""])


@dataclass(frozen=True, slots=True)
class PaperPoints:
    """One paper: its code and its questions."""

    code: str
    questions: tuple[QuestionPoints, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """What makes a paper differ: students with a misconception earn other points than on average.

    - `misconception`: empty for students without one.
    - `points`, `average`: what they earn on this paper, and on average over the papers.
    - `effect`: by how much this changes the expected points of the paper.
    """

    label: str
    misconception: str
    points: Fraction
    average: Fraction
    effect: Fraction


def measure_paper(paper: Paper, population: Population) -> PaperPoints:
    """Return the points that each misconception earns on a paper."""
    questions = (
        QuestionPoints(
            question.label,
            Fraction(question.public.points),
            points_by_misconception(question, population),
        )
        for question in paper.questions
    )
    return PaperPoints(paper.code, tuple(questions))


# No slots: the results are computed on first use and cached.
@dataclass(frozen=True)
class Certificate:
    """The expected points of all papers of an exam, for a stated population of students.

    They follow from assumptions and recorded answers; no student has been observed.
    """

    population: Population
    papers: tuple[PaperPoints, ...]

    @cached_property
    def misconceptions(self) -> tuple[str, ...]:
        """The misconceptions that change an answer on some paper; each student has at most one of them."""
        names = {name for paper in self.papers for each in paper.questions for name in each.points}
        return tuple(sorted(names - {""}))

    @cached_property
    def maximum(self) -> Fraction:
        """The full mark."""
        return sum((question.maximum for question in self.papers[0].questions), Fraction(0))

    @cached_property
    def rows(self) -> Mapping[str, tuple[Fraction, ...]]:
        """The expected points of each question, by the code of the paper."""
        return {
            paper.code: tuple(
                average_points(question.points, self.population, self.misconceptions)
                for question in paper.questions
            )
            for paper in self.papers
        }

    @cached_property
    def percents(self) -> Mapping[str, Fraction]:
        """The expected points of each paper of 100 points."""
        return {
            code: 100 * sum(row, Fraction(0)) / self.maximum if self.maximum else Fraction(0)
            for code, row in self.rows.items()
        }

    @property
    def mean(self) -> Fraction:
        """The mean over the papers, of 100 points."""
        return sum(self.percents.values(), Fraction(0)) / len(self.papers)

    @property
    def deviation(self) -> float:
        """The standard deviation over the papers, of 100 points."""
        return standard_deviation(tuple(self.percents.values()))

    @property
    def lowest(self) -> str:
        """The code of the first paper with the fewest expected points."""
        return min(self.percents, key=lambda code: self.percents[code])

    @property
    def highest(self) -> str:
        """The code of the first paper with the most expected points."""
        return max(self.percents, key=lambda code: self.percents[code])

    def causes(self, code: str) -> tuple[Cause, ...]:
        """Return what makes a paper's expected points differ from the mean most, in the same direction.

        The largest causes come first, at most `MAX_CAUSES`.
        """
        paper = next(paper for paper in self.papers if paper.code == code)
        rises = self.percents[code] > self.mean
        causes = []
        for place, question in enumerate(paper.questions):
            for name, share in student_shares(self.population, self.misconceptions):
                points = [each.questions[place].points_with(name) for each in self.papers]
                average, own = sum(points, Fraction(0)) / len(points), question.points_with(name)
                effect = share * (own - average)
                if effect and (effect > 0) == rises:
                    causes.append(Cause(question.label, name, own, average, effect))
        causes.sort(key=lambda cause: (-abs(cause.effect), cause.label, cause.misconception))
        return tuple(causes[:MAX_CAUSES])
