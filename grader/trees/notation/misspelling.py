"""Tell a misspelt player from an unknown payoff: both are words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.base.suggest import close_matches
from grader.trees.notation.diagnostics import HINTS, Complaint, clip

if TYPE_CHECKING:
    from grader.trees.notation.lexer import Piece

_LONGEST = 12
"""No player is misspelt with more characters than this."""


def misspelt_player(words: "Sequence[Piece]", end: int, text: str) -> Complaint | None:
    """The mistake when a word is a misspelt player: `MN B (3 12 8)`, `mim C=2 (2 9)`, `FOO B (3 4)`.

    `words` are the leaves that stand directly before a group or before a deeper line, at most two,
    from left to right; the group begins at `end`. Words with a comma behind them are payoffs for sure;
    so are two single letters, `x y (3 4)`.
    """
    if not words or not _joined(text, words[-1], end):
        return None
    first, last = words[0], words[-1]
    together = first is not last and text[first.end_pos : last.start_pos].isspace()
    if together and _joined(text, first, last.start_pos) and not first.startswith('"'):
        players = _meant(first)
        if players or sum(map(str.isalpha, first)) > 1:
            return _mistake(first, players, f"{clip(first)}, {clip(last)},")
    players = _meant(last)
    return _mistake(last, players, f"{clip(last)},") if players else None


def _joined(text: str, token: "Piece", end: int) -> bool:
    """Whether nothing parts a word from what follows it on its line."""
    between = text[token.end_pos : end]
    return not between.rstrip().endswith(",") and "\n" not in between and "\r" not in between


def _meant(word: str) -> list[str]:
    """The players that a word may stand for."""
    if len(word) > _LONGEST or word.startswith('"'):
        return []
    return close_matches(word.upper(), ("MAX", "MIN", "CHANCE"), 2)


def _mistake(token: "Piece", players: Sequence[str], payoffs: str) -> Complaint:
    question = f"; did you mean {' or '.join(players)}?" if players else ""
    wrong = f"{clip(token)} is no player{question}"
    hint = f"{HINTS['player-unknown']}; an unknown payoff has a comma behind it: {payoffs} (3 12 8)"
    return Complaint(token.start_pos, token.end_pos, "player-unknown", wrong, hint)
