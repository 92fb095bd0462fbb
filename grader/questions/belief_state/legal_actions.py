"""Actions(b): the actions that are possible in a belief state."""

from dataclasses import replace

from grader.answers.count import count_form
from grader.answers.numeral import Numeral
from grader.base.phrases import Phrase, plural_phrase
from grader.questions.belief_state.belief_sets import ACTION_OFFER, belief_of_reply, set_question
from grader.questions.belief_state.worlds import (
    ACTIONS,
    STATES,
    WORLD,
    actions_definition,
    belief_of,
    belief_sentence,
    draw_belief,
    draw_rule,
    draw_world,
    moves_sentences,
    valid_world,
    world_objection,
    world_table,
)
from grader.questions.given import Given
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.shared_given import share_given
from grader.questions.wording import asks
from grader.solvers.partial_observation import BeliefState, actions

# What students read -------------------------------------------------------------------------------

QUESTION_ACTIONS = Phrase("How many actions does Actions(b) contain?")
QUESTION_MOVES = Phrase("Which actions are in Actions(b)?")
ALL_ACTIONS_SHOWN = Phrase("The picture only lists all actions; it is not a game tree.")
LEGAL_ACTIONS = Phrase("Legal actions in state {state}: {moves}.")
NO_LEGAL_ACTION = Phrase("No action is legal in state {state}.")
NO_ACTIONS = Phrase("Actions(b) contains 0 actions: no action is legal in all of the states.")
ONE_ACTION, SEVERAL_ACTIONS = plural_phrase(
    "Actions(b) contains {count} action: {moves}.",
    "Actions(b) contains {count} actions: {moves}.",
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

# The answers ---------------------------------------------------------------------------------------

HOW_MANY_MOVES = replace(
    count_form(one="move", many=Phrase("moves"), among=lambda _tree: len(STATES)),
    answer_count=lambda _key, _tree: len(ACTIONS) + 1,
)
MAX_DRAWS = 80
"""How many belief states are drawn before a world is given up."""


def _rule(given: Given, other: bool = False) -> str:
    legal: str = given.get("legal", "intersection")
    return {"union": "intersection", "intersection": "union"}[legal] if other else legal


def _all_moves(given: Given) -> tuple[str, ...]:
    """Return all actions of a world in alphabetical order, as the question lists them.

    The same actions are the same answer in every world, and each answer is equally likely.
    """
    return tuple(sorted({move for moves in valid_world(given).moves.values() for move in moves}))


def _available_moves(given: Given, other: bool = False) -> BeliefState:
    """Return Actions(b) by the given rule, or by the other one."""
    return frozenset(actions(valid_world(given), belief_of(given), _rule(given, other)))  # type: ignore[arg-type]  # one of the two


def _independent_available_moves(given: Given) -> BeliefState:
    """Return the same as the union or the intersection of sets."""
    world = valid_world(given)
    sets = [frozenset(world.moves.get(state, {})) for state in belief_of(given)]
    return frozenset.union(*sets) if _rule(given) == "union" else frozenset.intersection(*sets)


def _moves_objection(given: Given) -> str | None:
    """Return why there is no world with actions, or None."""
    return world_objection(given) or (None if _all_moves(given) else "there is no move in this world")


# Drawing -------------------------------------------------------------------------------------------


def _draw_actions(draw: Draw) -> Given | None:
    """Draw a world in which the two rules allow different numbers of moves; None if this draw does not."""
    world = draw_world(draw, actions=3, illegal=True)
    given = Given({**world, "belief": draw_belief(draw, 2), "legal": draw.choose(("union", "intersection"))})
    return given if len(_available_moves(given)) != len(_available_moves(given, other=True)) else None


def _draw_moves(draw: Draw) -> Given | None:
    """Draw a world in which the two rules differ and the answer is neither all actions nor none."""
    world = draw_world(draw, actions=len(ACTIONS), illegal=True)
    for _ in range(MAX_DRAWS):
        given = Given(
            {**world, "belief": draw_belief(draw, 2), "legal": draw.choose(("union", "intersection"))}
        )
        if _available_moves(given) != _available_moves(given, other=True) and 0 < len(
            _available_moves(given)
        ) < len(_all_moves(given)):
            return given
    return None


# Why -----------------------------------------------------------------------------------------------


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


def _explain_move(solved: SolvedExercise, action: str) -> str:
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


# The kinds -----------------------------------------------------------------------------------------

CARRIED_MOVES = "moves of a belief"
"""The name under which later parts take over a set of actions."""

ACTIONS_OF = treeless_question(
    "actions",
    "How many actions does Actions(b) contain when it is defined as a union or as an intersection?",
    world_objection,
    asks(QUESTION_ACTIONS, moves_sentences, actions_definition, belief_sentence, table=world_table),
    (lambda given: len(_available_moves(given)), lambda given: len(_independent_available_moves(given))),
    {"other-rule-of-actions": lambda given: len(_available_moves(given, other=True))},
    _explain_actions,
    _draw_actions,
    form=HOW_MANY_MOVES,
    given_names=WORLD,
    draw_shared_given=share_given(world_objection, WORLD, legal=draw_rule),
    takes={CARRIED_MOVES: lambda _case, moves: Numeral(len(moves))},
)
WHICH_MOVES = set_question(
    "moves",
    "Which actions does Actions(b) contain when it is defined as a union or as an intersection?",
    ACTION_OFFER,
    _all_moves,
    asks(
        QUESTION_MOVES,
        moves_sentences,
        actions_definition,
        belief_sentence,
        ALL_ACTIONS_SHOWN,
        table=world_table,
    ),
    (_available_moves, _independent_available_moves),
    {"other-rule-of-actions": lambda given: _available_moves(given, other=True)},
    _explain_actions,
    _draw_moves,
    _moves_objection,
    _explain_move,
    given_names=WORLD,
    draw_shared_given=share_given(world_objection, WORLD, legal=draw_rule),
    carries={CARRIED_MOVES: lambda case, reply: belief_of_reply(case.tree, reply)},
)
