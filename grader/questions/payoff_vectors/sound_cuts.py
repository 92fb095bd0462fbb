"""Cuts in games of three players: whether one is sound, which `payoff-vectors.cut` asks."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from grader.answers.truth import TRUTH
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.payoff_vectors.several_players import (
    MAX_DRAWS,
    draw_constant_sum_vectors,
    has_unique_best_moves,
    players_by_level,
    players_objection,
    players_sentences,
    tie_sentence,
    vectors_of_leaves,
)
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.search_answers import search_objection
from grader.questions.wording import LEAF_NUMBER_RULE, asks
from grader.solvers.explaining.node_wording import node_title, value_list, value_text
from grader.solvers.maxn import maxn
from grader.solvers.maxn_cuts import can_be_pruned, can_be_pruned_by_trial, possible_root_values
from grader.trees.tree import Tree, Vector

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("True or false: it is sound to prune the branch to {node} without visiting it.")
KNOWN_SUM = Phrase(
    "It is known in advance that no payoff is negative and that the payoffs at each leaf sum to {total}. "
    "They need not be whole numbers."
)
DEFINITION = Phrase(
    "Pruning a branch is sound if the payoffs below it cannot affect the payoffs that the players get in "
    "the whole game."
)

WHY_COUNTEREXAMPLE = Phrase(
    "For example, with the payoffs {payoffs} at {node}, play reaches this branch, and the players get these "
    "payoffs. So the statement is false."
)
WHY_BRANCH_DECIDES = Phrase(
    "The payoffs at {node} determine which of {values} the players get. So the statement is false."
)
WHY_SOUND = Phrase("Whatever the payoffs at {node} are, the players get {value}. So the statement is true.")

TOTAL = 10
"""What the payoffs of a leaf sum to where a cut is asked about."""


def _cut_objection(case: Case) -> str | None:
    """Return why it cannot be asked whether the branch may be cut, or None.

    The tree must be a game of three players without chance, whose payoffs are whole, not negative, and have
    the given sum at every leaf; the branch must exist.
    """
    tree = case.tree
    if why := players_objection(case):
        return why
    if tree.has_chance:
        return "the tree has chance nodes, and max^n has no known cuts below them"
    if tree.seats != 3:
        return "only cuts in games of three players are asked about"
    vectors, total = vectors_of_leaves(tree), case.given.get("total")
    if not isinstance(total, int) or not 1 <= total <= 2 * TOTAL:
        return f'it is not given what the payoffs of a leaf sum to, at most {2 * TOTAL}: {{"total": {TOTAL}}}'
    if any(sum(vector) != total or min(vector) < 0 for vector in vectors):
        return f"the payoffs of some leaf do not sum to {total}, or one of them is below 0"
    if any(Fraction(number).denominator > 1 for vector in vectors for number in vector):
        return "some payoff is not whole"
    if tree.index.get(case.given.text("branch"), 0) == 0:
        return 'it is not given which branch may be cut, by the name of the node below it: {"branch": "C"}'
    return None


def _branch(case: Case) -> int:
    return case.tree.index[case.given["branch"]]


def _question(case: Case, language: Language) -> str:
    return language.say(QUESTION, node=node_title(case.tree, _branch(case), language))


def _numbering_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say how leaves are numbered if the branch leads to a leaf without a name."""
    branch = _branch(case)
    return () if case.tree.children[branch] or case.tree.given[branch] else (language.say(LEAF_NUMBER_RULE),)


def _sound(case: Case) -> bool:
    return can_be_pruned(case.tree, _branch(case), case.given["total"])


def _seems_sound_by_sum(case: Case) -> bool:
    """Check shallow pruning by the sum: the rest of the total is at most what a player farther up has."""
    total = case.given["total"]
    return any(
        seat != own and total - best[own] <= has for own, best, seat, has in _bounds(case.tree, _branch(case))
    )


def _seems_sound_for_two_players(case: Case) -> bool:
    """Check pruning as with two players: the best choice so far gives a player farther up no more."""
    return any(best[seat] <= has for _, best, seat, has in _bounds(case.tree, _branch(case)))


def _bounds(tree: Tree, branch: int) -> Iterator[tuple[int, Vector, int, Number]]:
    """Yield bounds from the branches to the left of this one and of its ancestors.

    Each has the player above the branch, its best payoffs so far, and another player farther up with the
    payoff that it has so far.
    """
    values, parent = maxn(tree), tree.parents[branch]
    own = _seat(tree, parent)
    elder = [values[child] for child in tree.children[parent] if child < branch]
    best = max(elder, key=lambda vector: vector[own], default=None)
    if best is None:
        return
    for node, above in pairwise((parent, *tree.ancestors(parent))):
        seat = _seat(tree, above)
        has = [values[child][seat] for child in tree.children[above] if child < node]
        if has and seat != own:
            yield own, best, seat, max(has)


def _seat(tree: Tree, node: int) -> int:
    player = tree.players[node]
    return 0 if player is None or player.seat is None else player.seat


def _draw_cut(draw: Draw, case: Case) -> Case | None:
    """Draw a cutoff that seems to apply, sound or unsound with equal probability."""
    tree = case.tree
    if search_objection(case) is not None:
        return None
    (seated, _), is_sound = players_by_level(tree, 3), draw.choose((True, False))
    younger = [node for node in range(1, len(tree)) if _is_youngest(tree, node) and tree.parents[node]]
    for _ in range(MAX_DRAWS if younger else 0):
        game = seated.with_payoffs(draw_constant_sum_vectors(draw, tree, 3, TOTAL))
        given = Given({"branch": game.names[draw.choose(younger)], "total": TOTAL})
        candidate = Case(game, case.rules, given)
        seems_to_prune = _seems_sound_by_sum if is_sound else _seems_sound_for_two_players
        if seems_to_prune(candidate) and _sound(candidate) is is_sound and has_unique_best_moves(game):
            return candidate
    return None


def _is_youngest(tree: Tree, node: int) -> bool:
    siblings = tree.children[tree.parents[node]]
    return len(siblings) > 1 and siblings[-1] == node


def _explain_cut(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain which results are possible when the payoffs below the branch are unknown."""
    tree, language, given = solved.tree, solved.language, solved.given
    branch = _branch(solved.case)
    values, counterexample = possible_root_values(tree, branch, given["total"])
    node = node_title(tree, branch, language)
    if counterexample is not None:
        reason = language.say(WHY_COUNTEREXAMPLE, node=node, payoffs=value_text(counterexample, language))
    elif len(values) > 1:
        reason = language.say(WHY_BRANCH_DECIDES, node=node, values=value_list(sorted(values), language))
    else:
        reason = language.say(WHY_SOUND, node=node, value=value_text(next(iter(values)), language))
    return (reason,)


CUT = Kind(
    ask="cut",
    given_names=("branch", "ties", "total"),
    question="Is it sound to prune a branch in a three-player game?",
    form=TRUTH,
    objection=_cut_objection,
    prompt=asks(_question, players_sentences, tie_sentence, _numbering_sentences, KNOWN_SUM, DEFINITION),
    key=_sound,
    independent_key=lambda case: can_be_pruned_by_trial(case.tree, _branch(case), case.given["total"]),
    beliefs={
        "deep-cut-of-several": only_where_wrong(_sound, _seems_sound_by_sum),
        "two-player-cut": only_where_wrong(_sound, _seems_sound_for_two_players),
        "never-cut-of-several": only_where_wrong(_sound, constant_key(False)),
    },
    worked_solution=WorkedSolution(_explain_cut),
    draw=_draw_cut,
)
