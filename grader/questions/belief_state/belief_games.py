"""Games that are partly observed, which `belief-state` asks about: their value, best move and strategy."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from grader.answers.move import MOVE
from grader.answers.move_choices import MOVE_CHOICES
from grader.answers.number import NUMBER
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase
from grader.questions import strategy
from grader.questions.belief_state.worlds import (
    BY_RULE,
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
    percept_sentences,
    valid_world,
    world_objection,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind, Kind
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import VALUE_SOLUTION, SolvedExercise, why_line
from grader.questions.shared_given import share_given
from grader.questions.value_answers import root_moves, root_moves_by_search, value_beliefs
from grader.questions.wording import LEAF_NUMBER_RULE, Prompt, game_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_name, value_text
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

MAX_DRAWS = 80
"""How often a world is drawn before it is given up."""

MAX_LEAVES = 20
"""The most leaves of a tree of belief states that is drawn."""

PLAYED_MOVES = 2
"""How many moves are made in such a tree."""

GAME = (*(name for name in WORLD if name not in ("goals", "legal")), "steps")
"""What may be said of a game: play does not end at goals, and moves are legal by one rule."""

# Games that are partly observed ---------------------------------------------------------------------


def _suits_steps(given: Given) -> str | None:
    why = world_objection(given)
    steps = given.get("steps")
    if why is None and (type(steps) is not int or not 1 <= steps <= 3):
        why = f'it is not given how many moves are made, from 1 to 3: {{"steps": {PLAYED_MOVES}}}'
    return why


def _suits_tree(case: Case) -> str | None:
    given = case.given
    if why := _suits_steps(given):
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
    arrives = given.get("arrives", "adversarial")
    return name_by_letters(
        belief_tree(valid_world(given), belief_of(given), given["steps"], percepts=arrives).tree
    )


def _states_game(given: Given, language: Language) -> tuple[str, ...]:
    """The world, what is seen and gained in it, and what is known at the start."""
    world, say = valid_world(given), language.say
    worth = [
        language.term("{value} in state {state}", value=language.number(world.utility(state)), state=state)
        for state in world.states
    ]
    return (
        *moves_sentences(world, language),
        say(BY_RULE["intersection"]),
        *((say("If there are none, the agent stops."),) if _may_stop(world) else ()),
        *percept_sentences(world, language),
        say("The final payoff is {worth}.", worth=language.join_and(worth)),
        belief_sentence(given, language),
        say("The agent has received no percept yet."),
    )


def _may_stop(world: World) -> bool:
    """Whether some move is illegal somewhere, so that a belief may be left without any."""
    offered = [world.moves.get(state, {}).keys() for state in world.states]
    return any(moves != offered[0] for moves in offered) or not offered[0]


def _prompt_value(given: Given, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *_states_game(given, language),
            say(
                "The agent takes {count} action from Actions(b) and then receives the percept of its new "
                "state.",
                "The agent takes {count} actions, each from Actions(b) for its current belief state. "
                "After each action it receives the percept of its new state.",
                given["steps"],
            ),
            say(CHANCE if given.get("arrives") == "chance" else WORST),
        ),
        say("What is the highest average payoff that the agent can achieve?")
        if given.get("arrives") == "chance"
        else say("What is the highest payoff that the agent can guarantee?"),
    )


WORST = Phrase("Assume the worst case over the possible states and percepts.")
CHANCE = Phrase("All possible initial states are equally likely.")


@lru_cache(maxsize=16)
def _value_by_beliefs(given: Given) -> Number:
    return _gained(given, valid_world(given), belief_of(given))


def _gained(given: Mapping[str, Any], world: World, belief: BeliefState) -> Number:
    return guaranteed_utility(world, belief, given["steps"], percepts=given.get("arrives", "adversarial"))


MistakenValue = Callable[[World, Mapping[str, Any]], Number]
"""The value to somebody who takes a world for another."""


def _seeing(percepts: Callable[[World], dict[str, str]], world: World, given: Mapping[str, Any]) -> Number:
    """The value to somebody who sees more or less than there is."""
    return _gained(given, replace(world, percepts=percepts(world)), belief_of(given))


def _known_at_once(world: World, given: Mapping[str, Any]) -> Number:
    """The value to somebody who knows the state from the start: the worst of these, or the mean."""
    told = replace(world, percepts={state: state for state in world.states})
    seen = [_gained(given, told, frozenset({state})) for state in belief_of(given)]
    return normalize_number(Fraction(sum(seen), len(seen))) if given.get("arrives") == "chance" else min(seen)


def _if_wrong(mistaken: MistakenValue, given: Given) -> Number | None:
    """What a mistake leads to where it leads astray: in some worlds seeing more or less changes nothing."""
    said = mistaken(valid_world(given), given)
    return None if said == _value_by_beliefs(given) else said


_MISTAKEN: dict[str, MistakenValue] = {
    "sees-nothing": partial(_seeing, lambda _world: {}),
    "sees-everything": partial(_seeing, lambda world: {state: state for state in world.states}),
    "known-at-once": _known_at_once,
}


def _draw_value(arrives: str, draw: Draw) -> Mapping[str, Any] | None:
    """A world in which it counts what is seen: most that take it for more or less are wrong."""
    for _ in range(MAX_DRAWS):
        made = _drawn_game(draw, arrives)
        world = World(STATES, made["moves"], made["percepts"], frozenset(), made["utilities"])
        belief = belief_of(made)
        value = _gained(made, world, belief)
        wrong = (mistaken(world, made) != value for mistaken in _MISTAKEN.values())
        if next(wrong) and any(wrong):
            return made
    return None


def _drawn_game(draw: Draw, arrives: str, choices: int = 2) -> dict[str, Any]:
    made = draw_world(draw, actions=choices, illegal=False)
    worth, seen = draw.shuffle(range(MAX_DRAWN_UTILITY + 1))[: len(STATES)], draw.names(PERCEPTS)
    return {
        **made,
        "percepts": {state: draw.choose(seen) for state in STATES},
        "utilities": dict(zip(STATES, worth, strict=True)),
        "belief": draw_belief(draw, 2),
        "steps": PLAYED_MOVES,
        "arrives": arrives,
    }


def _draw_tree(draw: Draw, case: Case) -> Case | None:
    """A tree of belief states with one best strategy, in which something is seen on the way."""
    for _ in range(MAX_DRAWS):
        given = Given(_drawn_game(draw, "adversarial", choices=3))
        made = _tree_of(given)
        if not made.children[0] or Player.MIN not in made.movers or len(made.leaves) > MAX_LEAVES:
            continue
        if count_strategies_reaching(made, Player.MAX, expectiminimax(made)[0]) == 1:
            return Case(made, case.rules, given)
    return None


def _prompt_tree(
    asks: Phrase, extra: Callable[[Case, Language], tuple[str, ...]]
) -> Callable[[Case, Language], Prompt]:
    def prompt(case: Case, language: Language) -> Prompt:
        say = language.say
        return Prompt(
            (
                *_states_game(case.given, language),
                *game_sentences(case.tree, language),
                say(
                    "The tree shows the possible belief states of the agent. "
                    "MAX is the agent, and its actions are the labels of its branches. "
                    "Where several percepts are possible after an action, MIN chooses one. "
                    "The payoff at a leaf is the agent's payoff in the worst possible state there."
                ),
                *extra(case, language),
            ),
            say(asks, node=node_name(case.tree, 0, language)),
        )

    return prompt


def _told_value(solved: SolvedExercise) -> tuple[str, ...]:
    """What each first move gains."""
    given, language = solved.given, solved.language
    tree = _tree_of(given)
    values = expectiminimax(tree)
    told = [
        language.say(
            "With {move} as its first action, the agent can achieve {value}.",
            move=tree.moves[child] or "",
            value=value_text(values[child], language),
        )
        for child in tree.children[0]
    ]
    return (*told, language.say("So the maximum is {value}.", value=value_text(values[0], language)))


_SETTLED = share_given(
    world_objection,
    [name for name in GAME if name != "arrives"],
    percepts=draw_percepts,
    utilities=draw_utilities,
    steps=lambda _draw, _given: PLAYED_MOVES,
)


def _joined(arrives: str, draw: Draw, case: Case) -> Given:
    """The world that another part has given, with what is seen and gained in it."""
    return Given({**_SETTLED(draw, case), "arrives": arrives})


# The kinds ----


def _asking_for_value(ask: str, question: str, arrives: str) -> AnyKind:
    return treeless_question(
        ask,
        question,
        _suits_steps,
        _prompt_value,
        (lambda given: expectiminimax(_tree_of(given))[0], _value_by_beliefs),
        {name: partial(_if_wrong, mistaken) for name, mistaken in _MISTAKEN.items()},
        _told_value,
        partial(_draw_value, arrives),
        form=NUMBER,
        given_names=GAME,
        draw_shared_given=partial(_joined, arrives),
    )


VALUE = _asking_for_value(
    "value", "What payoff can an agent guarantee in a partially observable world?", "adversarial"
)
EXPECTED = _asking_for_value(
    "expected", "What expected payoff can an agent achieve in a partially observable world?", "chance"
)
_asking_of_tree = partial(
    Kind,
    given_names=GAME,
    objection=_suits_tree,
    worked_solution=VALUE_SOLUTION,
    draw=_draw_tree,
    draw_shared_given=partial(_joined, "adversarial"),
    annotates_tree=True,
    needs_tree=False,
)

BEST_MOVE = _asking_of_tree(
    ask="best-move",
    question="Which action is best in a tree of belief states?",
    form=MOVE,
    prompt=_prompt_tree(Phrase("Which move is best at {node}?"), lambda _case, _language: ()),
    key=lambda case: root_moves(case.tree, expectiminimax(case.tree)),
    independent_key=root_moves_by_search,
    beliefs={
        name: believed for name, believed in value_beliefs(root_moves).items() if name == "players-swapped"
    },
    explain_item=lambda solved, item: why_line(solved, item, choices=1),
)
PLAN = _asking_of_tree(
    ask="strategy",
    question="Which strategy, depending on percepts, guarantees the highest payoff?",
    form=MOVE_CHOICES,
    prompt=_prompt_tree(
        Phrase("Give a strategy that guarantees the highest payoff, whatever the percepts are."),
        lambda case, language: (
            language.say(LEAF_NUMBER_RULE),
            *strategy.strategy_sentences(case, language),
        ),
    ),
    key=strategy.OPTIMAL.key,
    independent_key=strategy.OPTIMAL.independent_key,
    beliefs=strategy.OPTIMAL.beliefs,
    explain_item=strategy.OPTIMAL.explain_item,
    accepts=strategy.OPTIMAL.accepts,
    key_picture=strategy.OPTIMAL.key_picture,
    entry_nodes=strategy.OPTIMAL.entry_nodes,
)
