"""The plan of an exam: the record of its heading, its questions, and how many variants there are."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers.form import Terms
from grader.exam.manifest import MissingPolicy
from grader.exam.paper import Heading, TreeLayout
from grader.exam.population import USUAL_STUDENTS, Population
from grader.exercises.exercise import Exercise, with_wording
from grader.generation.recipe import Recipe
from grader.questions import kind_by_code
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Tree

MAX_PAPER_LEAVES = 64
"""The most leaves of a tree on paper: more would not be readable on one page."""


@dataclass(frozen=True, slots=True)
class PartPlan:
    """One part of a question: its kind, its terms, and the words that replace the kind's own, if any.

    - `given`: the given values for a tree that the teacher supplies.
    - `states_policy`: whether the blueprint or its recipe states the policy, or it is just the usual one.
    """

    kind: str
    terms: Terms
    prompt: str | None = None
    given: Given = NOTHING_GIVEN
    states_policy: bool = True

    @property
    def question_kind(self) -> AnyKind:
        """The kind itself."""
        return kind_by_code(self.kind)

    def reword(self, exercise: Exercise) -> Exercise:
        """Return the exercise in the teacher's words, if there are any."""
        return exercise if self.prompt is None else with_wording(exercise, self.prompt)


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """One question: the source of its trees, and its parts.

    - `source`: the recipe that grows another tree for every variant, or the one tree of all variants.
    - `follow_through`: later parts are marked from what the student wrote in earlier ones.
    - `rules`: option names and values that replace those of the recipe or the tree.
    - `layout`: how its trees are drawn.
    """

    title: str
    source: Recipe | Tree
    parts: tuple[PartPlan, ...]
    follow_through: bool = False
    rules: tuple[tuple[str, Any], ...] = ()
    layout: TreeLayout = "auto"

    @property
    def conventions(self) -> Rules:
        """The rules that its answers depend on; a recipe contains them."""
        return self.source.rules(**dict(self.rules)) if isinstance(self.source, Tree) else self.source.rules


@dataclass(frozen=True, slots=True)
class Pool:
    """Alternative questions: `choose` of the `count` from `first` on, counted from 0, are on each paper.

    `spread` is by how much their expected points may differ, as a share of the points.
    """

    first: int
    count: int
    choose: int
    spread: Fraction

    @property
    def numbers(self) -> range:
        """The numbers of its questions, counted from 0 over the blueprint."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A checked plan of an exam.

    - `secret`: the stretched secret, which fixes every draw: with it the same exam can be grown again.
    - `forms`: how many variants there are; None for one variant per student.
    - `minutes`: how long students have, if it is stated.
    - `missing`: what students who handed in nothing earn.
    - `students`: the assumptions about students by which papers are compared.
    - `questions`: all of them, also the alternatives that a paper may not have.
    - `pools`: which of them are alternatives.
    - `spares`: how many papers are printed for students who come late.
    - `digest`: SHA-256 over the text and the files it names, as 64 hex digits.
    """

    heading: Heading
    secret: str
    forms: int | None
    questions: tuple[QuestionPlan, ...]
    digest: str
    minutes: int | None = None
    missing: MissingPolicy = "empty"
    students: Population = USUAL_STUDENTS
    spares: int = 0
    pools: tuple[Pool, ...] = ()

    @property
    def length(self) -> int:
        """How many questions a paper has."""
        return len(self.questions) - sum(pool.count - pool.choose for pool in self.pools)
