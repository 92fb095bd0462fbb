"""A position and what can follow it, as a tree."""

from dataclasses import dataclass, replace
from typing import Generic

from grader.trees.games.game_definition import Evaluation, Game, Position, TooLargeError
from grader.trees.tree import MAX_SUPPORTED_LEAVES, MAX_SUPPORTED_PLIES, Attributes, Header, Tree
from grader.trees.tree_builder import TreeBuilder


class NoEvaluationError(ValueError):
    """Plies are limited, and yet the game has no evaluation for the positions at the limit."""


@dataclass(frozen=True, slots=True)
class GameTree(Generic[Position]):
    """A tree of a game: `positions` are aligned with its nodes.

    `unfinished` are the leaves at which the game is not over: their payoff is a static evaluation.
    """

    tree: Tree
    positions: tuple[Position, ...]
    unfinished: frozenset[int]


def unfold(
    game: Game[Position],
    position: Position,
    *,
    plies: int | None = None,
    evaluation: Evaluation[Position] | None = None,
    evaluate_all: bool = False,
    merged: bool = False,
    boards: bool = False,
) -> GameTree[Position]:
    """The tree of everything that can follow a position, to the end of the game or so many plies deep.

    Branches are named by the moves, in their usual order; `merged` keeps one of several moves that
    lead to positions that are the same up to symmetry. Without an evaluation a leaf is worth its utility:
    1, 0 or -1. With one, an unfinished position at the limit is worth its evaluation, a position won by
    MAX `evaluation.won`, a lost one minus that, a draw 0; `evaluate_all` gives nodes above the limit
    theirs too, as the attribute `eval`; with `boards` every node has its position as the attribute `board`.

    Raises `NoEvaluationError` when the limit leaves unfinished positions and no evaluation is given,
    `TooLargeError` for more leaves than a tree may have or a line of more than 256 plies.
    """
    planting, positions, unfinished = TreeBuilder(), [], set()

    def shown(now: Position) -> Attributes | None:
        return Attributes(board="/".join(game.rows(now))) if boards else None

    seen: dict[Position, tuple[int | None, tuple[tuple[str, Position], ...]]] = {}
    add, utility = planting.add, game.utility
    moves = game.moves_up_to_symmetry if merged else game.moves
    won = 1 if evaluation is None else evaluation.won
    leaves = 0
    waiting: list[tuple[str | None, Position, int, int]] = [(None, position, -1, 0)]
    while waiting:
        name, now, parent, depth = waiting.pop()
        positions.append(now)
        # Most positions come up many times; what follows them is worked out once.
        if now not in seen:
            seen[now] = utility(now), tuple(reversed(moves(now)))
        result, onward = seen[now]
        if result is None and depth != plies:
            if depth == MAX_SUPPORTED_PLIES:
                raise TooLargeError(f"the game may last more than {MAX_SUPPORTED_PLIES} moves")
            static = evaluation.value(now) if evaluation and evaluate_all else None
            attributes = (
                shown(now) if static is None else replace(shown(now) or Attributes(), evaluation=static)
            )
            node = add(parent, game.mover(now), move=name, attributes=attributes)
            # The move to visit first is taken from the stack first.
            waiting += [(move, after, node, depth + 1) for move, after in onward]
            continue
        leaves += 1
        if leaves > MAX_SUPPORTED_LEAVES:
            raise TooLargeError(f"more than {MAX_SUPPORTED_LEAVES:,} lines of play follow the position")
        if result is not None:
            add(parent, None, result * won, move=name, attributes=shown(now))
        elif evaluation is None:
            raise NoEvaluationError(f"{game.title} goes on after the last ply, and has no evaluation there")
        else:
            unfinished.add(add(parent, None, evaluation.value(now), move=name, attributes=shown(now)))
    title = f"{game.title}: {game.write(position)}, {game.mover(position)} to move"
    return GameTree(planting.tree(Header(title=title)), tuple(positions), frozenset(unfinished))
