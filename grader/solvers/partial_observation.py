"""Belief states: which states one may be in, and games that are partly observed as trees of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.solvers.solvable import Unsolvable
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

BeliefState: TypeAlias = frozenset[str]
"""The states one may be in; never empty."""

Legal: TypeAlias = Literal["union", "intersection"]
"""A move may be made when it is legal in some state of the belief, or only when it is legal in all."""

_Chances: TypeAlias = Mapping[str, int]
"""In how many of the equally likely cases one is in each state of a belief."""

Percepts: TypeAlias = Literal["adversarial", "chance"]
"""The opponent of the analysis chooses which possible percept comes, or all states are equally likely."""


class WorldError(Unsolvable):
    """Something is asked of a world that it does not say; the message says what."""


@dataclass(frozen=True, slots=True)
class World:
    """States, moves between them, and what is perceived and gained in each.

    - `states`: their names, in the order in which they are listed.
    - `moves`: for each state, the moves that are legal there with the state they lead to, in their order.
    - `percepts`: what is perceived in a state; states that are left out all give the percept "".
    - `goals`: the states in which the goal is reached.
    - `utilities`: what a state is worth where play ends; 1 at goals and 0 elsewhere where it is left out.
    """

    states: tuple[str, ...]
    moves: Mapping[str, Mapping[str, str]]
    percepts: Mapping[str, str]
    goals: BeliefState
    utilities: Mapping[str, Number]

    def __post_init__(self) -> None:
        known = set(self.states)
        named = {*self.moves, *self.percepts, *self.goals, *self.utilities}
        named |= {after for there in self.moves.values() for after in there.values()}
        if not named <= known:
            raise WorldError(f"there is no state {min(named - known)}")

    def utility(self, state: str) -> Number:
        """What a state is worth where play ends."""
        return self.utilities.get(state, int(state in self.goals))


def actions(world: World, belief: BeliefState, legal: Legal = "intersection") -> tuple[str, ...]:
    """Actions(b): the moves legal in some state of a belief, or in all, in the order of the world.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, section 4.4.1.
    """
    offered = [world.moves.get(state, {}) for state in world.states if state in belief]
    if legal == "union":
        return tuple(dict.fromkeys(move for there in offered for move in there))
    everywhere = set(offered[0]).intersection(*offered) if offered else ()
    return tuple(move for move in offered[0] if move in everywhere) if everywhere else ()


def result(world: World, belief: BeliefState, action: str) -> BeliefState:
    """Result(b, a): every state that the move leads to from a state of the belief.

    Where the move is illegal nothing happens, so that state stays. Raises `WorldError` for a move that is
    legal in no state of the belief.
    """
    if action not in actions(world, belief, "union"):
        raise WorldError(f"the move {action} is legal in no state of the belief")
    return frozenset(world.moves.get(state, {}).get(action, state) for state in belief)


def goal_test(world: World, belief: BeliefState) -> bool:
    """Whether every state of a belief is a goal."""
    return belief <= world.goals


def beliefs_by_percept(world: World, belief: BeliefState) -> tuple[tuple[str, BeliefState], ...]:
    """For every possible percept the belief that is consistent with it, in the order of the states."""
    parts: dict[str, set[str]] = {}
    for state in world.states:
        if state in belief:
            parts.setdefault(world.percepts.get(state, ""), set()).add(state)
    return tuple((percept, frozenset(part)) for percept, part in parts.items())


@dataclass(frozen=True, slots=True)
class BeliefTree:
    """A tree of belief states; `beliefs` are aligned with its nodes."""

    tree: Tree
    beliefs: tuple[BeliefState, ...]


def belief_tree(
    world: World, belief: BeliefState, moves: int, *, percepts: Percepts = "adversarial"
) -> BeliefTree:
    """The tree of so many moves from a belief: MAX moves, then a percept tells some states apart.

    Where several percepts are possible, MIN chooses the worst of them, or chance draws one: the states of the
    first belief are equally likely, and a state that several of them lead to is as likely as all of these.
    Play ends where every state is a goal, where no move is left and after the last move; a leaf is worth its
    worst state, or, with chance, the mean of its states.
    Branches are named by the moves and the percepts. Raises `WorldError` for an empty belief and for
    states that the world does not have.
    """
    if not belief or not belief <= set(world.states):
        raise WorldError("a belief has at least one state, and only states of the world")
    planting = TreeBuilder()
    beliefs: list[BeliefState] = []
    chance = percepts == "chance"

    def add(now: _Chances, parent: int, player: Player | None, name: str | None, share: Number | None) -> int:
        beliefs.append(frozenset(now))
        payoff = None if player is not None else _worth(world, now, percepts)
        return planting.add(parent, player, payoff, move=name, probability=share)

    def move(now: _Chances, parent: int, to_go: int, name: str | None, share: Number | None) -> None:
        offered = actions(world, frozenset(now))
        if not to_go or not offered or goal_test(world, frozenset(now)):
            add(now, parent, None, name, share)
            return
        node = add(now, parent, Player.MAX, name, share)
        for action in offered:
            after: dict[str, int] = {}
            for state, times in now.items():
                there = world.moves.get(state, {}).get(action, state)
                after[there] = after.get(there, 0) + times
            perceive(after, node, to_go - 1, action)

    def perceive(now: _Chances, parent: int, to_go: int, name: str) -> None:
        parts = beliefs_by_percept(world, frozenset(now))
        if len(parts) == 1:
            move(now, parent, to_go, name, None)
            return
        node = add(now, parent, Player.CHANCE if chance else Player.MIN, name, None)
        whole = sum(now.values())
        for percept, part in parts:
            chances = {state: times for state, times in now.items() if state in part}
            share = normalize_number(Fraction(sum(chances.values()), whole)) if chance else None
            move(chances, node, to_go, percept, share)

    move(dict.fromkeys(belief, 1), -1, moves, None, None)
    return BeliefTree(planting.tree(), tuple(beliefs))


def guaranteed_utility(
    world: World, belief: BeliefState, moves: int, *, percepts: Percepts = "adversarial"
) -> Number:
    """What the best strategy of so many moves gets from a belief, without a tree: the value of `belief_tree`.

    Raises `WorldError` as that does.
    """
    if not belief or not belief <= set(world.states):
        raise WorldError("a belief has at least one state, and only states of the world")

    # With chance, a belief counts with the number of cases it stands for: these sums stay whole numbers.
    worst = percepts == "adversarial"
    together: Callable[[Iterable[Number]], Number] = min if worst else sum
    gains = {state: world.utility(state) for state in world.states}
    percept = {state: world.percepts.get(state, "") for state in world.states}
    leads = {state: world.moves.get(state, {}) for state in world.states}
    offered: dict[BeliefState, tuple[str, ...]] = {}

    def best(now: _Chances, to_go: int) -> Number:
        if to_go:
            known = frozenset(now)
            if known not in offered:
                offered[known] = () if goal_test(world, known) else actions(world, known)
            if offered[known]:
                return max([after(now, action, to_go - 1) for action in offered[known]])
        return together([gains[state] if worst else gains[state] * times for state, times in now.items()])

    def after(now: _Chances, action: str, to_go: int) -> Number:
        parts: dict[str, dict[str, int]] = {}
        for state, times in now.items():
            there = leads[state].get(action, state)
            part = parts.setdefault(percept[there], {})
            part[there] = part.get(there, 0) + times
        return together([best(part, to_go) for part in parts.values()])

    found = best(dict.fromkeys(belief, 1), moves)
    return found if worst else normalize_number(Fraction(found) / len(belief))


def _worth(world: World, now: _Chances, percepts: Percepts) -> Number:
    """What a belief is worth where play ends."""
    if percepts == "adversarial":
        return min(world.utility(state) for state in now)
    total = sum((Fraction(world.utility(state) * times) for state, times in now.items()), Fraction(0))
    return normalize_number(Fraction(total, sum(now.values())))
