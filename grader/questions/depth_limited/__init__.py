"""What does a depth-limited search find?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from grader.answers.count import count_form
from grader.answers.form import Item
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.depth_limited.known_bounds import BOUNDS
from grader.questions.depth_limited.legal_evaluations import CATEGORY, LEGAL
from grader.questions.depth_limits import (
    BACKED_UP_CAPTION,
    at_depth,
    depth_limit_objection,
    draw_flip,
    draw_where_beliefs_differ,
    features_objection,
    flip_depth,
    flip_objection,
    has_features,
    independent_flip_depth,
    independent_move,
    independent_value,
    limited_move_objection,
    move_at,
    move_swapped,
    searched_depth,
    truncate_tree,
    value_at_depth,
    value_swapped,
    values_at,
    with_changed_weights,
    with_features,
)
from grader.questions.iterations import draw_evaluations
from grader.questions.key_picture import KeyPicture, line_of_play, picture_of_values
from grader.questions.kind import BeliefKey, Kind
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution, value_steps, why_line
from grader.questions.wording import (
    asks,
    game_sentences,
    probability_sentences,
)
from grader.solvers.explaining.node_wording import bracket_factor, node_name
from grader.solvers.explaining.value_reasons import evaluation_text as said_of_features
from grader.trees.tree import Tree

# What students read -----------------------------------------------------------------------------------

QUESTION_VALUE = Phrase("What is the minimax value of {node} in a search to depth {depth}?")
QUESTION_MOVE = Phrase("Which move does {player} choose at {node} after a search to depth {depth}?")
QUESTION_FLIP = Phrase("At which search depth does the best move for {player} at {node} first change?")

DEPTH_DEFINITION = Phrase(
    "A search to depth d looks d plies ahead. "
    "The value of a node at that depth is its static evaluation; the value of a leaf is its payoff."
)
GIVEN_EVALUATION = Phrase("The number labeled eval at an inner node is its static evaluation.")
WEIGHTED_FEATURES = Phrase(
    "Some nodes are labeled f, followed by the features f1, f2, ... of the position. "
    "The static evaluation of such a node is the weighted sum {sum}."
)
DEEPER_AND_DEEPER = Phrase("The tree is searched to depth 1, 2, 3, ... in turn.")
BEST_MOVE_AT_DEPTH, BEST_MOVES_AT_DEPTH = plural_phrase(
    "At depth {depth}, the best move is {move}, worth {value}.",
    "At depth {depth}, the best moves are {move}, worth {value}.",
)
WHY_FLIP = Phrase("The best move first changes at depth {depth}.")
MOVES_AT_DEPTH = Phrase("depth {depth}: {moves}")
VALUE_AT_DEPTH = Phrase("depth {depth}: {value}")
CAPTION_FLIP = Phrase(
    "The best move for each search depth is shown next to the root, and the values are shown at its children."
)

# How depth-limited questions are asked and explained --------------------------------------------------

PLIES = count_form(
    one="ply depth level", many=Phrase("plies"), among=lambda tree: max(tree.depths, default=0), least=1
)
LATER_PLIES = replace(
    PLIES, numbers_choices=False, answer_count=lambda _key, tree: max(tree.depths, default=1) - 1
)
"""Depths from 2 on: a change of the best move is seen by comparison with the depth before."""


def _evaluation(case: Case, language: Language) -> str:
    """Say how a node at the depth limit is evaluated."""
    tree = case.tree
    weights = tree.header.weights
    if weights is None or not has_features(tree):
        return language.say(GIVEN_EVALUATION)
    factors = [bracket_factor(language.number(weight)) for weight in weights]
    terms = [f"{factor} × f{place}" for place, factor in enumerate(factors, 1)]
    return language.say(WEIGHTED_FEATURES, sum=" + ".join(terms))


def _ask(question: Phrase, case: Case, language: Language) -> str:
    """Ask about the root and a search to the given depth."""
    root = {"player": case.tree.players[0], "node": node_name(case.tree, 0, language)}
    return language.say(question, depth=searched_depth(case), **root)


_CONVENTIONS = (game_sentences, probability_sentences, _evaluation, DEPTH_DEFINITION)


def _truncated(solved: SolvedExercise) -> SolvedExercise:
    """Return the exercise about the tree as the depth-limited search sees it."""
    tree = truncate_tree(solved.tree, searched_depth(solved.case))
    return replace(solved, case=replace(solved.case, tree=tree))


def _value_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain the evaluations at the depth limit and the values backed up from them."""
    tree, depth = solved.tree, searched_depth(solved.case)
    evaluations = (
        said_of_features(tree, node, solved.language)
        for node in tree.internal
        if tree.depths[node] == depth and _has_features(tree, node)
    )
    return (*evaluations, *value_steps(_truncated(solved)))


def _has_features(tree: Tree, node: int) -> bool:
    """Return whether the evaluation of a node has to be computed from its features."""
    attributes = tree.attributes[node]
    return attributes is not None and attributes.evaluation is None and bool(attributes.features)


def _decisions(solved: SolvedExercise) -> tuple[str, ...]:
    """Say which move is best at each depth."""
    tree, language, decisions = solved.tree, solved.language, []
    for depth in range(1, max(tree.depths) + 1):
        places = sorted(move_at(tree, depth))
        decisions.append(
            language.say(
                BEST_MOVE_AT_DEPTH,
                BEST_MOVES_AT_DEPTH,
                len(places),
                depth=depth,
                move=language.join_and([solved.node_title(tree.children[0][place]) for place in places]),
                value=language.number(value_at_depth(tree, depth).value),
            )
        )
    return tuple(decisions)


def _why_flip(solved: SolvedExercise, item: Item) -> Reason | None:
    depth = int(solved.key.value)
    return Reason(paragraph(*_decisions(solved)[:depth], solved.language.say(WHY_FLIP, depth=depth)))


def _picture_at_limit(solved: SolvedExercise) -> KeyPicture:
    """Show the values of a search to this depth; nothing below the limit has a value."""
    tree, depth = solved.tree, searched_depth(solved.case)
    values = values_at(tree, depth)
    return picture_of_values(
        tree, values, solved.language.say(BACKED_UP_CAPTION, depth=depth), line_of_play(tree, values)
    )


def _picture_of_flip(solved: SolvedExercise) -> KeyPicture:
    """Show the best move at each depth next to the root, and the values that decide it at its children."""
    tree, language = solved.tree, solved.language
    notes: dict[int, list[str]] = {node: [] for node in (0, *tree.children[0])}
    for depth in range(1, max(tree.depths) + 1):
        best, values = move_at(tree, depth), values_at(tree, depth)
        names = " ".join(tree.names[tree.children[0][place]] for place in sorted(best))
        notes[0].append(language.term(MOVES_AT_DEPTH, depth=depth, moves=names))
        for child in tree.children[0]:
            value = values[child]
            assert value is not None, "a child of the root is within every limit"
            notes[child].append(language.term(VALUE_AT_DEPTH, depth=depth, value=solved.value_text(value)))
    return KeyPicture(
        tree,
        language.say(CAPTION_FLIP),
        shows_backed_up_values=False,
        notes={node: tuple(lines) for node, lines in notes.items()},
    )


_SUMS = WorkedSolution(_value_steps)

_VALUE_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    "whole-tree": at_depth(value_at_depth, None),
    "one-ply-early": at_depth(value_at_depth, -1),
    "players-swapped": value_swapped,
}
_MOVE_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    "whole-tree": at_depth(move_at, None),
    "one-ply-early": at_depth(move_at, -1),
    "players-swapped": move_swapped,
}
_FEATURE_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    "whole-tree": at_depth(value_at_depth, None),
    "players-swapped": value_swapped,
    "weights-ignored": with_changed_weights(lambda _weight: 1),
    "weight-sign-ignored": with_changed_weights(abs),
}


VALUE = Kind(
    ask="value",
    given_names=("depth",),
    question="What is the value of the root in a depth-limited search?",
    form=NUMBER,
    objection=depth_limit_objection,
    draw=draw_where_beliefs_differ(draw_evaluations, value_at_depth, _VALUE_BELIEFS, depth_limit_objection),
    prompt=asks(partial(_ask, QUESTION_VALUE), *_CONVENTIONS),
    key=lambda case: value_at_depth(case.tree, searched_depth(case)),
    independent_key=independent_value,
    beliefs=_VALUE_BELIEFS,
    worked_solution=_SUMS,
    key_picture=_picture_at_limit,
)
MOVE_AT_DEPTH = Kind(
    ask="move",
    given_names=("depth",),
    question="Which move does a depth-limited search choose?",
    form=MOVE,
    objection=limited_move_objection,
    draw=draw_where_beliefs_differ(draw_evaluations, move_at, _MOVE_BELIEFS, limited_move_objection),
    prompt=asks(partial(_ask, QUESTION_MOVE), *_CONVENTIONS),
    key=lambda case: move_at(case.tree, searched_depth(case)),
    independent_key=independent_move,
    beliefs=_MOVE_BELIEFS,
    explain_item=lambda solved, item: why_line(_truncated(solved), item, choices=1),
    worked_solution=_SUMS,
    key_picture=_picture_at_limit,
)
FLIP = Kind(
    ask="flip",
    question="At which depth does the best move change?",
    form=LATER_PLIES,
    objection=flip_objection,
    draw=draw_flip,
    prompt=asks(QUESTION_FLIP, *_CONVENTIONS, DEEPER_AND_DEEPER),
    key=lambda case: flip_depth(case.tree),
    independent_key=independent_flip_depth,
    beliefs={
        "before-the-change": lambda case: Numeral(flip_depth(case.tree).value - 1),
        "after-the-change": lambda case: Numeral(flip_depth(case.tree).value + 1),
    },
    explain_item=_why_flip,
    worked_solution=WorkedSolution(_decisions),
    key_picture=_picture_of_flip,
)
FEATURES = replace(
    VALUE,
    ask="features",
    question="What is the value of the root if the evaluation function is a weighted sum of features?",
    objection=features_objection,
    draw=draw_where_beliefs_differ(with_features, value_at_depth, _FEATURE_BELIEFS, features_objection),
    beliefs=_FEATURE_BELIEFS,
)
KINDS = (VALUE, MOVE_AT_DEPTH, FLIP, FEATURES, CATEGORY, LEGAL, BOUNDS)
