"""The game tree below a position."""

from dataclasses import dataclass
from typing import Generic

from grader.trees.annotations import Attributes, Header
from grader.trees.games.game_definition import Evaluation, Game, Position, TooLargeError
from grader.trees.tree import MAX_SUPPORTED_LEAVES, MAX_SUPPORTED_PLIES, Tree
from grader.trees.tree_builder import TreeBuilder


class NoEvaluationError(ValueError):
    """Plies are limited, but there is no evaluation for the positions at the limit."""


@dataclass(frozen=True, slots=True)
class GameTree(Generic[Position]):
    """A tree of a game; `positions` are aligned with its nodes.

    `unfinished` are the leaves at which the game is not over; their payoff is a static evaluation.
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
    merged: bool = False,
    boards: bool = False,
) -> GameTree[Position]:
    """Return the tree below a position, to the end of the game or to a depth of `plies`.

    Branches are labelled by the moves, in their usual order; `merged` keeps one of several moves that
    lead to positions that are equal up to symmetry. Without an evaluation the payoff of a leaf is its
    utility: 1, 0 or -1. With one, it is the evaluation of an unfinished position at the limit,
    `evaluation.won` of a position won by MAX, minus that of a lost one, and 0 of a draw. `boards` adds
    positions as the attribute `board`.

    Raises `NoEvaluationError` if the limit leaves unfinished positions and no evaluation is given,
    `TooLargeError` for more leaves than a tree may have or a line of more than 256 plies.
    """
    builder, positions, unfinished = TreeBuilder(), [], set()

    def attributes_of(position: Position) -> Attributes | None:
        return Attributes(board="/".join(game.rows(position))) if boards else None

    known: dict[Position, tuple[int | None, tuple[tuple[str, Position], ...]]] = {}
    add, utility = builder.add, game.utility
    moves = game.moves_up_to_symmetry if merged else game.moves
    won = 1 if evaluation is None else evaluation.won
    leaves = 0
    stack: list[tuple[str | None, Position, int, int]] = [(None, position, -1, 0)]
    while stack:
        name, current, parent, depth = stack.pop()
        positions.append(current)
        # Most positions occur many times; their successors are computed once.
        if current not in known:
            known[current] = utility(current), tuple(reversed(moves(current)))
        result, successors = known[current]
        if result is None and depth != plies:
            if depth == MAX_SUPPORTED_PLIES:
                raise TooLargeError(f"the game may last more than {MAX_SUPPORTED_PLIES} moves")
            node = add(parent, game.mover(current), move=name, attributes=attributes_of(current))
            # The successors are reversed, so the first move is popped first.
            stack += [(move, successor, node, depth + 1) for move, successor in successors]
            continue
        leaves += 1
        if leaves > MAX_SUPPORTED_LEAVES:
            raise TooLargeError(f"more than {MAX_SUPPORTED_LEAVES:,} lines of play follow the position")
        if result is not None:
            add(parent, None, result * won, move=name, attributes=attributes_of(current))
        elif evaluation is None:
            raise NoEvaluationError(f"{game.title} goes on after the last ply, and has no evaluation there")
        else:
            payoff = evaluation.value(current)
            unfinished.add(add(parent, None, payoff, move=name, attributes=attributes_of(current)))
    title = f"{game.title}: {game.write(position)}, {game.mover(position)} to move"
    return GameTree(builder.tree(Header(title=title)), tuple(positions), frozenset(unfinished))
