"""Why does alpha-beta search cut where it does, and why does it not cut elsewhere?"""

from collections.abc import Mapping
from functools import lru_cache

from grader.answers.branches import NODES, ORIGIN
from grader.answers.form import Item
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.kinds.given import Given
from grader.kinds.kind import BeliefKey, Kind
from grader.kinds.randomness import Draw
from grader.kinds.search_answers import suits_search
from grader.kinds.why import SEARCH, Reason, Solved
from grader.kinds.wording import Prompt, the_game, the_search
from grader.rules import Rules
from grader.solvers.cut_reasons import CutKind, CutReason, NoCut, cut_reasons, no_cut_reason
from grader.solvers.provisional import provisional
from grader.solvers.sweep import sweep
from grader.tree import Player, Tree

Nodes = frozenset[int]

# Where are the cuts of one kind? ------------------------------------------------------------------

CUTS = ("alpha", "beta", "deep")

_MEANT = {
    "alpha": Phrase("A cut at a MIN node is called an alpha cut."),
    "beta": Phrase("A cut at a MAX node is called a beta cut."),
    "deep": Phrase(
        "A cut is called deep when no value of the node's parent suffices for it, only that of an ancestor "
        "further up."
    ),
}
_WHERE = {
    "alpha": Phrase("At which nodes does the search make an alpha cut?"),
    "beta": Phrase("At which nodes does the search make a beta cut?"),
    "deep": Phrase("At which nodes does the search make a deep cut?"),
}


@lru_cache(maxsize=16)
def _reasons(tree: Tree, rules: Rules) -> Mapping[int, CutReason]:
    return {reason.node: reason for reason in cut_reasons(tree, rules)}


def _which(given: Given) -> str:
    which: str = given.get("cuts", "alpha")
    return which


def _suits_where(tree: Tree, rules: Rules, given: Given) -> str | None:
    if _which(given) not in CUTS:
        return f"the cuts asked about are none of {', '.join(CUTS)}"
    return suits_search(tree, rules, given)


def _is(reason: CutReason, which: str) -> bool:
    return reason.deep if which == "deep" else reason.kind == which


def _where(tree: Tree, rules: Rules, given: Given) -> Nodes:
    return frozenset(node for node, reason in _reasons(tree, rules).items() if _is(reason, _which(given)))


def _where_again(tree: Tree, rules: Rules, given: Given) -> Nodes:
    """By the older form of the search, which compares a node with its ancestors one by one."""
    swept, older = sweep(tree, rules).visited, provisional(tree, rules)
    found = set()
    for node in tree.internal:
        cut = swept[node] and not all(swept[child] for child in tree.children[node])
        by = older.stopped_by[node]
        if cut and by is not None:
            player = CutKind.ALPHA if tree.players[node] is Player.MIN else CutKind.BETA
            if by != tree.parents[node] if _which(given) == "deep" else player == _which(given):
                found.add(node)
    return frozenset(found)


def _instead(which: str) -> BeliefKey[Nodes]:
    """The nodes of cuts of another kind, where alpha and beta are asked about."""

    def key(tree: Tree, rules: Rules, given: Given) -> Nodes | None:
        if _which(given) == "deep":
            return None
        other = {"alpha": "beta", "beta": "alpha"}[_which(given)] if which == "other" else which
        return _where(tree, rules, Given({"cuts": other}))

    return key


def _every_cut(tree: Tree, rules: Rules, given: Given) -> Nodes:
    return frozenset(_reasons(tree, rules))


def _what_is_cut_off(tree: Tree, rules: Rules, given: Given) -> Nodes:
    """The branches that are skipped, in place of the nodes at which that happens."""
    reasons = (_reasons(tree, rules)[node] for node in _where(tree, rules, given))
    return frozenset(child for reason in reasons for child in reason.skipped)


def _asks_where(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *the_game(tree, language),
            *the_search(tree, rules, language),
            say("A cut at a node means that some of its children are never looked at."),
            say(_MEANT[_which(given)]),
        ),
        paragraph(say(_WHERE[_which(given)]), say("Name the nodes, not the branches that are cut off.")),
    )


def _told(solved: Solved, reason: CutReason) -> str:
    """What happens at a cut, and whose value allows it."""
    say, called = solved.language.say, solved.called
    told = {
        "node": called(reason.node),
        "cause": called(reason.cause),
        "by": called(reason.by),
        "bound": solved.written(reason.bound),
        "value": solved.written(reason.value),
    }
    if reason.kind == CutKind.ALPHA:
        text = say(
            "At {node} there is an alpha cut: it is worth at most {value}, and {cause} already has "
            "{bound} from {by}.",
            **told,
        )
    else:
        text = say(
            "At {node} there is a beta cut: it is worth at least {value}, and {cause} already has "
            "{bound} from {by}.",
            **told,
        )
    if reason.deep:
        text += " " + say("No value of its parent suffices for that, so it is a deep cut.")
    return text


def _why_where(solved: Solved, item: Item) -> Reason | None:
    if item.verdict == "right" or item.node is None:
        return None
    reason = _reasons(solved.tree, solved.rules).get(item.node)
    if reason is not None:
        return Reason(_told(solved, reason))
    return Reason(solved.language.say("There is no cut at {node}.", node=solved.called(item.node)))


def _draw_where(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """Cuts of a kind that there are, and others besides."""
    if suits_search(tree, rules, Given()) is not None:
        return None
    every = _every_cut(tree, rules, Given())
    found = None
    for which in draw.shuffle(CUTS):
        found = Given({"cuts": which})
        if _where(tree, rules, found) not in (frozenset(), every):
            break
    return None if found is None else (tree, found)


WHERE = Kind(
    name="cut-reasons",
    ask="where",
    gives=("cuts",),
    question="At which nodes are there alpha cuts, beta cuts or deep cuts?",
    about="search",
    form=NODES,
    suits=_suits_where,
    prompt=_asks_where,
    key=_where,
    second_way=_where_again,
    beliefs={
        "other-cuts": _instead("other"),
        "every-cut": _every_cut,
        "children-for-node": _what_is_cut_off,
    },
    why=_why_where,
    worked=SEARCH,
    draw=_draw_where,
)

# Whose value caused a cut? ------------------------------------------------------------------------


def _cut_at(tree: Tree, rules: Rules, given: Given) -> CutReason | None:
    """The cut at the node that is given; where none is given, the last one."""
    reasons = _reasons(tree, rules)
    if "node" not in given:
        return list(reasons.values())[-1] if reasons else None
    return reasons.get(tree.index.get(given["node"], -1)) if isinstance(given["node"], str) else None


def _suits_cause(tree: Tree, rules: Rules, given: Given) -> str | None:
    why = suits_search(tree, rules, given)
    if why is not None:
        return why
    return "the search makes no such cut" if _cut_at(tree, rules, given) is None else None


def _cut(tree: Tree, rules: Rules, given: Given) -> CutReason:
    reason = _cut_at(tree, rules, given)
    assert reason is not None, "the kind suits only trees with this cut"
    return reason


def _cause(tree: Tree, rules: Rules, given: Given) -> Nodes:
    return frozenset({_cut(tree, rules, given).by})


def _cause_again(tree: Tree, rules: Rules, given: Given) -> Nodes:
    """By exact values: the topmost ancestor of the other player whose elder children give the bound."""
    node = _cut(tree, rules, given).node
    swept = sweep(tree, rules)
    low = tree.players[node] is Player.MIN
    bound = swept.alphas[node] if low else swept.betas[node]
    found = -1
    for child, above in zip((node, *tree.ancestors(node)), tree.ancestors(node), strict=False):
        if tree.players[above] is tree.players[node]:
            continue
        order = tree.visiting(above, rules.order)
        elder = [sibling for sibling in order[: order.index(child)] if swept.values[sibling] == bound]
        found = elder[0] if elder else found
    return frozenset({found})


def _nearest(tree: Tree, rules: Rules, given: Given) -> Nodes | None:
    """Who takes the child of the parent that was searched just before; it shows where that is wrong."""
    node = _cut(tree, rules, given).node
    order = tree.visiting(tree.parents[node], rules.order)
    place = order.index(node)
    before = frozenset({order[place - 1]}) if place else None
    return None if before == _cause(tree, rules, given) else before


def _own_child(tree: Tree, rules: Rules, given: Given) -> Nodes:
    """The child after which the node was left, in place of what it was compared with."""
    return frozenset({_cut(tree, rules, given).child})


def _the_node(tree: Tree, rules: Rules, given: Given) -> Nodes:
    return frozenset({_cut(tree, rules, given).node})


def _asks_cause(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (*the_game(tree, language), *the_search(tree, rules, language)),
        paragraph(
            language.say(
                "The search cuts at {node}, because of a value that an ancestor of it already has.",
                node=tree.names[_cut(tree, rules, given).node],
            ),
            language.say("From which of its children does this ancestor have that value?"),
            language.say(
                "If several ancestors have it, the topmost counts; name the first child that gave it."
            ),
        ),
    )


def _why_cause(solved: Solved, item: Item) -> Reason | None:
    if item.verdict == "right":
        return None
    return Reason(_told(solved, _cut(solved.tree, solved.rules, solved.given)))


def _draw_cause(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """One of the cuts, every other time a deep one if there is any; of the causes each as often."""
    if suits_search(tree, rules, Given()) is not None:
        return None
    reasons = list(_reasons(tree, rules).values())
    deep = [reason for reason in reasons if reason.deep]
    telling = deep if deep and draw.below(2) else reasons
    if not telling:
        return None
    causes = sorted({reason.by for reason in telling})
    # The first child of the root is a cause in most trees.
    cause = draw.choose(causes[1:] if len(causes) > 1 and draw.below(2) else causes)
    cut = draw.choose([reason for reason in telling if reason.by == cause])
    return tree, Given({"node": tree.names[cut.node]})


CAUSE = Kind(
    name="cut-reasons",
    ask="cause",
    gives=("node",),
    question="Whose value caused a cut?",
    about="search",
    form=ORIGIN,
    suits=_suits_cause,
    prompt=_asks_cause,
    key=_cause,
    second_way=_cause_again,
    beliefs={
        "sibling-before": _nearest,
        "own-child": _own_child,
        "node-itself": _the_node,
    },
    why=_why_cause,
    worked=SEARCH,
    draw=_draw_cause,
)

# Why is nothing cut off? --------------------------------------------------------------------------

_STATED = {
    NoCut.NO_BOUND: Phrase(
        "Nothing is cut off directly below {node}. Is it true that no ancestor of the other player has a "
        "value yet when the search comes there?"
    ),
    NoCut.LAST_CHILD: Phrase(
        "Nothing is cut off directly below {node}. Is it true that only its last child gives it a value that "
        "meets the value of an ancestor of the other player?"
    ),
    NoCut.NOT_MET: Phrase(
        "Nothing is cut off directly below {node}. Is it true that ancestors of the other player have a "
        "value, and none of its children gives it one that meets that?"
    ),
}
"""The reasons that are asked about, of which one and only one is right."""

_BECAUSE = {
    NoCut.NO_BOUND: Phrase("No ancestor of the other player has a value when the search comes to {node}."),
    NoCut.LAST_CHILD: Phrase(
        "Only the last child gives {node} a value that meets {bound}, which is {value}, and then no child is "
        "left to be cut off."
    ),
    NoCut.NOT_MET: Phrase("{node} is worth {value}, and that never meets {bound}."),
}


def _uncut(tree: Tree, rules: Rules) -> dict[int, NoCut]:
    """The nodes below which nothing is cut for one of these reasons."""
    found = ((node, no_cut_reason(tree, rules, node)) for node in tree.internal if node)
    return {node: reason.why for node, reason in found if reason is not None and reason.why in _STATED}


def _suits_why_not(tree: Tree, rules: Rules, given: Given) -> str | None:
    why = suits_search(tree, rules, given)
    if why is not None:
        return why
    if given.word("why") not in _STATED or not isinstance(given.get("node"), str):
        return "no node and no reason are given"
    if tree.index.get(given["node"]) not in _uncut(tree, rules):
        return "something is cut off below the node, or it is plain why nothing is"
    return None


def _why_not(tree: Tree, rules: Rules, given: Given) -> bool:
    reason = no_cut_reason(tree, rules, tree.index[given["node"]])
    return reason is not None and reason.why is NoCut(given["why"])


def _reason_by(tree: Tree, rules: Rules, node: int, *, own: bool = False) -> NoCut:
    """The reason by exact values; with `own`, that of who looks at the bound of the node's own player."""
    swept, low = sweep(tree, rules), tree.players[node] is Player.MIN
    bound = swept.alphas[node] if low != own else swept.betas[node]
    if isinstance(bound, float):
        return NoCut.NO_BOUND
    value = (min if low else max)(swept.values[child] for child in tree.children[node])
    beyond = value < bound if low else value > bound
    met = beyond or (value == bound and rules.ties == "cut")
    return NoCut.LAST_CHILD if met else NoCut.NOT_MET


def _why_not_again(tree: Tree, rules: Rules, given: Given) -> bool:
    return _reason_by(tree, rules, tree.index[given["node"]]) is NoCut(given["why"])


def _own_bound(tree: Tree, rules: Rules, given: Given) -> bool | None:
    """Who looks at the bound of the node's own player; it shows where that is wrong."""
    answer = _reason_by(tree, rules, tree.index[given["node"]], own=True) is NoCut(given["why"])
    return None if answer == _why_not(tree, rules, given) else answer


def _any_reason(tree: Tree, rules: Rules, given: Given) -> bool | None:
    """Who takes any reason for the right one, because it is true that nothing is cut off."""
    return None if _why_not(tree, rules, given) else True


def _no_reason(tree: Tree, rules: Rules, given: Given) -> bool | None:
    """Who thinks that something is cut off wherever there are several children."""
    return False if _why_not(tree, rules, given) else None


def _asks_why_not(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_search(tree, rules, language),
            language.say("A value meets another when it suffices to cut."),
        ),
        language.say(_STATED[NoCut(given["why"])], node=given["node"]),
    )


def _why_why_not(solved: Solved, item: Item) -> Reason | None:
    node = solved.tree.index[solved.given["node"]]
    reason = no_cut_reason(solved.tree, solved.rules, node)
    if item.verdict == "right" or reason is None or reason.value is None or reason.bound is None:
        return None
    say = solved.language.say
    because = say(
        _BECAUSE[reason.why],
        node=solved.called(node),
        value=solved.written(reason.value),
        bound=solved.written(reason.bound),
    )
    return Reason(
        paragraph(say("The right answer is {answer}.", answer=solved.language.reply(item.right)), because)
    )


def _draw_why_not(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A node below which nothing is cut; as often with the reason as with another one."""
    if suits_search(tree, rules, Given()) is not None:
        return None
    reasons = _uncut(tree, rules)
    if not reasons:
        return None
    node = draw.choose(sorted(reasons))
    others = [why for why in _STATED if why is not reasons[node]]
    why = reasons[node] if draw.below(2) else draw.choose(others)
    return tree, Given({"node": tree.names[node], "why": why.value})


WHY_NOT = Kind(
    name="cut-reasons",
    ask="why-not",
    gives=("node", "why"),
    question="Why does the search cut off nothing below a node?",
    about="search",
    form=TRUTH,
    suits=_suits_why_not,
    prompt=_asks_why_not,
    key=_why_not,
    second_way=_why_not_again,
    beliefs={"own-bound": _own_bound, "any-reason": _any_reason, "cut-everywhere": _no_reason},
    why=_why_why_not,
    worked=SEARCH,
    draw=_draw_why_not,
)

KINDS = (WHERE, CAUSE, WHY_NOT)
