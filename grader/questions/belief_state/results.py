"""Result(b, a): the states after an action, and whether they pass the goal test."""

from collections.abc import Callable
from dataclasses import replace

from grader.answers.count import count_form
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.belief_state.belief_sets import STATE_OFFER, belief_of_reply, set_question
from grader.questions.belief_state.worlds import (
    ACTIONS,
    RESULT_DEFINITION,
    STATES,
    STAYS_IF_ILLEGAL,
    WORLD,
    belief_of,
    belief_sentence,
    draw_action,
    draw_belief,
    draw_goals,
    draw_world,
    move_sentence,
    moves_sentences,
    valid_world,
    world_objection,
    world_table,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.shared_given import share_given
from grader.questions.wording import asks
from grader.solvers.partial_observation import BeliefState, actions, goal_test, result

# What students read -------------------------------------------------------------------------------

QUESTION_RESULT = Phrase("How many states does Result(b, {action}) contain?")
QUESTION_GOAL = Phrase("True or false: Result(b, {action}) passes the goal test.")
QUESTION_STATES = Phrase("Which states are in Result(b, {action})?")
ALL_STATES_SHOWN = Phrase("The picture only lists all states; it is not a game tree.")
GOAL_TEST = Phrase("A belief state passes the goal test if every state in it is a goal.")
ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL = plural_phrase(
    "In state {states}, the action is illegal, so the agent stays there.",
    "In states {states}, the action is illegal, so the agent stays in the same state.",
)
RESULT_OF_ONE, RESULT_OF_SEVERAL = plural_phrase(
    "Result(b, {action}) contains {count} state: {states}.",
    "Result(b, {action}) contains {count} states: {states}.",
)
ONE_GOAL, SEVERAL_GOALS = plural_phrase("The goal state is {goals}.", "The goal states are {goals}.")
WHY_GOAL = Phrase("All of these states are goal states, so the statement is true.")
WHY_NO_GOAL, WHY_NO_GOALS = plural_phrase(
    "State {states} is not a goal state, so the statement is false.",
    "States {states} are not goal states, so the statement is false.",
)
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

# The answers ---------------------------------------------------------------------------------------

MAX_DRAWS = 80
"""How many worlds are drawn before drawing is given up."""

MORE_STATES = (*STATES, "6")
"""The states of worlds in which states are counted: two counts never come, which leaves four.

After an action that is illegal somewhere, one state remains only if it is legal nowhere, and as many as
before only if no two are merged: a mistake would lead to the correct number.
"""

HOW_MANY_STATES = replace(
    count_form(one="state", many=Phrase("states"), among=lambda _tree: len(MORE_STATES)),
    answer_count=lambda _key, _tree: len(MORE_STATES) - 2,
)
STATE_LABELS = ("P", "Q", "R", "S", "T", "U")
"""The names of states in questions whose replies name states: a number would be a leaf number."""


def _action_objection(given: Given) -> str | None:
    """Return why no world and no move that is legal in some state are given, or None."""
    why = world_objection(given)
    if why is None and given.get("action") not in actions(valid_world(given), belief_of(given), "union"):
        why = 'no move is given that is legal in some state: {"action": "push"}'
    return why


def _goal_objection(given: Given) -> str | None:
    """Return the same, or that no goal is given."""
    return _action_objection(given) or (
        None if valid_world(given).goals else 'no goal is given: {"goals": ["1"]}'
    )


def _after(given: Given) -> BeliefState:
    return result(valid_world(given), belief_of(given), given["action"])


def _after_one_by_one(given: Given) -> BeliefState:
    """Return the same, state by state: those that the action leads to or in which the agent stays."""
    world, action = valid_world(given), given["action"]
    found = set()
    for state in world.states:
        for before in belief_of(given):
            offered = world.moves.get(before, {})
            if (action in offered and offered[action] == state) or (
                action not in offered and before == state
            ):
                found.add(state)
    return frozenset(found)


def _vanishing(given: Given) -> BeliefState:
    """Return Result(b, a) without the states in which the action is illegal."""
    world, action = valid_world(given), given["action"]
    return frozenset(
        world.moves[state][action] for state in belief_of(given) if action in world.moves.get(state, {})
    )


def _reached(given: Given) -> bool:
    return goal_test(valid_world(given), _after(given))


def _if_wrong(mistaken: Callable[[Given], bool]) -> Callable[[Given], bool | None]:
    return lambda given: None if mistaken(given) is _reached(given) else mistaken(given)


def _goals_sentence(case: Case, language: Language) -> str:
    world = valid_world(case.given)
    goals = [state for state in world.states if state in world.goals]
    return language.say(ONE_GOAL, SEVERAL_GOALS, len(goals), goals=language.join_and(goals))


# Drawing -------------------------------------------------------------------------------------------


def _draw_result(draw: Draw) -> Given | None:
    """Draw a world, a belief state and an action; every number of states afterwards is equally likely."""
    wanted = draw.between(2, len(MORE_STATES) - 1)
    for _ in range(MAX_DRAWS):
        world = draw_world(draw, actions=2, illegal=True, states=MORE_STATES)
        belief = draw_belief(draw, draw.between(wanted + 1, len(MORE_STATES)), MORE_STATES)
        given = Given({**world, "belief": belief, "action": draw.choose(draw.names(ACTIONS[:2]))})
        if _action_objection(given) is None and wanted == len(_after(given)) != len(_vanishing(given)):
            return given
    return None


def _draw_goal(draw: Draw) -> Given | None:
    """Draw goals among the states that can be reached: in half of all draws, all of them are goals."""
    wanted = bool(draw.below(2))
    for _ in range(MAX_DRAWS):
        world = draw_world(draw, actions=2, illegal=True)
        belief, action = draw_belief(draw, 3), draw.choose(draw.names(ACTIONS[:2]))
        goals = draw_belief(draw, 3)
        given = Given({**world, "belief": belief, "action": action, "goals": goals})
        if _goal_objection(given) is not None or len(_after(given)) < 2:
            continue
        if _reached(given) is wanted and _after(given) & set(goals):
            return given
    return None


def _draw_states(draw: Draw) -> Given | None:
    """Draw a belief state and an action for which every mistake leads to another answer."""
    world = draw_world(draw, actions=2, illegal=True, states=STATE_LABELS)
    for _ in range(MAX_DRAWS):
        belief = draw_belief(draw, draw.between(2, 5), STATE_LABELS)
        action = draw.choose(draw.names(ACTIONS[:2]))
        given = Given({**world, "belief": belief, "action": action})
        if _action_objection(given) is not None:
            continue
        found = _after(given)
        if len(found) < len(STATE_LABELS) and found not in (_vanishing(given), found | belief_of(given)):
            return given
    return None


# Why -----------------------------------------------------------------------------------------------


def _explain_result(solved: SolvedExercise) -> tuple[str, ...]:
    """Say where the action leads from each state of b, and what Result(b, a) contains."""
    given, language = solved.given, solved.language
    states, action, moves = _after(given), given["action"], valid_world(given).moves
    legal = [state for state in sorted(belief_of(given)) if action in moves.get(state, {})]
    illegal = [state for state in sorted(belief_of(given)) if state not in legal]
    effect = [move_sentence(valid_world(given), action, legal, language)]
    if illegal:
        illegal_states = language.join_and(illegal)
        effect.append(language.say(ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL, len(illegal), states=illegal_states))
    members = language.join_and(sorted(states))
    return (
        *effect,
        language.say(RESULT_OF_ONE, RESULT_OF_SEVERAL, len(states), action=action, states=members),
    )


def _explain_goal(solved: SolvedExercise) -> tuple[str, ...]:
    """Say what Result(b, a) contains, and which of its states are not goals."""
    given, language = solved.given, solved.language
    missed = sorted(_after(given) - valid_world(given).goals)
    if not missed:
        return (*_explain_result(solved), language.say(WHY_GOAL))
    states = language.join_and(missed)
    return (*_explain_result(solved), language.say(WHY_NO_GOAL, WHY_NO_GOALS, len(missed), states=states))


def _explain_state(solved: SolvedExercise, state: str) -> str:
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


CARRIED_STATES = "states after a move"
"""The name under which later parts take over a set of states."""


def _count_after(case: Case, after: tuple[str, BeliefState]) -> Numeral | None:
    action, states = after
    return Numeral(len(states)) if action == case.given["action"] else None


def _goal_after(case: Case, after: tuple[str, BeliefState]) -> bool | None:
    action, states = after
    return goal_test(valid_world(case.given), states) if action == case.given["action"] and states else None


# The kinds -----------------------------------------------------------------------------------------

RESULT = treeless_question(
    "result",
    "How many states does Result(b, a) contain?",
    _action_objection,
    asks(
        QUESTION_RESULT,
        moves_sentences,
        STAYS_IF_ILLEGAL,
        RESULT_DEFINITION,
        belief_sentence,
        table=world_table,
    ),
    (lambda given: len(_after(given)), lambda given: len(_after_one_by_one(given))),
    {
        "illegal-vanishes": lambda given: len(_vanishing(given)),
        "not-merged": lambda given: len(belief_of(given)),
    },
    _explain_result,
    _draw_result,
    form=HOW_MANY_STATES,
    given_names=(*WORLD, "action"),
    draw_shared_given=share_given(world_objection, (*WORLD, "action"), action=draw_action),
    takes={CARRIED_STATES: _count_after},
)
GOAL = treeless_question(
    "goal",
    "Does the belief state after an action pass the goal test?",
    _goal_objection,
    asks(
        QUESTION_GOAL,
        moves_sentences,
        STAYS_IF_ILLEGAL,
        RESULT_DEFINITION,
        _goals_sentence,
        GOAL_TEST,
        belief_sentence,
        table=world_table,
    ),
    (_reached, lambda given: all(state in valid_world(given).goals for state in _after_one_by_one(given))),
    {
        "one-goal-is-enough": _if_wrong(lambda given: bool(_after(given) & valid_world(given).goals)),
        "illegal-vanishes": _if_wrong(lambda given: _vanishing(given) <= valid_world(given).goals),
    },
    _explain_goal,
    _draw_goal,
    form=TRUTH,
    of=bool,
    given_names=(*WORLD, "action"),
    draw_shared_given=share_given(world_objection, (*WORLD, "action"), action=draw_action, goals=draw_goals),
    takes={CARRIED_STATES: _goal_after},
)
WHICH_STATES = set_question(
    "states",
    "Which states does Result(b, a) contain?",
    STATE_OFFER,
    lambda given: valid_world(given).states,
    asks(
        QUESTION_STATES,
        moves_sentences,
        STAYS_IF_ILLEGAL,
        RESULT_DEFINITION,
        belief_sentence,
        ALL_STATES_SHOWN,
        table=world_table,
    ),
    (_after, _after_one_by_one),
    {"illegal-vanishes": _vanishing, "old-states-stay": lambda given: _after(given) | belief_of(given)},
    _explain_result,
    _draw_states,
    _action_objection,
    _explain_state,
    given_names=(*WORLD, "action"),
    draw_shared_given=share_given(world_objection, (*WORLD, "action"), action=draw_action),
    carries={CARRIED_STATES: lambda case, reply: (case.given["action"], belief_of_reply(case.tree, reply))},
)
