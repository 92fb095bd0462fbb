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

_Cases: TypeAlias = Mapping[str, int]
"""The number of equally likely cases for each state of a belief."""

Percepts: TypeAlias = Literal["adversarial", "chance"]
"""An opponent chooses among the possible percepts, or all states are equally likely."""


class WorldError(Unsolvable):
    """A world lacks a state or a move; the message says which."""


@dataclass(frozen=True, slots=True)
class World:
    """States, the moves between them, and the percept and the utility of each.

    - `states`: the names of the states, in the order of the world.
    - `moves`: for each state, its legal moves in order, with the state that each leads to.
    - `percepts`: the percept of each state; the default is "".
    - `goals`: the states in which the goal is reached.
    - `utilities`: the utility of each state if play ends there; the default is 1 at goals and 0 elsewhere.
    """

    states: tuple[str, ...]
    moves: Mapping[str, Mapping[str, str]]
    percepts: Mapping[str, str]
    goals: BeliefState
    utilities: Mapping[str, Number]

    def __post_init__(self) -> None:
        mentioned = {*self.moves, *self.percepts, *self.goals, *self.utilities}
        mentioned |= {successor for moves in self.moves.values() for successor in moves.values()}
        if missing := mentioned - set(self.states):
            raise WorldError(f"there is no state {min(missing)}")

    def utility(self, state: str) -> Number:
        """Return the utility of a state if play ends there."""
        return self.utilities.get(state, int(state in self.goals))


def actions(world: World, belief: BeliefState, legal: Legal = "intersection") -> tuple[str, ...]:
    """Return Actions(b): the moves legal in some state of a belief, or in all, in the order of the world.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, section 4.4.1.
    """
    offered = [world.moves.get(state, {}) for state in world.states if state in belief]
    if legal == "union":
        return tuple(dict.fromkeys(move for moves in offered for move in moves))
    everywhere = set(offered[0]).intersection(*offered) if offered else ()
    return tuple(move for move in offered[0] if move in everywhere) if everywhere else ()


def result(world: World, belief: BeliefState, action: str) -> BeliefState:
    """Return Result(b, a): every state that the move leads to from a state of the belief.

    An illegal move leaves a state unchanged. Raises `WorldError` for a move that is legal in no state of
    the belief.
    """
    if action not in actions(world, belief, "union"):
        raise WorldError(f"the move {action} is legal in no state of the belief")
    return frozenset(world.moves.get(state, {}).get(action, state) for state in belief)


def goal_test(world: World, belief: BeliefState) -> bool:
    """Return whether every state of a belief is a goal."""
    return belief <= world.goals


def beliefs_by_percept(world: World, belief: BeliefState) -> tuple[tuple[str, BeliefState], ...]:
    """Return each possible percept with the belief that is consistent with it, in the order of the states."""
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
    """Build the tree of this many moves from a belief: MAX moves, then a percept distinguishes states.

    - If several percepts are possible, MIN chooses one, or chance draws one. The states of the first belief
      are equally likely; a state that several of them lead to has the sum of their probabilities.
    - Play ends if every state is a goal, if there is no legal move, and after the last move.
    - A leaf is worth its worst state, or, with chance, the mean of its states.
    - Branches have the names of the moves and the percepts.

    Raises `WorldError` for an empty belief and for states that the world does not have.
    """
    if not belief or not belief <= set(world.states):
        raise WorldError("a belief has at least one state, and only states of the world")
    builder = TreeBuilder()
    beliefs: list[BeliefState] = []
    chance = percepts == "chance"

    def add(cases: _Cases, parent: int, player: Player | None, name: str | None, share: Number | None) -> int:
        """Add a node for these states; without a player, a leaf with their utility."""
        beliefs.append(frozenset(cases))
        payoff = None if player is not None else _utility_at_end(world, cases, percepts)
        return builder.add(parent, player, payoff, move=name, probability=share)

    def move(cases: _Cases, parent: int, moves_left: int, name: str | None, share: Number | None) -> None:
        """Add the node of a belief, and below it every move; a leaf if play ends here.

        An action that a state does not have leaves that state as it is.
        """
        offered = actions(world, frozenset(cases))
        if not moves_left or not offered or goal_test(world, frozenset(cases)):
            add(cases, parent, None, name, share)
            return
        node = add(cases, parent, Player.MAX, name, share)
        for action in offered:
            after: dict[str, int] = {}
            for state, count in cases.items():
                successor = world.moves.get(state, {}).get(action, state)
                after[successor] = after.get(successor, 0) + count
            perceive(after, node, moves_left - 1, action)

    def perceive(cases: _Cases, parent: int, moves_left: int, name: str) -> None:
        """Add the belief after a move, below a node that tells the percepts apart if there are several."""
        parts = beliefs_by_percept(world, frozenset(cases))
        if len(parts) == 1:
            move(cases, parent, moves_left, name, None)
            return
        node = add(cases, parent, Player.CHANCE if chance else Player.MIN, name, None)
        for percept, part in parts:
            consistent = {state: count for state, count in cases.items() if state in part}
            share = Fraction(sum(consistent.values()), sum(cases.values()))
            move(consistent, node, moves_left, percept, normalize_number(share) if chance else None)

    move(dict.fromkeys(belief, 1), -1, moves, None, None)
    return BeliefTree(builder.tree(), tuple(beliefs))


def guaranteed_utility(world: World, belief: BeliefState, moves: int, *, percepts: Percepts) -> Number:
    """Return the root value of `belief_tree` without building the tree.

    Raises `WorldError` as `belief_tree` does.
    """
    if not belief or not belief <= set(world.states):
        raise WorldError("a belief has at least one state, and only states of the world")

    # With chance, values are summed over the cases and divided once at the end: the sums stay whole numbers.
    adversarial = percepts == "adversarial"
    combine: Callable[[Iterable[Number]], Number] = min if adversarial else sum
    utilities = {state: world.utility(state) for state in world.states}
    percept = {state: world.percepts.get(state, "") for state in world.states}
    successors = {state: world.moves.get(state, {}) for state in world.states}
    offered: dict[BeliefState, tuple[str, ...]] = {}

    def best(cases: _Cases, moves_left: int) -> Number:
        """Return the utility from a belief with MAX to move; with chance, summed over the cases."""
        if moves_left:
            states = frozenset(cases)
            if states not in offered:
                offered[states] = () if goal_test(world, states) else actions(world, states)
            if offered[states]:
                return max([after(cases, action, moves_left - 1) for action in offered[states]])
        return combine([utilities[state] * (1 if adversarial else count) for state, count in cases.items()])

    def after(cases: _Cases, action: str, moves_left: int) -> Number:
        """Return the utility after an action and its percept; with chance, summed over the cases."""
        parts: dict[str, dict[str, int]] = {}
        for state, count in cases.items():
            successor = successors[state].get(action, state)
            part = parts.setdefault(percept[successor], {})
            part[successor] = part.get(successor, 0) + count
        return combine([best(part, moves_left) for part in parts.values()])

    value = best(dict.fromkeys(belief, 1), moves)
    return value if adversarial else normalize_number(Fraction(value) / len(belief))


def _utility_at_end(world: World, cases: _Cases, percepts: Percepts) -> Number:
    """Return the value of a belief if play ends there."""
    if percepts == "adversarial":
        return min(world.utility(state) for state in cases)
    total = sum((Fraction(world.utility(state) * count) for state, count in cases.items()), Fraction(0))
    return normalize_number(Fraction(total, sum(cases.values())))
