"""Tells misspelt players from unknown payoffs: both are words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.base.suggest import close_matches
from grader.trees.notation.diagnostics import HINTS, Complaint, clip

if TYPE_CHECKING:
    from grader.trees.notation.lexer import Piece

_MAX_LENGTH = 12
"""Longer words are not misspelt players."""


def misspelt_player(words: "Sequence[Piece]", end: int, text: str) -> Complaint | None:
    """Return the complaint about a misspelt player: `MN B (3 12 8)`, `mim C=2 (2 9)`, `FOO B (3 4)`.

    `words` are the leaves directly before a group or a deeper line, at most two, from left to right;
    the group begins at `end`. Words followed by a comma are payoffs, and so are two single letters,
    `x y (3 4)`.
    """
    if not words or not _is_adjacent(text, words[-1], end):
        return None
    first, last = words[0], words[-1]
    are_joined = first is not last and text[first.end_pos : last.start_pos].isspace()
    if are_joined and _is_adjacent(text, first, last.start_pos) and not first.startswith('"'):
        players = _similar_players(first)
        if players or sum(map(str.isalpha, first)) > 1:
            return _complaint(first, players, f"{clip(first)}, {clip(last)},")
    players = _similar_players(last)
    return _complaint(last, players, f"{clip(last)},") if players else None


def _is_adjacent(text: str, token: "Piece", end: int) -> bool:
    """Return whether only blanks on the same line are between a word and `end`."""
    between = text[token.end_pos : end]
    return not between.rstrip().endswith(",") and "\n" not in between and "\r" not in between


def _similar_players(word: str) -> list[str]:
    """Return the players that a word may mean."""
    if len(word) > _MAX_LENGTH or word.startswith('"'):
        return []
    return close_matches(word.upper(), ("MAX", "MIN", "CHANCE"), 2)


def _complaint(token: "Piece", players: Sequence[str], payoffs: str) -> Complaint:
    """Return the complaint about a word in a player's place, naming the `players` that it may be."""
    question = f"; did you mean {' or '.join(players)}?" if players else ""
    message = f"{clip(token)} is not a player{question}"
    hint = f"{HINTS['player-unknown']}; an unknown payoff is followed by a comma: {payoffs} (3 12 8)"
    return Complaint(token.start_pos, token.end_pos, "player-unknown", message, hint)
