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
from grader.questions.wording import Prompt, game_sentences, search_sentences
from grader.solvers.cutoff_analysis import CutKind, CutReason, cut_reasons
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

Nodes = frozenset[int]

# Where are the cuts of one kind? ------------------------------------------------------------------

CUTS = ("alpha", "beta", "deep")

_MEANT = {
    "alpha": Phrase("A cutoff at a MIN node is called an alpha cutoff."),
    "beta": Phrase("A cutoff at a MAX node is called a beta cutoff."),
    "deep": Phrase(
        "A cutoff is deep if a search that compares each node only with its parent would still visit the "
        "next child."
    ),
}
_WHERE = {
    "alpha": Phrase("At which nodes does an alpha cutoff happen?"),
    "beta": Phrase("At which nodes does a beta cutoff happen?"),
    "deep": Phrase("At which nodes does a deep cutoff happen?"),
}


@lru_cache(maxsize=16)
def _reasons(tree: Tree, rules: Rules) -> Mapping[int, CutReason]:
    return {reason.node: reason for reason in cut_reasons(tree, rules)}


def _which(given: Given) -> str:
    return given.text("cuts", "alpha")


def _suits_where(case: Case) -> str | None:
    if _which(case.given) not in CUTS:
        return f"the cuts asked about are none of {', '.join(CUTS)}"
    return soft_search_objection(case)


def _where(case: Case) -> Nodes:
    which = _which(case.given)
    reasons = _reasons(case.tree, case.rules).values()
    return frozenset(each.node for each in reasons if (each.deep if which == "deep" else each.kind == which))


def _where_again(case: Case) -> Nodes:
    """By exact values: a cut is deep where the game that starts at the parent would not have it yet."""
    tree = case.tree
    which, visited = _which(case.given), sweep(tree, case.rules).visited
    found = set()
    for node in tree.internal:
        skipped = [child for child in tree.visiting(node, case.rules.order) if not visited[child]]
        if not visited[node] or not skipped:
            continue
        parent = tree.parents[node]
        if which == "deep":
            asked = sweep(tree.subtree(parent), case.rules).visited[skipped[0] - parent]
        else:
            asked = which == (CutKind.ALPHA if tree.players[node] is Player.MIN else CutKind.BETA)
        if asked:
            found.add(node)
    return frozenset(found)


def _instead(which: str, case: Case) -> Nodes | None:
    """The nodes of cuts of another kind, where alpha and beta are asked about."""
    if _which(case.given) == "deep":
        return None
    other = {"alpha": "beta", "beta": "alpha"}[_which(case.given)] if which == "other" else which
    return _where(replace(case, given=Given({"cuts": other})))


def _every_cut(case: Case) -> Nodes:
    return frozenset(_reasons(case.tree, case.rules))


def _what_is_cut_off(case: Case) -> Nodes:
    """The branches that are skipped, in place of the nodes at which that happens."""
    reasons = (_reasons(case.tree, case.rules)[node] for node in _where(case))
    return frozenset(child for reason in reasons for child in reason.skipped)


def _asks_where(case: Case, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *game_sentences(case.tree, language),
            *search_sentences(case, language),
            say("A cutoff at a node means that some of its children are never visited."),
            say(_MEANT[_which(case.given)]),
        ),
        paragraph(say(_WHERE[_which(case.given)]), say("Give the nodes, not the pruned branches.")),
    )


def _told(solved: SolvedExercise, reason: CutReason) -> str:
    """What happens at a cut, and whose value allows it."""
    say, called = solved.language.say, solved.node_title
    told = {
        "node": called(reason.node),
        "cause": called(reason.cause),
        "by": called(reason.by),
        "bound": solved.value_text(reason.bound),
        "value": solved.value_text(reason.value),
    }
    deep = say(_DEEP) if reason.deep else ""
    return paragraph(say(_ALLOWED[reason.kind], **told), deep)


_ALLOWED = {
    CutKind.ALPHA: Phrase(
        "There is an alpha cutoff at {node}: "
        "it is worth at most {value}, and {cause} already has {bound} from {by}."
    ),
    CutKind.BETA: Phrase(
        "There is a beta cutoff at {node}: "
        "it is worth at least {value}, and {cause} already has {bound} from {by}."
    ),
}
_DEEP = Phrase(
    "A search that compares each node only with its parent would still visit the next child, so this is a "
    "deep cutoff."
)


def _why_where(solved: SolvedExercise, item: Item) -> Reason | None:
    if item.node is None:
        return None
    reason = _reasons(solved.tree, solved.rules).get(item.node)
    if reason is not None:
        return Reason(_told(solved, reason))
    return Reason(solved.language.say("There is no cutoff at {node}.", node=solved.node_title(item.node)))


def _draw_where(draw: Draw, case: Case) -> Case | None:
    """Cuts of a kind that there are, and others besides; of deep ones only where nobody disputes any."""
    if soft_search_objection(case) is not None:
        return None
    every = _every_cut(case)
    disputed = not all(reason.undisputed for reason in _reasons(case.tree, case.rules).values())
    for which in draw.shuffle(CUTS):
        if which == "deep" and disputed:
            continue
        asked = replace(case, given=Given({"cuts": which}))
        if _where(asked) not in (frozenset(), every):
            break
    return asked


_asking = partial(Kind, about="search", worked_solution=SEARCH_SOLUTION)

WHERE = _asking(
    ask="where",
    given_names=("cuts",),
    question="At which nodes do alpha cutoffs, beta cutoffs or deep cutoffs happen?",
    form=NODE_NAMES,
    objection=_suits_where,
    prompt=_asks_where,
    key=_where,
    independent_key=_where_again,
    beliefs={
        "other-cuts": partial(_instead, "other"),
        "every-cut": _every_cut,
        "children-for-node": _what_is_cut_off,
    },
    explain_item=_why_where,
    draw=_draw_where,
)

# Whose value caused a cut? ------------------------------------------------------------------------


def _cut_at(case: Case) -> CutReason | None:
    """The cut at the node that is given; where none is given, the last one."""
    reasons = _reasons(case.tree, case.rules)
    if "node" not in case.given:
        return list(reasons.values())[-1] if reasons else None
    return (
        reasons.get(case.tree.index.get(case.given["node"], -1))
        if isinstance(case.given["node"], str)
        else None
    )


def _suits_cause(case: Case) -> str | None:
    why = soft_search_objection(case)
    return why or (None if _cut_at(case) else "the search makes no such cut")


def _cut(case: Case) -> CutReason:
    reason = _cut_at(case)
    assert reason is not None, "the kind suits only trees with this cut"
    return reason


def _cause(case: Case) -> Nodes:
    return frozenset({_cut(case).by})


def _cause_again(case: Case) -> Nodes:
    """By exact values: the topmost ancestor of the other player whose elder children give the bound."""
    tree = case.tree
    node = _cut(case).node
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


def _nearest(case: Case) -> Nodes | None:
    """Who takes the child of the parent that was searched just before."""
    node = _cut(case).node
    order = case.tree.visiting(case.tree.parents[node], case.rules.order)
    place = order.index(node)
    return frozenset({order[place - 1]}) if place else None


def _own_child(case: Case) -> Nodes:
    """The child after which the node was left, in place of what it was compared with."""
    return frozenset({_cut(case).child})


_HELD_TO = {
    CutKind.ALPHA: Phrase(
        "At {node} there is an alpha cutoff. "
        "Its alpha is the largest value found so far at a MAX node above {node}."
    ),
    CutKind.BETA: Phrase(
        "At {node} there is a beta cutoff. "
        "Its beta is the smallest value found so far at a MIN node above {node}."
    ),
}


def _asks_cause(case: Case, language: Language) -> Prompt:
    cut = _cut(case)
    return Prompt(
        (*game_sentences(case.tree, language), *search_sentences(case, language)),
        paragraph(
            language.say(_HELD_TO[cut.kind], node=case.tree.names[cut.node]),
            language.say("Which child of this ancestor gave it that value?"),
            language.say(
                "If several ancestors have the value, the topmost one counts. "
                "If several of its children have it, give the first one."
            ),
        ),
    )


def _draw_cause(draw: Draw, case: Case) -> Case | None:
    """A cut, every other time a deep one if there is any; of the causes each as often.

    Whether it is deep nobody disputes, for that is told.
    """
    if soft_search_objection(case) is not None:
        return None
    reasons = [reason for reason in _reasons(case.tree, case.rules).values() if reason.undisputed]
    deep = [reason for reason in reasons if reason.deep]
    telling = deep if deep and draw.below(2) else reasons
    if not telling:
        return None
    causes = sorted({reason.by for reason in telling})
    # The first child of the root is a cause in most trees.
    cause = draw.choose(causes[1:] if len(causes) > 1 and draw.below(2) else causes)
    cut = draw.choose([reason for reason in telling if reason.by == cause])
    return replace(case, given=Given({"node": case.tree.names[cut.node]}))


CAUSE = _asking(
    ask="cause",
    given_names=("node",),
    question="Which value caused a cutoff?",
    form=ORIGIN,
    objection=_suits_cause,
    prompt=_asks_cause,
    key=_cause,
    independent_key=_cause_again,
    beliefs={
        "sibling-before": only_where_wrong(_cause, _nearest),
        "own-child": _own_child,
        "node-itself": lambda case: frozenset({_cut(case).node}),
    },
    explain_item=lambda solved, _item: Reason(_told(solved, _cut(solved.case))),
    draw=_draw_cause,
)

KINDS = (WHERE, CAUSE, WHY_NOT)
