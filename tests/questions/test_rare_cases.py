"""What kinds say and draw where trees, rules and replies are unusual, kind by kind."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from grader.answers.form import Item, Malformed, Policy, Terms
from grader.answers.numeral import Numeral
from grader.answers.window_entries import WINDOW_ENTRIES, Window
from grader.base.intervals import numbers_related_to, union
from grader.base.numbers import INFINITY
from grader.base.phrases import ENGLISH
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.feedback import Feedback, credit_explanation
from grader.exercises.marking import mark
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.generation.stream import Stream
from grader.publishing.keys import marking_guide
from grader.questions import kind_by_code
from grader.questions.belief_state.results import _count_after, _goal_after
from grader.questions.board_position.boards import board_of, two_ply_tree
from grader.questions.case import Case
from grader.questions.evaluation_scaling.payoff_transformations import draw_for_tree
from grader.questions.given import Given, find_unknown_field
from grader.questions.given_table import GivenColumn, GivenTable, merge_tables
from grader.questions.iterations import draw_evaluations
from grader.questions.payoff_independence import substitute_values
from grader.questions.randomness import Draw
from grader.questions.search_answers import TIE_BELIEFS, visits_objection
from grader.questions.strategy.endgames import endgame_objection
from grader.questions.true_false import _draw
from grader.questions.uct import _constant, _decimals_needed
from grader.questions.uct.playouts import uct_rules
from grader.questions.uct.propagation import _draw_shared_given
from grader.questions.unknown_payoffs import witness
from grader.questions.value_answers import implied_table
from grader.questions.windows.revealing_nodes import _best_share_without, revealing_nodes
from grader.questions.wording import payoff_bounds_sentence
from grader.solvers.budget import Model
from grader.solvers.search_choice import search
from grader.solvers.uct_search import UctRules, selection_path, visits_and_wins
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY

RULES = Rules()
TEXTBOOK = "MAX A (MIN B (3 12) MIN C (2 4))"


def exercise(code: str, text: str, rules: Rules = RULES, **given: Any) -> Exercise:
    """An exercise about a tree that is written down."""
    return make_exercise(kind_by_code(code), tree_of(text), rules, given=Given(given))


def told(asked: Exercise, reply: str) -> str:
    """All that is said of a reply."""
    return " ".join(Feedback(asked).sentences(mark(asked, reply)))


# Searches and values


def test_a_false_tie_is_a_move_that_was_cut_at_the_best_value() -> None:
    """C returns 3 when it is cut and is worth 2; with chance there is no such search."""
    belief = kind_by_code("best-move").beliefs["false-tie"]
    assert belief(Case(tree_of("MAX A (MIN B (3 12 8) MIN C (3 2 4))"), RULES)) == {1}
    chances = tree_of("MAX A (CHANCE B (1/2: 3, 1/2: 5) CHANCE C (1/2: 4, 1/2: 2))")
    assert belief(Case(chances, RULES)) is None


def test_the_order_of_leaves_is_told_where_it_breaks() -> None:
    """Swapped leaves, leaves behind the end of the search, and pruned ones."""
    asked = exercise("visiting-order", TEXTBOOK)
    assert told(asked, "2 1 3").startswith("Leaf 2 is visited immediately after leaf 1.")
    assert told(asked, "1 2 3 1").strip() == "The search visits no leaf twice."
    assert told(asked, "1 2 3 4").strip().startswith("Leaf 4 is pruned.")
    by_prefix = replace(asked.public.terms, policy=Policy("net"))
    strict = make_exercise(asked.kind, asked.public.tree, RULES, by_prefix)
    assert "The search ends before this leaf." in told(strict, "1 2 3 1")
    named = exercise("visiting-order", 'MAX (5 "1"=6)')
    assert told(named, '"1" #1').startswith("Leaf 1 is visited immediately after leaf 1.")


@pytest.mark.parametrize("said", [Numeral(Fraction(33, 10), 1), Numeral(3, 0)])
def test_what_is_rounded_follows_from_nothing(said: Numeral) -> None:
    """10/3, rounded as far as one likes, is right, whatever stands at the nodes below."""
    tree = tree_of("CHANCE A (1/3: MAX B (3 2) 2/3: CHANCE C (1/2: 3, 1/2: 4))")
    implied = dict(implied_table(Case(tree, RULES), ((0, said), (tree.index["B"], Numeral(9)))))
    assert implied[0].value == Fraction(10, 3)


def test_why_nothing_is_visited_comes_before_what_is() -> None:
    """A game with chance is refused without a search that comes to an unknown payoff."""
    why = visits_objection(Case(tree_of("MAX A (CHANCE B (1/2: x, 1/2: 3) 4)"), RULES))
    assert why is not None
    assert why.startswith("the tree has chance nodes")


def test_a_right_count_needs_no_reason() -> None:
    """Only what is wrong is explained."""
    asked = exercise("visited-count", TEXTBOOK)
    assert asked.kind.reason(asked.solved(), Item(None, "3", "3", "right")) is None
    assert asked.kind.reason(asked.solved(), Item(None, "4", "3", "wrong")) is not None


@pytest.mark.parametrize(
    ("ties", "children", "returned"),
    [("keep", "5 1 0", "1"), ("keep", "5 3 1", "1"), ("cut", "5 3 1", "3"), ("cut", "5 4 1", "1")],
)
def test_what_a_wrong_window_leads_to(ties: Any, children: str, returned: str) -> None:
    """With the window [3, inf] at a MIN node its own cut decides what follows, by either tie rule."""
    asked = exercise("windows", f"MAX A (MIN B ({children}))", Rules(ties=ties))
    right = dict(asked.answer(asked.key))
    said = tuple({**right, 1: Window(3, INFINITY, Numeral(7))}.items())
    assert asked.kind.implied_key is not None
    followed = asked.kind.implied_key(Case(asked.public.tree, asked.public.rules), said)
    assert dict(followed)[1].returned == Numeral(int(returned))
    assert WINDOW_ENTRIES.write(said, asked.public.tree)


def test_a_wrong_window_of_max_leads_to_a_cut_where_ties_go_on() -> None:
    """With the window [-inf, 3] at a MAX node 5 cuts, although a smaller value was seen before it."""
    asked = exercise("windows", "MIN A (MAX B (1 5 9))", Rules(ties="keep"))
    said = tuple({**dict(asked.answer(asked.key)), 1: Window(-INFINITY, 3, Numeral(7))}.items())
    assert asked.kind.implied_key is not None
    followed = asked.kind.implied_key(Case(asked.public.tree, asked.public.rules), said)
    assert dict(followed)[1].returned == Numeral(5)


def test_the_node_that_tells_least_is_found_among_all() -> None:
    """As by trying all: the first without which what the best paid mistake earns is least."""
    random = Random("least")
    for _ in range(200):
        left = list(range(1, random.randint(3, 7)))
        rows = [
            {node: random.choice(((0, 0), (0, 2), (1, 2), (2, 2))) for node in left}
            for _ in range(random.randint(1, 4))
        ]
        sums = [tuple(sum(row[node][place] for node in left) for place in (0, 1)) for row in rows]

        def most(gone: int, rows: list[dict[int, tuple[int, int]]] = rows, left: list[int] = left) -> float:
            kept = [[row[node] for node in left if node != gone] for row in rows]
            return max(sum(one for one, _ in row) / (sum(two for _, two in row) or 1) for row in kept)

        assert [_best_share_without(rows, sums, node) for node in left] == list(map(most, left))


def test_some_nodes_are_named_in_the_question() -> None:
    """The nodes that are given are those that are asked about."""
    asks = kind_by_code("node-values").prompt(
        Case(tree_of(TEXTBOOK), RULES, Given({"nodes": ["B", "C"]})), ENGLISH
    )
    assert "each of these nodes: B and C." in asks.question


# Unknown payoffs


def test_only_what_an_unknown_lies_below_is_told_for_a_number() -> None:
    """Of leaf 4, which is x, it is said that any number leads there; of leaf 3 just before it is not."""
    asked = exercise("pruned-branches", "MAX A (MIN B (3 12) MIN C (2 MAX D (x 1)) MIN E (4 5))")
    marked = mark(asked, "E")
    reasons = dict(
        zip(
            (item.reply or item.right for item in marked.items),
            Feedback(asked).sentences(marked),
            strict=True,
        )
    )
    assert "E" in reasons
    assert "does not depend on x" not in reasons["E"]


def test_what_one_of_two_unknowns_lies_below_is_told_for_a_number() -> None:
    """Of C, with x below it, and of D, with y, the number is told that is taken, of B it is not."""
    asked = exercise("windows", "MAX A (MIN B (3 12) MIN C (2 x) MIN D (1 y))")
    said = Feedback(asked).sentences(mark(asked, "B [-inf, 9] -> 4; C [5, inf] -> 4; D [5, inf] -> 4"))
    told = {
        name: ["does not depend on x and y" in str(each) for each in said if f" {name} " in f"{each} "]
        for name in "BCD"
    }
    assert told == {"B": [False], "C": [True], "D": [True]}


def test_one_of_many_right_answers_is_right_for_any_number() -> None:
    """B is best whatever x is; C is as good for some x only, and so no answer."""
    tree, kind = tree_of("MAX A (MIN B (3 5) MIN C (3 x))"), kind_by_code("strategy.optimal")
    asked = make_exercise(kind, tree, RULES)
    assert [mark(asked, reply).points for reply in ("A->B", "A->C")] == [1, 0]
    assert kind.accepts is not None
    replies = map(asked.answer, ("A->B", "A->C"))
    assert [kind.accepts(Case(tree, RULES), reply, Terms()) for reply in replies] == [True, False]


def test_windows_follow_from_own_entries_whatever_an_unknown_is() -> None:
    """With an unknown that is never looked at a reply earns what it earns with a number there."""
    reply = "A [-inf, inf] -> 4; B [-inf, inf] -> 4; C [4, inf] -> 2"
    with_x, with_0 = (exercise("windows", f"MAX A (MIN B (3 12) MIN C (2 {leaf}))") for leaf in ("x", "0"))
    assert mark(with_x, reply).points == mark(with_0, reply).points
    assert mark(with_x, reply).follow_through == mark(with_0, reply).follow_through != 0


def test_a_belief_has_an_answer_where_no_unknown_matters_to_it() -> None:
    """Without the best leaf of B the root is worth 12, whatever x is; with all nodes for MAX x decides."""
    tree, kind = tree_of("MAX A (MIN B (3 12) MIN C (2 MAX D (x 1)))"), kind_by_code("root-value")
    assert kind.objection(Case(tree, RULES)) is None
    assert kind.beliefs["second-best"](Case(tree, RULES)) == Numeral(12)
    assert kind.beliefs["ignores-opponent"](Case(tree, RULES)) is None
    solved = make_exercise(kind, tree, RULES).solved()
    assert kind.worked_solution.steps(solved)[0] == "The answer does not depend on x; take 0, for example."


def test_unknowns_are_tried_at_both_bounds() -> None:
    """The least and the largest payoff count too."""
    tried = substitute_values(Case(tree_of("MAX A (MIN B (3 12) MIN C (2 x))"), Rules(bounds=(0, 20))))
    assert (tried[0], tried[-1]) == (0, 20)


def test_unknowns_are_tried_at_all_payoffs_and_between() -> None:
    """At every payoff with either sign and at 0, and at as many numbers between two of these as unknowns."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 x) MIN D (1 y))")
    ends = [0, 1, 2, 3, 12]
    tried = [number for number in substitute_values(Case(tree, RULES)) if 0 <= number <= 12]
    assert (
        set(ends)
        <= set(tried)
        == {-number for number in substitute_values(Case(tree, RULES)) if -12 <= number <= 0}
    )
    for low, high in pairwise(ends):
        assert sum(low < number < high for number in tried) == 2


@pytest.mark.parametrize("count", [10, 30])
def test_too_many_unknowns_are_refused_at_once(count: int) -> None:
    """Nobody waits for a thousand million ways to fill a tree."""
    many = " ".join(f"x{number}" for number in range(count))
    why = kind_by_code("root-value").objection(Case(tree_of(f"MAX A (MIN B (3 12) MIN C (2 {many}))"), RULES))
    assert why == f"there are {count} unknown payoffs, more than can be tried"


def test_the_plainest_number_tells_two_sets_apart() -> None:
    """Of 3 and all from 10 on it is 10 that is plainer, or 3: the one with fewer digits."""
    below = numbers_related_to("<", 3)
    assert witness(below, union((*numbers_related_to("<=", 3), *numbers_related_to(">=", 10))), None) == 3


def test_another_unknown_may_decide() -> None:
    """Whether x is pruned depends on y, unless it is told what y is."""
    suits = kind_by_code("unknown-leaf.pruned").objection
    tree, asked = tree_of("MAX A (MIN B (3 y) MIN C (2 x))"), Given({"unknown": "x", "node": "4"})
    assert suits(Case(tree, RULES, asked)) == "the payoff y of leaf 2 is unknown"
    assert suits(Case(tree, RULES, Given({**asked, "told": {"y": "5"}}))) is None


# Orders, iterations and depths


@pytest.mark.parametrize(("order", "answer"), [("fewest", 3), ("best-first", 3), ("most", None)])
def test_the_root_of_the_leaves_is_taken_for_the_best_order(order: str, answer: int | None) -> None:
    """Of nine leaves three; of another order nobody says so."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    said = kind_by_code("reorder.leaves").beliefs["root-of-leaves"](
        Case(tree, RULES, Given({"order": order}))
    )
    assert said == (None if answer is None else Numeral(answer))


def test_an_iteration_that_meets_a_leaf_and_a_node_names_both() -> None:
    """Children of the root may be leaves already."""
    asked = exercise("deepening.move", "MAX A (MIN B (3 12) 5)", depth=1, scores="own")
    assert (
        asked.kind.worked_solution.steps(asked.solved())[0]
        == "Iteration 1 evaluates 2 nodes: MIN B and leaf 3."
    )


def test_one_iteration_is_drawn_for_a_tree_of_one_ply() -> None:
    """Of it may be asked what it visits."""
    draw = kind_by_code("deepening.visited").draw
    assert draw is not None
    assert draw(Draw(Stream(1)), Case(tree_of("MAX A (3 5)"), RULES)) is not None


def test_weights_without_features_are_not_spoken_of() -> None:
    """Evaluations that are given stand for themselves."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    weighed = replace(tree, header=replace(tree.header, weights=(1, 2)))
    states = (
        kind_by_code("depth-limited.value")
        .prompt(Case(weighed, RULES, Given({"depth": 1})), ENGLISH)
        .conventions
    )
    assert not any("features" in state for state in states)


# Games of chance, several players and boards


def test_a_vector_made_of_two_is_none() -> None:
    """Where ties may go either way each right vector is right as a whole."""
    right = kind_by_code("payoff-vectors.value").accepts
    assert right is not None
    tree, given = tree_of("P1 A (P2 B (<3, 1> <5, 1>) P2 C (<1, 5> <0, 0>))"), Given({"ties": "any"})
    known = {tuple(map(Numeral, vector)): good for vector, good in _VECTORS.items()}
    for vector, good in known.items():
        assert right(Case(tree, RULES, given), vector, Terms()) is good


_VECTORS: Mapping[tuple[int, int], bool] = {(3, 1): True, (5, 1): True, (3, 5): False, (1, 1): False}


def test_who_never_moves_has_no_strategy() -> None:
    """A tree of MAX alone asks MIN for nothing."""
    suits = kind_by_code("strategy.optimal").objection
    assert suits(Case(tree_of("MAX A (3 5)"), RULES, Given({"player": "MIN"}))) == "MIN never moves"


@pytest.mark.parametrize(
    ("position", "player", "why"),
    [
        ("X.O/.X./..O", "MIN", ""),
        ("XO./.X./...", "MAX", "the position is not the end of a game that still goes on"),
        ("XO./.../X.O", "MAX", ""),
        ("XO./.../X.O", "MIN", "the player loses this position against best play"),
    ],
)
def test_the_end_of_a_game(position: str, player: str, why: str) -> None:
    """Four signs are enough; whoever loses against best play is asked for no strategy."""
    from grader.questions.strategy.endgames import endgame_tree
    from grader.trees.games.tictactoe import GAME

    tree = endgame_tree(GAME.position(position))
    found = endgame_objection(Case(tree, RULES, Given({"position": position, "player": player})))
    assert (found or "") == why


def test_a_board_without_a_named_evaluation_has_the_usual_one() -> None:
    """Open lines at tic-tac-toe, nothing at nim."""
    evaluation = board_of(Given({"game": "tictactoe", "position": "X.O/.X./..O"})).evaluation
    assert evaluation is not None
    assert evaluation.name == "open-lines"
    assert board_of(Given({"game": "nim", "position": "3 4 5"})).evaluation is None


@pytest.mark.parametrize(("total", "suits"), [(0, False), (1, True), (2, False)])
def test_payoffs_may_sum_to_one(total: int, suits: bool) -> None:
    """The least sum with which a cut can be asked about."""
    tree = tree_of("P1 A (P2 B (<1, 0, 0> <0, 1, 0>) P3 C (<0, 0, 1> <1, 0, 0>))")
    why = kind_by_code("payoff-vectors.cut").objection(
        Case(tree, RULES, Given({"total": total, "branch": "4"}))
    )
    assert suits is not (why or "").startswith(("it is not given what", "the payoffs of some leaf"))


def test_a_cut_that_decides_between_two_results_is_told() -> None:
    """Both are named."""
    tree = tree_of("P1 A (P2 B (<4, 2, 0> <1, 2, 3>) P3 C (<4, 0, 2> <6, 0, 0>))")
    given = Given({"total": 6, "branch": tree.names[3]})
    asked = make_exercise(kind_by_code("payoff-vectors.cut"), tree, RULES, given=given)
    told = " ".join(asked.kind.worked_solution.steps(asked.solved()))
    assert "determine which of <4, 0, 2> and <4, 2, 0> the players get" in told


# Statements, transformations, playouts and what is given


def test_a_statement_that_cannot_be_drawn_once_is_drawn_again() -> None:
    """Only when all draws fail nothing is asked."""
    from grader.questions.true_false.known_facts import GAME

    calls = []

    def draw(*_: Any) -> Mapping[str, object] | None:
        calls.append(0)
        return None if len(calls) < 3 else GAME.draw(Draw(Stream(2)), Case(EMPTY, RULES))

    stream = Draw(Stream(1))
    found = _draw(replace(GAME, draw=draw), lambda _case: True, stream, Case(EMPTY, RULES))
    assert found is not None


def test_transformations_for_payoffs_below_zero_are_found() -> None:
    """Those that need payoffs of at least 0 are passed over, not the end."""
    tree = tree_of("MAX A (MIN B (-3 12) MIN C (-2 4))")
    for seed in range(20):
        assert draw_for_tree(Draw(Stream(seed)), Case(tree, RULES)) is not None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("expansion", 2),
        ("2", 2),
        ("2 expansion", 2),
        ("expansion 2", 2),
        ("phase 3: simulation", 3),
        ("the rollout", 3),
        ("backpropagation", 4),
        ("selection", 1),
        ("1 expansion", None),
        ("selection and expansion", None),
    ],
)
def test_phases_have_names(text: str, number: int | None) -> None:
    """A phase is called by its number, its name, or both where these agree."""
    found = kind_by_code("uct.phase").form.read(text, EMPTY, Terms())
    assert isinstance(found, Malformed) if number is None else found == Numeral(number)


def test_a_playout_comes_from_a_leaf_that_the_selection_does_not_lead_to() -> None:
    """A later part may ask where the selection leads."""
    asked = exercise_of_uct()
    tree = asked.public.tree
    shared = Given({name: said for name, said in asked.public.given.items() if name in ("wins", "c_squared")})
    found = _draw_shared_given(Draw(Stream(1)), Case(tree, RULES, shared))
    assert found["result"] in ("0", "1")
    assert tree.names[tree.leaves[int(str(found["path"])) - 1]] != asked.key


def exercise_of_uct() -> Exercise:
    """A tree with counts, and where the selection leads."""
    from grader.generation.grower import grow
    from grader.generation.recipe_file import default_recipe

    return grow(default_recipe("uct.selected"), 3)


def test_a_child_that_was_never_tried_comes_first() -> None:
    """There are no scores to compare."""
    tree = tree_of("MAX A {n=6, w=3} (MIN B {n=6, w=3} (3 {n=3, w=2} 4 {n=3, w=1}) 5 {n=0, w=0})")
    asked = make_exercise(kind_by_code("uct.selected"), tree, RULES, given=Given({"c_squared": "2"}))
    assert asked.kind.worked_solution.steps(asked.solved()) == (
        "At MAX A, leaf 3 has no playouts, so it is selected first.",
    )


def test_who_passes_over_a_child_never_tried_goes_on_to_another() -> None:
    """The leaf that was never tried is right; the better one of the others is what the belief leads to."""
    tree = tree_of("MAX A {n=6, w=3} (3 {n=3, w=2} 4 {n=3, w=1} 5 {n=0, w=0})")
    asked = make_exercise(kind_by_code("uct.selected"), tree, RULES, given=Given({"c_squared": "2"}))
    assert (asked.key, asked.beliefs["uct.selected.untried-passed-over"]) == ("3", "1")


def test_the_constant_is_a_number_or_a_root() -> None:
    """Roots of squares of fractions with small denominators are written out."""
    assert _constant(UctRules(c_squared=Fraction(1, 10_000)), ENGLISH) == "0.01"
    assert _constant(UctRules(c_squared=Fraction(1, 10_201)), ENGLISH).startswith("√")


def test_how_many_states_are_left_follows_from_the_own_set() -> None:
    """Only a set after the same move is carried over."""
    given, after = Given({"action": "left"}), frozenset({"s", "t"})
    assert _count_after(Case(EMPTY, RULES, given), ("left", after)) == Numeral(2)
    assert _count_after(Case(EMPTY, RULES, given), ("right", after)) is None


@pytest.mark.parametrize(
    ("states", "reached"), [({"s"}, True), ({"s", "t"}, True), ({"s", "u"}, False), ((), None)]
)
def test_whether_a_goal_is_reached_follows_from_the_own_set(states: Any, reached: bool | None) -> None:
    """It is where all states of the own set are goals; a set after another move says nothing of it."""
    given = Given({"states": ["s", "t", "u"], "moves": {}, "goals": ["s", "t"], "action": "left"})
    assert _goal_after(Case(EMPTY, RULES, given), ("left", frozenset(states))) is reached
    assert _goal_after(Case(EMPTY, RULES, given), ("right", frozenset(states))) is None


def test_a_result_may_be_as_rare_as_never() -> None:
    """A category of positions of which none is drawn is one."""
    given = Given({"percent": [80, 20, 0], "utilities": ["1", "0", "1/2"]})
    asked = make_exercise(kind_by_code("depth-limited.category"), EMPTY, RULES, given=given)
    assert mark(asked, "0.8").points == 1


def test_no_branch_below_a_crossed_one_is_crossed() -> None:
    """One cross is enough for all that lies below it, wherever others stand."""
    tree = tree_of("MAX A (MIN B (a b) MIN C (MAX D (c d) e) MIN E (f g))")
    suits = kind_by_code("feasible-pattern.possible").objection
    assert suits(Case(tree, RULES, Given({"crossed": ["E", "D"]}))) is None
    for crossed in (["E", "C", "D"], ["D", "C"]):
        assert (
            suits(Case(tree, RULES, Given({"crossed": crossed}))) == "a crossed branch lies below another one"
        )


def test_percentages_are_whole_numbers() -> None:
    """Text and fractions among them are refused."""
    for percent in ([82, 2, "16"], [82.5, 2, 15]):
        given = Given({"percent": percent, "utilities": ["1", "-1", "0"]})
        suits = kind_by_code("depth-limited.category").objection
        assert suits(Case(EMPTY, RULES, given)) == "percent are three whole numbers: won, lost and drawn"


def test_long_names_are_quoted_in_part() -> None:
    """Thirty signs of a name that nobody knows."""
    found = find_unknown_field(Given({"n" * 50: 1}), ("nodes",))
    assert found is not None
    assert found[1] == f"this question has no field '{'n' * 30}'"


@pytest.mark.parametrize("code", ["board-position.evaluation", "board-position.values"])
def test_a_part_that_joins_a_board_draws_its_evaluation(code: str) -> None:
    """Where the part that shares its position has none; one that it has stays."""
    draw, kind = Draw(Stream(1)), kind_by_code(code)
    assert kind.draw_shared_given is not None
    shared = {"game": "tictactoe", "position": "XO......."}
    found = kind.draw_shared_given(draw, Case(EMPTY, RULES, Given(shared)))
    names = [each.name for each in board_of(Given(shared)).game.evaluations]
    assert found["evaluation"] in names
    for name in names:
        again = kind.draw_shared_given(draw, Case(EMPTY, RULES, Given(shared | {"evaluation": name})))
        assert again["evaluation"] == name


def test_a_part_that_joins_a_world_draws_what_it_lacks() -> None:
    """Three goals, and of every state what is seen in it and another worth, where the first part has none."""
    drawn = kind_by_code("belief-state.result").draw
    assert drawn is not None
    first = drawn(Draw(Stream(1)), Case(EMPTY, RULES))
    assert first is not None
    shared = first.given
    found = {}
    for code in ("belief-state.goal", "belief-state.value"):
        kind = kind_by_code(code)
        assert kind.draw_shared_given is not None
        found[code] = kind.draw_shared_given(Draw(Stream(2)), Case(EMPTY, RULES, shared))
        assert kind.objection(Case(EMPTY, RULES, found[code])) is None
        assert {name: found[code][name] for name in ("states", "moves", "belief")} == {
            name: shared[name] for name in ("states", "moves", "belief")
        }
    assert len({*found["belief-state.goal"]["goals"]} & {*shared["states"]}) == 3
    worth = found["belief-state.value"]["utilities"]
    assert [*worth] == [*found["belief-state.value"]["percepts"]] == shared["states"]
    assert len({*worth.values()}) == len(worth)


@pytest.mark.parametrize(
    ("code", "given", "answer", "letter", "other"),
    [
        ("search-budget.depth", {"branching": 3, "rate": 81, "seconds": 1}, "4", "d", "b"),
        ("search-budget.branching", {"depth": 4, "leaves": 342}, "4.3", "b", "d"),
    ],
)
def test_a_number_may_have_the_letter_of_its_question(
    code: str, given: dict[str, Any], answer: str, letter: str, other: str
) -> None:
    """`b = 342^(1/4) = 4.3` says how large b is, and `d = 4.3` something else."""
    model = {"model": "b^d", "rounded": "complete"} if letter == "d" else {}
    exercise = make_exercise(kind_by_code(code), EMPTY, Rules(), Terms(), given=Given(given | model))
    assert exercise.key == answer
    assert mark(exercise, f"{letter} = {answer}").points == 1
    assert mark(exercise, f"{letter} = 81^(1/4) = {answer}").points == 1
    assert mark(exercise, f"{other} = {answer}").points is None


def test_an_error_of_min_is_one_wherever_it_moves_else() -> None:
    """MIN errs by a move that is not best, and nowhere else is it open which of its best moves it makes."""
    kind = kind_by_code("true-false.optimal-play")
    two_best = tree_of("MIN A (MAX B (MIN D (3 9) 0) MAX C (3 2))")
    assert (
        kind.objection(Case(two_best, RULES, Given({"node": "D", "to": "2"})))
        == "MIN has several best moves at A"
    )
    one_best = tree_of("MIN A (MAX B (3 5) MAX C (4 1))")
    assert (
        kind.objection(Case(one_best, RULES, Given({"node": "A", "to": "C"})))
        == "C is a best move of MIN at A"
    )
    assert kind.objection(Case(one_best, RULES, Given({"node": "A", "to": "B"}))) is None


def test_selections_hang_on_scores_that_differ_as_they_are_shown() -> None:
    """Two decimals tell which child is chosen; where more are needed to tell, the explanation shows them."""
    for grown in grow_many(default_recipe("uct.selected"), "s1", 20):
        public = grown.public
        for node, child in pairwise(selection_path(public.tree, uct_rules(public.given))):
            assert (
                not visits_and_wins(public.tree, child)[0]
                or _decimals_needed(public.tree, node, child, uct_rules(public.given)) == 2
            )
    near = "MAX A {n=2000, w=1000} (B: 1/2 {n=1000, w=501} C: 1/2 {n=1000, w=499})"
    said = told(exercise("uct.selected", near, c_squared="2"), "2")
    assert "leaf 1 with 0.624 and leaf 2 with 0.622" in said


def test_every_vector_that_ties_allow_is_told() -> None:
    """Where players choose any of their best moves no right answer is a mistake, and all are named."""
    asked = exercise("payoff-vectors.value", "P1 A (P2 B (<1,4> <3,4> <2,0>) P2 C (<2,2> <5,1>))", ties="any")
    assert "<3, 4>" not in asked.beliefs.values()
    assert asked.kind.worked_solution.steps(asked.solved())[-1] == "P1 A can be worth <2, 2> or <3, 4>."
    assert told(asked, "<9, 9>").endswith("P1 A can be worth <2, 2> or <3, 4>.")


def test_boards_of_a_game_without_evaluation() -> None:
    """A part about an evaluation that joins a position of nim is refused, for nim has none."""
    kind = kind_by_code("board-position.evaluation")
    assert kind.draw_shared_given is not None
    nim = Given({"game": "nim", "position": "3 4"})
    found = kind.draw_shared_given(Draw(Stream(1)), Case(EMPTY, RULES, nim))
    assert kind.objection(Case(EMPTY, RULES, found)) is not None


@pytest.mark.parametrize("order", ["mirrored", "best-first", "fewest"])
def test_another_order_changes_how_many_leaves_are_visited(order: str) -> None:
    """Who leaves the children as they stand, or has the search look at every leaf, is wrong in any order."""
    recipe = replace(default_recipe("reorder.leaves"), given=Given({"order": order}))
    for exercise in grow_many(recipe, "another order", 20):
        public = exercise.public
        visited = search(public.tree, public.rules, traced=False).visited
        unchanged = sum(visited[leaf] for leaf in public.tree.leaves)
        assert exercise.key not in (str(unchanged), str(len(public.tree.leaves)))


def test_deep_cutoffs_are_not_asked_about_where_definitions_disagree() -> None:
    """A tree on which a cutoff is deep by one definition only is refused; other cutoffs are asked about."""
    tree = tree_of("MAX (MIN (0 MAX (MIN (MAX (0 1) MAX (0 0)))))")
    where = kind_by_code("cut-reasons.where")
    assert "disagree" in str(where.objection(Case(tree, RULES, Given({"cuts": "deep"}))))
    assert where.objection(Case(tree, RULES, Given({"cuts": "beta"}))) is None


def test_a_node_that_is_never_entered_returns_nothing() -> None:
    """Whether the search returns the value of a pruned node is not asked."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 MAX D (4 5)))")
    inner = kind_by_code("true-false.inner-values")
    assert "never visits D" in str(inner.objection(Case(tree, RULES, Given({"node": "D"}))))
    assert inner.objection(Case(tree, RULES, Given({"node": "C"}))) is None


@pytest.mark.parametrize(
    ("code", "text", "given"),
    [
        ("feasible-pattern.possible", "MAX R (MIN J (MAX K (a b) c) MIN L (d e))", {"crossed": ["K"]}),
        ("belief-state.goal", "", {}),
    ],
)
def test_what_decides_between_two_answers_is_printed(code: str, text: str, given: dict[str, Any]) -> None:
    """A pattern names topmost branches only, and every state of a belief has to be a goal."""
    asked = exercise(code, text, **given) if text else next(grow_many(default_recipe(code), "goal", 1))
    rules = ("only its topmost branch is named", "if every state in it is a goal")
    assert any(rule in asked.public.prompt for rule in rules)


def test_far_payoffs_need_no_memory() -> None:
    """Evaluations are drawn near the values, however far the payoffs are from each other."""
    tree = tree_of(f"MAX A (MIN B ({10**27} 3) MIN C (2 -{10**27}))")
    drawn = draw_evaluations(Draw(Stream(1)), tree)
    evaluations = [drawn.attributes[node].evaluation for node in tree.internal[1:]]
    assert len(set(evaluations)) == 2
    assert all(isinstance(each, int) and abs(each) <= 10**27 for each in evaluations)


@pytest.mark.parametrize(
    ("given", "mover", "is_merged"),
    [
        ({"game": "tictactoe", "position": "XO.X.O..."}, "MAX", False),
        ({"game": "tictactoe", "position": "X.......O"}, "MAX", True),
        ({"game": "connect-four", "position": "...X/...O/.XXO/OOXX"}, "MIN", False),
    ],
)
def test_a_tree_of_positions_says_what_it_leaves_out(
    given: Mapping[str, Any], mover: str, is_merged: bool
) -> None:
    """Who moves is stated, symmetric moves only where some are left out, and no node is called as a move."""
    given = Given({"evaluation": "open-lines"} | given)
    tree = two_ply_tree(board_of(given))
    conventions = kind_by_code("board-position.values").prompt(Case(tree, RULES, given), ENGLISH).conventions
    assert f"{mover} is to move, and the tree shows the next two plies." in conventions
    assert any("symmetric" in sentence for sentence in conventions) == is_merged
    moves = {move.upper() for move in tree.moves if move}
    assert not moves & {tree.names[node] for node in tree.internal}


@pytest.mark.parametrize(
    ("code", "text", "given"),
    [
        ("search-budget.states", "", {"squares": 2, "moves": 2, "counted": "positions"}),
        ("search-budget.states", "", {"squares": 1, "moves": 1, "counted": "sequences"}),
        ("search-budget.depth", "", {"seconds": 1, "rate": 2, "branching": 4, "model": Model.KNUTH_MOORE}),
        ("reorder.leaves", "MAX A (3 4)", {}),
        ("true-false.order", "MAX A (MIN B (3))", {}),
    ],
)
def test_one_of_a_thing_is_singular(code: str, text: str, given: dict[str, Any]) -> None:
    """Where a question or its solution counts one thing, its noun is in the singular."""
    tree = tree_of(text) if text else EMPTY
    asked = make_exercise(kind_by_code(code), tree, RULES, given=Given(given))
    wording = asked.public.wording
    steps = asked.kind.worked_solution.steps(asked.solved())
    sentences = " ".join((wording.question, *wording.conventions, *steps))
    assert re.search(r"\b1 (leaf|ply|move|square|way)\b", sentences)
    assert not re.search(r"(?<!− )\b1 (leaves|plies|moves|squares|ways|nodes|children)", sentences)


def test_one_decimal_place_is_singular() -> None:
    """With one digit the marking rule of a key speaks of one decimal place."""
    for kind in (kind_by_code("root-value"), kind_by_code("node-values")):
        asked = make_exercise(kind, tree_of(TEXTBOOK), RULES, Terms(digits=1))
        assert "at least 1 decimal place." in marking_guide(asked)


def test_one_leaf_after_the_first_is_singular() -> None:
    """Of one leaf that counts in an order the reason for the points speaks in the singular."""
    tree, terms = tree_of("MAX A (MIN B (3 4) MIN C (5 2))"), Terms(policy=Policy("net"))
    asked = make_exercise(kind_by_code("visiting-order"), tree, RULES, terms)
    why = credit_explanation(asked, mark(asked, "1 2 3"), ENGLISH.points)
    assert why.startswith("Of the 1 leaf after")


# Objections, boards and rules in rare cases


def test_every_square_of_a_board_is_counted() -> None:
    """Tic-tac-toe has nine squares, connect four a move for each column, and nim has none."""
    belief = kind_by_code("board-position.legal").beliefs["every-square"]
    for game, position, count in (("tictactoe", "XO.......", 9), ("nim", "3 4", None)):
        found = belief(Case(EMPTY, RULES, Given({"game": game, "position": position})))
        assert found == (None if count is None else Numeral(count))


@pytest.mark.parametrize("position", ["1 2", "1 2 MIN", "2 2 3", "2 2 3 MIN"])
def test_both_players_have_a_best_move_in_nim(position: str) -> None:
    """The two ways to the key agree, whoever is to move."""
    kind, case = (
        kind_by_code("board-position.move"),
        Case(EMPTY, RULES, Given({"game": "nim", "position": position})),
    )
    assert kind.key(case) == kind.independent_key(case)


def test_chance_cuts_are_asked_of_whole_games_of_two_players() -> None:
    """Of games of several players and of trees up to a depth limit they are not asked."""
    objection = kind_by_code("chance-cuts").objection
    several = tree_of("P1 A (CHANCE B (1/2: <1, 2>, 1/2: <3, 4>) <4, 5>)")
    assert objection(Case(several, RULES)) == "the game has several players"
    limited = Case(tree_of("MAX A (CHANCE B (1/2: 1, 1/2: 3) 4)"), Rules(depth=1))
    assert "depth limit" in str(objection(limited))


@pytest.mark.parametrize("text", ["MIN A (MAX B (3 5) MAX C (2 4))", "MAX A (MIN B (3 5))"])
def test_the_best_move_of_max_is_asked_where_max_has_a_choice(text: str) -> None:
    """MAX must move at the root, to one of several children."""
    case = Case(tree_of(text), RULES)
    assert kind_by_code("imperfect-opponent.best-move").objection(case) == "MAX has no choice at the root"


def test_equal_bounds_leave_nothing_to_search() -> None:
    """A question about a search is refused if the bounds are equal, and asked if they are not."""
    kind, tree = kind_by_code("pruned-paths"), tree_of("MAX A (MIN B (3 3) MIN C (3 3))")
    assert kind.root_window_objection(Case(tree, Rules(bounds=(3, 4)))) is None
    assert "bounds are equal" in str(kind.root_window_objection(Case(tree, Rules(bounds=(3, 3)))))


def test_ties_with_a_bound_are_ties() -> None:
    """Without equal payoffs, the tie rule still matters where a payoff equals a bound."""
    kind, case = kind_by_code("pruned-paths"), Case(tree_of("MAX A (5 2 4)"), Rules(bounds=(0, 5)))
    assert kind.key(case) == {2, 3}
    assert kind.beliefs[TIE_BELIEFS["cut"]](case) == frozenset()


def test_a_table_alone_is_merged_into_itself() -> None:
    """Tables with the same rows become one; without tables there is none."""
    state = GivenColumn("State", ("1", "2"))
    tables = [GivenTable("A world.", (state, GivenColumn(name, ("–", "2")))) for name in ("push", "pull")]
    assert merge_tables([]) is None
    assert merge_tables(tables[:1]) == tables[0]
    assert merge_tables(tables) == GivenTable("A world.", (*tables[0].columns, tables[1].columns[1]))


def test_the_topmost_node_alone_needs_no_reason() -> None:
    """A correct branch is explained only if the reply has other nodes for it."""
    asked = exercise("pruned-branches", "MAX A (MIN B (3 12) MIN C (2 MAX D (5 6)))")
    node = asked.public.tree.index["D"]
    assert asked.kind.reason(asked.solved(), Item(node, "D", "D", "right")) is None
    reason = asked.kind.reason(asked.solved(), Item(node, "5 6", "D", "right"))
    assert reason is not None


def test_an_order_is_compared_with_a_correct_one() -> None:
    """Whoever orders the children wrongly reads how many leaves are visited in both orders."""
    asked = exercise("reorder.order", "MAX A (MIN B (1 2) MIN C (3 4))", leaves="fewest")
    sentences = told(asked, "A: B C")
    assert "With your order, the search visits 4 leaves." in sentences
    assert "the number of leaves visited is 3" in sentences


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Rules(window=(1, 4)), "The search starts at the root with alpha = 1 and beta = 4."),
        (
            Rules(window=(1, 4), bounds=(0, 9)),
            "All payoffs are from 0 to 9. The search starts at the root with alpha = 1 and beta = 4.",
        ),
    ],
)
def test_bounds_and_a_window_are_stated(rules: Rules, sentence: str) -> None:
    """The window is stated with the limits of the payoffs if these are known."""
    assert payoff_bounds_sentence(Case(tree_of("MAX A (MIN B (3 5) 4)"), rules), ENGLISH) == sentence


def test_nodes_are_dropped_one_by_one() -> None:
    """Each time that node is dropped without which the best-paid mistake earns least."""
    random = Random("dropped")
    for _ in range(60):
        nodes = list(range(1, random.randint(4, 7)))
        rows = [
            {node: random.choice(((0, 1), (0, 2), (1, 2), (2, 2))) for node in nodes}
            for _ in range(random.randint(1, 3))
        ]

        def earned(kept: list[int], rows: list[dict[int, tuple[int, int]]] = rows) -> float:
            return max(
                sum(row[node][0] for node in kept) / sum(row[node][1] for node in kept) for row in rows
            )

        kept, choices = nodes, [nodes]
        while len(kept) > 2:
            kept = min(([other for other in kept if other != node] for node in kept), key=earned)
            choices.append(kept)
        assert revealing_nodes(nodes, rows, 2, len(nodes)) == min(choices, key=earned)
