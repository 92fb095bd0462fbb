"""The explanation of a search agrees with the search."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY
from grader.base.phrases import ENGLISH
from grader.solvers.explaining.node_wording import branch_list, node_title, value_text
from grader.solvers.explaining.steps import Account, explain
from grader.solvers.explaining.value_reasons import value_sentence
from grader.solvers.solution import Solution, solve
from grader.solvers.solvable import Unsolvable
from grader.solvers.trace import Cut, Enter, Gather, Update
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.strategies import rules, trees

TWO_PLAYERS = st.tuples(trees(leaves=16), rules())
WITH_CHANCE = st.tuples(trees(leaves=12, chance=True), rules())


def told(tree: Tree, conventions: Rules) -> tuple[Solution, Account]:
    """A tree solved and explained."""
    solution = solve(tree, conventions)
    return solution, explain(solution)


@given(TWO_PLAYERS | WITH_CHANCE)
def test_every_step_of_the_search_is_told_in_order(given_: tuple[Tree, Rules]) -> None:
    """The steps follow the events, the last one after the last event, and each says something."""
    solution, account = told(*given_)
    assert solution.search is not None
    moments = [step.events for step in account.steps]
    assert moments == sorted(moments)
    assert moments[-1] == len(solution.search.trace)
    assert all(step.words.endswith(".") for step in account.steps)


@given(TWO_PLAYERS | WITH_CHANCE)
def test_a_step_ends_after_what_a_child_changes(given_: tuple[Tree, Rules]) -> None:
    """The step of a child's return includes the change that it makes to a window or to an expectation."""
    solution, account = told(*given_)
    assert solution.search is not None
    following = [solution.search.trace[step.events] for step in account.steps[:-1]]
    assert not any(isinstance(event, Update | Gather) for event in following)


@given(TWO_PLAYERS | WITH_CHANCE)
def test_bounds_belong_to_an_interval_where_ties_are_kept(given_: tuple[Tree, Rules]) -> None:
    """Values that may still matter are an open interval where ties are pruned, else a closed one."""
    _, account = told(*given_)
    other = "the interval [" if given_[1].ties == "cut" else "the open interval ("
    assert not any(other in reason for reason in account.visits.values())


@given(TWO_PLAYERS | WITH_CHANCE)
def test_every_cut_has_its_reason(given_: tuple[Tree, Rules]) -> None:
    """Each branch that a cut skips is explained, and no other; each visited node has a reason too."""
    solution, account = told(*given_)
    assert solution.search is not None
    cuts = {child for event in solution.search.trace if isinstance(event, Cut) for child in event.skipped}
    assert set(account.cuts) == cuts
    assert set(account.visits) == {node for node, seen in enumerate(solution.search.visited) if seen}


@given(TWO_PLAYERS)
def test_pruned_leaves_are_named(given_: tuple[Tree, Rules]) -> None:
    """The sentence of a cut names every branch it crosses out and gives the value that was found."""
    solution, account = told(*given_)
    tree = solution.tree
    assert solution.search is not None
    cutoffs = [event for event in solution.search.trace if isinstance(event, Cut)]
    for event, words in zip(cutoffs, account.cutoffs, strict=True):
        if event.skipped:
            assert words.startswith(account.cuts[event.skipped[0]])
            assert f"so far is {value_text(event.value)}." in words
            assert all(re.search(rf"\b{tree.names[child]}\b", words) for child in event.skipped)


def test_leaves_that_changed_places_are_listed() -> None:
    """Leaves below a node are written as a range only if their numbers are consecutive."""

    def said(text: str) -> str:
        tree = tree_of(text)
        return branch_list(tree, [tree.index["B"]], ENGLISH)

    assert said("MAX A (MIN B (1 2 3) 4)") == "MIN B with leaves 1 to 3"
    assert said('MAX A (MIN B ("9"=1 "10"=2 "11"=3) "12"=4)') == "MIN B with leaves 9 to 11"
    assert said('MAX A (MIN B ("7"=1 "9"=2 "8"=3) "6"=4)') == "MIN B with leaves 7, 9 and 8"


@given(TWO_PLAYERS | WITH_CHANCE)
def test_only_the_root_is_where_a_search_starts(given_: tuple[Tree, Rules]) -> None:
    """The reason that the search starts at a node is given for the root alone."""
    _, account = told(*given_)
    starts = [node for node, reason in account.visits.items() if "The search starts at" in reason]
    assert starts == [0]


@given(WITH_CHANCE, st.sampled_from([None, (-101, 101)]))
def test_an_outcome_states_the_demands_of_its_window(
    given_: tuple[Tree, Rules], bounds: tuple[int, int] | None
) -> None:
    """Below a chance node the step down states a demand for each end that is not the end of all values."""
    solution, account = told(given_[0], replace(given_[1], bounds=bounds))
    tree, search = solution.tree, solution.search
    assert search is not None
    lowest, highest = bounds or (-INFINITY, INFINITY)
    words = {step.events: step.words for step in account.steps}
    of_chance = {node for node in tree.internal if tree.players[tree.parents[node]] is Player.CHANCE}
    for moment, event in enumerate(search.trace, start=1):
        if isinstance(event, Enter) and event.node in of_chance - {0}:
            assert ("Its value must be greater" in words[moment]) is (event.alpha > lowest)
            assert ("Its value must be less" in words[moment]) is (event.beta < highest)


def test_a_window_of_one_number_is_no_reason_to_prune() -> None:
    """Where ties are kept, a node is visited although alpha equals beta, and the reason says so."""
    tree = tree_of("MAX A (MIN B (3 5) MIN C (3 MAX D (1 2)))")
    _, account = told(tree, Rules(ties="keep"))
    reasons = [account.visits[tree.index[name]] for name in "CD"]
    assert ["equality is not enough to prune" in reason for reason in reasons] == [False, True]


@pytest.mark.parametrize(
    ("text", "conventions", "sentence"),
    [
        (
            "MAX A (MIN B (0 3) 4)",
            Rules(window=(3, 5)),
            "The search is given alpha = 3 (0 ≤ alpha = 3), so a lower value of MIN B does not matter.",
        ),
        (
            "MAX A (6 MIN B (0 3))",
            Rules(window=(3, 5)),
            "The search is given beta = 5 (6 ≥ beta = 5), so a higher value of MAX A does not matter.",
        ),
        (
            "MAX A (MIN B (0 3) 4)",
            Rules(bounds=(0, 9), test="value"),
            "No payoff is below 0 (0 ≤ alpha = 0), so the value of MIN B cannot fall further.",
        ),
        (
            "MAX A (9 MIN B (0 3))",
            Rules(bounds=(0, 9), test="value"),
            "No payoff is above 9 (9 ≥ beta = 9), so the value of MAX A cannot rise further.",
        ),
    ],
)
def test_a_cutoff_by_a_bound_of_the_search_names_it(text: str, conventions: Rules, sentence: str) -> None:
    """A bound that no node has reached is the given window, or a limit of the payoffs."""
    _, account = told(tree_of(text), conventions)
    assert sentence in account.cutoffs[0]


def test_the_value_of_a_leaf_has_no_reason() -> None:
    """The value of an inner node is stated with its reason, that of a leaf alone."""
    tree = tree_of("MAX A (MIN B (3 12) 2)")
    sentences = [value_sentence(tree, node, (3, 3, 3, 12, 2), ENGLISH) for node in (1, 2)]
    assert sentences == ["MIN B is worth 3. MIN takes the smaller of 3 and 12.", "Leaf 1 is worth 3."]


def test_branches_of_both_sorts_are_listed() -> None:
    """Leaves alone share one word; next to an inner node, each branch has its own title."""
    tree = tree_of("MAX A (MIN B (1 2) 3 4)")
    below = tree.children[0]
    assert branch_list(tree, below[1:], ENGLISH) == "leaves 3 and 4"
    assert branch_list(tree, below[:2], ENGLISH) == "MIN B with leaves 1 and 2 and leaf 3"


@given(TWO_PLAYERS)
def test_windows_are_those_of_the_search(given_: tuple[Tree, Rules]) -> None:
    """The step down to a node states its alpha and beta."""
    solution, account = told(*given_)
    assert solution.search is not None
    entered = [
        event
        for event in solution.search.trace
        if isinstance(event, Enter) and (solution.tree.players[event.node] is not None or event.node == 0)
    ]
    opening = [step for step in account.steps if step.words.startswith(("Go down", "Start"))]
    assert [step.node for step in opening] == [event.node for event in entered]
    for step, event in zip(opening, entered, strict=True):
        assert f"alpha = {value_text(event.alpha)}, beta = {value_text(event.beta)}" in step.words


@given(TWO_PLAYERS)
def test_better_choices_named_are_real(given_: tuple[Tree, Rules]) -> None:
    """Where MAX "can already get 3 at P by choosing C", P is above the node and its child C returned 3."""
    solution, account = told(*given_)
    tree, search = solution.tree, solution.search
    assert search is not None
    nodes = {node_title(tree, node): node for node in range(len(tree))}
    pattern = (
        r"(MAX can already get|MIN can already hold MAX to) (\S+) at (.+?) "
        r"by choosing (\w+(?: \w+)?)(?= \(|,|;| and MIN|\.)"
    )
    for step in account.steps:
        for player, value, owner, choice in re.findall(pattern, step.words):
            at, child = nodes[owner], nodes[choice]
            assert tree.players[at] is (Player.MAX if player.startswith("MAX") else Player.MIN)
            assert tree.parents[child] == at
            assert at in (step.node, *tree.ancestors(step.node))
            returned = search.returned[child]
            assert returned is not None
            assert value_text(returned) == value


@given(TWO_PLAYERS | WITH_CHANCE)
def test_the_last_words_are_the_value(given_: tuple[Tree, Rules]) -> None:
    """The story ends with the value of the game and the best moves of full minimax."""
    solution, account = told(*given_)
    words = account.steps[-1].words
    value = solution.values[0]
    assert value is not None
    if solution.tree.players[0] is None or solution.rules.bounds is None:
        assert value_text(value) in words
    assert all(node_title(solution.tree, child) in words for child in solution.best[0] or ())


@given(trees(leaves=12, seats=3))
def test_games_of_several_players_are_told_from_the_leaves(tree: Tree) -> None:
    """Every value is explained after the values it depends on, each inner node once, the root last."""
    _, account = told(tree, Rules())
    if len(tree) == 1:
        return
    order = [step.node for step in account.steps]
    assert sorted(order) == list(tree.internal)
    place = {node: index for index, node in enumerate(order)}
    assert all(place[node] < place[tree.parents[node]] for node in tree.internal if node)


@given(trees(leaves=10, unknowns=True))
def test_unknown_payoffs_are_told_or_refused(tree: Tree) -> None:
    """A search that reaches an unknown leaf cannot be explained; any other can."""
    solution = solve(tree, Rules())
    try:
        explain(solution)
    except Unsolvable:
        assert solution.blocked_by is not None
    else:
        assert solution.blocked_by is None


def test_an_estimate_is_called_an_estimate() -> None:
    """With a depth limit nothing is called the value of the game, and no node at the limit a leaf."""
    tree = tree_of("@weights [3, 1]\n@depth 1\nMAX A (MIN D {f=[2, -1]} (3 12) MIN E {eval=4} (2 4) 7)")
    words = [step.words for step in explain(solve(tree, tree.rules())).steps]
    assert words[1].startswith("D is at the depth limit: its static evaluation is 3 × 2 + 1 × (−1) = 5. So")
    assert words[2].startswith("E is at the depth limit: its static evaluation is 4. This is no better")
    assert words[3].startswith("Leaf 3 is worth 7")
    assert (
        words[4]
        == "MAX A returns 7. This is the estimate from a search to depth 1. The best move is to leaf 3."
    )
