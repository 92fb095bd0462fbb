"""Games one could really play: a position and its rules become a tree; one file each."""

from grader.trees.games import connect_four, nim, tictactoe
from grader.trees.games.game_definition import AnyGame

GAMES: tuple[AnyGame, ...] = (
    tictactoe.GAME,
    connect_four.GAME,
    nim.GAME,
)
"""Every game there is; a new game is one file and one line here."""


__all__ = ["GAMES", "AnyGame"]
