"""Read the plainest texts at once: players, brackets, names, labels, numbers; all else is for the grammar."""

import re
from collections.abc import Iterator

from grader.base.numbers import Number, read_number
from grader.trees.notation.keywords import spelled
from grader.trees.tree import LEAVES, Header, Player, Tree

_TITLED = re.compile(r'@title "([A-Za-z0-9](?:[A-Za-z0-9 :/.,-]*[A-Za-z0-9.])?)"\n')
"""A first line that says what the tree is called, and nothing else."""

_PLAIN = re.compile(r"[A-Za-z(][A-Za-z0-9_ \n().,:-]*")
"""All that a plain text consists of."""

_TOGETHER = re.compile(r"[0-9]\(|\)[^ \n),]|\A[^(]*\n")
"""What looks odd without a blank between, and an end of line before the first bracket."""

_NUMERAL = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")

SMALL: dict[str, Number] = {str(number): number for number in range(-100, 1000)}
"""What most payoffs are."""

_SIDES = {
    word: player
    for player in (Player.MAX, Player.MIN, Player.CHANCE)
    for word in (player.value, player.value.lower())
}
_OTHER = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}

_DEEPEST = 100
"""Deeper texts are for the grammar, which knows the limit and what to say about it."""


def read_plain(text: str) -> Tree | None:
    """The tree of a plain text; None for a text with anything else in it, or with a mistake.

    Whatever it reads, the grammar reads as the same tree.
    """
    titled = _TITLED.match(text)
    if titled is not None:
        text = text[titled.end() :]
    if _PLAIN.fullmatch(text) is None or _TOGETHER.search(text) is not None:
        return None
    parents: list[int] = []
    payoffs: list[Number | None] = []
    players: dict[int, Player] = {}
    names: dict[int, str] = {}
    moves: dict[int, str] = {}
    labels: dict[str, str] = {}
    shares: dict[int, Number] = {}
    parent, depth = -1, 0
    side: Player | None = None
    name: str | None = None
    comma = labelled = False
    for word in _words(text):
        number = SMALL.get(word)
        if number is None and _NUMERAL.fullmatch(word):
            number = read_number(word) if "." in word else int(word)
        if number is not None:
            if side is not None or parent < 0:
                return None
            comma = labelled = False
            parents.append(parent)
            payoffs.append(number)
        elif word == "(":
            node = len(parents)
            depth += 1
            if (parent < 0 and node) or depth > _DEEPEST:
                return None
            comma = labelled = False
            parents.append(parent)
            payoffs.append(None)
            player = side or (_OTHER.get(players[parent]) if node else Player.MAX)
            if player is None:
                return None
            players[node] = player
            if name is not None:
                names[node] = name
            parent, side, name = node, None, None
        elif word == ")" or word == ",":
            nothing_before = parent < 0 or parent == len(parents) - 1
            if nothing_before or side is not None or comma or labelled:
                return None
            if word == ",":
                comma = True
                continue
            parent = parents[parent]
            depth -= 1
        elif side is not None:
            if name is not None or not (word.isalnum() and _is_name(word)):
                return None
            name = word
        elif word in _SIDES:
            side = _SIDES[word]
        else:
            label = labels.get(word) or (word[:-1] if word[-1] == ":" else None)
            if label is None or parent < 0 or labelled:
                return None
            labelled = True
            if word in labels or _is_name(label):
                labels[word] = moves[len(parents)] = label
            elif _NUMERAL.fullmatch(label):
                shares[len(parents)] = read_number(label)
            else:
                return None
    if parent >= 0 or side is not None or len(parents) - len(players) > LEAVES:
        return None
    if len(set(names.values())) < len(names) or not _are_certain(shares, parents, players):
        return None
    return _tree(Header(titled and titled[1]), parents, payoffs, players, names, moves, shares)


def _are_certain(shares: dict[int, Number], parents: list[int], players: dict[int, Player]) -> bool:
    """Whether all branches of chance nodes, and no others, have probabilities that sum to 1."""
    if not shares:
        return Player.CHANCE not in players.values()
    totals: dict[int, Number] = {node: 0 for node, player in players.items() if player is Player.CHANCE}
    for node, parent in enumerate(parents):
        if (parent in totals) != (node in shares) or shares.get(node, 0) < 0:
            return False
        if node in shares:
            totals[parent] += shares[node]
    return all(total == 1 for total in totals.values())


def _words(text: str) -> Iterator[str]:
    """The words and signs of a text, line by line: all at once take more room than a large tree."""
    for line in text.split("\n"):
        apart = line.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").replace(":", ": ")
        yield from apart.split()


def _is_name(word: str) -> bool:
    """Whether a word needs no quotes as a name or a label."""
    return word[:1].isalpha() and spelled(word) == word


def _tree(
    header: Header,
    parents: list[int],
    payoffs: list[Number | None],
    players: dict[int, Player],
    names: dict[int, str],
    moves: dict[int, str],
    shares: dict[int, Number],
) -> Tree:
    """The record: nothing but payoffs, players, names, labels and probabilities is said of its nodes."""
    count = len(parents)
    nothing = (None,) * count
    return Tree(
        players=tuple(map(players.get, range(count))),
        parents=tuple(parents),
        payoffs=tuple(payoffs),
        given=tuple(map(names.get, range(count))) if names else nothing,
        moves=tuple(map(moves.get, range(count))) if moves else nothing,
        probabilities=tuple(map(shares.get, range(count))) if shares else nothing,
        claims=nothing,
        crosses=(False,) * count,
        attributes=nothing,
        header=header,
    )
