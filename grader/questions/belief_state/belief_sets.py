"""Which states, and which actions? Result(b, a) and Actions(b) as sets of what a picture shows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.answers.branches import BRANCHES, Branches, write
from grader.answers.choice_blanks import Offer, node_option
from grader.answers.form import Item
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.belief_state.worlds import (
    ACTIONS,
    ACTIONS_DEFINITIONS,
    RESULT_DEFINITION,
    STAYS_IF_ILLEGAL,
    belief_of,
    belief_sentence,
    draw_belief,
    draw_world,
    moves_sentences,
    valid_world,
    world_objection,
    world_table,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt
from grader.solvers.partial_observation import BeliefState, actions
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

# What students read -------------------------------------------------------------------------------

QUESTION_STATES = Phrase("Which states are in Result(b, {action})?")
QUESTION_MOVES = Phrase("Which actions are in Actions(b)?")
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
ALL_STATES_SHOWN = Phrase("The picture only lists all states; it is not a game tree.")
ALL_ACTIONS_SHOWN = Phrase("The picture only lists all actions; it is not a game tree.")
WHOLE = Phrase("Only a complete answer earns points: it must include all of them and no others.")
CAPTION = Phrase("The correct answer is drawn with thick lines.")
REACHED_FROM_ONE, REACHED_FROM_SEVERAL = plural_phrase(
    "State {state} belongs to Result(b, {action}): the action leads there from state {states}.",
    "State {state} belongs to Result(b, {action}): the action leads there from states {states}.",
)
STATE_STAYS = Phrase(
    "State {state} belongs to Result(b, {action}): the action is illegal there, so the agent stays in it."
)
STATE_NOT_REACHED = Phrase(
    "State {state} does not belong to Result(b, {action}): the action leads there from no state in b."
)
LEGAL_IN_ONE, LEGAL_IN_SEVERAL = plural_phrase(
    "The action {action} belongs to Actions(b): it is legal in state {states}.",
    "The action {action} belongs to Actions(b): it is legal in states {states}.",
)
LEGAL_NOWHERE = Phrase("The action {action} does not belong to Actions(b): it is legal in no state in b.")
LEGAL_EVERYWHERE = Phrase("The action {action} belongs to Actions(b): it is legal in all states in b.")
ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL = plural_phrase(
    "The action {action} does not belong to Actions(b): it is illegal in state {states}.",
    "The action {action} does not belong to Actions(b): it is illegal in states {states}.",
)

# Questions about a set ----------------------------------------------------------------------------

STATE_LABELS = ("P", "Q", "R", "S", "T", "U")
"""The names of states in questions whose replies name states: a number would be a leaf number."""

MAX_DRAWS = 80
"""How many belief states are drawn before a world is given up."""

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

_OFFER = partial(Offer, lambda tree: tree.breadth_first[1:], node_option, write, place="branch")
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
    prompt: Callable[[Given, Language], Prompt],
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
        prompt=lambda case, language: prompt(case.given, language),
        key=key,
        independent_key=independent_key,
        beliefs={
            name: only_where_wrong(to_answer(answers[0]), to_answer(belief))
            for name, belief in beliefs.items()
        },
        explain_item=explain_item,
        worked_solution=WorkedSolution(steps, steps),
        key_picture=key_picture,
        draw=draw_case,
        annotates_tree=True,
        needs_tree=False,
        **more,
    )


# Actions(b) -----------------------------------------------------------------------------------------


def _rule(given: Given, other: bool = False) -> str:
    legal: str = given.get("legal", "intersection")
    return {"union": "intersection", "intersection": "union"}[legal] if other else legal


def all_moves(given: Given) -> tuple[str, ...]:
    """Return all actions of a world in alphabetical order, as the question lists them.

    The same actions are the same answer in every world, and each answer is equally likely.
    """
    return tuple(sorted({move for moves in valid_world(given).moves.values() for move in moves}))


def available_moves(given: Given, other: bool = False) -> BeliefState:
    """Return Actions(b) by the given rule, or by the other one."""
    return frozenset(actions(valid_world(given), belief_of(given), _rule(given, other)))  # type: ignore[arg-type]  # one of the two


def independent_available_moves(given: Given) -> BeliefState:
    """Return the same as the union or the intersection of sets."""
    world = valid_world(given)
    sets = [frozenset(world.moves.get(state, {})) for state in belief_of(given)]
    return frozenset.union(*sets) if _rule(given) == "union" else frozenset.intersection(*sets)


def ask_moves(given: Given, language: Language) -> Prompt:
    """Ask which of the actions in the picture belong to Actions(b)."""
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(ACTIONS_DEFINITIONS[_rule(given)]),
            belief_sentence(given, language),
            say(ALL_ACTIONS_SHOWN),
        ),
        say(QUESTION_MOVES),
        table=world_table(valid_world(given), language),
    )


def explain_move(solved: SolvedExercise, action: str) -> str:
    """Say in which states of b an action is legal, as far as the rule for Actions(b) asks."""
    given, language = solved.given, solved.language
    moves, belief = valid_world(given).moves, sorted(belief_of(given))
    legal = [state for state in belief if action in moves.get(state, {})]
    illegal = [state for state in belief if state not in legal]
    if _rule(given) == "union" and not legal:
        return language.say(LEGAL_NOWHERE, action=action)
    if _rule(given) == "union":
        states = language.join_and(legal)
        return language.say(LEGAL_IN_ONE, LEGAL_IN_SEVERAL, len(legal), action=action, states=states)
    if not illegal:
        return language.say(LEGAL_EVERYWHERE, action=action)
    states = language.join_and(illegal)
    return language.say(ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL, len(illegal), action=action, states=states)


def draw_moves(draw: Draw) -> Given | None:
    """Draw a world in which the two rules differ and the answer is neither all actions nor none."""
    world = draw_world(draw, actions=len(ACTIONS), illegal=True)
    for _ in range(MAX_DRAWS):
        given = Given(
            {**world, "belief": draw_belief(draw, 2), "legal": draw.choose(("union", "intersection"))}
        )
        if available_moves(given) != available_moves(given, other=True) and 0 < len(
            available_moves(given)
        ) < len(all_moves(given)):
            return given
    return None


def moves_objection(given: Given) -> str | None:
    """Return why there is no world with actions, or None."""
    return world_objection(given) or (None if all_moves(given) else "there is no move in this world")


# Result(b, a) ---------------------------------------------------------------------------------------


def ask_states(given: Given, language: Language) -> Prompt:
    """Ask which of the states in the picture are possible after an action."""
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(STAYS_IF_ILLEGAL),
            say(RESULT_DEFINITION),
            belief_sentence(given, language),
            say(ALL_STATES_SHOWN),
        ),
        say(QUESTION_STATES, action=given["action"]),
        table=world_table(valid_world(given), language),
    )


def explain_state(solved: SolvedExercise, state: str) -> str:
    """Say from where the action leads to a state, or that it does not."""
    given, language = solved.given, solved.language
    action, moves, belief = given["action"], valid_world(given).moves, sorted(belief_of(given))
    origins = [before for before in belief if moves.get(before, {}).get(action) == state]
    if origins:
        states = language.join_and(origins)
        fields = {"state": state, "action": action, "states": states}
        return language.say(REACHED_FROM_ONE, REACHED_FROM_SEVERAL, len(origins), **fields)
    is_illegal = state in belief and action not in moves.get(state, {})
    return language.say(STATE_STAYS if is_illegal else STATE_NOT_REACHED, state=state, action=action)


def draw_states(
    draw: Draw, after: Callable[[Given], BeliefState], wrong: Sequence[Callable[[Given], BeliefState]]
) -> Given | None:
    """Draw a belief state and an action for which every mistake leads to another answer."""
    world = draw_world(draw, actions=2, illegal=True, states=STATE_LABELS)
    for _ in range(MAX_DRAWS):
        belief, action = (
            draw_belief(draw, draw.between(2, 5), STATE_LABELS),
            draw.choose(draw.names(ACTIONS[:2])),
        )
        given = Given({**world, "belief": belief, "action": action})
        if action not in actions(valid_world(given), belief_of(given), "union"):
            continue
        found = after(given)
        if len(found) < len(STATE_LABELS) and all(belief_key(given) != found for belief_key in wrong):
            return given
    return None
