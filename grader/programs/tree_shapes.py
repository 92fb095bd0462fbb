"""The shapes of the trees that programs are tried on: branching on each level, turns and probabilities."""

from grader.trees.tree import Player

ANY_LEVELS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 1),
    ((3,), 2),
    ((1, 2), 1),
    ((2, 1), 1),
    ((2, 2), 10),
    ((2, 3), 8),
    ((3, 2), 20),
    ((4, 2), 16),
    ((1, 3, 2), 12),
    ((2, 3, 1), 8),
    ((3, 2, 1), 6),
    ((3, 3), 10),
    ((2, 2, 1), 8),
    ((1, 2, 2), 4),
    ((2, 2, 2), 24),
    ((2, 1, 2, 2), 14),
    ((2, 2, 1, 2), 10),
    ((1, 2, 2, 2), 6),
    ((2, 1, 1, 2), 4),
    ((1, 2, 1, 1, 2), 8),
    ((1, 2, 1, 2, 2), 6),
    ((2, 1, 2, 1, 2), 8),
    ((4, 4), 2),
    ((2, 2, 2, 2), 14),
    ((3, 3, 3), 6),
    ((2, 2, 2, 2, 2), 4),
    ((2, 2, 2, 2, 2, 2), 2),
)
"""Branching on each level, and how many trees there are of each."""

COMPLETE_LEVELS: tuple[tuple[tuple[int, ...], int], ...] = tuple(
    ((2,) * plies, count) for plies, count in ((1, 3), (2, 30), (3, 60), (4, 40), (5, 6))
)
LEVELS_OF_ROUNDS: dict[int, tuple[tuple[tuple[int, ...], int], ...]] = {
    2: tuple((levels, count) for levels, count in ANY_LEVELS if len(levels) % 2 == 0),
    3: (
        ((2, 1, 2), 6),
        ((2, 2, 1), 6),
        ((2, 2, 2), 20),
        ((1, 2, 2, 2, 2, 1), 6),
        ((2, 1, 1, 2, 2, 1), 6),
        ((3, 2, 2), 6),
    ),
}
LEVELS_OF_PLAYERS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 2),
    ((3,), 2),
    ((2, 2), 8),
    ((3, 2), 8),
    ((2, 2, 2), 20),
    ((3, 2, 1), 6),
    ((2, 1, 2), 6),
    ((1, 2, 2), 6),
    ((2, 2, 1, 2), 8),
    ((2, 1, 2, 2), 8),
    ((1, 2, 2, 2), 6),
    ((2, 2, 2, 2), 8),
)
CHANCE_LEVELS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 2),
    ((3,), 2),
    ((2, 2), 8),
    ((3, 2), 8),
    ((2, 2, 2), 50),
    ((3, 2, 1), 12),
    ((2, 3, 1), 10),
    ((1, 2, 2), 16),
    ((2, 1, 2), 10),
    ((1, 3, 2), 12),
    ((1, 2, 3), 16),
    ((3, 1, 3), 12),
    ((2, 2, 3), 8),
    ((2, 2, 1, 2), 20),
    ((1, 2, 1, 2, 2), 20),
    ((2, 1, 2, 2, 1), 12),
    ((1, 2, 2, 2, 1), 12),
    ((2, 2, 2, 2, 1), 8),
)
"""Branching on each level of trees in which a chance node comes after every move."""

RARE_CHANCE_LEVELS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2, 2, 2), 20),
    ((2, 3, 1), 10),
    ((3, 2, 1), 10),
    ((1, 2, 2, 2), 20),
    ((2, 1, 2, 2), 20),
    ((1, 1, 2, 2, 2), 20),
    ((1, 1, 2, 2, 3), 10),
    ((1, 1, 2, 3, 2), 10),
    ((1, 2, 2, 2, 2), 6),
)
"""Branching where both players move before a chance node."""

EIGHTHS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((8,),),
    2: ((4, 4), (2, 6), (6, 2), (1, 7)),
    3: ((4, 2, 2), (2, 2, 4), (1, 5, 2)),
}
"""Probabilities in eighths by the number of outcomes; floating-point numbers are exact with them."""

CHANCE_BOUNDS = (-10, 10)
"""The bounds of payoffs in trees with chance nodes; no payoff reaches one."""

TURNS: dict[str, tuple[Player, ...]] = {
    "chance": (Player.MAX, Player.MIN, Player.CHANCE),
    "dice": (Player.MAX, Player.CHANCE, Player.MIN, Player.CHANCE),
    "players": (Player.P1, Player.P2, Player.P3),
}
LIMITED_LEVELS: tuple[tuple[int, ...], ...] = ((2, 2, 1, 1), (2, 2, 2, 1), (2, 1, 2, 1), (2, 2, 1, 2))
