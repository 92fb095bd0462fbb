"""Which states, and which moves? Result(b, a) and Actions(b) as sets, each member named in a picture."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from grader.answers.branches import BRANCHES, Branches
from grader.base.phrases import Language, Phrase
from grader.questions.given import Given
from grader.questions.kind import Kind, where_wrong
from grader.questions.parts.worlds import (
    ACTIONS,
    BY_RULE,
    belief_of,
    drawn_belief,
    drawn_world,
    suits_world,
    the_belief,
    the_moves,
    the_world,
)
from grader.questions.pictured import Pictured
from grader.questions.randomness import Draw
from grader.questions.why import Solved, Worked
from grader.questions.wording import Prompt
from grader.solvers.belief_state import Belief, actions
from grader.trees.planting import Planting
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

NAMED = ("P", "Q", "R", "S", "T", "U")
"""What states are called where they are named in replies: a number would be a path number."""

TRIES = 80
"""How often a belief is drawn before a world is given up."""

WHOLE = Phrase("Only the complete answer earns points: all of them and no others.")

SET = replace(
    BRANCHES,
    ask=Phrase("Write these names, or none if there are none."),
    example="P R",
    policies=("exact",),
    credited=lambda terms, _tree: terms.language.say(WHOLE),
    drawn=None,
    touch="",
    by_payoffs=None,
    counts_leaves=False,
    possible=lambda _key, tree: 2 ** len(tree.leaves) - 2,
    thoughtless=lambda tree, _rules: {"everything": frozenset(range(1, len(tree))), "nothing": frozenset()},
)
"""A set of some things that hang below one node, not of none and not of all; each such set comes as often."""


def shown(members: Sequence[str]) -> Tree:
    """A node with everything below it that may belong to the answer."""
    planting = Planting()
    root = planting.add(-1, Player.MAX, name="b")
    for name in members:
        planting.add(root, None, name, name=name)
    return planting.tree()


def _members(tree: Tree, names: Sequence[str]) -> Branches:
    return frozenset(tree.index[name] for name in names)


def names_of(tree: Tree, found: Branches) -> Belief:
    """The names of what belongs to an answer."""
    return frozenset(tree.names[node] for node in found)


def asking_for_set(
    ask: str,
    question: str,
    everything: Callable[[Given], Sequence[str]],
    prompt: Callable[[Given, Language], Prompt],
    ways: tuple[Callable[[Given], Belief], Callable[[Given], Belief]],
    beliefs: dict[str, Callable[[Given], Belief]],
    told: Callable[[Solved], tuple[str, ...]],
    draw: Callable[[Draw], Given | None],
    suits: Callable[[Given], str | None],
    **more: Any,
) -> Kind[Branches]:
    """A question about a set; `everything` is what may belong to it, in the order of the picture."""

    def suited(tree: Tree, rules: Rules, given: Given) -> str | None:
        why = suits(given)
        if why is None and (not len(tree) or sorted(tree.names[1:]) != sorted(everything(given))):
            why = "the tree does not show everything that may belong to the answer"
        return why

    def keyed(found: Callable[[Given], Belief]) -> Callable[[Tree, Rules, Given], Branches]:
        return lambda tree, _rules, given: _members(tree, sorted(found(given)))

    def drawn(stream: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
        given = draw(stream)
        return None if given is None else (shown(everything(given)), given)

    def pictured(solved: Solved) -> Pictured:
        caption = solved.language.say("Thick: what belongs to the answer.")
        return Pictured(solved.tree, caption, backed_up=False, line=(0, *sorted(solved.key)))

    return Kind(
        ask=ask,
        question=question,
        form=SET,
        suits=suited,
        prompt=lambda _tree, _rules, given, language: prompt(given, language),
        key=keyed(ways[0]),
        second_way=keyed(ways[1]),
        beliefs={name: where_wrong(keyed(ways[0]), keyed(found)) for name, found in beliefs.items()},
        worked=Worked(told, told),
        pictured=pictured,
        draw=drawn,
        brings=True,
        needs_tree=False,
        **more,
    )


# Actions(b) -----------------------------------------------------------------------------------------


def _rule(given: Given, other: bool = False) -> str:
    legal: str = given.get("legal", "intersection")
    return {"union": "intersection", "intersection": "union"}[legal] if other else legal


def all_moves(given: Given) -> tuple[str, ...]:
    """All moves of a world in the order of the alphabet, as the question lists them.

    So the same moves are the same answer in every world, and each answer can come as often.
    """
    return tuple(sorted({move for moves in the_world(given).moves.values() for move in moves}))


def offered(given: Given, other: bool = False) -> Belief:
    """Actions(b) by the rule that is given, or by the other one."""
    return frozenset(actions(the_world(given), belief_of(given), _rule(given, other)))  # type: ignore[arg-type]  # one of the two


def offered_as_sets(given: Given) -> Belief:
    """The same, as the union or the intersection of sets."""
    world = the_world(given)
    sets = [frozenset(world.moves.get(state, {})) for state in belief_of(given)]
    return frozenset.union(*sets) if _rule(given) == "union" else frozenset.intersection(*sets)


def asks_moves(given: Given, language: Language) -> Prompt:
    """The moves, what Actions(b) is, and which of the moves in the picture belong to it."""
    say = language.say
    return Prompt(
        (*the_moves(the_world(given), language), say(BY_RULE[_rule(given)]), the_belief(given, language)),
        say("Below b the picture shows all moves. Which of them are in Actions(b)?"),
    )


def draw_moves(draw: Draw) -> Given | None:
    """A world in which the two rules differ, and neither all moves nor none are right."""
    made = drawn_world(draw, actions=len(ACTIONS), illegal=True)
    for _ in range(TRIES):
        given = Given(
            {**made, "belief": drawn_belief(draw, 2), "legal": draw.choose(("union", "intersection"))}
        )
        if offered(given) != offered(given, other=True) and 0 < len(offered(given)) < len(all_moves(given)):
            return given
    return None


def suits_moves(given: Given) -> str | None:
    """Whether there is a world with moves."""
    return suits_world(given) or (None if all_moves(given) else "there is no move in this world")


# Result(b, a) ---------------------------------------------------------------------------------------

STAYS = Phrase("If the agent tries a move in a state where it is illegal, it stays in that state.")


def asks_states(given: Given, language: Language) -> Prompt:
    """The moves, the belief, and which of the states in the picture one may be in after a move."""
    say = language.say
    return Prompt(
        (*the_moves(the_world(given), language), say(STAYS), the_belief(given, language)),
        say(
            "Below b the picture shows all states. Which of them are in Result(b, {action}), "
            "the belief after the move {action}?",
            action=given["action"],
        ),
    )


def draw_states(
    draw: Draw, after: Callable[[Given], Belief], wrong: Sequence[Callable[[Given], Belief]]
) -> Given | None:
    """A belief and a move with which every mistake shows."""
    made = drawn_world(draw, actions=2, illegal=True, states=NAMED)
    for _ in range(TRIES):
        belief, action = drawn_belief(draw, draw.between(2, 5), NAMED), draw.choose(draw.names(ACTIONS[:2]))
        given = Given({**made, "belief": belief, "action": action})
        if action not in actions(the_world(given), belief_of(given), "union"):
            continue
        found = after(given)
        if len(found) < len(NAMED) and all(each(given) != found for each in wrong):
            return given
    return None
