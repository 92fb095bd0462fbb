"""The credit policies: what a reply earns under each, with a marked example."""

from dataclasses import dataclass

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.base.numbers import write_number
from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.given import NOTHING_GIVEN, Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules

POINTS = 4
"""The full mark of the examples."""

_LECTURE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
_PLAYOUTS = "MAX A {n=9, w=4} (MIN B {n=5, w=2} (D=0.4 {n=5, w=2}) MIN C {n=4, w=3} (E=0.5 {n=4, w=2}))"


@dataclass(frozen=True, slots=True)
class PolicyDefinition:
    """A policy as help and documentation define it, and an example.

    - `spelling`: how recipes and options write it; `marks`: the answers it applies to.
    - `earns`: what a reply earns, to be read after "A reply earns".
    - `kind`, `tree`, `given`, `reply`: a question and a reply with a mistake.
    """

    spelling: str
    marks: str
    earns: str
    kind: str
    tree: str
    reply: str
    given: Given = NOTHING_GIVEN

    @property
    def example(self) -> str:
        """The key, the reply and the points of the example."""
        terms = Terms(points=POINTS, policy=read_policy(self.spelling))
        kind, tree = kind_by_code(self.kind), tree_of(self.tree)
        exercise = make_exercise(kind, tree, Rules(), terms, given=self.given)
        points = mark(exercise, self.reply).points
        assert points is not None, "the reply of an example can be read"
        return f"key {exercise.key}, reply {self.reply}: {write_number(points)} of {POINTS} points"


POLICY_DEFINITIONS = (
    PolicyDefinition(
        "keep:1/2",
        "sets, orders",
        "half of what it would without the mistake, for every mistake: a leaf, branch or node missing or "
        "listed incorrectly, in an order also one out of order; nothing if it lists everything, or no more "
        "correctly than incorrectly. `keep:3/5` leaves three fifths for every mistake",
        "pruned-paths",
        _LECTURE,
        "5 6 7",
    ),
    PolicyDefinition(
        "net", "sets", "correct minus incorrect, over the size of the key", "pruned-paths", _LECTURE, "5 6 7"
    ),
    PolicyDefinition(
        "deduct:1/2", "sets", "half a point less for every mistake", "pruned-paths", _LECTURE, "5 6 7"
    ),
    PolicyDefinition(
        "players",
        "tables",
        "an equal share of the points for the nodes of each player; half for chance nodes if there are any",
        "node-values",
        _LECTURE,
        "A=14 B=3 C=2 D=2",
    ),
    PolicyDefinition(
        "entries",
        "tables",
        "an equal share for every entry",
        "node-values",
        _LECTURE,
        "A=14 B=3 C=2 D=2",
    ),
    PolicyDefinition(
        "minus",
        "tables",
        "the same, and each incorrect entry cancels one correct entry",
        "uct.visits",
        _PLAYOUTS,
        "A=10 B=6 D=5",
        Given({"path": 1, "result": "1"}),
    ),
    PolicyDefinition(
        "limits",
        "intervals",
        "half if only `<` and `<=` are confused",
        "unknown-leaf.pruned",
        "MAX A (3 MIN B (x 1))",
        "x < 3",
    ),
    PolicyDefinition(
        "exact",
        "all of these",
        "everything for the complete answer, otherwise nothing",
        "pruned-paths",
        _LECTURE,
        "5",
    ),
)
"""Every policy of new exercises; `each` is that of earlier ones."""
