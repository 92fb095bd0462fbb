"""Partially observable games, which `belief-state` asks about: their value, best action and strategy."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase
from grader.questions import strategy
from grader.questions.belief_state.worlds import (
    ACTIONS_DEFINITIONS,
    MAX_DRAWN_UTILITY,
    PERCEPTS,
    STATES,
    WORLD,
    belief_of,
    belief_sentence,
    draw_belief,
    draw_percepts,
    draw_utilities,
    draw_world,
    moves_sentences,
    percept_columns,
    valid_world,
    world_objection,
    world_table,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.given_table import GivenColumn, GivenTable
from grader.questions.kind import AnyKind, Kind
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import VALUE_SOLUTION, SolvedExercise, why_line
from grader.questions.shared_given import share_given
from grader.questions.value_answers import mistaken_numbers, root_moves, root_moves_by_search
from grader.questions.wording import EVERY_STRATEGY_COUNTS, LEAF_NUMBER_RULE, asks, game_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import value_text
from grader.solvers.partial_observation import (
    BeliefState,
    World,
    actions,
    belief_tree,
    guaranteed_utility,
)
from grader.solvers.strategies import count_strategies_reaching
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import name_by_letters

# What students read -------------------------------------------------------------------------------

QUESTION_VALUE = Phrase("What is the highest payoff that the agent can guarantee?")
QUESTION_EXPECTED = Phrase("What is the highest expected payoff that the agent can achieve?")
QUESTION_MOVE = Phrase("Which move is best at {node}?")
QUESTION_STRATEGY = Phrase(
    "Give a strategy that guarantees the highest possible payoff, whatever percepts the agent receives."
)

STOPS_WITHOUT_ACTIONS = Phrase("If Actions(b) is empty, the agent stops.")
STATE_PAYOFF = Phrase("{value} in state {state}")
FINAL_PAYOFF = Phrase("The final payoff is {worth}.")
PAYOFF_COLUMN = Phrase("Final payoff")
NO_PERCEPT_YET = Phrase("The agent has received no percept yet.")
WORST = Phrase("Assume the worst case over the possible states and percepts.")
CHANCE = Phrase("All possible initial states are equally likely.")
BELIEF_TREE = Phrase(
    "The tree shows the possible belief states of the agent. "
    "MAX is the agent, and the branches below its nodes are labeled with its actions. "
    "Where several percepts are possible after an action, MIN chooses one. "
    "The payoff at a leaf is the agent's payoff in the worst possible state there."
)
FIRST_ACTION_VALUE = Phrase("With {move} as its first action, the agent can achieve {value}.")
MAXIMUM = Phrase("The maximum is {value}.")

# Partially observable games -------------------------------------------------------------------

MAX_DRAWS = 80
"""How many worlds are drawn before drawing is given up."""

MAX_LEAVES = 20
"""The most leaves of a tree of belief states that is drawn."""

PLAYED_MOVES = 2
"""How many moves are made in such a tree."""

GAME = (*(name for name in WORLD if name not in ("goals", "legal")), "steps")
"""The fields of a game: play does not end at goals, and one rule says which actions are legal."""


def _steps_objection(given: Given) -> str | None:
    """Return why no valid world and number of moves, 1 to 3, are given, or None."""
    why = world_objection(given)
    steps = given.get("steps")
    if why is None and (type(steps) is not int or not 1 <= steps <= 3):
        why = f'it is not given how many moves are made, from 1 to 3: {{"steps": {PLAYED_MOVES}}}'
    return why


def _tree_objection(case: Case) -> str | None:
    """Return why the tree cannot be asked about, or None.

    The belief must leave a choice at the first move, and the tree must be the one that follows from it.
    """
    given = case.given
    if why := _steps_objection(given):
        return why
    if len(actions(valid_world(given), belief_of(given))) < 2:
        return "there is no choice at the first move"
    whole = _tree_of(given)
    if (case.tree.players, case.tree.parents, case.tree.payoffs) != (
        whole.players,
        whole.parents,
        whole.payoffs,
    ):
        return "the tree is not the one of the belief states that are given"
    return None


def _tree_of(given: Given) -> Tree:
    """Return the tree of the given belief and number of moves, its nodes named by letters."""
    arrives = given.get("arrives", "adversarial")
    return name_by_letters(
        belief_tree(valid_world(given), belief_of(given), given["steps"], percepts=arrives).tree
    )


def _states_game(case: Case, language: Language) -> tuple[str, ...]:
    """Return the world, its percepts and payoffs, and the initial belief state."""
    world, say = valid_world(case.given), language.say
    return (
        *moves_sentences(case, language),
        say(ACTIONS_DEFINITIONS["intersection"]),
        *((say(STOPS_WITHOUT_ACTIONS),) if _may_stop(world) else ()),
        *(sentence for column in _outcome_columns(world, language) for sentence in column.sentences),
        belief_sentence(case, language),
        say(NO_PERCEPT_YET),
    )


def _game_table(case: Case, language: Language) -> GivenTable:
    return world_table(case, language, *_outcome_columns(valid_world(case.given), language))


def _outcome_columns(world: World, language: Language) -> tuple[GivenColumn, ...]:
    """Return the percept and the final payoff in each state."""
    utilities = {state: language.number(world.utility(state)) for state in world.states}
    payoffs = [language.term(STATE_PAYOFF, value=value, state=state) for state, value in utilities.items()]
    sentence = language.say(FINAL_PAYOFF, worth=language.join_and(payoffs))
    column = GivenColumn(language.term(PAYOFF_COLUMN), tuple(utilities.values()), (sentence,))
    return *percept_columns(world, language), column


def _may_stop(world: World) -> bool:
    """Return whether some action is illegal somewhere, so that a belief state may have none."""
    offered = [world.moves.get(state, {}).keys() for state in world.states]
    return any(moves != offered[0] for moves in offered) or not offered[0]


def _actions_taken(case: Case, language: Language) -> str:
    """Say how often the agent takes an action and receives a percept."""
    return language.say(
        "The agent takes {count} action from Actions(b) and then receives the percept of its new state.",
        "The agent takes {count} actions, each from Actions(b) for its current belief state. "
        "After each action, it receives the percept of its new state.",
        case.given["steps"],
    )


def _value_by_beliefs(given: Given) -> Number:
    return _value_of(given, valid_world(given), belief_of(given))


def _value_of(given: Mapping[str, Any], world: World, belief: BeliefState) -> Number:
    return guaranteed_utility(world, belief, given["steps"], percepts=given.get("arrives", "adversarial"))


MistakenValue = Callable[[World, Mapping[str, Any]], Number]
"""The value of the game to a student who mistakes the world for another one."""


def _seeing(percepts: Callable[[World], dict[str, str]], world: World, given: Mapping[str, Any]) -> Number:
    """Return the value if the agent saw more or less than it does."""
    return _value_of(given, replace(world, percepts=percepts(world)), belief_of(given))


def _known_at_once(world: World, given: Mapping[str, Any]) -> Number:
    """Return the value if the agent knew its state from the start: the worst of these, or the mean."""
    observed = replace(world, percepts={state: state for state in world.states})
    values = [_value_of(given, observed, frozenset({state})) for state in belief_of(given)]
    return (
        normalize_number(Fraction(sum(values), len(values)))
        if given.get("arrives") == "chance"
        else min(values)
    )


def _if_wrong(mistaken: MistakenValue, given: Given) -> Number | None:
    """Return what a mistake leads to; None if that is the correct value, as it is in some worlds."""
    value = mistaken(valid_world(given), given)
    return None if value == _value_by_beliefs(given) else value


_MISTAKEN: dict[str, MistakenValue] = {
    "sees-nothing": partial(_seeing, lambda _world: {}),
    "sees-everything": partial(_seeing, lambda world: {state: state for state in world.states}),
    "known-at-once": _known_at_once,
}


def _draw_value(arrives: str, draw: Draw) -> Mapping[str, Any] | None:
    """Draw a world in which percepts matter: most mistakes about them lead to another value.

    None if `MAX_DRAWS` draws find none.
    """
    for _ in range(MAX_DRAWS):
        game = _draw_game(draw, arrives)
        world = World(STATES, game["moves"], game["percepts"], frozenset(), game["utilities"])
        belief = belief_of(game)
        value = _value_of(game, world, belief)
        wrong = (mistaken(world, game) != value for mistaken in _MISTAKEN.values())
        if next(wrong) and any(wrong):
            return game
    return None


def _draw_game(draw: Draw, arrives: str, choices: int = 2) -> dict[str, Any]:
    """Draw a world with percepts and utilities, in which the percepts arrive in one way."""
    world = draw_world(draw, actions=choices, illegal=False)
    payoffs, percepts = draw.shuffle(range(MAX_DRAWN_UTILITY + 1))[: len(STATES)], draw.names(PERCEPTS)
    return {
        **world,
        "percepts": {state: draw.choose(percepts) for state in STATES},
        "utilities": dict(zip(STATES, payoffs, strict=True)),
        "belief": draw_belief(draw, 2),
        "steps": PLAYED_MOVES,
        "arrives": arrives,
    }


def _draw_tree(draw: Draw, case: Case) -> Case | None:
    """Draw a tree of belief states with one best strategy, in which percepts differ.

    None if `MAX_DRAWS` draws find none.
    """
    for _ in range(MAX_DRAWS):
        given = Given(_draw_game(draw, "adversarial", choices=3))
        tree = _tree_of(given)
        if not tree.children[0] or Player.MIN not in tree.movers or len(tree.leaves) > MAX_LEAVES:
            continue
        if count_strategies_reaching(tree, Player.MAX, expectiminimax(tree)[0]) == 1:
            return Case(tree, case.rules, given)
    return None


def _explain_value(solved: SolvedExercise) -> tuple[str, ...]:
    """Say what the agent can achieve with each first action."""
    given, language = solved.given, solved.language
    tree = _tree_of(given)
    values = expectiminimax(tree)
    first_actions = (
        language.say(
            FIRST_ACTION_VALUE,
            move=tree.moves[child] or "",
            value=value_text(values[child], language),
        )
        for child in tree.children[0]
    )
    return (*first_actions, language.say(MAXIMUM, value=value_text(values[0], language)))


_SETTLED = share_given(
    world_objection,
    [name for name in GAME if name != "arrives"],
    percepts=draw_percepts,
    utilities=draw_utilities,
    steps=lambda _draw, _given: PLAYED_MOVES,
)


def _share_world(arrives: str, draw: Draw, case: Case) -> Given:
    """Return the world that another part has given, with its percepts and payoffs."""
    return Given({**_SETTLED(draw, case), "arrives": arrives})


# The kinds ----


def _by_percepts(worst: Phrase, chance: Phrase) -> Callable[[Case, Language], str]:
    """Return the sentence for the percepts of a question: the worst case, or chance."""

    def sentence(case: Case, language: Language) -> str:
        return language.say(chance if case.given.get("arrives") == "chance" else worst)

    return sentence


def _asking_for_value(ask: str, question: str, arrives: str) -> AnyKind:
    """Return the kind that asks for the value of the game when percepts arrive in one way."""
    return treeless_question(
        ask,
        question,
        _steps_objection,
        asks(
            _by_percepts(QUESTION_VALUE, QUESTION_EXPECTED),
            _states_game,
            _actions_taken,
            _by_percepts(WORST, CHANCE),
            table=_game_table,
        ),
        (lambda given: expectiminimax(_tree_of(given))[0], _value_by_beliefs),
        {name: partial(_if_wrong, mistaken) for name, mistaken in _MISTAKEN.items()},
        _explain_value,
        partial(_draw_value, arrives),
        form=NUMBER,
        given_names=GAME,
        draw_shared_given=partial(_share_world, arrives),
    )


VALUE = _asking_for_value(
    "value",
    "What payoff can an agent guarantee in a partially observable world?",
    "adversarial",
)
EXPECTED = _asking_for_value(
    "expected",
    "What expected payoff can an agent achieve in a partially observable world?",
    "chance",
)
_OF_TREE: Mapping[str, Any] = {
    "given_names": GAME,
    "objection": _tree_objection,
    "draw": _draw_tree,
    "draw_shared_given": partial(_share_world, "adversarial"),
    "annotates_tree": True,
    "needs_tree": False,
}
"""What the questions about a tree of belief states have in common."""

BEST_MOVE = Kind(
    ask="best-move",
    question="Which action is best in a tree of belief states?",
    form=MOVE,
    prompt=asks(QUESTION_MOVE, _states_game, game_sentences, BELIEF_TREE, table=_game_table),
    key=lambda case: root_moves(case.tree, expectiminimax(case.tree)),
    independent_key=root_moves_by_search,
    beliefs={
        "players-swapped": lambda case: root_moves(case.tree, mistaken_numbers(case.tree, "players-swapped"))
    },
    explain_item=partial(why_line, choices=1),
    worked_solution=VALUE_SOLUTION,
    **_OF_TREE,
)
PLAN = replace(
    strategy.OPTIMAL,
    ask="strategy",
    question="Which percept-based strategy guarantees the highest payoff?",
    prompt=asks(
        QUESTION_STRATEGY,
        _states_game,
        game_sentences,
        BELIEF_TREE,
        LEAF_NUMBER_RULE,
        strategy.strategy_sentences,
        demands=(EVERY_STRATEGY_COUNTS,),
        table=_game_table,
    ),
    **_OF_TREE,
)
