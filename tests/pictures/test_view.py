"""What a picture shows: what is known, what was searched, what was judged."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from grader.base.numbers import INFINITY
from grader.exercises.checking.judgement import Judgement, judge
from grader.pictures.latex import latex
from grader.pictures.node_words import describe, spell_value, words_at_nodes
from grader.pictures.svg import svg
from grader.pictures.text import text_picture
from grader.pictures.view import Range, View
from grader.solvers.solution import Solution, solve
from grader.solvers.values import values
from grader.trees.rules import Rules
from grader.trees.tree import Claim, Player, Tree
from tests.pictures.gallery import CHANCE, CLAIMED, PLAYERS, TEXTBOOK, read
from tests.strategies import trees


@given(trees(plies=6, leaves=24, chance=True))
def test_what_is_known_is_true(tree: Tree) -> None:
    """The value of a node, or the range shown for it, holds its exact value; the root's is exact."""
    known = View.solution(solve(tree, tree.rules())).values
    for exact, shown in zip(values(tree), known, strict=True):
        if isinstance(shown, Range):
            assert shown.low <= exact <= shown.high
        elif shown is not None:
            assert shown == exact
    assert known[0] == values(tree)[0]


def test_unvisited_nodes_have_no_known_value() -> None:
    """A node the search never came to shows nothing; one left early shows the side that is settled."""
    known = View.solution(solve(read("MAX (MIN (3 4) MIN (2 MAX (7 8)))"), Rules())).values
    assert known == (3, 3, 3, 4, Range(-INFINITY, 2), 2, None, None, None)


def test_a_node_above_a_cut_shows_only_what_is_proved() -> None:
    """A node that was searched to its end shows a range when a child was cut, also while it is searched."""
    tree = read("MIN A (MAX B (5) MAX C (MIN D (MAX E (5 9) MAX F (7))))")
    solution = solve(tree, Rules())
    known = Range(5, 7)
    assert View.solution(solution).values[tree.index["D"]] == known
    assert View.steps(solution)[-1].values[tree.index["D"]] == known


def test_a_solution_without_pruning_shows_every_value() -> None:
    """For a question on minimax values alone, every internal node shows its value and nothing is crossed."""
    tree = read(TEXTBOOK)
    view = View.solution(solve(tree, Rules()), pruning=False)
    assert [view.values[node] for node in tree.internal] == [3, 3, 2, 2]
    assert not any(view.pruned)


def test_a_solution_shows_the_first_line_of_play() -> None:
    """The thick branches lead from the root along one line of best play to a leaf."""
    tree = read(TEXTBOOK)
    view = View.solution(solve(tree, Rules()))
    assert [tree.names[node] for node in range(1, len(tree)) if view.chosen[node]] == ["B", "1"]


def test_several_players_have_vectors_and_no_crosses() -> None:
    """In a game of several players the solution shows vectors."""
    view = View.solution(solve(read(PLAYERS), Rules()))
    assert view.values[0] == (1, 2, 6)
    assert not any(view.pruned)


def test_windows_are_shown_on_request() -> None:
    """A solution shows the window with which each internal node was entered, if asked."""
    tree = read(TEXTBOOK)
    solution = solve(tree, Rules())
    assert not any(View.solution(solution).windows)
    windows = View.solution(solution, windows=True).windows
    assert [windows[node] for node in tree.internal] == [
        (-INFINITY, INFINITY),
        (-INFINITY, INFINITY),
        (3, INFINITY),
        (3, INFINITY),
    ]
    assert all(windows[leaf] is None for leaf in tree.leaves)


def test_claims_and_crosses_are_part_of_the_question_as_drawn() -> None:
    """A hand-drawn tree shows what was drawn; its solution shows none of that."""
    tree = read(CLAIMED)
    assert View.question(tree).claims[0] == Claim("=", 4)
    assert any(View.question(tree).pruned)
    assert not any(View.solution(solve(tree, Rules())).claims)


@given(trees(plies=5, leaves=16, chance=True))
def test_the_last_step_is_the_whole_search(tree: Tree) -> None:
    """There is a step for every event, what is shown only grows, and the last one shows every cut."""
    solution = solve(tree, tree.rules())
    assert solution.search is not None
    steps = View.steps(solution)
    assert len(steps) == len(solution.search.trace)
    assert tuple(node for node in range(len(tree)) if steps[-1].pruned[node]) == solution.pruned_branches
    for before, after in pairwise(steps):
        assert all(one <= other for one, other in zip(before.pruned, after.pruned, strict=True))
        assert all(
            other is not None
            for one, other in zip(before.values, after.values, strict=True)
            if one is not None
        )
    assert all(
        step.windows[node] is None
        for step in steps
        for node in range(len(tree))
        if tree.players[node] is None
    )


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (Fraction(-7, 3), "−7/3"),
        (Fraction(5, 2), "2.5"),
        ((1, Fraction(-1, 3), 6), "<1, −1/3, 6>"),
        (-INFINITY, "−∞"),
        (Range(-INFINITY, 2), "≤ 2"),
        (Range(2, INFINITY), "≥ 2"),
        (Range(2, 5), "2 … 5"),
        (Range(2, 2), "2"),
        (Range(-INFINITY, INFINITY), "?"),
    ],
)
def test_spelling(shown: object, words: str) -> None:
    """Values are printed with typographic signs."""
    assert spell_value(shown) == words  # type: ignore[arg-type]  # each is one of Shown


@pytest.mark.parametrize(
    ("text", "payoff", "value"),
    [
        ("MAX=5/4 (CHANCE (7/2 -1) 1/3 -2)", "7/2", "5/4"),
        ("@numbers fractions\nMAX=1.25 (CHANCE (3.5 -1) 1/3 -2)", "7/2", "5/4"),
        ("@numbers decimals\nMAX=5/4 (CHANCE (7/2 -1) 1/3 -2)", "3.5", "1.25"),
        ("MAX=5/4 (CHANCE (3.5 -1) 1/3 -2)", "3.5", "1.25"),
    ],
)
def test_numbers_are_drawn_as_typed(text: str, payoff: str, value: str) -> None:
    """A tree with a payoff typed as a fraction has fractions in all its pictures, else decimals."""
    tree = read(text)
    solution, judgement = solve(tree.bare(), Rules()), judge(tree, Rules())
    assert isinstance(solution, Solution)
    assert isinstance(judgement, Judgement)
    for view in (
        View.question(tree),
        View.solution(solution, windows=True),
        View.from_judgement(judgement),
        View.steps(solution)[-1],
    ):
        words = words_at_nodes(tree, view, "given")
        assert [word.payoff for word in words] == ["", "", payoff, "−1", "1/3", "−2"]
        assert words[0].claim in (value, "")
        assert words[0].value in (value, "")
        drawn = svg(tree, view=view), text_picture(tree, view=view), latex(tree, view=view)
        assert all(payoff in picture for picture in (*drawn, describe(tree, view)))
    assert words_at_nodes(tree, View.question(tree), "given")[0].claim == value
    assert words_at_nodes(tree, View.solution(solution), "given")[0].value == value


def test_spelling_windows_and_claims() -> None:
    """Windows stand in brackets, claims with their relation unless it is plain equality."""
    tree = read("MAX A=3 (MIN B<=-2 (1 2) 5)")
    view = replace(View.question(tree), windows=((-INFINITY, 3), *[None] * 4))
    words = words_at_nodes(tree, view, "given")
    assert words[0].window == "[−∞, 3]"
    assert [words[0].claim, words[1].claim] == ["3", "≤ −2"]


def test_probabilities_of_one_node_look_alike() -> None:
    """Where one outcome needs a fraction, all outcomes of that chance node are fractions."""
    tree = read(CHANCE)
    words = words_at_nodes(tree, View.question(tree), "given")
    by_parent = [
        [words[child].probability for child in tree.children[node]]
        for node in tree.internal
        if tree.players[node] is Player.CHANCE
    ]
    assert by_parent == [["1/2", "1/3", "1/6"], ["0.9", "0.1"]]
