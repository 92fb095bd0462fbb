"""Small worlds that are only partly seen: how a question gives one, draws one, and tells of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from grader.base.phrases import Language, Phrase
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.solvers.partial_observation import BeliefState, World, WorldError, actions

STATES = ("1", "2", "3", "4", "5")
ACTIONS = (Phrase("push"), Phrase("pull"), Phrase("turn"))
PERCEPTS = (Phrase("dark"), Phrase("bright"))
MAX_DRAWN_UTILITY = 9
"""What the worlds that are drawn are made of."""

MAX_WORLD_SIZE = 9
"""The most states, moves and steps of a world that is given."""

WORLD = ("states", "moves", "belief", "legal", "percepts", "goals", "utilities", "arrives")
"""What may be said of a world, and of what is known of it."""


@lru_cache(maxsize=16)
def world_of(given: Given) -> World | str:
    """The world that is given, or why none is."""
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
        return 'the goals are no list of states: {"goals": ["1"]}'
    if not isinstance(utilities, Mapping) or not all(type(worth) is int for worth in utilities.values()):
        return 'utilities are no whole numbers by state: {"utilities": {"1": 5}}'
    try:
        return World(tuple(states), moves, percepts, frozenset(goals), utilities)
    except WorldError as error:
        return str(error)


def _texts(things: list[object]) -> bool:
    return all(isinstance(thing, str) and thing for thing in things)


def belief_of(given: Mapping[str, Any]) -> BeliefState:
    """The states one may be in."""
    return frozenset(given["belief"])


def draw_world(
    draw: Draw, *, actions: int, illegal: bool, states: tuple[str, ...] = STATES
) -> dict[str, object]:
    """States with moves between them, of which some are illegal somewhere."""
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
    """So many states one may be in."""
    return sorted(draw.shuffle(states)[:size])


def moves_sentences(world: World, language: Language) -> tuple[str, ...]:
    """The states, and where every move leads."""
    say = language.say
    names = list(dict.fromkeys(move for state in world.states for move in world.moves.get(state, {})))
    told = []
    for name in sorted(names):
        legal = [state for state in world.states if name in world.moves.get(state, {})]
        told.append(move_sentence(world, name, legal, language))
        illegal = [state for state in world.states if state not in legal]
        if illegal:
            states = language.join_and(illegal)
            told.append(
                say(
                    "It is illegal in state {states}.",
                    "It is illegal in states {states}.",
                    len(illegal),
                    states=states,
                )
            )
    return (
        say(
            "An agent lives in a world with the states {states}.",
            states=language.join_and(list(world.states)),
        ),
        *told,
    )


def move_sentence(world: World, move: str, states: Sequence[str], language: Language) -> str:
    """Where a move leads from some states."""
    ways = [
        language.term("from {state} to {after}", state=state, after=world.moves[state][move])
        for state in states
    ]
    return language.say("The action {move} leads {ways}.", move=move, ways=language.join_and(ways))


def percept_sentences(world: World, language: Language) -> tuple[str, ...]:
    """What is seen in the states; empty where nothing is."""
    seen: dict[str, list[str]] = {}
    for state in world.states:
        if world.percepts.get(state):
            seen.setdefault(world.percepts[state], []).append(state)
    return tuple(
        language.say(
            "The percept in state {states} is {percept}.",
            "The percept in states {states} is {percept}.",
            len(states),
            states=language.join_and(states),
            percept=percept,
        )
        for percept, states in seen.items()
    )


def belief_sentence(given: Given, language: Language) -> str:
    """Which states one may be in."""
    states = sorted(belief_of(given))
    return language.say(
        "The agent knows only that it is in state {states}; call this belief state b.",
        "The agent knows only that it is in one of the states {states}; call this belief state b.",
        len(states),
        states=language.join_and(states),
    )


BY_RULE = {
    "union": Phrase("Actions(b) contains the actions that are legal in at least one state of b."),
    "intersection": Phrase("Actions(b) contains the actions that are legal in all states of b."),
}
"""What Actions(b) are, by either rule."""


def valid_world(given: Given) -> World:
    """The world of a question that suits."""
    world = world_of(given)
    assert not isinstance(world, str)
    return world


def world_objection(given: Given) -> str | None:
    """Whether there are a world and a belief, and rules for it."""
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
    """A move that is legal in some state one may be in."""
    return draw.choose(sorted(actions(valid_world(given), belief_of(given), "union")))


def draw_goals(draw: Draw, given: Given) -> list[str]:
    """Three of the states, or all where there are no more."""
    return draw_belief(draw, 3, valid_world(given).states)


def draw_rule(draw: Draw, given: Given) -> str:
    """By which rule moves are legal."""
    return draw.choose(("union", "intersection"))


def draw_percepts(draw: Draw, given: Given) -> dict[str, str]:
    """What is seen in every state."""
    return {state: draw.choose(draw.names(PERCEPTS)) for state in valid_world(given).states}


def draw_utilities(draw: Draw, given: Given) -> dict[str, int]:
    """What every state is worth at the end, no two the same."""
    worth = draw.shuffle(range(max(MAX_DRAWN_UTILITY + 1, len(valid_world(given).states))))
    return dict(zip(valid_world(given).states, worth, strict=False))
