"""Small partially observable worlds: how a question gives one, draws one and describes it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.given_table import GivenColumn, GivenTable
from grader.questions.randomness import Draw
from grader.solvers.partial_observation import BeliefState, World, WorldError, actions

# What students read -------------------------------------------------------------------------------

ACTIONS = (Phrase("push"), Phrase("pull"), Phrase("turn"))
PERCEPTS = (Phrase("dark"), Phrase("bright"))
WORLD_STATES = Phrase("An agent lives in a world with the states {states}.")
ACTION_EFFECT = Phrase("The action {move} leads {ways}.")
ACTION_STEP = Phrase("from {state} to {after}")
ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL = plural_phrase(
    "The action {move} is illegal in state {states}.", "The action {move} is illegal in states {states}."
)
TABLE = Phrase("The table shows the state to which each action leads.")
TABLE_WITH_DASHES = Phrase(
    "The table shows the state to which each action leads. A dash means that the action is illegal there."
)
STATE = Phrase("In state")
PERCEPT = Phrase("Percept")
STAYS_IF_ILLEGAL = Phrase("If the agent attempts an illegal action, it stays in its current state.")
PERCEPT_IN_ONE, PERCEPT_IN_SEVERAL = plural_phrase(
    "The percept in state {states} is {percept}.", "The percept in states {states} is {percept}."
)
BELIEF_OF_ONE, BELIEF_OF_SEVERAL = plural_phrase(
    "The agent knows only that it is in state {states}; call this belief state b.",
    "The agent knows only that it is in one of the states {states}; call this belief state b.",
)
RESULT_DEFINITION = Phrase("Result(b, a) is the agent's belief state after action a.")
ACTIONS_DEFINITIONS = {
    "union": Phrase("Actions(b) contains the actions that are legal in at least one state of b."),
    "intersection": Phrase("Actions(b) contains the actions that are legal in all states of b."),
}

# Worlds -------------------------------------------------------------------------------------------

DASH = "–"
"""The cell of an action that is illegal, and of a state without a percept."""

STATES = ("1", "2", "3", "4", "5")
MAX_DRAWN_UTILITY = 9
"""The largest final payoff that is drawn."""

MAX_WORLD_SIZE = 9
"""The most states of a world that is given."""

WORLD = ("states", "moves", "belief", "legal", "percepts", "goals", "utilities", "arrives")
"""The fields of a world and of what the agent knows about it."""


@lru_cache(maxsize=16)
def world_of(given: Given) -> World | str:
    """Return the world that is given, or why none is."""
    states, moves = given.get("states"), given.get("moves")
    if not isinstance(states, list) or not 1 <= len(states) <= MAX_WORLD_SIZE or not _texts(states):
        return f'the states are not given: {{"states": ["1", "2"], ...}}, at most {MAX_WORLD_SIZE}'
    if not isinstance(moves, Mapping) or not all(isinstance(each, Mapping) for each in moves.values()):
        return 'the moves are not given: {"moves": {"1": {"push": "2"}}}'
    if not all(_texts([*each, *each.values()]) for each in moves.values()):
        return "a move has a name and leads to a state"
    percepts, goals = given.get("percepts", {}), given.get("goals", [])
    utilities = given.get("utilities", {})
    if not isinstance(percepts, Mapping) or not _texts([*percepts, *percepts.values()]):
        return 'what is seen is not given by state: {"percepts": {"1": "dark"}}'
    if not isinstance(goals, list) or not _texts(goals):
        return 'the goals are not a list of states: {"goals": ["1"]}'
    if not isinstance(utilities, Mapping) or not all(type(worth) is int for worth in utilities.values()):
        return 'utilities are not whole numbers by state: {"utilities": {"1": 5}}'
    try:
        return World(tuple(states), moves, percepts, frozenset(goals), utilities)
    except WorldError as error:
        return str(error)


def _texts(values: list[object]) -> bool:
    return all(isinstance(value, str) and value for value in values)


def belief_of(given: Mapping[str, Any]) -> BeliefState:
    """Return the states in which the agent may be."""
    return frozenset(given["belief"])


def draw_world(
    draw: Draw, *, actions: int, illegal: bool, states: tuple[str, ...] = STATES
) -> dict[str, object]:
    """Draw states with actions that lead from one to another; some are illegal in some states."""
    names, moves = draw.names(ACTIONS[:actions]), {}
    for state in states:
        offered = {}
        for action in names:
            after = draw.choose(states)
            if not (illegal and draw.below(3) == 0):
                offered[action] = after
        moves[state] = offered
    return {"states": list(states), "moves": moves}


def draw_belief(draw: Draw, size: int, states: tuple[str, ...] = STATES) -> list[str]:
    """Draw a belief state of this size."""
    return sorted(draw.shuffle(states)[:size])


def moves_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Return the states, then for each action where it leads and where it is illegal."""
    world = valid_world(case.given)
    states = language.say(WORLD_STATES, states=language.join_and(list(world.states)))
    return states, *world_table(case, language).sentences


def world_table(case: Case, language: Language, *further: GivenColumn) -> GivenTable:
    """Return where each action leads from each state, with further columns."""
    world = valid_world(case.given)
    names = sorted({action for state in world.states for action in world.moves.get(state, {})})
    columns = [_action_column(world, action, language) for action in names]
    has_dashes = any(DASH in column.cells for column in columns)
    states = GivenColumn(language.term(STATE), world.states)
    return GivenTable(language.say(TABLE_WITH_DASHES if has_dashes else TABLE), (states, *columns, *further))


def _action_column(world: World, action: str, language: Language) -> GivenColumn:
    """Return the column of an action: the state after it in each state, and the same in words."""
    legal = [state for state in world.states if action in world.moves.get(state, {})]
    illegal = [state for state in world.states if state not in legal]
    sentences = [move_sentence(world, action, legal, language)]
    if illegal:
        states = language.join_and(illegal)
        sentences.append(
            language.say(ILLEGAL_IN_ONE, ILLEGAL_IN_SEVERAL, len(illegal), move=action, states=states)
        )
    cells = tuple(world.moves.get(state, {}).get(action, DASH) for state in world.states)
    return GivenColumn(action, cells, tuple(sentences))


def move_sentence(world: World, move: str, states: Sequence[str], language: Language) -> str:
    """Say where an action leads from some states."""
    steps = [language.term(ACTION_STEP, state=state, after=world.moves[state][move]) for state in states]
    return language.say(ACTION_EFFECT, move=move, ways=language.join_and(steps))


def percept_columns(world: World, language: Language) -> tuple[GivenColumn, ...]:
    """Return the column of percepts; none without percepts."""
    states_by_percept: dict[str, list[str]] = {}
    for state in world.states:
        if world.percepts.get(state):
            states_by_percept.setdefault(world.percepts[state], []).append(state)
    if not states_by_percept:
        return ()
    sentences = tuple(
        language.say(
            PERCEPT_IN_ONE,
            PERCEPT_IN_SEVERAL,
            len(states),
            states=language.join_and(states),
            percept=percept,
        )
        for percept, states in states_by_percept.items()
    )
    cells = tuple(world.percepts.get(state) or DASH for state in world.states)
    return (GivenColumn(language.term(PERCEPT), cells, sentences),)


def belief_sentence(case: Case, language: Language) -> str:
    """Say which states the belief state b contains."""
    states = sorted(belief_of(case.given))
    return language.say(BELIEF_OF_ONE, BELIEF_OF_SEVERAL, len(states), states=language.join_or(states))


def actions_definition(case: Case, language: Language) -> str:
    """Say by which rule an action belongs to Actions(b)."""
    return language.say(ACTIONS_DEFINITIONS[case.given.get("legal", "intersection")])


def valid_world(given: Given) -> World:
    """Return the world that is given, which is known to be valid."""
    world = world_of(given)
    assert not isinstance(world, str)
    return world


def world_objection(given: Given) -> str | None:
    """Return why the given world, belief state or rules are invalid, or None."""
    world = world_of(given)
    if isinstance(world, str):
        return world
    if given.get("legal", "intersection") not in ("union", "intersection"):
        return 'moves are legal by "union" or by "intersection"'
    if given.get("arrives", "adversarial") not in ("adversarial", "chance"):
        return 'percepts are "adversarial" or come by "chance"'
    belief = given.get("belief")
    if not isinstance(belief, list) or not belief or not _texts(belief):
        return 'it is not given which states one may be in: {"belief": ["1", "2"]}'
    unknown = set(belief) - set(world.states)
    return f"there is no state {min(unknown)}" if unknown else None


def draw_action(draw: Draw, given: Given) -> str:
    """Draw an action that is legal in some state of the belief state."""
    return draw.choose(sorted(actions(valid_world(given), belief_of(given), "union")))


def draw_goals(draw: Draw, given: Given) -> list[str]:
    """Draw three goals, or all states if there are fewer."""
    return draw_belief(draw, 3, valid_world(given).states)


def draw_rule(draw: Draw, given: Given) -> str:
    """Draw the rule for Actions(b)."""
    return draw.choose(("union", "intersection"))


def draw_percepts(draw: Draw, given: Given) -> dict[str, str]:
    """Draw the percept in every state."""
    return {state: draw.choose(draw.names(PERCEPTS)) for state in valid_world(given).states}


def draw_utilities(draw: Draw, given: Given) -> dict[str, int]:
    """Draw a different final payoff for every state."""
    payoffs = draw.shuffle(range(max(MAX_DRAWN_UTILITY + 1, len(valid_world(given).states))))
    return dict(zip(valid_world(given).states, payoffs, strict=False))
