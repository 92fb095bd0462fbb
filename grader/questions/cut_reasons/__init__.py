"""Why does alpha-beta search cut where it does?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial

from grader.answers.branches import NODE_NAMES, ORIGIN
from grader.answers.form import Item
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.cut_reasons.no_cutoff import WHY_NOT
from grader.questions.given import Given
from grader.questions.kind import Kind, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import soft_search_objection
from grader.questions.wording import asks, game_sentences, search_sentences
from grader.solvers.cutoff_analysis import CutKind, CutReason, cut_reasons
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

Nodes = frozenset[int]

CUTS = ("alpha", "beta", "deep")

# What students read: where the cutoffs of one kind are ---------------------------------------------

QUESTION_WHERE = {
    "alpha": Phrase("At which nodes does an alpha cutoff occur?"),
    "beta": Phrase("At which nodes does a beta cutoff occur?"),
    "deep": Phrase("At which nodes does a deep cutoff occur?"),
}
NODES_NOT_BRANCHES = Phrase("Give the nodes, not the pruned branches.")
CUTOFF_DEFINITION = Phrase("A cutoff at a node means that some of its children are never visited.")
DEFINITIONS = {
    "alpha": Phrase("A cutoff at a MIN node is called an alpha cutoff."),
    "beta": Phrase("A cutoff at a MAX node is called a beta cutoff."),
    "deep": Phrase(
        "A cutoff is deep if a search that compares each node only with its parent would still visit the "
        "next child."
    ),
}
WHY_CUTOFF = {
    CutKind.ALPHA: Phrase(
        "There is an alpha cutoff at {node}: "
        "its value is at most {value}, and {cause} already has the value {bound}, returned by {by}."
    ),
    CutKind.BETA: Phrase(
        "There is a beta cutoff at {node}: "
        "its value is at least {value}, and {cause} already has the value {bound}, returned by {by}."
    ),
}
WHY_DEEP = Phrase(
    "A search that compares each node only with its parent would still visit the next child, so this is a "
    "deep cutoff."
)
NO_CUTOFF = Phrase("There is no cutoff at {node}.")

# What students read: which value caused a cutoff ---------------------------------------------------

QUESTION_CAUSE = {
    CutKind.ALPHA: Phrase(
        "There is an alpha cutoff at {node}. Which child of a MAX node above {node} returned this alpha?"
    ),
    CutKind.BETA: Phrase(
        "There is a beta cutoff at {node}. Which child of a MIN node above {node} returned this beta?"
    ),
}
WHICH_OF_SEVERAL = Phrase(
    "If several ancestors have this value, use the topmost one. "
    "If several of its children returned it, give the first one."
)
BOUND_DEFINITIONS = {
    CutKind.ALPHA: Phrase("The alpha of a cutoff is the largest value found so far at a MAX node above it."),
    CutKind.BETA: Phrase("The beta of a cutoff is the smallest value found so far at a MIN node above it."),
}

# Where are the cutoffs of one kind? ------------------------------------------------------------------


@lru_cache(maxsize=16)
def _reasons(tree: Tree, rules: Rules) -> Mapping[int, CutReason]:
    return {reason.node: reason for reason in cut_reasons(tree, rules)}


def _kind_of_cutoffs(given: Given) -> str:
    return given.text("cuts", "alpha")


def _where_objection(case: Case) -> str | None:
    """Return why the cutoffs of this kind cannot be asked for, or None.

    Deep cutoffs are not asked for if definitions disagree about one of them.
    """
    if _kind_of_cutoffs(case.given) not in CUTS:
        return f"the cuts asked about are not among {', '.join(CUTS)}"
    why = soft_search_objection(case)
    if why is None and _kind_of_cutoffs(case.given) == "deep" and _has_disputed_cutoffs(case):
        why = "definitions of a deep cutoff disagree about this tree"
    return why


def _has_disputed_cutoffs(case: Case) -> bool:
    """Return whether the usual definitions of a deep cutoff disagree about some cutoff."""
    return not all(reason.undisputed for reason in _reasons(case.tree, case.rules).values())


def _nodes_with_cutoffs(case: Case) -> Nodes:
    kind = _kind_of_cutoffs(case.given)
    reasons = _reasons(case.tree, case.rules).values()
    return frozenset(each.node for each in reasons if (each.deep if kind == "deep" else each.kind == kind))


def _independent_nodes(case: Case) -> Nodes:
    """Return the same by exact values: a cutoff is deep if the game that starts at the parent lacks it."""
    tree = case.tree
    kind, visited = _kind_of_cutoffs(case.given), sweep(tree, case.rules).visited
    found = set()
    for node in tree.internal:
        skipped = [child for child in tree.visiting(node, case.rules.order) if not visited[child]]
        if not visited[node] or not skipped:
            continue
        parent = tree.parents[node]
        if kind == "deep":
            is_wanted = sweep(tree.subtree(parent), case.rules).visited[skipped[0] - parent]
        else:
            is_wanted = kind == (CutKind.ALPHA if tree.players[node] is Player.MIN else CutKind.BETA)
        if is_wanted:
            found.add(node)
    return frozenset(found)


def _other_cutoffs(kind: str, case: Case) -> Nodes | None:
    """Return the nodes with cutoffs of another kind; None if the question is about deep cutoffs."""
    if _kind_of_cutoffs(case.given) == "deep":
        return None
    instead = {"alpha": "beta", "beta": "alpha"}[_kind_of_cutoffs(case.given)] if kind == "other" else kind
    return _nodes_with_cutoffs(replace(case, given=Given({"cuts": instead})))


def _nodes_with_any_cutoff(case: Case) -> Nodes:
    return frozenset(_reasons(case.tree, case.rules))


def _pruned_branches(case: Case) -> Nodes:
    """Return the pruned branches in place of the nodes with the cutoffs."""
    reasons = (_reasons(case.tree, case.rules)[node] for node in _nodes_with_cutoffs(case))
    return frozenset(child for reason in reasons for child in reason.skipped)


def _explain_cutoff(solved: SolvedExercise, reason: CutReason) -> str:
    """Say what happens at a cutoff, and whose value allows it."""
    say, title = solved.language.say, solved.node_title
    fields = {
        "node": title(reason.node),
        "cause": title(reason.cause),
        "by": title(reason.cause_child),
        "bound": solved.value_text(reason.bound),
        "value": solved.value_text(reason.value),
    }
    return paragraph(say(WHY_CUTOFF[reason.kind], **fields), say(WHY_DEEP) if reason.deep else "")


def _explain_where(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say why the search cuts at a node, or that it does not; None for an entry without a node."""
    if item.node is None:
        return None
    reason = _reasons(solved.tree, solved.rules).get(item.node)
    if reason is not None:
        return Reason(_explain_cutoff(solved, reason))
    return Reason(solved.language.say(NO_CUTOFF, node=solved.node_title(item.node)))


def _draw_where(draw: Draw, case: Case) -> Case | None:
    """Draw a kind of cutoffs that some but not all cutoffs are; never deep ones if any is disputed.

    If every kind has all or none of the cutoffs, the last one drawn is kept. None: the case does not suit.
    """
    if soft_search_objection(case) is not None:
        return None
    every = _nodes_with_any_cutoff(case)
    disputed = _has_disputed_cutoffs(case)
    for kind in draw.shuffle(CUTS):
        if kind == "deep" and disputed:
            continue
        question = replace(case, given=Given({"cuts": kind}))
        if _nodes_with_cutoffs(question) not in (frozenset(), every):
            break
    return question


_asking = partial(Kind, about="search", worked_solution=SEARCH_SOLUTION)

WHERE = _asking(
    ask="where",
    given_names=("cuts",),
    question="At which nodes do alpha cutoffs, beta cutoffs, or deep cutoffs occur?",
    form=NODE_NAMES,
    objection=_where_objection,
    prompt=asks(
        lambda case, language: language.say(QUESTION_WHERE[_kind_of_cutoffs(case.given)]),
        game_sentences,
        search_sentences,
        CUTOFF_DEFINITION,
        lambda case, language: language.say(DEFINITIONS[_kind_of_cutoffs(case.given)]),
        demands=(NODES_NOT_BRANCHES,),
    ),
    key=_nodes_with_cutoffs,
    independent_key=_independent_nodes,
    beliefs={
        "other-cuts": partial(_other_cutoffs, "other"),
        "every-cut": _nodes_with_any_cutoff,
        "children-for-node": _pruned_branches,
    },
    explain_item=_explain_where,
    draw=_draw_where,
)

# Whose value caused a cut? ------------------------------------------------------------------------


def _find_cutoff(case: Case) -> CutReason | None:
    """Return the cutoff at the given node, or the last one if no node is given; None if there is none."""
    reasons = _reasons(case.tree, case.rules)
    if "node" not in case.given:
        return list(reasons.values())[-1] if reasons else None
    return (
        reasons.get(case.tree.index.get(case.given["node"], -1))
        if isinstance(case.given["node"], str)
        else None
    )


def _cause_objection(case: Case) -> str | None:
    why = soft_search_objection(case)
    return why or (None if _find_cutoff(case) else "the search makes no such cut")


def _cutoff(case: Case) -> CutReason:
    reason = _find_cutoff(case)
    assert reason is not None, "the kind suits only trees with this cut"
    return reason


def _cause(case: Case) -> Nodes:
    return frozenset({_cutoff(case).cause_child})


def _independent_cause(case: Case) -> Nodes:
    """Return the same by exact values: a child visited earlier, of the topmost ancestor with the bound."""
    tree = case.tree
    node = _cutoff(case).node
    swept = sweep(tree, case.rules)
    low = tree.players[node] is Player.MIN
    bound = swept.alphas[node] if low else swept.betas[node]
    found = -1
    for child, above in zip((node, *tree.ancestors(node)), tree.ancestors(node), strict=False):
        if tree.players[above] is tree.players[node]:
            continue
        order = tree.visiting(above, case.rules.order)
        elder = [sibling for sibling in order[: order.index(child)] if swept.values[sibling] == bound]
        found = elder[0] if elder else found
    return frozenset({found})


def _previous_sibling(case: Case) -> Nodes | None:
    """Return the sibling that was searched just before; None if there is none."""
    node = _cutoff(case).node
    order = case.tree.visiting(case.tree.parents[node], case.rules.order)
    place = order.index(node)
    return frozenset({order[place - 1]}) if place else None


def _own_child(case: Case) -> Nodes:
    """Return the child after which the cutoff happened, in place of the child that caused it."""
    return frozenset({_cutoff(case).child})


def _ask_cause(case: Case, language: Language) -> str:
    cutoff = _cutoff(case)
    return language.say(QUESTION_CAUSE[cutoff.kind], node=case.tree.names[cutoff.node])


def _draw_cause(draw: Draw, case: Case) -> Case | None:
    """Draw an undisputed cutoff: a deep one in half of all draws, if possible; causes are equally likely."""
    if soft_search_objection(case) is not None:
        return None
    reasons = [reason for reason in _reasons(case.tree, case.rules).values() if reason.undisputed]
    deep = [reason for reason in reasons if reason.deep]
    telling = deep if deep and draw.below(2) else reasons
    if not telling:
        return None
    causes = sorted({reason.cause_child for reason in telling})
    # The first child of the root is a cause in most trees.
    cause = draw.choose(causes[1:] if len(causes) > 1 and draw.below(2) else causes)
    cut = draw.choose([reason for reason in telling if reason.cause_child == cause])
    return replace(case, given=Given({"node": case.tree.names[cut.node]}))


CAUSE = _asking(
    ask="cause",
    given_names=("node",),
    question="Which value caused a cutoff?",
    form=ORIGIN,
    objection=_cause_objection,
    prompt=asks(
        _ask_cause,
        game_sentences,
        search_sentences,
        lambda case, language: language.say(BOUND_DEFINITIONS[_cutoff(case).kind]),
        demands=(WHICH_OF_SEVERAL,),
    ),
    key=_cause,
    independent_key=_independent_cause,
    beliefs={
        "sibling-before": only_where_wrong(_cause, _previous_sibling),
        "own-child": _own_child,
        "node-itself": lambda case: frozenset({_cutoff(case).node}),
    },
    explain_item=lambda solved, _item: Reason(_explain_cutoff(solved, _cutoff(solved.case))),
    draw=_draw_cause,
)

KINDS = (WHERE, CAUSE, WHY_NOT)
