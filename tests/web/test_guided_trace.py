"""The laws of the guided trace: its questions are the events of the search, and what is said of entries."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from grader.base.numbers import read_number, to_plain_characters
from grader.base.phrases import ENGLISH
from grader.questions.beliefs import BELIEFS
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import solve
from grader.solvers.trace import Cut, Enter, Leave
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.web.messages.guided_trace import GuidedTrace
from grader.web.messages.handler import MessageHandler
from tests import strategies

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
CHANCE = """@bounds [0, 10]
MAX A (CHANCE B (1/2: MIN C (3 5), 1/2: MIN D (4 6)) CHANCE E (1/2: MIN F (0 9), 1/2: 10))"""


def told(message: dict[str, Any]) -> dict[str, Any]:
    """The answer to a message."""
    answer: dict[str, Any] = json.loads(MessageHandler().reply(json.dumps(message)))
    assert "errors" not in answer, answer
    return answer


@given(strategies.trees())
@pytest.mark.parametrize(
    "rules", [Rules(), Rules(ties="keep"), Rules(returns="hard"), Rules(order="right-to-left")]
)
def test_the_questions_are_the_events_of_the_search(rules: Rules, tree: Tree) -> None:
    """As data the questions are what the search did: nodes entered, windows, values returned, and cuts.

    Nothing is asked of leaves but to go there, and what a value changes is asked by the next window.
    """
    solution = solve(tree, rules)
    search = solution.search
    assert search is not None
    is_leaf = [player is None for player in tree.players]
    expected: list[tuple[str, int, Any]] = []
    for event in search.trace:
        match event:
            case Enter(node, alpha, beta):
                expected += [("move", tree.parents[node], node)] if node else []
                expected += [] if is_leaf[node] else [("window", node, (alpha, beta))]
            case Leave(node, value):
                expected += [] if is_leaf[node] else [("value", node, (value,))]
            case Cut():
                expected.append(("move", event.node, None))
            case _:
                pass
    trace = GuidedTrace.of(solution, search, ENGLISH)
    asked = [(each.asks, each.node, each.to if each.asks == "move" else each.numbers) for each in trace.steps]
    assert asked == expected
    assert len(trace.records(explain(solution))) == len(expected)


@pytest.mark.parametrize("header", ["", "@ties keep\n", "@returns hard\n"])
@pytest.mark.parametrize("tree", [TEXTBOOK, CHANCE])
def test_the_steps_of_a_page_are_those_of_explain(tree: str, header: str) -> None:
    """The answers to all questions are accepted, and together they are the events that `explain` tells."""
    if header.startswith("@returns") and tree is CHANCE:
        header = ""  # Star1 has one form
    text = header + tree
    steps = told({"ask": "trace", "tree": text})["steps"]
    events = [event for step in told({"ask": "explain", "tree": text})["steps"] for event in step["events"]]
    for number, step in enumerate(steps):
        entry = {"to": step["to"]} if step["asks"] == "move" else {"entry": step["numbers"]}
        assert told({"ask": "trace_step", "tree": text, "number": number, **entry})["fault"] == ""
    entered = [event["node"] for event in events if event["event"] == "enter"]
    assert entered == [
        0,
        *(step["to"] for step in steps if step["asks"] == "move" and step["to"] is not None),
    ]
    skipped = [event["skipped"] for event in events if event["event"] == "cut"]
    assert skipped == [step["pruned"] for step in steps if step["asks"] == "move" and step["to"] is None]
    returned = {event["node"]: event["value"] for event in events if event["event"] == "leave"}
    for step in steps:
        if step["asks"] == "value":
            (number,) = step["numbers"]
            assert read_number(to_plain_characters(number)) == read_number(returned[step["node"]])


def test_a_mistake_is_named_at_the_step_where_it_shows() -> None:
    """Bounds exchanged, no number, a bound forgotten, pruned too early or too late: each has its sentence."""
    steps = told({"ask": "trace", "tree": TEXTBOOK})["steps"]
    place = {(step["asks"], step["node"], step["to"]): number for number, step in enumerate(steps)}

    def fault(asks: str, node: int, right: int | None = None, **entry: Any) -> str:
        message = {"ask": "trace_step", "tree": TEXTBOOK, "number": place[asks, node, right], **entry}
        return str(told(message)["fault"])

    assert "lower bound and comes first" in fault("window", 0, entry=["inf", "-inf"])
    assert fault("window", 0, entry=["three", "inf"]) == "Three is not a number."
    forgotten = BELIEFS["root-alpha-forgotten"].symptom
    assert fault("window", 5, entry=["-inf", "inf"]).startswith(forgotten)
    assert "Nothing is pruned here yet" in fault("move", 5, 6, to=None)
    assert "are pruned here" in fault("move", 5, None, to=7)
    assert "next child" in fault("move", 0, 5, to=9)
    assert fault("window", 5, entry=[" 3 ", "∞"]) == ""
    assert fault("value", 1, entry=["6/2"]) == ""


def test_the_class_decides_wherever_something_could_be_pruned() -> None:
    """A step is open if a child has returned and others are left, whether they are pruned then or not."""
    steps = told({"ask": "explain", "tree": TEXTBOOK})["steps"]
    following = [(step["is_open"], bool(after["pruned"])) for step, after in pairwise(steps)]
    assert following.count((True, True)) == 1
    assert following.count((True, False)) > 4
    assert (False, True) not in following
    assert not steps[-1]["is_open"]
