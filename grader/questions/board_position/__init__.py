"""What follows from a position on a board: its moves, its value, and what a search finds?"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import get_args

from grader.answers.paths import PATHS
from grader.answers.table import TABLE, Table
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.board_position.board_play import BEST_MOVE, EVALUATION, VALUE
from grader.questions.board_position.board_questions import (
    Classify,
    draw_board,
    draw_evaluation_name,
    over_objection,
)
from grader.questions.board_position.board_rules import LEGAL, MOVER, OVER, RESULT, UTILITY_KIND
from grader.questions.board_position.board_signs import evaluate_leaves_by_signs
from grader.questions.board_position.boards import (
    Board,
    board_given,
    board_objection,
    board_of,
    evaluation_sentences,
    position_sentences,
    two_ply_tree,
    with_move_labels,
    without_payoffs,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import BeliefKey, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import (
    SEARCH_SOLUTION,
    VALUE_SOLUTION,
    SolvedExercise,
    Steps,
    why_node_value,
    why_pruned,
)
from grader.questions.search_answers import pruned_leaves, search_beliefs
from grader.questions.shared_given import share_given
from grader.questions.value_answers import mistaken_numbers, table_by_search, value_table
from grader.questions.wording import ASK_ALL_VALUES, asks, asks_for_pruned_leaves, search_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.search_choice import search
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules, Ties
from grader.trees.tree import Tree

NEXT_TWO_PLIES = Phrase("{player} is to move, and the tree shows the next two plies.")
MERGED_MOVES = Phrase("If several moves are symmetric, the tree shows only one of them.")
EVALUATED_LEAVES = Phrase("The value of a leaf is the evaluation of its position.")


@lru_cache(maxsize=2048)
def _filled(given: Given) -> Tree:
    """Return the tree with the values of its leaves."""
    return two_ply_tree(board_of(given))


def _objection(case: Case) -> str | None:
    """Return why the case cannot be asked, or None.

    The board must be valid, unfinished and have an evaluation, and the tree must have exactly its next two
    plies, up to symmetry.
    """
    tree, given = case.tree, case.given
    if reason := board_objection(given) or over_objection(board_of(given), given):
        return reason
    if board_of(given).evaluation is None:
        return "no evaluation is given"
    if not 2 < len(tree) < LARGE_TREE_NODES:
        return "the tree of two plies is not given"
    filled = _filled(given)
    same = (tree.parents, tree.attributes) == (filled.parents, filled.attributes)
    return None if same else "the tree is not what follows the position in two plies, up to symmetry"


LARGE_TREE_NODES = 200


def _merged_moves_sentence(case: Case, language: Language) -> str:
    """Say that the tree leaves out symmetric moves; empty if it shows all moves."""
    board = board_of(case.given)
    is_whole = len(two_ply_tree(board, merged=False)) == len(case.tree)
    return "" if is_whole else language.say(MERGED_MOVES)


_CONVENTIONS = (
    position_sentences,
    NEXT_TWO_PLIES,
    _merged_moves_sentence,
    EVALUATED_LEAVES,
    evaluation_sentences,
)


def _values(case: Case) -> Table:
    filled = _filled(case.given)
    return value_table(replace(case, tree=filled), expectiminimax(filled))


def _by_signs(given: Given) -> Tree:
    """Return the tree with its leaves evaluated by the marks on their boards."""
    return evaluate_leaves_by_signs(_filled(given), board_of(given))


def _values_again(case: Case) -> Table:
    """Return the same by search, with leaves evaluated mark by mark."""
    return table_by_search(Case(_by_signs(case.given), Rules()))


def _swapped(case: Case) -> Table:
    filled = _filled(case.given)
    return value_table(replace(case, tree=filled), mistaken_numbers(filled, "players-swapped"))


def _values_by_other_evaluation(change: Callable[[Board], Tree | None], case: Case) -> Table | None:
    """Return the values of a tree that is evaluated in another way; None if `change` does not apply."""
    filled = change(board_of(case.given))
    if filled is None:
        return None
    return value_table(replace(case, tree=filled), expectiminimax(filled))


def _other_evaluation(board: Board) -> Tree | None:
    others = [each for each in board.game.evaluations if each is not board.evaluation]
    return two_ply_tree(replace(board, evaluation=others[0])) if others else None


def _evaluated_for_o(board: Board) -> Tree:
    """Return the tree with every evaluation from the side of O."""
    filled = two_ply_tree(board)
    return filled.with_payoffs(tuple(_opposite(filled.payoffs[leaf]) for leaf in filled.leaves))


def _opposite(payoff: object) -> Number:
    return -payoff if isinstance(payoff, int) else 0


def _with_evaluated_leaves(solved: SolvedExercise) -> SolvedExercise:
    """Return the exercise about the tree with the values of its leaves."""
    filled = _filled(solved.given)
    payoffs = tuple(payoff for payoff in filled.payoffs if payoff is not None)
    return replace(solved, case=replace(solved.case, tree=solved.tree.with_payoffs(payoffs)))


def _of_evaluated_tree(steps: Steps) -> Steps:
    return lambda solved: steps(_with_evaluated_leaves(solved))


def _key_picture(solved: SolvedExercise) -> KeyPicture:
    """Show the positions with their evaluations and the values backed up from them."""
    return KeyPicture(_with_evaluated_leaves(solved).tree)


TREE_SIZES = {"tictactoe": (5,), "connect-four": (9,)}
"""How many marks are on the board, so that it is MIN's turn on all papers."""

MIN_LEAVES, MAX_LEAVES = 9, 12
"""How many leaves a tree has, which students evaluate one by one; in connect four mostly nine."""


def _two_plies(board: Board) -> tuple[Tree, list[bool]] | None:
    """Return the tree of two plies, and for each inner node, the root first, whether a player has won there.

    None if the root has fewer than three moves, or the tree more or fewer leaves than `MIN_LEAVES` to
    `MAX_LEAVES`.
    """
    assert board.evaluation is not None, "trees are evaluated"
    after = [position for _, position in board.game.moves_up_to_symmetry(board.position)]
    leaves = sum(len(board.game.moves_up_to_symmetry(position)) or 1 for position in after)
    if len(after) < 3 or not MIN_LEAVES <= leaves <= MAX_LEAVES:
        return None
    filled = two_ply_tree(board)
    values = expectiminimax(filled)
    return filled, [abs(values[node]) == board.evaluation.won for node in filled.internal]


def _draw_tree(classify: Classify, stream: Draw, case: Case) -> Case | None:
    """Draw a position whose tree of two plies suits the question, or None."""
    board = draw_board(stream, TREE_SIZES, classify, is_evaluated=True)
    if board is None:
        return None
    given = board_given(board)
    return Case(with_move_labels(without_payoffs(_filled(given)), stream.language), case.rules, given)


def _has_open_root(board: Board) -> bool:
    """Return whether evaluations decide the value of the root, because no player wins within two moves."""
    found = _two_plies(board)
    return found is not None and not found[1][0]


_GIVES = ("evaluation", "game", "position")


EVALUATION_VALUES = 7
"""How many values an entry usually has, from −3 to 3: both players have about as many open lines."""

_asking = partial(
    Kind,
    given_names=_GIVES,
    draw_shared_given=share_given(board_objection, _GIVES, evaluation=draw_evaluation_name),
    annotates_tree=True,
    objection=_objection,
    key_picture=_key_picture,
    needs_tree=False,
)

VALUES: Kind[Table] = _asking(
    ask="values",
    question=(
        "What are the minimax values of the nodes in the next two plies, with static evaluations at the "
        "leaves?"
    ),
    form=replace(TABLE, from_drawing=None, answer_count=lambda _key, _tree: EVALUATION_VALUES),
    prompt=asks(ASK_ALL_VALUES, *_CONVENTIONS),
    key=_values,
    independent_key=_values_again,
    beliefs={
        "players-swapped": _swapped,
        "other-evaluation": partial(_values_by_other_evaluation, _other_evaluation),
        "side-of-o": partial(_values_by_other_evaluation, _evaluated_for_o),
    },
    explain_item=lambda solved, item: why_node_value(_with_evaluated_leaves(solved), item),
    worked_solution=VALUE_SOLUTION.change(_of_evaluated_tree),
    draw=partial(_draw_tree, _has_open_root),
)


def _searched(believed: BeliefKey[frozenset[int]]) -> BeliefKey[frozenset[int]]:
    return lambda case: believed(replace(case, tree=_filled(case.given)))


MIN_VISITED, MAX_VISITED = 4, 9
"""The number of leaves that the search evaluates; the level of a run then narrows it."""


@cache
def _suits_pruning(rules: Rules) -> Classify:
    """Return a function that checks whether a board suits a question about pruning.

    Both tie rules must prune the same leaves, `MIN_VISITED` to `MAX_VISITED` of them must be visited, and a
    player must not have won at every inner node.
    """
    either = [replace(rules, ties=ties, returns="soft") for ties in get_args(Ties)]

    def suits(board: Board) -> bool:
        """Return whether the tree of two plies of a board suits."""
        found = _two_plies(board)
        if found is None or all(found[1]):
            return False  # no search depends on evaluations
        filled, _ = found
        pruned, *others = (pruned_leaves(filled, sweep(filled, each)) for each in either)
        return others == [pruned] and MIN_VISITED <= len(filled.leaves) - len(pruned) <= MAX_VISITED

    return suits


def _draw_searched(stream: Draw, case: Case) -> Case | None:
    """Draw a tree that suits a question about pruning; None if the rules give a window."""
    return None if case.rules.narrows_root else _draw_tree(_suits_pruning(case.rules), stream, case)


PRUNED_BELIEFS = ("never-prunes", "players-swapped", "right-to-left", "one-late")
"""The misconceptions that change the answer in trees of two plies, not only because of ties."""

PRUNED_KIND: Kind[frozenset[int]] = _asking(
    ask="pruned",
    question="Which positions of the next two plies does alpha-beta search never evaluate?",
    about="search",
    form=PATHS,
    prompt=asks_for_pruned_leaves(*_CONVENTIONS, search_sentences),
    key=lambda case: pruned_leaves(
        _filled(case.given), search(_filled(case.given), case.rules, traced=False)
    ),
    independent_key=lambda case: pruned_leaves(
        _by_signs(case.given), sweep(_by_signs(case.given), case.rules)
    ),
    beliefs={name: _searched(search_beliefs(pruned_leaves, PRUNED_BELIEFS)[name]) for name in PRUNED_BELIEFS},
    explain_item=lambda solved, item: why_pruned(_with_evaluated_leaves(solved), item),
    worked_solution=SEARCH_SOLUTION.change(_of_evaluated_tree),
    draw=_draw_searched,
)

KINDS = (VALUE, BEST_MOVE, EVALUATION, VALUES, PRUNED_KIND, LEGAL, RESULT, MOVER, OVER, UTILITY_KIND)
"""The questions about a position."""
