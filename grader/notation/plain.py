"""Read the plainest texts at once: MAX and MIN, brackets, names, numbers; all else is for the grammar."""

import re

from grader.base.numbers import Number, read_number
from grader.notation.keywords import PLAYERS
from grader.tree import LEAVES, Player, Tree

_PLAIN = re.compile(r"[A-Za-z(][A-Za-z0-9 \n().-]*")
"""All that a plain text consists of."""

_TOGETHER = re.compile(r"[0-9]\(|\)[^ \n)]|\A[^(]*\n")
"""What looks odd without a blank between, and an end of line before the first bracket."""

_NUMERAL = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")

SMALL: dict[str, Number] = {str(number): number for number in range(-100, 1000)}
"""What most payoffs are."""

_SIDES = {
    word: player for player in (Player.MAX, Player.MIN) for word in (player.value, player.value.lower())
}
_OTHER = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}

_DEEPEST = 100
"""Deeper texts are for the grammar, which knows the limit and what to say about it."""


def read_plain(text: str) -> Tree | None:
    """The tree of a plain text; None for a text with anything else in it, or with a mistake.

    Whatever it reads, the grammar reads as the same tree.
    """
    if _PLAIN.fullmatch(text) is None or _TOGETHER.search(text) is not None:
        return None
    parents: list[int] = []
    payoffs: list[Number | None] = []
    players: dict[int, Player] = {}
    names: dict[int, str] = {}
    parent, depth = -1, 0
    side: Player | None = None
    name: str | None = None
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        number = SMALL.get(word)
        if number is None and _NUMERAL.fullmatch(word):
            number = read_number(word) if "." in word else int(word)
        if number is not None:
            if side is not None or parent < 0:
                return None
            parents.append(parent)
            payoffs.append(number)
        elif word == "(":
            node = len(parents)
            depth += 1
            if (parent < 0 and node) or depth > _DEEPEST:
                return None
            parents.append(parent)
            payoffs.append(None)
            players[node] = side or (_OTHER[players[parent]] if node else Player.MAX)
            if name is not None:
                names[node] = name
            parent, side, name = node, None, None
        elif word == ")":
            if side is not None or parent < 0 or parent == len(parents) - 1:
                return None
            parent = parents[parent]
            depth -= 1
        elif side is None:
            side = _SIDES.get(word)
            if side is None:
                return None
        elif name is None and word.isalnum() and word[0].isalpha() and word.upper() not in PLAYERS:
            name = word
        else:
            return None
    if parent >= 0 or side is not None or len(parents) - len(players) > LEAVES:
        return None
    return None if len(set(names.values())) < len(names) else _tree(parents, payoffs, players, names)


def _tree(
    parents: list[int], payoffs: list[Number | None], players: dict[int, Player], names: dict[int, str]
) -> Tree:
    """The record: nothing but payoffs, players and names is said of its nodes."""
    count = len(parents)
    nothing = (None,) * count
    moving: list[Player | None] = [None] * count
    for node, player in players.items():
        moving[node] = player
    given: list[str | None] = [None] * count
    for node, name in names.items():
        given[node] = name
    return Tree(
        players=tuple(moving),
        parents=tuple(parents),
        payoffs=tuple(payoffs),
        given=tuple(given) if names else nothing,
        moves=nothing,
        probabilities=nothing,
        claims=nothing,
        crosses=(False,) * count,
        attributes=nothing,
    )
