"""Published answers, typed as replies, are marked as right; those under the other tie rule are recognised."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from grader.base.canonical_json import canonical_json
from grader.base.numbers import write_number
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Note, State, mark
from grader.questions import find_kind, kind_by_code
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.solvers.search_choice import search
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.games import tictactoe
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.published.records import RECORDS, Record, conventions, tree_of


@dataclass(frozen=True, slots=True)
class PublishedAnswer:
    """A published answer as the reply to a question, under one of the conventions it holds for."""

    record: str
    kind: str
    reply: str
    tree: Tree
    rules: Rules
    given: Given = NOTHING_GIVEN


def called(name: str) -> str:
    """A node's name as someone types it who knows that quotes keep it together."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def replies(record: Record, tree: Tree) -> Iterator[tuple[str, str]]:
    """The kinds of questions that a record answers, each with what a student would write."""
    if "root_value" in record:
        yield "root-value", str(record["root_value"])
    if "pair_values" in record:
        kind = "payoff-vectors.chance" if tree.has_chance else "payoff-vectors.value"
        yield kind, "<" + ", ".join(map(str, record["pair_values"]["root"])) + ">"
    if "best_child" in record:
        yield "best-move", called(record["best_child"])
    if "best_child_index" in record:
        yield "best-move", str(record["best_child_index"] + 1)
    if "node_values" in record and set(record["node_values"]) >= {tree.names[node] for node in tree.internal}:
        entries = record["node_values"].items()
        yield "node-values", "\n".join(f"{called(name)} = {value}" for name, value in entries)
    if "pruned_leaves" in record and "leaf_upper_bound_by_node" not in record:
        kind = "chance-cuts" if tree.has_chance else "pruned-paths"
        yield kind, " ".join(map(str, record["pruned_leaves"])) or "none"
    if "pruned_leaf_count" in record:
        yield "visited-count", str(len(tree.leaves) - record["pruned_leaf_count"])
    if "leaves_evaluated" in record:
        yield "visited-count", str(record["leaves_evaluated"])


def beside(record: Record) -> Iterator[tuple[str, str, Given]]:
    """The kinds that give something beside the tree, with what a student would write and what is given."""
    if "uct" in record:
        weight = Fraction(record["uct"]["C"]) ** 2
        given = Given({"c_squared": write_number(weight), "wins": "max"})
        scores = (
            f"{name.removeprefix('ucb1_')}={write_number(it)}"
            for name, it in record["node_values_approx"].items()
        )
        yield "uct.scores", " ".join(scores), given
        yield "uct.selected", record["answer_path"], given
    facts, stated = record.get("facts", {}), record.get("pruned_when", {})
    told: dict[str, str] = {}
    for node, condition in (stated if isinstance(stated, dict) else {record["cut_label"]: stated}).items():
        yield "unknown-leaf.pruned", condition, Given({"node": node, "told": told})
        told[condition.partition(" ")[0]] = "8"  # each condition presupposes the one before
    if "max_X_that_prunes_last_two_leaves" in facts:
        end = str(facts["max_X_that_prunes_last_two_leaves"])
        yield "unknown-leaf.extreme", end, Given({"node": "G", "end": "largest"})
    if "decision_depends_on_x_y" in facts:
        assert facts["decision_depends_on_x_y"] is False
        yield from (("unknown-leaf.matters", "true", Given({"about": each})) for each in ("value", "moves"))
        yield "unknown-leaf.chosen", "always", Given({"node": "B"})
    if record["id"] == "hkust-a3-7-lr":
        twin = next(each for each in RECORDS if each["id"] == "hkust-a3-7-rl")
        yield "reorder.leaves", str(len(twin["visited_leaves"])), Given({"order": "mirrored"})
    if record.get("game", {}).get("moves"):
        position = (0, 0)
        for square in record["game"]["moves"]:
            position = dict(tictactoe.moves(position))[tictactoe.SQUARES[square]]
        given = Given({"game": "tictactoe", "position": "/".join(tictactoe.rows(position))})
        yield "board-position.value", str(record["root_value"]), given


def cases() -> Iterator[PublishedAnswer]:
    """Every published answer that one of the question kinds asks for."""
    for record in RECORDS:
        if record["tree"] is None and not {"uct", "game"} & record.keys():
            continue
        tree = tree_of(record)
        asked = [*((*each, NOTHING_GIVEN) for each in replies(record, tree) if len(tree)), *beside(record)]
        for name, reply, given in asked:
            for rules in conventions(record):
                if kind_by_code(name).objection(Case(tree, rules, given)) is None:
                    yield PublishedAnswer(record["id"], name, reply, tree, rules, given)


CASES = tuple(cases())


@cache
def exercise_of(case: PublishedAnswer) -> Exercise:
    """The exercise about a published tree."""
    return make_exercise(kind_by_code(case.kind), case.tree, case.rules, given=case.given)


def test_there_are_many() -> None:
    """Most records answer a question of one of the kinds, and the main kinds are all asked."""
    assert len({case.record for case in CASES}) >= 80
    assert Counter(case.kind for case in CASES).keys() >= {
        "root-value",
        "best-move",
        "pruned-paths",
        "chance-cuts",
        "visited-count",
        "unknown-leaf.pruned",
        "unknown-leaf.extreme",
        "unknown-leaf.chosen",
        "unknown-leaf.matters",
        "reorder.leaves",
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.record}-{case.kind}-{case.rules.ties}")
def test_a_published_answer_earns_the_full_mark(case: PublishedAnswer) -> None:
    """What the source states as the answer is graded with all points and without a note."""
    marked = mark(exercise_of(case), case.reply)
    assert (marked.state, marked.points, marked.notes) == (State.GRADED, 1, ())


def two_openings() -> Tree:
    """The part of Nilsson's tic-tac-toe tree that he compares: beta = -1 meets alpha = -1, which cuts."""
    (record,) = (record for record in RECORDS if "pruned_after" in record)
    said, spec = record["pruned_after"], record["tree"]
    openings = {child[1]: child for child in spec[2]}
    return tree_of(record | {"tree": [*spec[:2], [openings[name] for name in said["order"]]]})


def undecided() -> Iterator[Any]:
    """Published trees of known payoffs on which the two tie rules prune differently, in either order."""
    published = (tree_of(record) for record in RECORDS if record["tree"] is not None)
    for tree in (two_openings(), *(tree for tree in published if not tree.unknowns)):
        for order in ("left-to-right", "right-to-left"):
            cut, keep = (tree.rules(order=order, ties=ties) for ties in ("cut", "keep"))
            kind = find_kind("pruned-paths")
            assert kind is not None
            if kind.objection(Case(tree, cut)) is None and pruned(tree, cut) != pruned(tree, keep):
                yield pytest.param(tree, cut, keep, id=f"{tree.header.title}-{order}")


def pruned(tree: Tree, rules: Rules) -> str:
    """The pruned leaves as a reply."""
    return " ".join(map(str, pruned_paths(tree, search(tree, rules).visited))) or "none"


UNDECIDED = tuple(undecided())


def test_nilsson_cuts_on_equality() -> None:
    """The published cut at equal bounds is one that the other tie rule does not make."""
    assert any("nilsson" in parameters.id for parameters in UNDECIDED)


@pytest.mark.parametrize(("tree", "cut", "keep"), UNDECIDED)
def test_the_answer_under_the_other_tie_rule_is_recognised(tree: Tree, cut: Rules, keep: Rules) -> None:
    """It does not earn the full mark, and a note says which tie rule was used."""
    kind = find_kind("pruned-paths")
    assert kind is not None
    for rules, other, belief in ((cut, keep, "ties-kept"), (keep, cut, "ties-cut")):
        exercise = make_exercise(kind, tree, rules)
        assert mark(exercise, pruned(tree, rules)).points == 1
        marked = mark(exercise, pruned(tree, other))
        assert marked.state is State.GRADED
        assert marked.points != 1
        assert Note(f"pruned-paths.{belief}", "equal") in marked.notes


def test_published_exercises_survive_their_files() -> None:
    """An exercise about a published tree reads back from its JSON as the same exercise."""
    for case in CASES:
        exercise = exercise_of(case)
        again = read_exercise(canonical_json(exercise.to_json()))
        assert not isinstance(again, Diagnostics)
        assert again.to_json() == exercise.to_json()
