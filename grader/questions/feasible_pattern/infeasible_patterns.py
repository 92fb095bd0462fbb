"""Why can alpha-beta search never prune exactly these branches?"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from grader.answers.count import count_form
from grader.answers.numeral import Numeral
from grader.base.phrases import Phrase
from grader.questions.case import Case
from grader.questions.kind import BeliefKey, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.solvers.pruning_pattern import Infeasible, InfeasibleReason, payoffs_for_pattern
from grader.trees.rules import Order
from grader.trees.tree import Tree

QUESTION_REASON = Phrase("Why are there no payoffs for which alpha-beta prunes exactly {branches}?")
REASON_NUMBER = Phrase("Write the number of the reason that applies.")
CHOICES = (
    Phrase("Reason 1: one of these branches leads to the child that is visited first at a visited node."),
    Phrase("Reason 2: another branch of the same node would have to be visited after one of these branches."),
    Phrase(
        "Reason 3: "
        "when the search reaches the node above one of these branches, no ancestor that belongs to the "
        "other player has a value."
    ),
    Phrase(
        "Reason 4: none of the above; "
        "the cutoffs are incompatible with each other or force additional cutoffs."
    ),
)
REASONS = (
    InfeasibleReason.FIRST_CHILD,
    InfeasibleReason.GAP,
    InfeasibleReason.NO_BOUND,
    InfeasibleReason.CONFLICT,
)
"""The reasons of `CHOICES`, in the same order; the last stands for cutoffs that force or exclude others."""

WHICH = replace(
    count_form(one="reason", many=Phrase("reasons"), among=lambda _tree: len(CHOICES), least=1),
    ask=REASON_NUMBER,
)


def crossed_nodes(case: Case) -> frozenset[int]:
    """Return the nodes below the crossed branches."""
    return frozenset(case.tree.index[name] for name in case.given["crossed"])


def _in_pattern(tree: Tree, order: Order, crossed: frozenset[int]) -> Iterator[InfeasibleReason]:
    """Yield the reasons that the pattern alone shows, node by node."""
    for node in tree.internal:
        if {node, *tree.ancestors(node)} & crossed:
            continue
        children = tree.visiting(node, order)
        crosses = [child in crossed for child in children]
        if not any(crosses):
            continue
        if crosses[0]:
            yield InfeasibleReason.FIRST_CHILD
        if crosses != sorted(crosses):
            yield InfeasibleReason.GAP
        if not _has_bound(tree, order, node):
            yield InfeasibleReason.NO_BOUND


def _has_bound(tree: Tree, order: Order, node: int) -> bool:
    """Return whether an ancestor of the other player has a value when the search reaches a node."""
    return any(
        tree.players[above] is not tree.players[node] and tree.visiting(above, order)[0] != below
        for below, above in pairwise((node, *tree.ancestors(node)))
    )


def reasons(tree: Tree, order: Order, crossed: frozenset[int]) -> frozenset[InfeasibleReason]:
    """Return all reasons that apply, the last one only if no other does; none if payoffs exist."""
    visible = frozenset(_in_pattern(tree, order, crossed))
    if visible:
        return visible
    found = payoffs_for_pattern(tree, order, crossed)
    return frozenset((InfeasibleReason.CONFLICT,)) if isinstance(found, Infeasible) else frozenset()


_CHILDREN = {InfeasibleReason.FIRST_CHILD: 1, InfeasibleReason.GAP: 3, InfeasibleReason.NO_BOUND: 2}
"""The faults that a single node can have, and how many children it needs for them."""


def draw_crosses(draw: Draw, tree: Tree, order: Order, wanted: InfeasibleReason) -> frozenset[int]:
    """Draw a pattern of possible cutoffs, with one fault if a node can have the wanted one."""
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
    """Return why not exactly one reason applies, or None."""
    found = reasons(case.tree, case.rules.order, crossed_nodes(case))
    if not found:
        return "some payoffs prune exactly these branches"
    return None if len(found) == 1 else "there is more than one reason"


def reason(case: Case) -> Numeral:
    """Return the number of the reason that the solver gives."""
    found = payoffs_for_pattern(case.tree, case.rules.order, crossed_nodes(case))
    assert isinstance(found, Infeasible), "the kind suits only what is impossible"
    why = InfeasibleReason.CONFLICT if found.reason is InfeasibleReason.FORCED else found.reason
    return Numeral(REASONS.index(why) + 1)


def independent_reason(case: Case) -> Numeral:
    """Return the same from the pattern."""
    (why,) = reasons(case.tree, case.rules.order, crossed_nodes(case))
    return Numeral(REASONS.index(why) + 1)


def _other_order(case: Case) -> Numeral | None:
    """Return the reason for a search in the other order, if exactly one applies."""
    other: Order = "right-to-left" if case.rules.order == "left-to-right" else "left-to-right"
    found = reasons(case.tree, other, crossed_nodes(case))
    return Numeral(REASONS.index(next(iter(found))) + 1) if len(found) == 1 else None


def _any_bound(case: Case) -> Numeral | None:
    """Return the answer of a student who takes a value of either player for a bound, or None."""
    return Numeral(4) if reason(case) == Numeral(3) else None


REASON_BELIEFS: dict[str, BeliefKey[Numeral]] = {
    "all-but-first": only_where_wrong(reason, constant_key(Numeral(1))),
    "right-to-left": only_where_wrong(reason, _other_order),
    "own-bound": _any_bound,
}
