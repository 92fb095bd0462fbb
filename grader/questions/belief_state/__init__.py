"""What does an agent know, and what can it achieve, in a world that it observes only partly?"""

from collections.abc import Callable
from dataclasses import replace

from grader.answers.count import count_form
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.belief_state.belief_games import BEST_MOVE, EXPECTED, PLAN, VALUE
from grader.questions.belief_state.belief_sets import (
    ACTION_OFFER,
    STATE_OFFER,
    all_moves,
    ask_moves,
    ask_states,
    available_moves,
    belief_of_reply,
    draw_moves,
    draw_states,
    explain_move,
    explain_state,
    independent_available_moves,
    moves_objection,
    set_question,
)
from grader.questions.belief_state.worlds import (
    ACTIONS,
    ACTIONS_DEFINITIONS,
    RESULT_DEFINITION,
    STATES,
    STAYS_IF_ILLEGAL,
    WORLD,
    belief_of,
    belief_sentence,
    draw_action,
    draw_belief,
    draw_goals,
    draw_rule,
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
from grader.questions.wording import Prompt
from grader.solvers.partial_observation import (
    BeliefState,
    actions,
    goal_test,
    result,
)

# What students read: Result(b, a), Actions(b) and the goal test ------------------------------------

QUESTION_RESULT = Phrase("How many states does Result(b, {action}) contain?")
QUESTION_ACTIONS = Phrase("How many actions does Actions(b) contain?")
QUESTION_GOAL = Phrase("True or false: Result(b, {action}) passes the goal test.")

GOAL_TEST = Phrase("A belief state passes the goal test if every state in it is a goal.")

ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL = plural_phrase(
    "In state {states}, the action is illegal, so the agent stays there.",
    "In states {states}, the action is illegal, so the agent stays in the same state.",
)
RESULT_OF_ONE, RESULT_OF_SEVERAL = plural_phrase(
    "Result(b, {action}) contains {count} state: {states}.",
    "Result(b, {action}) contains {count} states: {states}.",
)
LEGAL_ACTIONS = Phrase("Legal actions in state {state}: {moves}.")
NO_LEGAL_ACTION = Phrase("No action is legal in state {state}.")
NO_ACTIONS = Phrase("Actions(b) contains 0 actions: no action is legal in all of the states.")
ONE_ACTION, SEVERAL_ACTIONS = plural_phrase(
    "Actions(b) contains {count} action: {moves}.",
    "Actions(b) contains {count} actions: {moves}.",
)
ONE_GOAL, SEVERAL_GOALS = plural_phrase("The goal state is {goals}.", "The goal states are {goals}.")
WHY_GOAL = Phrase("All of these states are goal states, so the statement is true.")
WHY_NO_GOAL, WHY_NO_GOALS = plural_phrase(
    "State {states} is not a goal state, so the statement is false.",
    "States {states} are not goal states, so the statement is false.",
)

# Counting states and actions -------------------------------------------------------------------------

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
HOW_MANY_MOVES = replace(
    count_form(one="move", many=Phrase("moves"), among=lambda _tree: len(STATES)),
    answer_count=lambda _key, _tree: len(ACTIONS) + 1,
)


def _suits_action(given: Given) -> str | None:
    why = world_objection(given)
    if why is None and given.get("action") not in actions(valid_world(given), belief_of(given), "union"):
        why = 'no move is given that is legal in some state: {"action": "push"}'
    return why


# Result, Actions, and the goal test -----------------------------------------------------------------


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


def _prompt_result(given: Given, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(STAYS_IF_ILLEGAL),
            say(RESULT_DEFINITION),
            belief_sentence(given, language),
        ),
        say(QUESTION_RESULT, action=given["action"]),
        table=world_table(valid_world(given), language),
    )


def _vanishing(given: Given) -> BeliefState:
    """Return Result(b, a) without the states in which the action is illegal."""
    world, action = valid_world(given), given["action"]
    return frozenset(
        world.moves[state][action] for state in belief_of(given) if action in world.moves.get(state, {})
    )


def _prompt_actions(given: Given, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(ACTIONS_DEFINITIONS[given.get("legal", "intersection")]),
            belief_sentence(given, language),
        ),
        say(QUESTION_ACTIONS),
        table=world_table(valid_world(given), language),
    )


def _prompt_goal(given: Given, language: Language) -> Prompt:
    say, world = language.say, valid_world(given)
    goals = [state for state in world.states if state in world.goals]
    return Prompt(
        (
            *moves_sentences(world, language),
            say(STAYS_IF_ILLEGAL),
            say(RESULT_DEFINITION),
            say(ONE_GOAL, SEVERAL_GOALS, len(goals), goals=language.join_and(goals)),
            say(GOAL_TEST),
            belief_sentence(given, language),
        ),
        say(QUESTION_GOAL, action=given["action"]),
        table=world_table(world, language),
    )


def _reached(given: Given) -> bool:
    return goal_test(valid_world(given), _after(given))


def _if_wrong(mistaken: Callable[[Given], bool]) -> Callable[[Given], bool | None]:
    return lambda given: None if mistaken(given) is _reached(given) else mistaken(given)


def _suits_goal(given: Given) -> str | None:
    return _suits_action(given) or (
        None if valid_world(given).goals else 'no goal is given: {"goals": ["1"]}'
    )


def _draw_result(draw: Draw) -> Given | None:
    """Draw a world, a belief state and an action; every number of states afterwards is equally likely."""
    wanted = draw.between(2, len(MORE_STATES) - 1)
    for _ in range(MAX_DRAWS):
        world = draw_world(draw, actions=2, illegal=True, states=MORE_STATES)
        belief = draw_belief(draw, draw.between(wanted + 1, len(MORE_STATES)), MORE_STATES)
        given = Given({**world, "belief": belief, "action": draw.choose(draw.names(ACTIONS[:2]))})
        if _suits_action(given) is None and wanted == len(_after(given)) != len(_vanishing(given)):
            return given
    return None


def _draw_actions(draw: Draw) -> Given | None:
    world = draw_world(draw, actions=3, illegal=True)
    given = Given({**world, "belief": draw_belief(draw, 2), "legal": draw.choose(("union", "intersection"))})
    return given if len(available_moves(given)) != len(available_moves(given, other=True)) else None


def _draw_goal(draw: Draw) -> Given | None:
    """Draw goals among the states that can be reached: in half of all draws, all of them are goals."""
    wanted = bool(draw.below(2))
    for _ in range(MAX_DRAWS):
        world = draw_world(draw, actions=2, illegal=True)
        belief, action = draw_belief(draw, 3), draw.choose(draw.names(ACTIONS[:2]))
        goals = draw_belief(draw, 3)
        given = Given({**world, "belief": belief, "action": action, "goals": goals})
        if _suits_goal(given) is not None or len(_after(given)) < 2:
            continue
        if _reached(given) is wanted and _after(given) & set(goals):
            return given
    return None


# Why ------------------------------------------------------------------------------------------------


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


def _explain_actions(solved: SolvedExercise) -> tuple[str, ...]:
    """Say which actions are legal in each state of b, and what Actions(b) contains."""
    given, language = solved.given, solved.language
    world = valid_world(given)
    found = actions(world, belief_of(given), given.get("legal", "intersection"))
    legal_by_state = []
    for state in sorted(belief_of(given)):
        legal = sorted(world.moves.get(state, {}))
        legal_by_state.append(
            language.say(LEGAL_ACTIONS, state=state, moves=language.join_and(legal))
            if legal
            else language.say(NO_LEGAL_ACTION, state=state)
        )
    if not found:
        return (*legal_by_state, language.say(NO_ACTIONS))
    members = language.join_and(list(found))
    return (*legal_by_state, language.say(ONE_ACTION, SEVERAL_ACTIONS, len(found), moves=members))


def _explain_goal(solved: SolvedExercise) -> tuple[str, ...]:
    """Say what Result(b, a) contains, and which of its states are not goals."""
    given, language = solved.given, solved.language
    missed = sorted(_after(given) - valid_world(given).goals)
    if not missed:
        return (*_explain_result(solved), language.say(WHY_GOAL))
    states = language.join_and(missed)
    return (*_explain_result(solved), language.say(WHY_NO_GOAL, WHY_NO_GOALS, len(missed), states=states))


CARRIED_STATES, CARRIED_MOVES = "states after a move", "moves of a belief"
"""The names under which later parts take over a set of states or of actions."""


def _count_after(case: Case, after: tuple[str, BeliefState]) -> Numeral | None:
    action, states = after
    return Numeral(len(states)) if action == case.given["action"] else None


def _goal_after(case: Case, after: tuple[str, BeliefState]) -> bool | None:
    action, states = after
    return goal_test(valid_world(case.given), states) if action == case.given["action"] and states else None


# The kinds ------------------------------------------------------------------------------------------

RESULT = treeless_question(
    "result",
    "How many states does Result(b, a) contain?",
    _suits_action,
    _prompt_result,
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
ACTIONS_OF = treeless_question(
    "actions",
    "How many actions does Actions(b) contain when it is defined as a union or as an intersection?",
    world_objection,
    _prompt_actions,
    (lambda given: len(available_moves(given)), lambda given: len(independent_available_moves(given))),
    {"other-rule-of-actions": lambda given: len(available_moves(given, other=True))},
    _explain_actions,
    _draw_actions,
    form=HOW_MANY_MOVES,
    given_names=WORLD,
    draw_shared_given=share_given(world_objection, WORLD, legal=draw_rule),
    takes={CARRIED_MOVES: lambda _case, moves: Numeral(len(moves))},
)
GOAL = treeless_question(
    "goal",
    "Does the belief state after an action pass the goal test?",
    _suits_goal,
    _prompt_goal,
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
    ask_states,
    (_after, _after_one_by_one),
    {"illegal-vanishes": _vanishing, "old-states-stay": lambda given: _after(given) | belief_of(given)},
    _explain_result,
    lambda draw: draw_states(draw, _after, (_vanishing, lambda given: _after(given) | belief_of(given))),
    _suits_action,
    explain_state,
    given_names=(*WORLD, "action"),
    draw_shared_given=share_given(world_objection, (*WORLD, "action"), action=draw_action),
    carries={CARRIED_STATES: lambda case, reply: (case.given["action"], belief_of_reply(case.tree, reply))},
)
WHICH_MOVES = set_question(
    "moves",
    "Which actions does Actions(b) contain when it is defined as a union or as an intersection?",
    ACTION_OFFER,
    all_moves,
    ask_moves,
    (available_moves, independent_available_moves),
    {"other-rule-of-actions": lambda given: available_moves(given, other=True)},
    _explain_actions,
    draw_moves,
    moves_objection,
    explain_move,
    given_names=WORLD,
    draw_shared_given=share_given(world_objection, WORLD, legal=draw_rule),
    carries={CARRIED_MOVES: lambda case, reply: belief_of_reply(case.tree, reply)},
)
KINDS = (RESULT, WHICH_STATES, ACTIONS_OF, WHICH_MOVES, GOAL, VALUE, EXPECTED, BEST_MOVE, PLAN)
