"""Why does alpha-beta search cut off nothing below a node?"""

from dataclasses import replace

from grader.answers.form import Item
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import soft_search_objection
from grader.questions.wording import Prompt, game_sentences, search_sentences
from grader.solvers.cutoff_analysis import NoCut, no_cut_reason
from grader.solvers.sweep import sweep
from grader.trees.tree import Player

_STATED = {
    NoCut.NO_BOUND: Phrase(
        "No child of {node} is pruned. True or false: "
        "when the search reaches {node}, no ancestor of the other player has a value yet."
    ),
    NoCut.LAST_CHILD: Phrase(
        "No child of {node} is pruned. True or false: "
        "{node} reaches the value of an ancestor of the other player, but only with its last child."
    ),
    NoCut.NOT_MET: Phrase(
        "No child of {node} is pruned. True or false: "
        "ancestors of the other player have values, but {node} never reaches one of them."
    ),
}
"""The reasons that are asked about, of which one and only one is right."""

_BECAUSE = {
    NoCut.NO_BOUND: Phrase("No ancestor of the other player has a value when the search reaches {node}."),
    NoCut.LAST_CHILD: Phrase(
        "Only the last child visited gives {node} a value that reaches {bound}, namely {value}. "
        "Then no child is left to prune."
    ),
    NoCut.NOT_MET: Phrase("The search gives {node} the value {value}, which never reaches {bound}."),
}


def _uncut(case: Case) -> dict[int, NoCut]:
    """The nodes below which nothing is cut for one of these reasons."""
    tree = case.tree
    found = ((node, no_cut_reason(tree, case.rules, node)) for node in tree.internal if node)
    return {node: reason.why for node, reason in found if reason is not None and reason.why in _STATED}


def _suits_why_not(case: Case) -> str | None:
    if why := soft_search_objection(case):
        return why
    if case.given.text("why") not in _STATED or not isinstance(case.given.get("node"), str):
        return "no node and no reason are given"
    if case.tree.index.get(case.given["node"]) not in _uncut(case):
        return "something is cut off below the node, or it is plain why nothing is"
    return None


def _why_not(case: Case) -> bool:
    reason = no_cut_reason(case.tree, case.rules, case.tree.index[case.given["node"]])
    return reason is not None and reason.why is NoCut(case.given["why"])


def _reason_by_values(case: Case, *, own: bool = False) -> NoCut:
    """The reason by exact values; with `own`, that of who looks at the bound of the node's own player."""
    tree, node = case.tree, case.tree.index[case.given["node"]]
    swept, low = sweep(tree, case.rules), tree.players[node] is Player.MIN
    bound = swept.alphas[node] if low != own else swept.betas[node]
    if isinstance(bound, float):
        return NoCut.NO_BOUND
    value = (min if low else max)(swept.values[child] for child in tree.children[node])
    beyond = value < bound if low else value > bound
    met = beyond or (value == bound and case.rules.ties == "cut")
    return NoCut.LAST_CHILD if met else NoCut.NOT_MET


def _why_not_again(case: Case) -> bool:
    return _reason_by_values(case) is NoCut(case.given["why"])


def _own_bound(case: Case) -> bool:
    """Who looks at the bound of the node's own player."""
    return _reason_by_values(case, own=True) is NoCut(case.given["why"])


def _asks_why_not(case: Case, language: Language) -> Prompt:
    why = NoCut(case.given["why"])
    meets = language.say("A node reaches the value of an ancestor when its own value is enough for a cutoff.")
    told = () if why is NoCut.NO_BOUND else (meets,)
    return Prompt(
        (*game_sentences(case.tree, language), *search_sentences(case, language), *told),
        language.say(_STATED[why], node=case.given["node"]),
    )


def _why_why_not(solved: SolvedExercise, item: Item) -> Reason | None:
    node = solved.tree.index[solved.given["node"]]
    reason = no_cut_reason(solved.tree, solved.rules, node)
    if reason is None or reason.value is None or reason.bound is None:
        return None
    say = solved.language.say
    because = say(
        _BECAUSE[reason.why],
        node=solved.node_title(node),
        value=solved.value_text(reason.value),
        bound=solved.value_text(reason.bound),
    )
    return Reason(
        paragraph(say("The correct answer is {answer}.", answer=solved.language.reply(item.right)), because)
    )


def _draw_why_not(draw: Draw, case: Case) -> Case | None:
    """A node below which nothing is cut; as often with the reason as with another one."""
    if soft_search_objection(case) is not None:
        return None
    reasons = _uncut(case)
    if not reasons:
        return None
    node = draw.choose(sorted(reasons))
    others = [why for why in _STATED if why is not reasons[node]]
    why = reasons[node] if draw.below(2) else draw.choose(others)
    return replace(case, given=Given({"node": case.tree.names[node], "why": why.value}))


WHY_NOT = Kind(
    ask="why-not",
    given_names=("node", "why"),
    question="Why does the search prune nothing at a node?",
    about="search",
    form=TRUTH,
    objection=_suits_why_not,
    prompt=_asks_why_not,
    key=_why_not,
    independent_key=_why_not_again,
    beliefs={
        "own-bound": only_where_wrong(_why_not, _own_bound),
        "any-reason": only_where_wrong(_why_not, constant_key(True)),
        "cut-everywhere": only_where_wrong(_why_not, constant_key(False)),
    },
    explain_item=_why_why_not,
    worked_solution=SEARCH_SOLUTION,
    draw=_draw_why_not,
)
