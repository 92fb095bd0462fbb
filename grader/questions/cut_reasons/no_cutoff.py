"""Why does alpha-beta search prune no child of a node?"""

from dataclasses import replace

from grader.answers.form import Item
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import CORRECT_ANSWER, SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import soft_search_objection
from grader.questions.wording import asks, game_sentences, search_sentences
from grader.solvers.cutoff_analysis import NoCut, no_cut_reason
from grader.solvers.sweep import sweep
from grader.trees.tree import Player

QUESTION = {
    NoCut.NO_BOUND: Phrase(
        "No child of {node} is pruned. True or false: "
        "when the search reaches {node}, no ancestor that belongs to the other player has a value yet."
    ),
    NoCut.LAST_CHILD: Phrase(
        "No child of {node} is pruned. True or false: "
        "the value of {node} reaches that of an ancestor that belongs to the other player, but only with "
        "its last child."
    ),
    NoCut.NOT_MET: Phrase(
        "No child of {node} is pruned. True or false: "
        "ancestors that belong to the other player have values, but the value of {node} never reaches any "
        "of them."
    ),
}
"""The possible reasons; exactly one is correct."""

REACH_DEFINITION = Phrase(
    "The value of a node reaches the value of an ancestor if comparing the two values is enough for a cutoff."
)
WHY_NO_CUTOFF = {
    NoCut.NO_BOUND: Phrase(
        "When the search reaches {node}, no ancestor that belongs to the other player has a value."
    ),
    NoCut.LAST_CHILD: Phrase(
        "The value of {node} reaches {bound} only after its last child is visited: it is then {value}. "
        "No child is left to prune at that point."
    ),
    NoCut.NOT_MET: Phrase(
        "The value that the search computes for {node} is {value}. "
        "Comparing it with {bound} is not enough for a cutoff."
    ),
}


def _nodes_without_cutoff(case: Case) -> dict[int, NoCut]:
    """Return the nodes without a cutoff for one of these reasons, with the reason of each."""
    tree = case.tree
    found = ((node, no_cut_reason(tree, case.rules, node)) for node in tree.internal if node)
    return {node: reason.kind for node, reason in found if reason is not None and reason.kind in QUESTION}


def _objection(case: Case) -> str | None:
    """Return why the case cannot be asked, or None: the node must have no cutoff for one of the reasons."""
    if why := soft_search_objection(case):
        return why
    if case.given.text("why") not in QUESTION or not isinstance(case.given.get("node"), str):
        return "no node and no reason are given"
    if case.tree.index.get(case.given["node"]) not in _nodes_without_cutoff(case):
        return "something is cut off below the node, or it is obvious why nothing is"
    return None


def _is_reason(case: Case) -> bool:
    reason = no_cut_reason(case.tree, case.rules, case.tree.index[case.given["node"]])
    return reason is not None and reason.kind is NoCut(case.given["why"])


def _reason_by_values(case: Case, *, own: bool = False) -> NoCut:
    """Return the reason by exact values; with `own`, by the bound of the node's own player instead."""
    tree, node = case.tree, case.tree.index[case.given["node"]]
    swept, low = sweep(tree, case.rules), tree.players[node] is Player.MIN
    bound = swept.alphas[node] if low != own else swept.betas[node]
    if isinstance(bound, float):
        return NoCut.NO_BOUND
    value = (min if low else max)(swept.values[child] for child in tree.children[node])
    beyond = value < bound if low else value > bound
    met = beyond or (value == bound and case.rules.ties == "cut")
    return NoCut.LAST_CHILD if met else NoCut.NOT_MET


def _independent_answer(case: Case) -> bool:
    return _reason_by_values(case) is NoCut(case.given["why"])


def _own_bound(case: Case) -> bool:
    """Return the answer of a student who compares with the bound of the node's own player."""
    return _reason_by_values(case, own=True) is NoCut(case.given["why"])


def _reach_definition(case: Case, language: Language) -> str:
    """Define what it means to reach a value, if the reason in question says so."""
    return "" if case.given["why"] == NoCut.NO_BOUND else language.say(REACH_DEFINITION)


def _explain(solved: SolvedExercise, item: Item) -> Reason | None:
    """State the correct answer with the value and the bound that do not meet.

    None if the reason has no value or no bound.
    """
    node = solved.tree.index[solved.given["node"]]
    reason = no_cut_reason(solved.tree, solved.rules, node)
    if reason is None or reason.value is None or reason.bound is None:
        return None
    say = solved.language.say
    because = say(
        WHY_NO_CUTOFF[reason.kind],
        node=solved.node_title(node),
        value=solved.value_text(reason.value),
        bound=solved.value_text(reason.bound),
    )
    return Reason(paragraph(say(CORRECT_ANSWER, answer=solved.language.quoted_reply(item.right)), because))


def _draw(draw: Draw, case: Case) -> Case | None:
    """Draw a node without a cutoff, equally often with its reason as with another one."""
    if soft_search_objection(case) is not None:
        return None
    reasons = _nodes_without_cutoff(case)
    if not reasons:
        return None
    node = draw.choose(sorted(reasons))
    others = [why for why in QUESTION if why is not reasons[node]]
    why = reasons[node] if draw.below(2) else draw.choose(others)
    return replace(case, given=Given({"node": case.tree.names[node], "why": why.value}))


WHY_NOT = Kind(
    ask="why-not",
    given_names=("node", "why"),
    question="Why does the search prune nothing at a node?",
    about="search",
    form=TRUTH,
    objection=_objection,
    prompt=asks(
        lambda case, language: language.say(QUESTION[case.given["why"]], node=case.given["node"]),
        game_sentences,
        search_sentences,
        _reach_definition,
    ),
    key=_is_reason,
    independent_key=_independent_answer,
    beliefs={
        "own-bound": only_where_wrong(_is_reason, _own_bound),
        "any-reason": only_where_wrong(_is_reason, constant_key(True)),
        "cut-everywhere": only_where_wrong(_is_reason, constant_key(False)),
    },
    explain_item=_explain,
    worked_solution=SEARCH_SOLUTION,
    draw=_draw,
)
