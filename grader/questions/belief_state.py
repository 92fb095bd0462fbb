"""What can be known and reached when one does not see in which state one is?"""

from collections.abc import Callable
from dataclasses import replace

from grader.answers.count import counting
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase
from grader.questions.given import Given
from grader.questions.parts.belief_games import BEST_MOVE, EXPECTED, PLAN, VALUE
from grader.questions.parts.belief_sets import (
    STAYS,
    all_moves,
    asking_for_set,
    asks_moves,
    asks_states,
    draw_moves,
    draw_states,
    names_of,
    offered,
    offered_as_sets,
    suits_moves,
)
from grader.questions.parts.joining import joining
from grader.questions.parts.number_asking import asking
from grader.questions.parts.worlds import (
    ACTIONS,
    BY_RULE,
    STATES,
    WORLD,
    a_rule,
    an_action,
    belief_of,
    drawn_belief,
    drawn_world,
    some_goals,
    suits_world,
    the_belief,
    the_move,
    the_moves,
    the_world,
)
from grader.questions.randomness import Draw
from grader.questions.why import Solved
from grader.questions.wording import Prompt
from grader.solvers.belief_state import (
    Belief,
    actions,
    goal_test,
    result,
)
from grader.trees.rules import Rules
from grader.trees.tree import Tree

TRIES = 80
"""How often a world is drawn before it is given up."""

MORE_STATES = (*STATES, "6")
"""Those of worlds in which states are counted: two of their counts never come, so that four are left.

After a move that is illegal somewhere one state is left only where the move is legal nowhere, and as many as
before only where no two are merged: there a mistake would be right.
"""

HOW_MANY_STATES = replace(
    counting(one="state", many=Phrase("states"), among=lambda _tree: len(MORE_STATES)),
    possible=lambda _key, _tree: len(MORE_STATES) - 2,
)
HOW_MANY_MOVES = replace(
    counting(one="move", many=Phrase("moves"), among=lambda _tree: len(STATES)),
    possible=lambda _key, _tree: len(ACTIONS) + 1,
)


def _suits_action(given: Given) -> str | None:
    why = suits_world(given)
    if why is None and given.get("action") not in actions(the_world(given), belief_of(given), "union"):
        why = 'no move is given that is legal in some state: {"action": "push"}'
    return why


# Result, Actions, and the goal test -----------------------------------------------------------------


def _after(given: Given) -> Belief:
    return result(the_world(given), belief_of(given), given["action"])


def _after_one_by_one(given: Given) -> Belief:
    """The same: each state of the world that the move leads to from some state, or that it leaves alone."""
    world, action = the_world(given), given["action"]
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
        (*the_moves(the_world(given), language), say(STAYS), the_belief(given, language)),
        say(
            "How many states does Result(b, {action}) have, the belief after the move {action}?",
            action=given["action"],
        ),
    )


def _vanishing(given: Given) -> Belief:
    """What is left of the belief where states in which the move is illegal are forgotten."""
    world, action = the_world(given), given["action"]
    return frozenset(
        world.moves[state][action] for state in belief_of(given) if action in world.moves.get(state, {})
    )


def _prompt_actions(given: Given, language: Language) -> Prompt:
    say = language.say
    return Prompt(
        (
            *the_moves(the_world(given), language),
            say(BY_RULE[given.get("legal", "intersection")]),
            the_belief(given, language),
        ),
        say("How many moves does Actions(b) have?"),
    )


def _prompt_goal(given: Given, language: Language) -> Prompt:
    say, world = language.say, the_world(given)
    goals = [state for state in world.states if state in world.goals]
    return Prompt(
        (
            *the_moves(world, language),
            say(STAYS),
            say(
                "The goal is state {goals}.",
                "The goals are the states {goals}.",
                len(goals),
                goals=language.listed(goals),
            ),
            the_belief(given, language),
        ),
        say(
            "Is it true that Result(b, {action}), the belief after the move {action}, passes the goal test?",
            action=given["action"],
        ),
    )


def _reached(given: Given) -> bool:
    return goal_test(the_world(given), _after(given))


def _if_wrong(said: Callable[[Given], bool]) -> Callable[[Given], bool | None]:
    return lambda given: None if said(given) is _reached(given) else said(given)


def _suits_goal(given: Given) -> str | None:
    return _suits_action(given) or (None if the_world(given).goals else 'no goal is given: {"goals": ["1"]}')


def _draw_result(draw: Draw) -> Given | None:
    """A world, a belief and a move after which there are so many states, each count as often."""
    wanted = draw.between(2, len(MORE_STATES) - 1)
    for _ in range(TRIES):
        made = drawn_world(draw, actions=2, illegal=True, states=MORE_STATES)
        belief = drawn_belief(draw, draw.between(wanted + 1, len(MORE_STATES)), MORE_STATES)
        given = Given({**made, "belief": belief, "action": draw.choose(draw.names(ACTIONS[:2]))})
        if _suits_action(given) is None and wanted == len(_after(given)) != len(_vanishing(given)):
            return given
    return None


def _draw_actions(draw: Draw) -> Given | None:
    made = drawn_world(draw, actions=3, illegal=True)
    given = Given({**made, "belief": drawn_belief(draw, 2), "legal": draw.choose(("union", "intersection"))})
    return given if len(offered(given)) != len(offered(given, other=True)) else None


def _draw_goal(draw: Draw) -> Given | None:
    """Goals that most or all of the states are that one may come to: as often all of them."""
    wanted = bool(draw.below(2))
    for _ in range(TRIES):
        made = drawn_world(draw, actions=2, illegal=True)
        belief, action = drawn_belief(draw, 3), draw.choose(draw.names(ACTIONS[:2]))
        goals = drawn_belief(draw, 3)
        given = Given({**made, "belief": belief, "action": action, "goals": goals})
        if _suits_goal(given) is not None or len(_after(given)) < 2:
            continue
        if _reached(given) is wanted and _after(given) & set(goals):
            return given
    return None


# Why ------------------------------------------------------------------------------------------------


def _named(states: Belief, language: Language) -> str:
    return language.listed(sorted(states))


def _told_result(solved: Solved) -> tuple[str, ...]:
    given, language = solved.given, solved.language
    states, action, moves = _after(given), given["action"], the_world(given).moves
    legal = [state for state in sorted(belief_of(given)) if action in moves.get(state, {})]
    illegal = [state for state in sorted(belief_of(given)) if state not in legal]
    told = [the_move(the_world(given), action, legal, language)]
    if illegal:
        told.append(
            language.say(
                "In state {states} it is illegal, so the agent stays in it.",
                "In states {states} it is illegal, so the agent stays in each of them.",
                len(illegal),
                states=language.listed(illegal),
            )
        )
    result_has = language.say(
        "So Result(b, {action}) has {count} state: {states}.",
        "So Result(b, {action}) has {count} states: {states}.",
        len(states),
        action=action,
        states=_named(states, language),
    )
    return (*told, result_has)


def _told_actions(solved: Solved) -> tuple[str, ...]:
    given, language = solved.given, solved.language
    world = the_world(given)
    found = actions(world, belief_of(given), given.get("legal", "intersection"))
    told = []
    for state in sorted(belief_of(given)):
        legal = sorted(world.moves.get(state, {}))
        if legal:
            moves = language.listed(legal)
            told.append(language.say("Legal in state {state}: {moves}.", state=state, moves=moves))
        else:
            told.append(language.say("No move is legal in state {state}.", state=state))
    if not found:
        return (*told, language.say("Actions(b) has 0 moves: none is legal in all of the states."))
    several = language.say(
        "So Actions(b) has {count} move: {moves}.",
        "So Actions(b) has {count} moves: {moves}.",
        len(found),
        moves=language.listed(list(found)),
    )
    return (*told, several)


def _told_goal(solved: Solved) -> tuple[str, ...]:
    given, language = solved.given, solved.language
    missed = _after(given) - the_world(given).goals
    if not missed:
        return (*_told_result(solved), language.say("All of them are goals, so it is true."))
    return (
        *_told_result(solved),
        language.say(
            "State {states} is no goal, so it is false.",
            "The states {states} are no goals, so it is false.",
            len(missed),
            states=_named(missed, language),
        ),
    )


AFTER, OFFERED = "states after a move", "moves of a belief"
"""What sets of states and of moves are carried as."""


def _count_after(tree: Tree, rules: Rules, given: Given, after: tuple[str, Belief]) -> Numeral | None:
    action, states = after
    return Numeral(len(states)) if action == given["action"] else None


def _goal_after(tree: Tree, rules: Rules, given: Given, after: tuple[str, Belief]) -> bool | None:
    action, states = after
    return goal_test(the_world(given), states) if action == given["action"] and states else None


# The kinds ------------------------------------------------------------------------------------------

RESULT = asking(
    "result",
    "How many states does the belief Result(b, a) have after a move?",
    _suits_action,
    _prompt_result,
    (lambda given: len(_after(given)), lambda given: len(_after_one_by_one(given))),
    {
        "illegal-vanishes": lambda given: len(_vanishing(given)),
        "not-merged": lambda given: len(belief_of(given)),
    },
    _told_result,
    _draw_result,
    form=HOW_MANY_STATES,
    gives=(*WORLD, "action"),
    joins=joining(suits_world, (*WORLD, "action"), action=an_action),
    takes={AFTER: _count_after},
)
ACTIONS_OF = asking(
    "actions",
    "How many moves does Actions(b) have, by union or by intersection?",
    suits_world,
    _prompt_actions,
    (lambda given: len(offered(given)), lambda given: len(offered_as_sets(given))),
    {"other-rule-of-actions": lambda given: len(offered(given, other=True))},
    _told_actions,
    _draw_actions,
    form=HOW_MANY_MOVES,
    gives=WORLD,
    joins=joining(suits_world, WORLD, legal=a_rule),
    takes={OFFERED: lambda _tree, _rules, _given, moves: Numeral(len(moves))},
)
GOAL = asking(
    "goal",
    "Does the belief after a move pass the goal test?",
    _suits_goal,
    _prompt_goal,
    (_reached, lambda given: all(state in the_world(given).goals for state in _after_one_by_one(given))),
    {
        "one-goal-is-enough": _if_wrong(lambda given: bool(_after(given) & the_world(given).goals)),
        "illegal-vanishes": _if_wrong(lambda given: _vanishing(given) <= the_world(given).goals),
    },
    _told_goal,
    _draw_goal,
    form=TRUTH,
    of=bool,
    gives=(*WORLD, "action"),
    joins=joining(suits_world, (*WORLD, "action"), action=an_action, goals=some_goals),
    takes={AFTER: _goal_after},
)
WHICH_STATES = asking_for_set(
    "states",
    "Which states does the belief Result(b, a) have after a move?",
    lambda given: the_world(given).states,
    asks_states,
    (_after, _after_one_by_one),
    {"illegal-vanishes": _vanishing, "old-states-stay": lambda given: _after(given) | belief_of(given)},
    _told_result,
    lambda draw: draw_states(draw, _after, (_vanishing, lambda given: _after(given) | belief_of(given))),
    _suits_action,
    gives=(*WORLD, "action"),
    joins=joining(suits_world, (*WORLD, "action"), action=an_action),
    carries={AFTER: lambda tree, _rules, given, found: (given["action"], names_of(tree, found))},
)
WHICH_MOVES = asking_for_set(
    "moves",
    "Which moves does Actions(b) have, by union or by intersection?",
    all_moves,
    asks_moves,
    (offered, offered_as_sets),
    {"other-rule-of-actions": lambda given: offered(given, other=True)},
    _told_actions,
    draw_moves,
    suits_moves,
    gives=WORLD,
    joins=joining(suits_world, WORLD, legal=a_rule),
    carries={OFFERED: lambda tree, _rules, _given, found: names_of(tree, found)},
)
KINDS = (RESULT, WHICH_STATES, ACTIONS_OF, WHICH_MOVES, GOAL, VALUE, EXPECTED, BEST_MOVE, PLAN)
