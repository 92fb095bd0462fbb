"""The kinds about belief states, asked about the vacuum world of the textbook, and what only they keep."""

from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from grader.answers.numeral import Numeral
from grader.base.phrases import ENGLISH
from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.partial_observation import World, belief_tree, guaranteed_utility
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY

# Squares L and R; odd states stand on L. 1, 2: both dirty; 3, 4: L dirty; 5, 6: R dirty; 7, 8: clean.
VACUUM: dict[str, Any] = {
    "states": list("12345678"),
    "moves": {
        state: {"Left": left, "Right": right, "Suck": suck}
        for state, left, right, suck in (
            ("1", "1", "2", "5"),
            ("2", "1", "2", "4"),
            ("3", "3", "4", "7"),
            ("4", "3", "4", "4"),
            ("5", "5", "6", "5"),
            ("6", "5", "6", "8"),
            ("7", "7", "8", "7"),
            ("8", "7", "8", "8"),
        )
    },
    "percepts": {"1": "dirty", "2": "dirty", "3": "dirty", "6": "dirty"}
    | dict.fromkeys(("4", "5", "7", "8"), "clean"),
    "goals": ["7", "8"],
    "utilities": {"1": 0, "2": 0, "3": 1, "4": 1, "5": 1, "6": 1, "7": 2, "8": 2},
}
"""Russell and Norvig, Artificial Intelligence: A Modern Approach, sections 4.3 and 4.4."""

CASES = (
    ("result", {"belief": list("12345678"), "action": "Right"}, "4"),
    ("result", {"belief": list("2468"), "action": "Suck"}, "2"),
    ("result", {"belief": ["5", "7"], "action": "Suck"}, "2"),
    ("actions", {"belief": ["1", "3"]}, "3"),
    ("goal", {"belief": ["3", "7"], "action": "Suck"}, "true"),
    ("goal", {"belief": ["1", "3"], "action": "Suck"}, "false"),
    # The robot on the clean left square that does not know the right one (bank:robot-with-one-sensor).
    ("value", {"belief": ["5", "7"], "steps": 2}, "2"),
    ("value", {"belief": ["1", "3"], "steps": 1}, "1"),
    ("value", {"belief": ["1", "3"], "steps": 3}, "2"),
    ("expected", {"belief": ["1", "3"], "steps": 1, "arrives": "chance"}, "1.5"),
)


@pytest.mark.parametrize(("ask", "given", "reply"), CASES)
def test_the_vacuum_world(ask: str, given: dict[str, Any], reply: str) -> None:
    """What the textbook's world is known to do is the answer to each question about it."""
    kind = kind_by_code(f"belief-state.{ask}")
    world = {name: said for name, said in VACUUM.items() if name in kind.given_names}
    exercise = make_exercise(kind, EMPTY, Rules(), given=Given({**world, **given}))
    assert mark(exercise, reply).points == 1


STOPS = "If Actions(b) is empty, the agent stops."


def test_where_nothing_can_be_done() -> None:
    """A world in which a move is missing somewhere says that play may stop."""
    kind = kind_by_code("belief-state.value")
    given = {"states": ["1", "2"], "utilities": {"1": 3, "2": 5}, "steps": 2, "belief": ["1"]}
    ends = Given({**given, "moves": {"1": {"go": "2"}}})
    assert STOPS in kind.prompt(Case(EMPTY, Rules(), ends), ENGLISH).conventions
    goes_on = Given({**given, "moves": {"1": {"go": "2"}, "2": {"go": "1"}}})
    assert STOPS not in kind.prompt(Case(EMPTY, Rules(), goes_on), ENGLISH).conventions
    stuck = Given({**given, "moves": {"2": {"go": "1"}}})
    assert kind.key(Case(EMPTY, Rules(), stuck)) == Numeral(3)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"states": [], "moves": {}},
        {"states": ["1"], "moves": {"1": "2"}, "belief": ["1"]},
        {"states": ["1"], "moves": {"1": {"go": "2"}}, "belief": ["1"]},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["2"], "action": "go"},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": [], "action": "go"},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["1"], "action": "stay"},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["1"], "percepts": [1]},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["1"], "utilities": {"1": "x"}},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["1"], "legal": "both"},
        {"states": ["1"], "moves": {"1": {"go": "1"}}, "belief": ["1"], "arrives": "soon"},
    ],
)
def test_a_world_that_says_too_little_is_refused(given: dict[str, Any]) -> None:
    """What is no world, or no belief about it, is refused with a reason, not by an exception."""
    for ask in ("result", "value", "best-move"):
        assert kind_by_code(f"belief-state.{ask}").objection(Case(EMPTY, Rules(), Given(given)))


WORLDS = st.fixed_dictionaries(
    {
        state: st.dictionaries(st.sampled_from(("go", "stay")), st.sampled_from("1234"), max_size=2)
        for state in "1234"
    }
)


@given_by(
    WORLDS,
    st.dictionaries(st.sampled_from("1234"), st.sampled_from(("dark", "bright"))),
    st.dictionaries(st.sampled_from("1234"), st.integers(0, 9)),
    st.sets(st.sampled_from("1234"), min_size=1),
    st.sampled_from(("adversarial", "chance")),
)
def test_the_tree_is_worth_what_the_best_moves_secure(
    moves: Any, percepts: Any, utilities: Any, belief: Any, arrives: Any
) -> None:
    """A belief is worth the same in the tree of belief states and to somebody who never draws it."""
    world = World(tuple("1234"), moves, percepts, frozenset(), utilities)
    start = frozenset(belief)
    found = belief_tree(world, start, 2, percepts=arrives).tree
    assert expectiminimax(found)[0] == guaranteed_utility(world, start, 2, percepts=arrives)
