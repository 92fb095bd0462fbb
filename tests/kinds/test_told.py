"""What every belief of a kind answers, and what whoever answers so is told."""

from itertools import product
from pathlib import Path

import pytest

from grader.feedback import Feedback
from grader.kinds import NAMES, asks
from grader.marking import Marker
from grader.notation.reading import read_tree
from grader.rules import Rules
from grader.tree import Tree
from tests.conftest import Golden
from tests.kinds.asking import asked, asked_of

GOLDEN = Path(__file__).parent / "golden" / "told"

TREES = (
    "MAX A (MIN B (MAX D (8 5) MAX E (9 2)) MIN C (MAX F (5 7) MAX G (8 3 4) MAX H (6 1)))",
    "MAX A (CHANCE B (1/3: MIN D (3 7), 2/3: 12) CHANCE C (1/2: 2, 1/2: MIN E (4 9) ))",
    "P1 A (P2 B (<3, 1> P1 D (<2, 4> <0, 4>)) P2 C (<1, 5> <6, 0>))",
)
"""The trees asked about, each by the kinds that it suits."""

MIRRORED = Rules("right-to-left", "keep", "window")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_answered_and_told(name: str, golden: Golden) -> None:
    """The key, what each belief answers, and what is said of that, are those of the golden file."""
    said = []
    for kind in asks(name).values():
        for text, rules in product(TREES, (Rules(), MIRRORED)):
            tree = read_tree(text)
            assert isinstance(tree, Tree)
            if not asked(kind, tree, rules):
                continue
            exercise = asked_of(kind, tree, rules)
            about = text if kind.needs_tree else exercise.public.given
            said += [f"## {kind.code}: {about}, {rules.order}, {rules.ties}\n", f"{exercise.key}\n"]
            if rules == MIRRORED:
                said += [f"{belief}: {reply}" for belief, reply in exercise.beliefs.items()]
            else:
                marker, feedback = Marker(exercise), Feedback(exercise)
                for belief, reply in exercise.beliefs.items():
                    marked = marker.mark(reply)
                    told = filter(None, feedback.sentences(marked))
                    said += [f"{belief}: {reply} ({marked.points})", *told, ""]
            said.append("")
    golden.hold(GOLDEN / f"{name}.txt", "\n".join(said))
