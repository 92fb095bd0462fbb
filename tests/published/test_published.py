"""The solvers give the answers that books, courses, exams and test suites state."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest

from grader.base.numbers import INFINITY, Number
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.search_choice import search
from grader.solvers.solvable import Unsolvable
from grader.solvers.sweep import sweep
from grader.solvers.trace import Cut, Enter, Search
from grader.solvers.uct_search import UctRules, round_score, scores, selection_path, visits_and_wins
from grader.solvers.value_intervals import intervals
from grader.solvers.values import best_children, values
from grader.solvers.visited_nodes import pruned_branches, pruned_paths
from grader.trees.annotations import Attributes
from grader.trees.games import tictactoe
from grader.trees.games.game_tree import unfold
from grader.trees.games.optimal_play import optimal_result
from grader.trees.games.search_size import GameExtent, SearchExtent, measure_game, measure_search
from grader.trees.notation.reading import read_tree
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.published.records import RECORDS, Record, conventions, number, tree_of
from tests.test_bank import BANK

DESCRIPTION = frozenset(
    {"id", "source", "source_ref", "kind", "authority", "notes", "algorithm", "equality_prunes", "variant"}
    | {"tree", "moves", "leaf_bounds", "leaf_upper_bound_by_node", "cut_label", "node_values_kind"}
    | {"game", "uct", "partial"}
)
"""The fields that say what a problem is; every other field is an answer."""

SHOWN_IN_PART = "the source shows too little of its tree for the answer to follow; the bank fills it in"

WAITING: dict[str, str] = {
    "shtech-f23-linegame": "a game with loops has no finite tree",
    "uci-longer-ab-partial": SHOWN_IN_PART,
}
"""The one list of records whose answers are not checked here yet, each with the reason."""

TESTED = tuple(record for record in RECORDS if record["id"] not in WAITING)
WITH_TREE = tuple(record for record in RECORDS if record["tree"] is not None)
BY_ID = {record["id"]: record for record in RECORDS}

checked: set[str] = set()
"""The answer fields that have a test below."""


def answers(field: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a test every tested record that states this field, and count the field as checked."""
    checked.add(field)
    records = [pytest.param(record, id=record["id"]) for record in TESTED if field in record]
    return pytest.mark.parametrize("record", records)


def searches(record: Record) -> Iterator[tuple[Tree, Search]]:
    """The search of a record's tree under each of its conventions, cut nodes reporting softly and hard."""
    tree = tree_of(record)
    for rules in conventions(record):
        yield tree, search(tree, rules)
        if rules.ties == "cut" and not tree.has_chance:
            yield tree, search(tree, replace(rules, returns="hard"))


def values_of(record: Record) -> dict[str, Any]:
    """The exact value of every node by its name; of a tree with unknowns, those that are certain."""
    tree = tree_of(record)
    if not tree.unknowns:
        exact = values(tree)
        return {name: exact[node] for name, node in tree.index.items()}
    known = intervals(tree, tree.header.bounds)
    return {name: known[node][0] for name, node in tree.index.items() if known[node][0] == known[node][1]}


def best_at(record: Record, name: str | None = None) -> list[str]:
    """The names of the best children of a node, the root when no name is given."""
    tree = tree_of(record)
    node = 0 if name is None else tree.index[name]
    return [tree.names[child] for child in best_children(tree, values(tree))[node]]


def entered(found: Search) -> list[int]:
    """The nodes of a search in the order in which it entered them."""
    return [event.node for event in found.trace if isinstance(event, Enter)]


def with_unknowns(tree: Tree, known: dict[str, Number]) -> Tree:
    """The tree in which every unknown has a value."""
    payoffs: list[Payoff] = []
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        assert payoff is not None
        payoffs.append(known[payoff] if isinstance(payoff, str) else payoff)
    return tree.with_payoffs(tuple(payoffs))


def places(tree: Tree) -> list[Number]:
    """One number for every place an unknown can have among the known payoffs: at, between, beyond.

    What alpha-beta prunes depends on the order of payoffs alone, so these stand for all numbers.
    """
    known = sorted({payoff for leaf in tree.leaves if isinstance(payoff := tree.payoffs[leaf], int)})
    between = [Fraction(low + high, 2) for low, high in pairwise(known)]
    return sorted({known[0] - 1, known[-1] + 1, *known, *between})


def test_every_record_is_tested_or_waits() -> None:
    """The tested records and the list of waiting ones are all 103 records, each once."""
    assert len(RECORDS) == len(BY_ID) == 103
    assert set(WAITING) < set(BY_ID)
    assert len(TESTED) + len(WAITING) == 103


def test_every_answer_is_checked() -> None:
    """Every answer field of every tested record has a test, and every test has a record."""
    stated = {field for record in TESTED for field in record} - DESCRIPTION
    assert stated == checked


@pytest.mark.parametrize("record", [pytest.param(record, id=record["id"]) for record in TESTED])
def test_a_tested_record_states_an_answer(record: Record) -> None:
    """No record counts as tested without an answer of its source."""
    assert set(record) - DESCRIPTION


@pytest.mark.parametrize("spelling", ["text", "outline"])
@pytest.mark.parametrize("record", [pytest.param(record, id=record["id"]) for record in WITH_TREE])
def test_round_trip(record: Record, spelling: str) -> None:
    """A published tree is the same after writing and reading, in both spellings."""
    tree = tree_of(record)
    assert read_tree(write_tree(tree, spelling)) == tree


@answers("root_value")
def test_root_value(record: Record) -> None:
    """The value of the root is the stated one, and no search returns another."""
    if "game" in record:
        assert value_on_board(record) == record["root_value"]
        return
    assert values_of(record)[tree_of(record).names[0]] == number(record["root_value"])
    if Player.P1 not in tree_of(record).players:
        for _, found in searches(record):
            assert found.returned[0] == number(record["root_value"])


@answers("node_values")
def test_node_values(record: Record) -> None:
    """The stated values of nodes are their exact values."""
    assert record.get("node_values_kind", "minimax") == "minimax"
    exact = values_of(record)
    assert {name: exact[name] for name in record["node_values"]} == {
        name: number(value) for name, value in record["node_values"].items()
    }


@answers("pair_values")
def test_pair_values(record: Record) -> None:
    """The stated payoff vectors are those each player chooses for itself."""
    exact = values_of(record)
    assert {name: exact[name] for name in record["pair_values"]} == {
        name: tuple(vector) for name, vector in record["pair_values"].items()
    }


@answers("source_errors")
def test_source_errors(record: Record) -> None:
    """A remark that is marked as wrong in the source is not the value of the node."""
    exact = values_of(record)
    assert all(exact[name] != number(value) for name, value in record["source_errors"].items())


@answers("best_move")
def test_best_move(record: Record) -> None:
    """The stated move, by label, by name of the child or numbered like `a1`, is the only best one."""
    tree = tree_of(record)
    move = record["best_move"]
    if "moves" in record:
        child = record["moves"][tree.names[0]][move]
    elif move in tree.index:
        child = move
    else:
        assert move[0] == "a"
        child = tree.names[tree.children[0][int(move[1:]) - 1]]
    assert best_at(record) == [child]


@answers("best_child")
def test_best_child(record: Record) -> None:
    """The stated child is the only best one at the root."""
    assert best_at(record) == [record["best_child"]]


@answers("best_child_index")
def test_best_child_index(record: Record) -> None:
    """The stated index, counted from 0, is that of the leftmost best child of the root."""
    tree = tree_of(record)
    assert tree.children[0].index(best_children(tree, values(tree))[0][0]) == record["best_child_index"]


@answers("best_moves_at")
def test_best_moves_at(record: Record) -> None:
    """The stated replies are the only best ones at their nodes."""
    assert {name: best_at(record, name) for name in record["best_moves_at"]} == {
        name: [child] for name, child in record["best_moves_at"].items()
    }


@answers("best_path")
def test_best_path(record: Record) -> None:
    """Every step of the stated path, given as indices from 0, is a leftmost best move, down to a leaf."""
    tree = tree_of(record)
    best = best_children(tree, values(tree))
    node = 0
    for index in record["best_path"]:
        assert tree.children[node][index] == best[node][0]
        node = tree.children[node][index]
    assert node in tree.leaves


@answers("best_path_labels")
def test_best_path_labels(record: Record) -> None:
    """Every step of the stated path, given as names, is the only best move, down to a leaf."""
    names = record["best_path_labels"]
    for above, below in pairwise(names):
        assert best_at(record, above) == [below]
    assert tree_of(record).index[names[-1]] in tree_of(record).leaves


@answers("evals")
def test_evaluations(record: Record) -> None:
    """A leaf at the depth limit carries the static evaluation of its node."""
    tree = tree_of(record)
    assert {tree.names[leaf]: tree.payoffs[leaf] for leaf in tree.leaves} == {
        tree.names[leaf]: number(record["evals"][tree.names[leaf]]) for leaf in tree.leaves
    }


@answers("pruned_leaves")
def test_pruned_leaves(record: Record) -> None:
    """The pruned paths are the stated ones, under every tie rule the source leaves open."""
    for tree, found in bounded_searches(record):
        assert pruned_paths(tree, found.visited) == tuple(record["pruned_leaves"])


def bounded_searches(record: Record) -> Iterator[tuple[Tree, Search]]:
    """The searches of a record; where a bound is known below one node only, with that bound alone.

    A bound for the whole tree would contradict the leaves elsewhere, so the other children of the
    root are taken as searched: each is a leaf with its exact value, and leaf numbers are kept
    by leaves that repeat it.
    """
    if "leaf_upper_bound_by_node" not in record:
        yield from searches(record)
        return
    tree, rules = bounded_below_one_node(record)
    for convention in conventions(record):
        found = search(tree, replace(rules, ties=convention.ties, test=convention.test))
        yield tree, found


def bounded_below_one_node(record: Record) -> tuple[Tree, Rules]:
    """The tree in which all leaves outside the bounded node are worth what their branch is worth."""
    tree = tree_of(record)
    ((name, upper),) = record["leaf_upper_bound_by_node"].items()
    exact = values(tree)
    payoffs: list[Payoff] = []
    for child in tree.children[0]:
        for leaf in tree.leaves_below(child):
            payoff = tree.payoffs[leaf] if tree.names[child] == name else exact[child]
            assert payoff is not None
            payoffs.append(payoff)
    nothing_is_known_below = -(10**9)
    return tree.with_payoffs(tuple(payoffs)), Rules(bounds=(nothing_is_known_below, upper))


@answers("pruned_leaf_count")
def test_pruned_leaf_count(record: Record) -> None:
    """As many leaves are pruned as the source says."""
    for tree, found in searches(record):
        assert len(pruned_paths(tree, found.visited)) == record["pruned_leaf_count"]


@answers("pruned_labels")
def test_pruned_labels(record: Record) -> None:
    """Every node the source names as pruned is one, and so is the branch above it or an elder one."""
    for tree, found in searches(record):
        for name in record["pruned_labels"]:
            node = tree.index[name]
            assert not found.visited[node]
            assert {node, *tree.ancestors(node)} & set(pruned_branches(tree, found.visited))


@answers("only_pruned")
def test_only_pruned(record: Record) -> None:
    """Where the source says that nothing else is pruned, every other node is visited."""
    assert record["only_pruned"] is True
    for tree, found in searches(record):
        pruned = {name for name, visited in zip(tree.names, found.visited, strict=True) if not visited}
        assert pruned == set(record["pruned_labels"])


@answers("pruned_among")
def test_pruned_among(record: Record) -> None:
    """Of the nodes the question asks about, the stated ones are not visited."""
    asked, pruned = record["pruned_among"]["asked"], record["pruned_among"]["pruned"]
    for tree, found in searches(record):
        assert [name for name in asked if not found.visited[tree.index[name]]] == pruned


@answers("pruned_after")
def test_pruned_after(record: Record) -> None:
    """The search leaves the node right after the stated leaf, because beta fell to alpha.

    The source compares two openings only, in its own order, so the tree is searched without the third.
    """
    said = record["pruned_after"]
    spec = record["tree"]
    openings = {child[1]: child for child in spec[2]}
    tree = tree_of(record | {"tree": [*spec[:2], [openings[name] for name in said["order"]]]})
    for rules in conventions(record):
        cuts = [event for event in search(tree, rules).trace if isinstance(event, Cut)]
        (cut,) = [event for event in cuts if event.node == tree.index[said["node"]]]
        assert tree.names[cut.child] == said["after_leaf"]
        assert cut.value == cut.alpha == -1
        assert said["reason"] == "beta(B) = -1 <= alpha(start) = -1"


@answers("static_values")
def test_static_values(record: Record) -> None:
    """The evaluations that the source lists, in no stated order, are the payoffs of the tree."""
    tree = tree_of(record)
    (corner, edge) = (tree.index["A=X corner"], tree.index["C=O corner"])
    listed = record["static_values"]["A successors (slide 20)"]
    assert sorted(tree.payoffs[leaf] for leaf in tree.children[corner]) == sorted(listed)
    assert tree.payoffs[edge] == record["static_values"]["C"]


@answers("pruned_when")
def test_pruned_when(record: Record) -> None:
    """The branch asked about is pruned for exactly the stated values of the unknown.

    With two unknowns each condition presupposes the one before, as its question does.
    """
    tree = tree_of(record)
    stated = record["pruned_when"]
    conditions = stated if isinstance(stated, dict) else {record["cut_label"]: stated}
    unknowns = [str(tree.payoffs[leaf]) for leaf in tree.unknowns]
    for chosen in product(places(tree), repeat=len(unknowns)):
        known = dict(zip(unknowns, chosen, strict=True))
        for rules in conventions(record):
            visited = search(with_unknowns(tree, known), rules).visited
            for name, condition in conditions.items():
                holds = condition_holds(condition, known)
                assert (not visited[tree.index[name]]) == holds, known
                if not holds:
                    break


def condition_holds(condition: str, known: dict[str, Number]) -> bool:
    """Whether a condition such as `a > 7` or `none` holds."""
    if condition == "none":
        return False
    name, relation, bound = condition.split()
    return {"<": known[name] < int(bound), ">": known[name] > int(bound)}[relation]


@answers("visited")
def test_visited(record: Record) -> None:
    """The search enters the stated nodes in the stated order."""
    for tree, found in searches(record):
        assert [tree.names[node] for node in entered(found)] == record["visited"]


@answers("visited_leaves")
def test_visited_leaves(record: Record) -> None:
    """The search looks at the stated leaves in the stated order."""
    for tree, found in searches(record):
        seen = [tree.names[node] for node in entered(found) if tree.players[node] is None]
        assert seen == record["visited_leaves"]


@answers("generated")
def test_generated(record: Record) -> None:
    """The search enters exactly the nodes whose generation the autograder accepts."""
    for tree, found in searches(record):
        seen = {name for name, visited in zip(tree.names, found.visited, strict=True) if visited}
        assert seen == set(record["generated"])


@answers("expanded_all")
def test_expanded_all(record: Record) -> None:
    """A search without pruning meets every node of the tree."""
    assert set(tree_of(record).names) == set(record["expanded_all"])


@answers("leaves_evaluated")
def test_leaves_evaluated(record: Record) -> None:
    """The search looks at as many leaves as the source counts."""
    for tree, found in searches(record):
        assert len(tree.leaves) - len(pruned_paths(tree, found.visited)) == record["leaves_evaluated"]


@answers("minimax_leaves_evaluated")
def test_minimax_leaves_evaluated(record: Record) -> None:
    """Without pruning, the source counts all leaves."""
    assert len(tree_of(record).leaves) == record["minimax_leaves_evaluated"]


@answers("nodes_considered")
def test_nodes_considered(record: Record) -> None:
    """The source counts every node entered but the root: all without pruning, the visited ones with it."""
    if record["algorithm"] == "minimax":
        assert len(tree_of(record)) - 1 == record["nodes_considered"]
        return
    for _, found in searches(record):
        assert sum(found.visited) - 1 == record["nodes_considered"]


@answers("intervals")
def test_intervals(record: Record) -> None:
    """What is certain of a node while its unknowns stay open is the stated interval."""
    tree = tree_of(record)
    known = intervals(tree, None)
    assert {name: known[tree.index[name]] for name in record["intervals"]} == {
        name: (number(low), number(high)) for name, (low, high) in record["intervals"].items()
    }


@answers("answer_path")
def test_answer_path(record: Record) -> None:
    """The next selection leads where the source says."""
    tree = tree_of(record)
    assert tree.names[selection_path(tree, uct_rules(record))[-1]] == record["answer_path"]


@answers("node_values_approx")
def test_node_values_approx(record: Record) -> None:
    """The scores are those of the source, to the decimals that it shows."""
    tree = tree_of(record)
    found = {
        f"ucb1_{tree.names[child]}": round_score(score, 4)
        for child, score in zip(tree.children[0], scores(tree, 0, uct_rules(record)), strict=True)
    }
    assert found == record["node_values_approx"]


def uct_rules(record: Record) -> UctRules:
    """How a record scores children: by sums of results, which are all of one player."""
    return UctRules(record["uct"]["C"] ** 2, wins="max")


def counted(record: Record, name: str) -> tuple[int, Number]:
    """The visits of a node, and the sum of its results."""
    tree = tree_of(record)
    return visits_and_wins(tree, tree.index[name])


def value_on_board(record: Record) -> Number | None:
    """What a position is worth: by play to the end, or two plies deep by the evaluation of the record."""
    game, position = tictactoe.GAME, (0, 0)
    if "depth" in record["game"]:
        return values(openings(record))[0]
    for square in record["game"]["moves"]:
        position = dict(game.moves(position))[tictactoe.SQUARES[square]]
    return optimal_result(game, position)


def openings(record: Record) -> Tree:
    """The first moves of tic-tac-toe up to symmetry, evaluated as the record says."""
    (evaluation,) = (each for each in tictactoe.GAME.evaluations if each.name == "lines-by-count")
    plies = record["game"]["depth"]
    return unfold(tictactoe.GAME, (0, 0), plies=plies, evaluation=evaluation, merged=True).tree


@cache
def extents() -> tuple[GameExtent, GameExtent, SearchExtent | None]:
    """How much there is of tic-tac-toe, all of it and up to symmetry, and what alpha-beta sees of it."""
    game = tictactoe.GAME
    return (
        measure_game(game, (0, 0)),
        measure_game(game, (0, 0), merged=True),
        measure_search(game, (0, 0), "cut"),
    )


@answers("facts")
def test_facts(record: Record) -> None:
    """Each single statement of the source holds."""
    for fact, said in record["facts"].items():
        assert FACTS[fact](record) == said


def need_leaf_8(record: Record) -> bool:
    """Whether the search looks at the eighth leaf."""
    (needed,) = {8 not in pruned_paths(tree, found.visited) for tree, found in searches(record)}
    return needed


def range_after_two_leaves(record: Record) -> list[Any]:
    """What is certain of node B when only its first two leaves are known."""
    tree = tree_of(record)
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    opened = tree.with_payoffs((*payoffs[:2], "third", "fourth", *payoffs[4:]))
    return list(intervals(opened, tree.header.bounds)[tree.index["B"]])


def largest_pruning_x(record: Record) -> Number:
    """The largest X, to a thousandth, with which the last two leaves are pruned.

    A larger X can only raise what node C still can reach, so the condition has one border.
    """
    tree = tree_of(record)
    (rules, _) = conventions(record)
    low, high = (bound * 1000 for bound in tree.header.bounds)
    while low < high:
        middle = (low + high + 1) // 2
        pruned = pruned_paths(tree, search(with_unknowns(tree, {"X": Fraction(middle, 1000)}), rules).visited)
        low, high = (middle, high) if {7, 8} <= set(pruned) else (low, middle - 1)
    return Fraction(low, 1000)


def best_possible_value_of_node_3(record: Record) -> Any:
    """The most node 3 can be worth when its last leaf is open and bounded from above."""
    tree = tree_of(record)
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    opened = tree.with_payoffs((*payoffs[:-1], "open"))
    return intervals(opened, (-INFINITY, record["leaf_upper_bound_by_node"]["3"]))[tree.index["3"]][1]


def decision_depends(record: Record) -> bool:
    """Whether some unknowns make another move optimal at the root."""
    tree = tree_of(record)
    unknowns = [str(tree.payoffs[leaf]) for leaf in tree.unknowns]
    decisions = set()
    for chosen in product(places(tree), repeat=len(unknowns)):
        filled = with_unknowns(tree, dict(zip(unknowns, chosen, strict=True)))
        decisions.add(best_children(filled, values(filled))[0])
    return len(decisions) > 1


def bound_of_z(record: Record) -> str:
    """What is certain of min(2, x, y), the second node below the root."""
    tree = tree_of(record)
    low, high = intervals(tree, None)[tree.children[0][1]]
    return f"z <= {high}" if low == -INFINITY else "bounded below"


FACTS: dict[str, Callable[[Record], Any]] = {
    "depth1_values_set": lambda record: sorted(
        (values(openings(record))[child] for child in openings(record).children[0]), key=[-1, 1, -2].index
    ),
    "sequences": lambda _record: extents()[0].sequences,
    "sequences_up_to_symmetry": lambda _record: extents()[1].sequences,
    "positions_up_to_symmetry": lambda _record: extents()[1].positions,
    "alphabeta_sequences_rowmajor": lambda _record: (found := extents()[2]) and found.sequences,
    "root_visits": lambda record: counted(record, "root")[0],
    "b_visits": lambda record: counted(record, "b")[0],
    "avg_a": lambda record: Fraction(counted(record, "a")[1]) / counted(record, "a")[0],
    "avg_b": lambda record: Fraction(counted(record, "b")[1]) / counted(record, "b")[0],
    "need_leaf_8_given_first_7_unbounded": need_leaf_8,
    "range_of_B_after_2_leaves": range_after_two_leaves,
    "max_X_that_prunes_last_two_leaves": largest_pruning_x,
    "best_possible_value_of_node3_after_leaf8": best_possible_value_of_node_3,
    "decision_depends_on_x_y": decision_depends,
    "z=min(2,x,y)": bound_of_z,
}
"""How each statement is looked up in what the solvers report."""


@pytest.mark.parametrize("record", [pytest.param(record, id=record["id"]) for record in WITH_TREE])
def test_two_sweeps_do_what_the_search_does(record: Record) -> None:
    """Where no chance, no unknown and no third player is in the way, sweeps visit what searches visit."""
    tree = tree_of(record)
    if tree.has_chance or tree.unknowns or tree.seats:
        with pytest.raises(Unsolvable):
            sweep(tree, tree.rules())
        return
    for rules in conventions(record):
        assert sweep(tree, rules).visited == search(tree, rules).visited


def test_what_is_shown_in_part_is_so_in_the_tree_of_the_bank() -> None:
    """The lecture's longer example, filled in by the bank, has every answer that the lecture states.

    Root, move and returned values are those of the record, the third leaf of F is the 9 that is never seen,
    and F, H, J and the rest of D are left where the lecture leaves them.
    """
    record = BY_ID["uci-longer-ab-partial"]
    tree = read_tree((BANK / "uci-longer-example.tree").read_text(encoding="utf-8"))
    assert isinstance(tree, Tree)
    found, place = search(tree, tree.rules(ties="cut")), tree.index
    assert values(tree)[0] == found.returned[0] == record["root_value"]
    assert [tree.names[child] for child in best_children(tree, values(tree))[0]] == [record["best_move"]]
    returned = {name: found.returned[place[name]] for name in record["node_values"]}
    assert returned == record["node_values"]
    unseen = tree.children[place["F"]][2]
    assert (tree.payoffs[unseen], values(tree)[place["F"]], found.visited[unseen]) == (9, 9, False)
    assert not any(found.visited[place[name]] for name in ("H", "J", "K"))
    assert all(found.visited[place[name]] for name in ("A", "B", "C", "D", "E", "F", "G", "I"))


DEEPER = {
    "cs188ag-q2-2-1a-vary-depth": "cs188ag-q2-2-1b-vary-depth",
    "cs188ag-q2-2-3a-vary-depth": "cs188ag-q2-2-3b-vary-depth",
    "cs188ag-q2-2-4a-vary-depth": "cs188ag-q2-2-4b-vary-depth",
    "cs188ag-q2-7-1a-check-depth-one-ghost": "cs188ag-q2-7-1c-check-depth-one-ghost",
    "cs188ag-q2-7-2a-check-depth-two-ghosts": "cs188ag-q2-7-2c-check-depth-two-ghosts",
    "cs188ag-q2-7-2b-check-depth-two-ghosts": "cs188ag-q2-7-2c-check-depth-two-ghosts",
    "cs188ag-q4-6-2a-check-depth-two-ghosts": "cs188ag-q4-6-2c-check-depth-two-ghosts",
    "cs188ag-q4-6-2b-check-depth-two-ghosts": "cs188ag-q4-6-2c-check-depth-two-ghosts",
}
"""Records that are cut at a depth, each with the record that shows the same game further down."""


@pytest.mark.parametrize("shallow", DEEPER)
def test_depth_limit_cuts_the_deeper_tree(shallow: str) -> None:
    """The deeper tree, limited to the plies of the shallow record and evaluated there, is its tree."""
    tree, deeper = tree_of(BY_ID[shallow]), tree_of(BY_ID[DEEPER[shallow]])
    evaluations = {name: number(value) for name, value in BY_ID[shallow]["evals"].items()}
    evaluated = replace(
        deeper,
        attributes=tuple(
            Attributes(evaluation=evaluations[name]) if name in evaluations else None for name in deeper.names
        ),
    )
    cut = truncate_at_depth(evaluated, max(tree.depths))
    assert (cut.players, cut.parents, cut.payoffs) == (tree.players, tree.parents, tree.payoffs)
    assert (cut.names, cut.moves, cut.probabilities) == (tree.names, tree.moves, tree.probabilities)


def test_right_to_left_is_the_mirrored_tree() -> None:
    """Searching the tree of one record from the right visits the leaves of its mirrored twin in order."""
    tree = tree_of(BY_ID["hkust-a3-7-lr"])
    twin = BY_ID["hkust-a3-7-rl"]
    assert mirrored(tree_of(twin)) == tree.payoffs
    for rules in conventions(twin):
        found = search(tree, replace(rules, order="right-to-left"))
        seen = [tree.names[node] for node in entered(found) if tree.players[node] is None]
        assert seen == twin["visited_leaves"]


def mirrored(tree: Tree) -> tuple[Payoff | None, ...]:
    """The payoffs of the tree that a mirror shows, in preorder."""
    planting = TreeBuilder()

    def plant(node: int, parent: int) -> None:
        here = planting.add(parent, tree.players[node], tree.payoffs[node])
        for child in reversed(tree.children[node]):
            plant(child, here)

    plant(0, -1)
    return planting.tree().payoffs
