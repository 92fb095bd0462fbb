"""Questions about a set of states or actions, which a picture shows to choose from."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.answers.blank import Option, node_label
from grader.answers.branches import BRANCHES, Branches, write
from grader.answers.choice_blanks import Offer
from grader.answers.form import Item, Terms
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt
from grader.solvers.partial_observation import BeliefState
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

# What students read -------------------------------------------------------------------------------

LABELS = Phrase("Write their labels, or none if there are none.")
WRITE_STATES = Phrase(
    "Write the label of every such state, from left to right in the picture, separated by spaces. "
    "If there are none, write {none}."
)
WRITE_ACTIONS = Phrase(
    "Write the label of every such action, from left to right in the picture, separated by spaces. "
    "If there are none, write {none}."
)
TICK_STATES = Phrase("Select every such state, or the last option if there are none.")
TICK_ACTIONS = Phrase("Select every such action, or the last option if there are none.")
CROSS_STATES = Phrase(
    'Put a cross in the box of every such state, or in the box "none of them" if there are none. '
    "The box of a state is just above it or next to its label."
)
CROSS_ACTIONS = Phrase(
    'Put a cross in the box of every such action, or in the box "none of them" if there are none. '
    "The box of an action is just above it or next to its label."
)
WHOLE = Phrase("Only a complete answer earns points: it must include all of them and no others.")
CAPTION = Phrase("The correct answer is drawn with thick lines.")

# Questions about a set ----------------------------------------------------------------------------

SET = replace(
    BRANCHES,
    ask=LABELS,
    example="P R",
    policies=("exact",),
    earlier_policies=(),
    credit_sentence=lambda terms, _tree: terms.language.say(WHOLE),
    from_drawing=None,
    drawn_verdicts="",
    screen_input="",
    by_payoffs=None,
    counts_leaves=False,
    answer_count=lambda _key, tree: 2 ** len(tree.leaves) - 2,
    payoff_blind_answers=lambda tree, _rules: {
        "everything": frozenset(range(1, len(tree))),
        "nothing": frozenset(),
    },
)
"""A set of some children of one node, neither none nor all of them; each such set is equally likely."""


def _member_option(node: int, tree: Tree, terms: Terms) -> Option:
    """Return the option of a state or action: its label alone, since the picture has no leaf numbers."""
    label = node_label(tree, node, terms.language)
    return Option(label, reply=vocabulary(tree).write_guarded(node), node=node)


_OFFER = partial(Offer, lambda tree: tree.breadth_first[1:], _member_option, write, place="branch")
STATE_OFFER = _OFFER(WRITE_STATES, TICK_STATES, paper_ask=CROSS_STATES)
ACTION_OFFER = _OFFER(WRITE_ACTIONS, TICK_ACTIONS, paper_ask=CROSS_ACTIONS)
"""The children of the root as a choice, named as the question names them."""


def member_tree(members: Sequence[str]) -> Tree:
    """Return a tree whose root has a child for everything that may belong to the answer."""
    planting = TreeBuilder()
    root = planting.add(-1, Player.MAX, name="b")
    for name in members:
        planting.add(root, None, name, name=name)
    return planting.tree()


def _members(tree: Tree, names: Sequence[str]) -> Branches:
    return frozenset(tree.index[name] for name in names)


def belief_of_reply(tree: Tree, members: Branches) -> BeliefState:
    """Return the names of the members of an answer."""
    return frozenset(tree.names[node] for node in members)


def set_question(
    ask: str,
    question: str,
    offer: Offer,
    candidates: Callable[[Given], Sequence[str]],
    prompt: Callable[[Case, Language], Prompt],
    answers: tuple[Callable[[Given], BeliefState], Callable[[Given], BeliefState]],
    beliefs: dict[str, Callable[[Given], BeliefState]],
    steps: Callable[[SolvedExercise], tuple[str, ...]],
    draw: Callable[[Draw], Given | None],
    suits: Callable[[Given], str | None],
    explain_member: Callable[[SolvedExercise, str], str],
    **more: Any,
) -> Kind[Branches]:
    """Return a question about a set of `candidates`, which the picture shows in this order.

    `answers` compute the answer in two independent ways, `steps` explain it, and `explain_member` says why a
    candidate belongs to the answer or does not.
    """

    def objection(case: Case) -> str | None:
        """Return why the case does not suit, or None; below the tree's root must be just the candidates."""
        why = suits(case.given)
        if why is None and (
            not len(case.tree) or sorted(case.tree.names[1:]) != sorted(candidates(case.given))
        ):
            why = "the tree does not show everything that may belong to the answer"
        return why

    def to_answer(belief: Callable[[Given], BeliefState]) -> Callable[[Case], Branches]:
        return lambda case: _members(case.tree, sorted(belief(case.given)))

    def draw_case(stream: Draw, case: Case) -> Case | None:
        given = draw(stream)
        return None if given is None else Case(member_tree(candidates(given)), case.rules, given)

    def explain_item(solved: SolvedExercise, item: Item) -> Reason | None:
        if item.node is None:
            return None
        return Reason(explain_member(solved, solved.tree.names[item.node]))

    def key_picture(solved: SolvedExercise) -> KeyPicture:
        caption = solved.language.say(CAPTION)
        return KeyPicture(solved.tree, caption, shows_backed_up_values=False, line=(0, *sorted(solved.key)))

    key, independent_key = map(to_answer, answers)
    return Kind(
        ask=ask,
        question=question,
        form=replace(SET, blank_codec=offer.codec),
        objection=objection,
        prompt=prompt,
        key=key,
        independent_key=independent_key,
        beliefs={
            name: only_where_wrong(to_answer(answers[0]), to_answer(belief))
            for name, belief in beliefs.items()
        },
        explain_item=explain_item,
        worked_solution=WorkedSolution(steps),
        key_picture=key_picture,
        draw=draw_case,
        annotates_tree=True,
        needs_tree=False,
        **more,
    )
