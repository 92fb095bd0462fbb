"""Can alpha-beta search ever prune exactly these branches, and with which payoffs?"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import repeat

from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.numeral import Numeral, write_numeral
from grader.answers.payoffs import PAYOFFS, PayoffList
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.feasible_pattern.infeasible_patterns import (
    CHOICES,
    QUESTION_REASON,
    REASON_BELIEFS,
    REASONS,
    WHICH,
    crossed_nodes,
    draw_crosses,
    independent_reason,
    reason,
    reason_objection,
    reasons,
)
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import CORRECT_ANSWER, Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import (
    ANY_PAYOFFS_COUNT,
    LEAF_NUMBER_RULE,
    asks,
    mover_sentences,
    search_sentences,
)
from grader.solvers.explaining.node_wording import branch_list, node_list, node_title
from grader.solvers.explaining.steps import explain
from grader.solvers.mistaken_search import swap_players
from grader.solvers.pattern_search import can_prune_pattern
from grader.solvers.pruning_pattern import Infeasible, InfeasibleReason, payoffs_for_pattern
from grader.solvers.search_choice import search
from grader.solvers.solution import solve
from grader.solvers.sweep import sweep
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.rules import Rules
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

QUESTION_POSSIBLE = Phrase("True or false: some payoffs make alpha-beta prune exactly {branches}.")
QUESTION_PAYOFFS = Phrase("Give payoffs for which alpha-beta prunes exactly {branches}.")
TOPMOST_NAMED = Phrase(
    "For a pruned subtree, only its topmost branch is named: the node above each named branch is visited."
)
UNKNOWN_PAYOFFS = Phrase(
    "The letters at the leaves stand for unknown payoffs for MAX. Each can be any number."
)

NO_SUCH_PAYOFFS = Phrase("There are no such payoffs.")
WHY_INFEASIBLE = {
    InfeasibleReason.ROOT: Phrase("The search always visits {node}."),
    InfeasibleReason.FIRST_CHILD: Phrase(
        "{node} is the first child of a node that the search visits, so it is always visited."
    ),
    InfeasibleReason.GAP: Phrase(
        "{node} would be visited after a pruned sibling, but a cutoff prunes all remaining children."
    ),
    InfeasibleReason.NO_BOUND: Phrase(
        "When the search reaches {node}, no ancestor that belongs to the other player has a value yet, so "
        "no cutoff is possible there."
    ),
    InfeasibleReason.CONFLICT: Phrase(
        "A cutoff at {node} is possible, but not together with the earlier cutoffs."
    ),
    InfeasibleReason.FORCED: Phrase(
        "Whenever these cutoffs occur, some other child of {node} is pruned too."
    ),
}
WHY_FORCED_ANYWHERE = Phrase("Whenever these branches are pruned, other branches are pruned too.")
"""Why no payoffs achieve the pattern if the forced branches are not always at the same node."""

SUITABLE_PAYOFFS = Phrase("The payoffs {payoffs} achieve this.")
YOUR_PRUNED_BRANCHES = Phrase("With your payoffs, the search prunes {branches}.")
YOUR_PRUNED_NOTHING = Phrase("With your payoffs, the search prunes nothing.")

CAPTION_INFEASIBLE = Phrase(
    "The branches in question. There are no payoffs for which the search prunes exactly these branches."
)
CAPTION_PAYOFFS = Phrase("Payoffs that work, with the resulting search and its cutoffs.")

# The pattern --------------------------------------------------------------------------------------

MAX_PAYOFF_LEAVES = 16
"""The most leaves: students make up payoffs for them, and a key is checked by playing every search."""


def _pattern_objection(case: Case) -> str | None:
    """Return why this kind cannot ask about the case, or None.

    The tree must be a game of MAX and MIN alone that is searched to its leaves and has few enough of them.
    The crossed branches must be named in `given`, exist, and not lie below each other.
    """
    tree = case.tree
    if tree.seats or tree.has_chance:
        return "a player other than MAX and MIN moves"
    if case.rules.depth is not None:
        return "the rules have a depth limit, and this kind asks about the whole tree"
    if len(tree.leaves) > MAX_PAYOFF_LEAVES:
        return f"the tree has more than {MAX_PAYOFF_LEAVES} leaves"
    crossed = case.given.get("crossed")
    if not isinstance(crossed, list) or not crossed or not all(isinstance(name, str) for name in crossed):
        return "no list of crossed branches is given"
    stray = [name for name in crossed if tree.index.get(name, 0) == 0]
    if stray:
        return f"there is no branch above a node {stray[0]}"
    nodes = crossed_nodes(case)
    if any(nodes & set(tree.ancestors(node)) for node in nodes):
        return "a crossed branch lies below another one"
    return None


@lru_cache(maxsize=64)
def _pattern(case: Case) -> tuple[Numeral, ...] | Infeasible:
    found = payoffs_for_pattern(case.tree, case.rules.order, crossed_nodes(case))
    return found if isinstance(found, Infeasible) else tuple(map(Numeral, found))


def _filled(tree: Tree, payoffs: PayoffList) -> Tree:
    return tree.with_payoffs(tuple(payoff.value for payoff in payoffs))


def _pruned_by(tree: Tree, rules: Rules, payoffs: PayoffList) -> frozenset[int]:
    """Return the branches that are pruned with these payoffs."""
    return frozenset(pruned_branches(tree, search(_filled(tree, payoffs), rules, traced=False).visited))


_CONVENTIONS = (mover_sentences, UNKNOWN_PAYOFFS, search_sentences, LEAF_NUMBER_RULE, TOPMOST_NAMED)


def _ask(question: Phrase, case: Case, language: Language) -> str:
    return language.say(question, branches=_branches(case, language))


def _branches(case: Case, language: Language) -> str:
    """Return the crossed branches as text: inner nodes, then the numbers of leaves."""
    tree, crossed = case.tree, sorted(crossed_nodes(case))
    titles = [node_title(tree, node, language) for node in crossed if tree.children[node]]
    leaves = [node for node in crossed if not tree.children[node]]
    return language.join_and([*titles, branch_list(tree, leaves, language)] if leaves else titles)


def _explain_pattern(solved: SolvedExercise) -> tuple[str, ...]:
    """Say which payoffs achieve the pattern, with the cutoffs that they lead to; or why there are none."""
    say, found = solved.language.say, _pattern(solved.case)
    if isinstance(found, Infeasible):
        if found.node is None:
            return (say(NO_SUCH_PAYOFFS), say(WHY_FORCED_ANYWHERE))
        return (say(NO_SUCH_PAYOFFS), say(WHY_INFEASIBLE[found.reason], node=solved.node_title(found.node)))
    return _explain_payoffs(solved, found)


def _explain_payoffs(solved: SolvedExercise, payoffs: PayoffList) -> tuple[str, ...]:
    """Say what these payoffs lead to: every cutoff of the search."""
    account = explain(solve(_filled(solved.tree, payoffs), solved.rules), solved.language)
    payoffs_text = solved.language.reply(" ".join(map(write_numeral, payoffs)))
    return (solved.language.say(SUITABLE_PAYOFFS, payoffs=payoffs_text), *account.cutoffs)


# Can it be? ---------------------------------------------------------------------------------------


def _possible(case: Case) -> bool:
    return not isinstance(_pattern(case), Infeasible)


def _all_but_first(case: Case) -> bool:
    """Answer like a student for whom every pattern without a first child is possible."""
    first = {case.tree.visiting(node, case.rules.order)[0] for node in case.tree.internal}
    return not crossed_nodes(case) & first


def _leaves_only(case: Case) -> bool:
    """Answer like a student for whom only leaves can be pruned."""
    return all(not case.tree.children[node] for node in crossed_nodes(case))


def _explain_answer(solved: SolvedExercise, item: Item) -> Reason | None:
    answer = solved.language.say(CORRECT_ANSWER, answer=solved.language.quoted_reply(item.right))
    return Reason(paragraph(answer, *_explain_pattern(solved)))


def _has_a_pattern(tree: Tree) -> bool:
    """Return whether a pattern can be drawn for the shape of a tree."""
    is_plain = not (tree.seats or tree.has_chance or tree.unknowns)
    return is_plain and len(tree) > 1 and len(tree.leaves) <= MAX_PAYOFF_LEAVES


def _letters(tree: Tree) -> Tree:
    """Return the shape of a tree, with a letter for every payoff."""
    return tree.with_payoffs(tuple("abcdefghijklmnop"[: len(tree.leaves)]))


MAX_DRAWS = 60
"""How many patterns are drawn until one fits."""


def _patterns(draw: Draw, case: Case, faults: Iterable[InfeasibleReason]) -> Iterator[Case]:
    """Draw questions about patterns for the shape of a tree, each with one of these faults if possible."""
    shape = _letters(case.tree)
    for fault in faults:
        if pattern := draw_crosses(draw, shape, case.rules.order, fault):
            crossed = [shape.names[node] for node in sorted(pattern)]
            yield Case(shape, case.rules, Given({"crossed": crossed}))


NO_FAULT = (InfeasibleReason.CONFLICT,) * MAX_DRAWS
"""The faults of patterns in which each cutoff is possible by itself."""


def _draw_either(draw: Draw, case: Case) -> Case | None:
    """Draw a possible or, equally often, an impossible pattern: of several cutoffs, or with a fault."""
    if not _has_a_pattern(case.tree):
        return None
    for wanted in draw.shuffle((True, False)):
        faults = NO_FAULT if wanted else (draw.choose(REASONS) for _ in range(MAX_DRAWS))
        for candidate in _patterns(draw, case, faults):
            if _possible(candidate) == wanted:
                return candidate
    return None


def _pictured(solved: SolvedExercise) -> KeyPicture:
    """Show suitable payoffs and what the search prunes with them, or the pattern alone."""
    tree, say = solved.tree, solved.language.say
    found = _pattern(solved.case)
    if isinstance(found, Infeasible):
        crossed = crossed_nodes(solved.case)
        return KeyPicture(tree, say(CAPTION_INFEASIBLE), shows_backed_up_values=False, cuts=crossed)
    return KeyPicture(_filled(tree, found), say(CAPTION_PAYOFFS))


_asking = partial(
    Kind,
    about="search",
    given_names=("crossed",),
    worked_solution=WorkedSolution(_explain_pattern),
    key_picture=_pictured,
)

POSSIBLE = _asking(
    ask="possible",
    question="Can alpha-beta search ever prune exactly these branches?",
    form=TRUTH,
    objection=_pattern_objection,
    prompt=asks(partial(_ask, QUESTION_POSSIBLE), *_CONVENTIONS),
    key=_possible,
    independent_key=lambda case: can_prune_pattern(case.tree, case.rules.order, crossed_nodes(case)),
    beliefs={
        "all-but-first": only_where_wrong(_possible, _all_but_first),
        "whole-subtrees-never": only_where_wrong(_possible, _leaves_only),
        "payoffs-not-chosen": only_where_wrong(_possible, constant_key(False)),
    },
    explain_item=_explain_answer,
    draw=_draw_either,
)

# Why not? -----------------------------------------------------------------------------------------


def _draw_why_not(draw: Draw, case: Case) -> Case | None:
    """Draw a pattern that is impossible for one reason; each is equally likely if the shape allows."""
    if not _has_a_pattern(case.tree):
        return None
    for wanted in draw.shuffle(REASONS):
        for candidate in _patterns(draw, case, repeat(wanted, MAX_DRAWS)):
            if reasons(candidate.tree, case.rules.order, crossed_nodes(candidate)) == {wanted}:
                return candidate
    return None


WHY_NOT = _asking(
    ask="why-not",
    question="Why can alpha-beta search never prune exactly these branches?",
    form=WHICH,
    objection=lambda case: _pattern_objection(case) or reason_objection(case),
    prompt=asks(partial(_ask, QUESTION_REASON), *_CONVENTIONS, *CHOICES),
    key=reason,
    independent_key=independent_reason,
    beliefs=REASON_BELIEFS,
    explain_item=_explain_answer,
    draw=_draw_why_not,
)

# With which payoffs? ------------------------------------------------------------------------------


def _payoffs_objection(case: Case) -> str | None:
    return _pattern_objection(case) or (
        None if _possible(case) else "no payoffs prune exactly these branches"
    )


def _payoffs(case: Case) -> PayoffList:
    found = _pattern(case)
    assert not isinstance(found, Infeasible), "the kind suits only what is possible"
    return found


def _independent_payoffs(case: Case) -> PayoffList:
    """Return the same payoffs if they also lead to the pattern by the definition of a pruned leaf."""
    found = _payoffs(case)
    pruned = pruned_branches(case.tree, sweep(_filled(case.tree, found), case.rules).visited)
    return found if frozenset(pruned) == crossed_nodes(case) else ()


def _achieves_pattern(case: Case, reply: PayoffList) -> bool:
    return _pruned_by(case.tree, case.rules, reply) == crossed_nodes(case)


def _payoffs_of_swapped_game(case: Case) -> PayoffList | None:
    """Return payoffs for the game with swapped players; None if they are correct in this one too."""
    other = swap_players(case.tree)
    names = [other.names[node] for node in sorted(crossed_nodes(case))]
    found = _payoffs(Case(other, case.rules, Given({"crossed": names})))
    return None if _achieves_pattern(case, found) else found


def _negated_payoffs(case: Case) -> PayoffList | None:
    """Return the negated payoffs; None if they are correct too."""
    found = tuple(Numeral(-payoff.value) for payoff in _payoffs(case))
    return None if _achieves_pattern(case, found) else found


def _equal_payoffs(case: Case) -> PayoffList | None:
    """Return the same payoff for all leaves; None if that is correct."""
    found = (Numeral(1),) * len(case.tree.leaves)
    return None if _achieves_pattern(case, found) else found


def _explain_own_payoffs(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say what the student's payoffs prune, if they can be read, and which payoffs prune the pattern."""
    tree, language = solved.tree, solved.language
    own = PAYOFFS.read(item.reply, tree, solved.terms) if item.reply else ()
    effect = ""
    if not isinstance(own, Malformed | Ambiguous) and own:
        pruned = sorted(_pruned_by(tree, solved.rules, own))
        branches = node_list(tree, pruned, language)
        effect = language.say(YOUR_PRUNED_BRANCHES if pruned else YOUR_PRUNED_NOTHING, branches=branches)
    return Reason(paragraph(effect, *_explain_payoffs(solved, solved.key)))


def _draw_possible(draw: Draw, case: Case) -> Case | None:
    """Draw a possible pattern; patterns that random payoffs rarely lead to are as likely as others."""
    if not _has_a_pattern(case.tree):
        return None
    return next(filter(_possible, _patterns(draw, case, NO_FAULT)), None)


WITH_PAYOFFS = _asking(
    ask="payoffs",
    question="For which payoffs does alpha-beta search prune exactly these branches?",
    form=PAYOFFS,
    objection=_payoffs_objection,
    prompt=asks(partial(_ask, QUESTION_PAYOFFS), *_CONVENTIONS, demands=(ANY_PAYOFFS_COUNT,)),
    key=_payoffs,
    independent_key=_independent_payoffs,
    accepts=lambda case, reply, _terms: _achieves_pattern(case, reply),
    has_several_answers=True,
    beliefs={
        "players-swapped": _payoffs_of_swapped_game,
        "payoffs-turned": _negated_payoffs,
        "all-the-same": _equal_payoffs,
    },
    explain_item=_explain_own_payoffs,
    draw=_draw_possible,
)

KINDS = (POSSIBLE, WHY_NOT, WITH_PAYOFFS)
