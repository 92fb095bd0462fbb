"""What does a search find that stops early and evaluates where it stops?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from grader.answers.count import count_form
from grader.answers.form import Item
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.paths import PATHS
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.depth_limited import known_bounds
from grader.questions.depth_limited.legal_evaluations import CATEGORY, LEGAL
from grader.questions.depth_limits import (
    BACKED_UP_CAPTION,
    at_depth,
    depth_limit_objection,
    depth_of,
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
    truncate_tree,
    value_at,
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
    Prompt,
    ask_pruned_leaves,
    game_sentences,
    probability_sentences,
    pruning_sentence,
)
from grader.solvers.explaining.node_wording import bracket_factor, node_name
from grader.solvers.explaining.value_reasons import evaluation_text as said_of_features
from grader.trees.tree import Tree

PLIES = count_form(
    one="ply depth level", many=Phrase("plies"), among=lambda tree: max(tree.depths, default=0), least=1
)
LATER_PLIES = replace(PLIES, answer_count=lambda _key, tree: max(tree.depths, default=1) - 1)
"""Those before which there is a depth to compare with."""

_EVALUATED = Phrase("The number marked eval at an inner node is its static evaluation.")


def _evaluation(tree: Tree, language: Language) -> tuple[str, ...]:
    """How a node at the limit is evaluated."""
    weights = tree.header.weights
    if weights is None or not has_features(tree):
        return (language.say(_EVALUATED),)
    numbers = [bracket_factor(language.number(weight)) for weight in weights]
    weighed = [f"{number} × f{place}" for place, number in enumerate(numbers, 1)]
    return (
        language.say(
            "Some nodes are marked f with the features f1, f2, ... of the position. "
            "The static evaluation of such a node is the weighted sum {sum}.",
            sum=" + ".join(weighed),
        ),
    )


def _states(tree: Tree, language: Language) -> tuple[str, ...]:
    return (
        *game_sentences(tree, language),
        *probability_sentences(tree, language),
        *_evaluation(tree, language),
        language.say(
            "A search to depth d looks d plies ahead. "
            "The value of a node at that depth is its static evaluation; the value of a leaf is its payoff."
        ),
    )


def _prompt(asked: Phrase, case: Case, language: Language) -> Prompt:
    asks = language.say(
        asked, player=case.tree.players[0], node=node_name(case.tree, 0, language), depth=depth_of(case)
    )
    return Prompt(_states(case.tree, language), asks)


_ASKS_VALUE = Phrase("What is the minimax value of {node} in a search to depth {depth}?")
_ASKS_MOVE = Phrase("Which move does {player} choose at {node} after a search to depth {depth}?")
_ASKS_FLIP = Phrase(
    "The tree is searched to depth 1, 2, 3, ... in turn. "
    "At which depth does the best move of {player} at {node} change for the first time?"
)


def _prompt_bounds(case: Case, language: Language) -> Prompt:
    settled = {
        "cut": Phrase(
            "A node is not searched if a known bound settles it. "
            "This is so if alpha is at least its upper bound, or beta is at most its lower bound."
        ),
        "keep": Phrase(
            "A node is not searched if a known bound settles it. "
            "This is so if alpha is greater than its upper bound, or beta is less than its lower bound."
        ),
    }
    states = (
        *game_sentences(case.tree, language),
        pruning_sentence(case.rules, language),
        known_bounds.bounds_sentence(case.given, language),
        language.say(settled[case.rules.ties]),
    )
    return ask_pruned_leaves(states, language)


def _cut_off(solved: SolvedExercise) -> SolvedExercise:
    """The tree as the search sees it, solved."""
    tree = truncate_tree(solved.tree, depth_of(solved.case))
    return replace(solved, case=replace(solved.case, tree=tree))


def _value_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """How features become evaluations at the depth limit, and these the value of the root."""
    tree, depth = solved.tree, depth_of(solved.case)
    weighed = (
        said_of_features(tree, node, solved.language)
        for node in tree.internal
        if tree.depths[node] == depth and _has_features(tree, node)
    )
    return (*weighed, *value_steps(_cut_off(solved)))


def _has_features(tree: Tree, node: int) -> bool:
    """Whether the evaluation of a node is still to be worked out."""
    attributes = tree.attributes[node]
    return attributes is not None and attributes.evaluation is None and bool(attributes.features)


def _decisions(solved: SolvedExercise) -> tuple[str, ...]:
    """The best move at each depth."""
    tree, language, said = solved.tree, solved.language, []
    for depth in range(1, max(tree.depths) + 1):
        places = sorted(move_at(tree, depth))
        said.append(
            language.say(
                "At depth {depth} the best move is {move}, worth {value}.",
                "At depth {depth} the best moves are {move}, worth {value}.",
                len(places),
                depth=depth,
                move=language.join_and([solved.node_title(tree.children[0][place]) for place in places]),
                value=language.number(value_at(tree, depth).value),
            )
        )
    return tuple(said)


def _why_flip(solved: SolvedExercise, item: Item) -> Reason | None:
    depth = int(solved.key.value)
    first = solved.language.say("So the best move first changes at depth {depth}.", depth=depth)
    return Reason(paragraph(*_decisions(solved)[:depth], first))


def _picture_at_limit(solved: SolvedExercise) -> KeyPicture:
    """The tree with what a search to the depth makes of it: nothing below the limit has a value."""
    tree, depth = solved.tree, depth_of(solved.case)
    values = values_at(tree, depth)
    return picture_of_values(
        tree, values, solved.language.say(BACKED_UP_CAPTION, depth=depth), line_of_play(tree, values)
    )


def _picture_of_flip(solved: SolvedExercise) -> KeyPicture:
    """The tree with the best move at each depth beside its root."""
    tree, language = solved.tree, solved.language
    told = tuple(
        language.term(
            "depth {depth}: {moves}",
            depth=depth,
            moves=" ".join(tree.names[tree.children[0][place]] for place in sorted(move_at(tree, depth))),
        )
        for depth in range(1, max(tree.depths) + 1)
    )
    caption = language.say("Next to the root: the best move for each search depth.")
    return KeyPicture(tree, caption, shows_backed_up_values=False, notes={0: told})


_SUMS = WorkedSolution(_value_steps, _value_steps)

_VALUE_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    "whole-tree": at_depth(value_at, None),
    "one-ply-early": at_depth(value_at, -1),
    "players-swapped": value_swapped,
}
_MOVE_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    "whole-tree": at_depth(move_at, None),
    "one-ply-early": at_depth(move_at, -1),
    "players-swapped": move_swapped,
}
_FEATURE_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    "whole-tree": at_depth(value_at, None),
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
    draw=draw_where_beliefs_differ(draw_evaluations, value_at, _VALUE_BELIEFS, depth_limit_objection),
    prompt=partial(_prompt, _ASKS_VALUE),
    key=lambda case: value_at(case.tree, depth_of(case)),
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
    prompt=partial(_prompt, _ASKS_MOVE),
    key=lambda case: move_at(case.tree, depth_of(case)),
    independent_key=independent_move,
    beliefs=_MOVE_BELIEFS,
    explain_item=lambda solved, item: why_line(_cut_off(solved), item, choices=1),
    worked_solution=_SUMS,
    key_picture=_picture_at_limit,
)
FLIP = Kind(
    ask="flip",
    question="At which depth does the best move change?",
    form=LATER_PLIES,
    objection=flip_objection,
    draw=draw_flip,
    prompt=partial(_prompt, _ASKS_FLIP),
    key=lambda case: flip_depth(case.tree),
    independent_key=independent_flip_depth,
    beliefs={
        "before-the-change": lambda case: Numeral(flip_depth(case.tree).value - 1),
        "after-the-change": lambda case: Numeral(flip_depth(case.tree).value + 1),
    },
    explain_item=_why_flip,
    worked_solution=WorkedSolution(_decisions, _decisions),
    key_picture=_picture_of_flip,
)
FEATURES = replace(
    VALUE,
    ask="features",
    question="What is the value of the root if positions are evaluated by a weighted sum of features?",
    objection=features_objection,
    draw=draw_where_beliefs_differ(with_features, value_at, _FEATURE_BELIEFS, features_objection),
    beliefs=_FEATURE_BELIEFS,
)
BOUNDS = Kind(
    ask="bounds",
    given_names=("known",),
    question="Which leaves are pruned if bounds are known at some nodes?",
    form=PATHS,
    objection=known_bounds.bounds_objection,
    draw=known_bounds.draw_bounds,
    prompt=_prompt_bounds,
    key=known_bounds.pruned_by_bounds,
    independent_key=known_bounds.independent_pruned,
    beliefs=known_bounds.BELIEFS,
    explain_item=known_bounds.explain_pruned_by_bounds,
    worked_solution=WorkedSolution(known_bounds.bounds_steps, known_bounds.bounds_steps),
    key_picture=known_bounds.bounds_picture,
)
KINDS = (VALUE, MOVE_AT_DEPTH, FLIP, FEATURES, CATEGORY, LEGAL, BOUNDS)
