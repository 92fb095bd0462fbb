"""What a good exercise looks like: the record of a recipe."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple, TypeAlias, get_args

from grader.answers.form import Terms
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language
from grader.generation.shape import IntegerRange, Shape
from grader.questions import kind_by_code
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules

MAX_TREE_LEAVES = 4096
"""The most leaves a grown tree may have."""

MAX_TREE_PLIES = 12
"""The most plies a grown tree may have."""

DEFAULT_MAX_CANDIDATES = 200_000
"""How many candidates are tried for one exercise if the recipe does not set `cap`."""

MAX_DISTINCT_PAYOFFS = 10_000
"""The most different payoffs there may be to draw from."""

Size: TypeAlias = Literal["exam", "homework", "lecture"]
"""What a question is for; `problems/sizes.toml` has the trees of the last two, by kind."""

OtherTies: TypeAlias = Literal["same", "different", "any"]
BestLeaf: TypeAlias = Literal["anywhere", "not-first-branch", "not-last-branch"]
Evenly: TypeAlias = Literal["best-move", "best-leaf", "visited", "pruned-leaves", "none"]
MeasureName: TypeAlias = Literal[
    "visited", "alpha-cuts", "beta-cuts", "chance-cuts", "deep-cuts", "subtree-cuts", "load"
]


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The payoffs of the leaves: numbers from `low` to `high` in steps, no two equal if `distinct`."""

    low: Number
    high: Number
    step: Number = 1
    distinct: bool = True

    @property
    def range(self) -> tuple[Number, Number]:
        """The smallest and the largest payoff."""
        return self.low, self.high

    @property
    def size(self) -> int:
        """The number of different payoffs to draw from."""
        return (self.high - self.low) // self.step + 1

    @property
    def denominator(self) -> int:
        """The common denominator of all payoffs."""
        return lcm(self.low.denominator, self.step.denominator)

    def payoff_at(self, place: int) -> Number:
        """Return the payoff at this place, counted from 0 at the smallest."""
        return normalize_number(self.low + place * self.step)


@dataclass(frozen=True, slots=True)
class Require:
    """The demands on every tree.

    - `pruned`, `visited`: the fewest and the most leaves that alpha-beta prunes, and visits.
    - `alpha_cuts`, `beta_cuts`, `chance_cuts`: the fewest cuts at MIN, at MAX and at chance nodes.
    - `deep_cuts`: the fewest cuts that the values seen at the parent alone would not make
      (Knuth and Moore 1975: those that procedure F2 makes and F1 does not).
    - `subtree_cuts`: the fewest crossed branches with two leaves or more below them.
    - `one_optimal_move`: only one move at the root is optimal.
    - `best_leaf`: where the best move leads.
    - `ties`: whether the other tie rule prunes the same leaves.
    - `places`: the most decimals that the value of any node needs; None for no limit.
    """

    pruned: IntegerRange | None = None
    visited: IntegerRange | None = None
    alpha_cuts: int = 0
    beta_cuts: int = 0
    chance_cuts: int = 0
    deep_cuts: int = 0
    subtree_cuts: int = 0
    one_optimal_move: bool = True
    best_leaf: BestLeaf = "anywhere"
    ties: OtherTies = "same"
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Separate:
    """Which beliefs must lead to another answer than the key, and than each other; None stands for all.

    - `most`: the largest share of the full mark that a belief separated from the key may earn.
    - `average`: the largest share that it may earn on average over the variants. None for both: as
      `Recipe.max_share` and `Recipe.max_average` say.
    - `spread`: by how much its share may differ between variants of one run.
    - `mean_spread`: the same of the average share of all beliefs.
    - `mild`: beliefs that may earn more, though never the full mark, because they get little wrong.
    """

    key: tuple[str, ...] | None = None
    each_other: tuple[str, ...] | None = ()
    most: Number | None = None
    average: Number | None = None
    spread: Number = Fraction(1, 4)
    mean_spread: Number = Fraction(12, 100)
    mild: tuple[str, ...] = ()


class ShareLimits(NamedTuple):
    """How much a mistake may earn, at most and on average, in a recipe that does not say."""

    most: Fraction
    average: Fraction


USUAL_LIMITS = ShareLimits(Fraction(1, 2), Fraction(1, 2))
"""The limits of all policies but the lenient ones."""

LENIENT_LIMITS = ShareLimits(Fraction(3, 4), Fraction(3, 5))
"""The limits of sets marked by `net` or `deduct`: on hardly any tree does every mistake lose half."""


@dataclass(frozen=True, slots=True)
class Variants:
    """The measures that parallel variants share, and the one that is spread evenly over them.

    - `same`: the measures of the difficulty profile in which all variants of one run agree.
    - `evenly`: the measure on which no bet pays. The best move, the best leaf and the number of visited
      leaves are drawn first, before any tree; of the leaves none is pruned in most variants of a run.
    """

    same: tuple[MeasureName, ...] = get_args(MeasureName)
    evenly: Evenly = "best-move"

    @property
    def is_drawn_by_search(self) -> bool:
        """Whether the measure that is spread evenly is a result of alpha-beta."""
        return self.evenly in ("visited", "pruned-leaves")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe: `grader.generation.recipe_file` has the ways to get one.

    - `cap`: how many candidates are tried for one exercise before the generator gives up. The default is a
      tenth with chance nodes, because every candidate is searched.
    - `given`: the given values of the kind that the recipe fixes.
    """

    kind: str
    shape: Shape
    payoffs: Payoffs
    rules: Rules
    require: Require
    separate: Separate
    variants: Variants
    question: Terms
    cap: int
    given: Given = NOTHING_GIVEN

    def in_language(self, language: Language) -> "Recipe":
        """The same recipe for exercises in a language."""
        return replace(self, question=self.question.in_language(language))

    @property
    def max_share(self) -> Fraction:
        """The largest share of the full mark that a mistake may earn."""
        return Fraction(self._limits.most if self.separate.most is None else self.separate.most)

    @property
    def max_average(self) -> Fraction:
        """The largest share of the full mark that a mistake may earn on average over the variants."""
        return Fraction(self._limits.average if self.separate.average is None else self.separate.average)

    @property
    def _limits(self) -> ShareLimits:
        return LENIENT_LIMITS if self.question.policy.name in ("net", "deduct") else USUAL_LIMITS

    @property
    def spreads_another_answer(self) -> bool:
        """Whether the measure that is spread evenly is the answer to another question about the tree."""
        return self.question_kind.depends_on_search and self.variants.evenly in ("best-move", "best-leaf")

    @property
    def question_kind(self) -> AnyKind:
        """The kind of question."""
        return kind_by_code(self.kind)
