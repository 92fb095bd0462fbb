"""Why can alpha-beta search never prune exactly these branches?"""

from collections.abc import Iterator
from itertools import pairwise

from grader.answers.count import count_form
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.kind import BeliefKey, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.wording import Prompt
from grader.solvers.pruning_pattern import Infeasible, InfeasibleReason, payoffs_for_pattern
from grader.trees.rules import Order
from grader.trees.tree import Tree

REASONS = (
    InfeasibleReason.FIRST_CHILD,
    InfeasibleReason.GAP,
    InfeasibleReason.NO_BOUND,
    InfeasibleReason.CONFLICT,
)
"""The reasons to choose from, as they are numbered; by the last, cuts force or forbid each other."""

CHOICES = (
    Phrase("Reason 1: one of these branches leads to the child that is visited first at a visited node."),
    Phrase("Reason 2: another branch of the same node would have to be visited after one of these branches."),
    Phrase(
        "Reason 3: "
        "when the search reaches the node above one of these branches, no ancestor of the other player has "
        "a value."
    ),
    Phrase("Reason 4: none of these, but the cutoffs exclude each other or force further ones."),
)

WHICH = count_form(one="reason", many=Phrase("reasons"), among=lambda _tree: len(CHOICES), least=1)


def crossed_nodes(case: Case) -> frozenset[int]:
    """The nodes below the crossed branches."""
    return frozenset(case.tree.index[name] for name in case.given["crossed"])


def _in_pattern(tree: Tree, order: Order, crossed: frozenset[int]) -> Iterator[InfeasibleReason]:
    """The reasons that can be seen in the pattern alone, read off it node by node."""
    for node in tree.internal:
        if {node, *tree.ancestors(node)} & crossed:
            continue
        children = tree.visiting(node, order)
        signs = [child in crossed for child in children]
        if not any(signs):
            continue
        if signs[0]:
            yield InfeasibleReason.FIRST_CHILD
        if signs != sorted(signs):
            yield InfeasibleReason.GAP
        if not _has_bound(tree, order, node):
            yield InfeasibleReason.NO_BOUND


def _has_bound(tree: Tree, order: Order, node: int) -> bool:
    """Whether an ancestor of the other player has a value when the search comes to a node."""
    return any(
        tree.players[above] is not tree.players[node] and tree.visiting(above, order)[0] != below
        for below, above in pairwise((node, *tree.ancestors(node)))
    )


def reasons(tree: Tree, order: Order, crossed: frozenset[int]) -> frozenset[InfeasibleReason]:
    """All reasons of these; the last only where no other is one. Empty where payoffs do it."""
    seen = frozenset(_in_pattern(tree, order, crossed))
    if seen:
        return seen
    found = payoffs_for_pattern(tree, order, crossed)
    return frozenset((InfeasibleReason.CONFLICT,)) if isinstance(found, Infeasible) else frozenset()


_CHILDREN = {InfeasibleReason.FIRST_CHILD: 1, InfeasibleReason.GAP: 3, InfeasibleReason.NO_BOUND: 2}
"""The faults that one node can have, and the fewest children that it needs for them."""


def draw_crosses(draw: Draw, tree: Tree, order: Order, wanted: InfeasibleReason) -> frozenset[int]:
    """Crosses where single cuts could be, with one fault where one is wanted that a node can have."""
    bound = {node: _has_bound(tree, order, node) for node in tree.internal}
    crossed: set[int] = set()
    for node in tree.internal:
        children = tree.visiting(node, order)
        if bound[node] and len(children) > 1 and draw.below(2):
            crossed.update(children[draw.between(1, len(children) - 1) :])
    least = _CHILDREN.get(wanted, len(tree))
    fit = [
        node
        for node in tree.internal
        if len(tree.children[node]) >= least and bound[node] is (wanted is not InfeasibleReason.NO_BOUND)
    ]
    if fit:
        children = tree.visiting(draw.choose(fit), order)
        crossed.difference_update(children, tree.ancestors(children[0]))
        first = 0 if wanted is InfeasibleReason.FIRST_CHILD else draw.between(1, len(children) - least + 1)
        crossed.update(children[first : first + 1] if wanted is InfeasibleReason.GAP else children[first:])
    return frozenset(node for node in crossed if not crossed & set(tree.ancestors(node)))


def reason_objection(case: Case) -> str | None:
    """Why there is not exactly one reason, or None."""
    found = reasons(case.tree, case.rules.order, crossed_nodes(case))
    if not found:
        return "there are payoffs that do it"
    return None if len(found) == 1 else "there is more than one reason"


def ask_reason(branches: str, states: tuple[str, ...], language: Language) -> Prompt:
    """That no payoffs do it, and the reasons to choose from."""
    none = language.say(
        "There are no payoffs for which the search prunes exactly {branches}.", branches=branches
    )
    return Prompt(
        (*states, none, *map(language.say, CHOICES)),
        language.say("Which reason applies? Give its number."),
    )


def reason(case: Case) -> Numeral:
    """The number of the reason that the solver gives."""
    found = payoffs_for_pattern(case.tree, case.rules.order, crossed_nodes(case))
    assert isinstance(found, Infeasible), "the kind suits only what is impossible"
    why = InfeasibleReason.CONFLICT if found.reason is InfeasibleReason.FORCED else found.reason
    return Numeral(REASONS.index(why) + 1)


def independent_reason(case: Case) -> Numeral:
    """The same, read off the pattern."""
    (why,) = reasons(case.tree, case.rules.order, crossed_nodes(case))
    return Numeral(REASONS.index(why) + 1)


def _other_order(case: Case) -> Numeral | None:
    """The reason by which a search from the other side never does it, where there is one."""
    other: Order = "right-to-left" if case.rules.order == "left-to-right" else "left-to-right"
    found = reasons(case.tree, other, crossed_nodes(case))
    return Numeral(REASONS.index(next(iter(found))) + 1) if len(found) == 1 else None


def _any_bound(case: Case) -> Numeral | None:
    """Who takes a value of either player for a bound, and finds the cuts at fault."""
    return Numeral(4) if reason(case) == Numeral(3) else None


REASON_BELIEFS: dict[str, BeliefKey[Numeral]] = {
    "all-but-first": only_where_wrong(reason, constant_key(Numeral(1))),
    "right-to-left": only_where_wrong(reason, _other_order),
    "own-bound": _any_bound,
}
