"""Can alpha-beta search ever prune exactly these branches, and with which payoffs?"""

from functools import lru_cache, partial

from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.numeral import Numeral, write_numeral
from grader.answers.payoffs import PAYOFFS, Payoffs
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.feasible_pattern.infeasible_patterns import (
    REASON_BELIEFS,
    REASONS,
    WHICH,
    ask_reason,
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
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import (
    LEAF_NUMBER_RULE,
    Prompt,
    mover_sentence,
    search_sentences,
    shape_sentence,
)
from grader.solvers.explaining.node_wording import node_list
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

MAX_PAYOFF_LEAVES = 16
"""The most leaves of a shape: nobody makes up more payoffs."""

MAX_CHECKED_LEAVES = 16
"""The most leaves where it is asked whether there are payoffs: every search is played to check the answer."""


def _suits(case: Case) -> str | None:
    """Why no pattern is given for a game of MAX and MIN, or None."""
    tree = case.tree
    if tree.seats or tree.has_chance:
        return "somebody else than MAX and MIN moves"
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


def _filled(tree: Tree, payoffs: Payoffs) -> Tree:
    return tree.with_payoffs(tuple(payoff.value for payoff in payoffs))


def _pruned_by(tree: Tree, rules: Rules, payoffs: Payoffs) -> frozenset[int]:
    """The branches that are pruned with these payoffs."""
    return frozenset(pruned_branches(tree, search(_filled(tree, payoffs), rules, traced=False).visited))


def _states(case: Case, language: Language) -> tuple[str, ...]:
    return (
        mover_sentence(case.tree, language),
        shape_sentence(case.tree.movers, language),
        language.say("The letters at the leaves are unknown payoffs for MAX, which can be any numbers."),
        *search_sentences(case, language),
        language.say(LEAF_NUMBER_RULE),
    )


def _branches(case: Case, language: Language) -> str:
    return node_list(case.tree, sorted(crossed_nodes(case)), language)


_REASONS = {
    InfeasibleReason.ROOT: Phrase("The search always visits {node}."),
    InfeasibleReason.FIRST_CHILD: Phrase(
        "{node} is the first child of a node that the search visits, so it is always visited."
    ),
    InfeasibleReason.GAP: Phrase(
        "{node} would be visited after a pruned sibling, but a cutoff prunes all remaining children."
    ),
    InfeasibleReason.NO_BOUND: Phrase(
        "When the search reaches {node}, no ancestor of the other player has a value yet, so no cutoff is "
        "possible there."
    ),
    InfeasibleReason.CONFLICT: Phrase(
        "A cutoff at {node} is possible, but not together with the earlier cutoffs."
    ),
    InfeasibleReason.FORCED: Phrase(
        "Whenever these cutoffs happen, some other child of {node} is pruned too."
    ),
}
"""Why no payoffs do it."""

_FORCED_ANYWHERE = Phrase("Whenever these branches are pruned, others are pruned too.")
"""The same where these are not always at the same node."""


def _account(solved: SolvedExercise) -> tuple[str, ...]:
    """Payoffs that do it, with the cuts that they lead to; or why there are none."""
    say, found = solved.language.say, _pattern(solved.case)
    if isinstance(found, Infeasible):
        none = say("There are no such payoffs.")
        anywhere = found == Infeasible(InfeasibleReason.FORCED, 0)
        why = _FORCED_ANYWHERE if anywhere else _REASONS[found.reason]
        return (none, say(why, node=solved.node_title(found.node)))
    return _shown(solved, found)


def _shown(solved: SolvedExercise, payoffs: Payoffs) -> tuple[str, ...]:
    """Payoffs, and every cut that the search makes with them."""
    account = explain(solve(_filled(solved.tree, payoffs), solved.rules), solved.language)
    row = solved.language.reply(" ".join(map(write_numeral, payoffs)))
    first = solved.language.say("The payoffs {payoffs} achieve this.", payoffs=row)
    return (first, *account.cutoffs)


# Can it be? ---------------------------------------------------------------------------------------


def _suits_whether(case: Case) -> str | None:
    if len(case.tree.leaves) > MAX_CHECKED_LEAVES:
        return f"the tree has more than {MAX_CHECKED_LEAVES} leaves"
    return _suits(case)


def _possible(case: Case) -> bool:
    return not isinstance(_pattern(case), Infeasible)


def _asks_whether(case: Case, language: Language) -> Prompt:
    return Prompt(
        _states(case, language),
        language.say(
            "True or false: there are payoffs for which the search prunes exactly {branches}.",
            branches=_branches(case, language),
        ),
    )


def _all_but_first(case: Case) -> bool:
    """Who takes anything to be possible but to prune a first child."""
    first = {case.tree.visiting(node, case.rules.order)[0] for node in case.tree.internal}
    return not crossed_nodes(case) & first


def _leaves_only(case: Case) -> bool:
    """Who takes only leaves to be pruned."""
    return all(not case.tree.children[node] for node in crossed_nodes(case))


def _why_possible(solved: SolvedExercise, item: Item) -> Reason | None:
    right = solved.language.say("The correct answer is {answer}.", answer=solved.language.reply(item.right))
    return Reason(paragraph(right, *_account(solved)))


def _has_a_pattern(tree: Tree) -> bool:
    """Whether something can be pruned in a tree with numbers, so that a pattern can be drawn of it."""
    drawn = not (tree.seats or tree.has_chance or tree.unknowns)
    return drawn and len(tree) > 1 and len(tree.leaves) <= MAX_PAYOFF_LEAVES


def _letters(tree: Tree) -> Tree:
    """The shape of a tree, with a letter for every payoff."""
    return tree.with_payoffs(tuple("abcdefghijklmnop"[: len(tree.leaves)]))


MAX_DRAWS = 60
"""How often crosses are scattered until they fit."""


def _crossing(shape: Tree, pattern: frozenset[int]) -> Given:
    """The crosses as a question gives them."""
    return Given({"crossed": [shape.names[node] for node in sorted(pattern)]})


def _draw_either(draw: Draw, case: Case) -> Case | None:
    """Crosses that payoffs lead to, or as often crosses that none do: of several cuts, or with a fault."""
    if not _has_a_pattern(case.tree):
        return None
    shape = _letters(case.tree)
    for wanted in draw.shuffle((True, False)):
        for _ in range(MAX_DRAWS):
            fault = InfeasibleReason.CONFLICT if wanted else draw.choose(REASONS)
            pattern = draw_crosses(draw, shape, case.rules.order, fault)
            asked = Case(shape, case.rules, _crossing(shape, pattern))
            if pattern and _possible(asked) == wanted:
                return asked
    return None


def _pictured(solved: SolvedExercise) -> KeyPicture:
    """The tree with payoffs that do it, and what the search prunes then; or the crosses alone."""
    tree, say = solved.tree, solved.language.say
    found = _pattern(solved.case)
    if isinstance(found, Infeasible):
        caption = say("The branches in question; no payoffs lead to exactly these.")
        return KeyPicture(tree, caption, shows_backed_up_values=False, cuts=crossed_nodes(solved.case))
    caption = say("Suitable payoffs, with the resulting search and its cutoffs.")
    return KeyPicture(_filled(tree, found), caption)


_asking = partial(
    Kind,
    about="search",
    given_names=("crossed",),
    worked_solution=WorkedSolution(_account, _account),
    key_picture=_pictured,
)

POSSIBLE = _asking(
    ask="possible",
    question="Can alpha-beta search ever prune exactly these branches?",
    form=TRUTH,
    objection=_suits_whether,
    prompt=_asks_whether,
    key=_possible,
    independent_key=lambda case: can_prune_pattern(case.tree, case.rules.order, crossed_nodes(case)),
    beliefs={
        "all-but-first": only_where_wrong(_possible, _all_but_first),
        "whole-subtrees-never": only_where_wrong(_possible, _leaves_only),
        "payoffs-not-chosen": only_where_wrong(_possible, constant_key(False)),
    },
    explain_item=_why_possible,
    draw=_draw_either,
)

# Why not? -----------------------------------------------------------------------------------------


def _draw_why_not(draw: Draw, case: Case) -> Case | None:
    """Crosses for which there is one reason: each as often, where the shape allows all of them."""
    if not _has_a_pattern(case.tree):
        return None
    shape = _letters(case.tree)
    for wanted in draw.shuffle(REASONS):
        for _ in range(MAX_DRAWS):
            pattern = draw_crosses(draw, shape, case.rules.order, wanted)
            if reasons(shape, case.rules.order, pattern) == {wanted}:
                return Case(shape, case.rules, _crossing(shape, pattern))
    return None


WHY_NOT = _asking(
    ask="why-not",
    question="Why can alpha-beta search never prune exactly these branches?",
    form=WHICH,
    objection=lambda case: _suits(case) or reason_objection(case),
    prompt=lambda case, language: ask_reason(_branches(case, language), _states(case, language), language),
    key=reason,
    independent_key=independent_reason,
    beliefs=REASON_BELIEFS,
    explain_item=_why_possible,
    draw=_draw_why_not,
)

# With which payoffs? ------------------------------------------------------------------------------


def _suits_payoffs(case: Case) -> str | None:
    return _suits(case) or (None if _possible(case) else "no payoffs do it")


def _payoffs(case: Case) -> Payoffs:
    found = _pattern(case)
    assert not isinstance(found, Infeasible), "the kind suits only what is possible"
    return found


def _payoffs_again(case: Case) -> Payoffs:
    """The same, if the definition of a pruned leaf says that they do it."""
    found = _payoffs(case)
    pruned = pruned_branches(case.tree, sweep(_filled(case.tree, found), case.rules).visited)
    return found if frozenset(pruned) == crossed_nodes(case) else ()


def _do_it(case: Case, reply: Payoffs) -> bool:
    return _pruned_by(case.tree, case.rules, reply) == crossed_nodes(case)


def _asks_for_payoffs(case: Case, language: Language) -> Prompt:
    return Prompt(
        _states(case, language),
        paragraph(
            language.say(
                "Give payoffs for which the search prunes exactly {branches}.",
                branches=_branches(case, language),
            ),
            language.say("Any payoffs that achieve this are correct."),
        ),
    )


def _in_the_swapped_game(case: Case) -> Payoffs | None:
    """Payoffs that do it in another game, where they do not do it in this one."""
    other = swap_players(case.tree)
    names = [other.names[node] for node in sorted(crossed_nodes(case))]
    found = _payoffs(Case(other, case.rules, Given({"crossed": names})))
    return None if _do_it(case, found) else found


def _turned(case: Case) -> Payoffs | None:
    """Payoffs that grow where they should fall."""
    found = tuple(Numeral(-payoff.value) for payoff in _payoffs(case))
    return None if _do_it(case, found) else found


def _all_the_same(case: Case) -> Payoffs | None:
    """One payoff everywhere, which prunes whatever equality can prune."""
    found = (Numeral(1),) * len(case.tree.leaves)
    return None if _do_it(case, found) else found


def _why_payoffs(solved: SolvedExercise, item: Item) -> Reason | None:
    """What the student's payoffs prune, and payoffs that do it."""
    tree, rules = solved.tree, solved.rules
    own = PAYOFFS.read(item.said, tree, solved.terms) if item.said else ()
    told = []
    if not isinstance(own, Malformed | Ambiguous) and own:
        pruned = sorted(_pruned_by(tree, rules, own))
        if pruned:
            nodes = node_list(tree, pruned, solved.language)
            told.append(
                solved.language.say("With your payoffs the search prunes {branches}.", branches=nodes)
            )
        else:
            told.append(solved.language.say("With your payoffs the search prunes nothing."))
    return Reason(paragraph(*told, *_shown(solved, solved.key)))


def _draw_possible(draw: Draw, case: Case) -> Case | None:
    """Crosses that payoffs lead to: those that numbers do not often lead to come as often as others."""
    if not _has_a_pattern(case.tree):
        return None
    shape = _letters(case.tree)
    for _ in range(MAX_DRAWS):
        pattern = draw_crosses(draw, shape, case.rules.order, InfeasibleReason.CONFLICT)
        asked = Case(shape, case.rules, _crossing(shape, pattern))
        if pattern and _possible(asked):
            return asked
    return None


WITH_PAYOFFS = _asking(
    ask="payoffs",
    question="For which payoffs does alpha-beta search prune exactly these branches?",
    form=PAYOFFS,
    objection=_suits_payoffs,
    prompt=_asks_for_payoffs,
    key=_payoffs,
    independent_key=_payoffs_again,
    accepts=lambda case, reply, _terms: _do_it(case, reply),
    has_several_answers=True,
    beliefs={
        "players-swapped": _in_the_swapped_game,
        "payoffs-turned": _turned,
        "all-the-same": _all_the_same,
    },
    explain_item=_why_payoffs,
    draw=_draw_possible,
)

KINDS = (POSSIBLE, WHY_NOT, WITH_PAYOFFS)
