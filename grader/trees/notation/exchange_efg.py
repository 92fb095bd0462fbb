"""Trees as Gambit's `.efg` files: games of perfect information, zero-sum for two or for several players."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias, TypeVar
from unicodedata import combining, normalize

from grader.base.numbers import Number, NumeralError, format_count, read_number, write_number
from grader.trees.annotations import Header
from grader.trees.notation.diagnostics import (
    HINTS,
    MAX_MISTAKES,
    Complaint,
    Diagnostic,
    Diagnostics,
    clip,
    to_diagnostics,
)
from grader.trees.notation.keywords import quote_text
from grader.trees.notation.laws import TOO_DEEP, tree_violations
from grader.trees.tree import MAX_SUPPORTED_PLIES, Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder

T = TypeVar("T")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|"|[{}]|[^\s{},"]+', re.DOTALL)
_ASCII_TWINS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"−": "-", "–": "-", "‘": "'", "’": "'", "“": '"', "”": '"'}
)
_ESCAPE = re.compile(r'\\(["\\])')

_SIDES = Player.MAX, Player.MIN
_SEATS = tuple(player for player in Player if player.seat is not None)


def write_efg(tree: Tree) -> str | Diagnostics:
    """Return the tree as an `.efg` file, or diagnostics if it has unknown payoffs.

    MAX and MIN are two players with payoffs `v` and `-v`. Names of nodes, move labels, probabilities,
    title and source are written in ASCII with single spaces, as Gambit requires. Claims, crosses,
    attributes and rules are omitted, because the format has only games.
    """
    if tree.unknowns:
        hint = "an .efg file needs a number at every leaf"
        unknown = ((clip(str(tree.payoffs[leaf])), clip(tree.names[leaf])) for leaf in tree.unknowns)
        messages = [f"the payoff {payoff} of leaf {name} is unknown" for payoff, name in unknown]
        return Diagnostics(tuple(Diagnostic("efg-unknown", message, 0, 0, "", hint) for message in messages))
    seats = _SEATS[: tree.seats] or _SIDES
    title = _label(tree.header.title or "")
    lines = [f"EFG 2 R {title} {{ {' '.join(quote_text(player.value) for player in seats)} }}"]
    lines.append(_label(tree.header.source or ""))
    lines.append("")
    set_counts: Counter[Player] = Counter()
    outcome_count = 0
    for node, player in enumerate(tree.players):
        name = _label(tree.given[node] or "")
        if player is None:
            outcome_count += 1
            payoff, value = tree.payoffs[node], tree.known_payoffs[node] or 0
            vector = payoff if isinstance(payoff, tuple) else (value, -value)
            lines.append(f't {name} {outcome_count} "" {{ {", ".join(map(write_number, vector))} }}')
            continue
        set_counts[player] += 1
        actions = " ".join(_action(tree, child) for child in tree.children[node])
        if player is Player.CHANCE:
            lines.append(f'c {name} {set_counts[player]} "" {{ {actions} }} 0')
        else:
            lines.append(f'p {name} {seats.index(player) + 1} {set_counts[player]} "" {{ {actions} }} 0')
    return "\n".join(lines) + "\n"


def omitted_in_efg(tree: Tree) -> tuple[str, ...]:
    """Return the parts of a tree that `write_efg` omits, in words."""
    texts = (tree.header.title, tree.header.source, *tree.given, *tree.moves)
    respelled = [text for text in texts if text is not None and _to_ascii(text) != text]
    keys = {key for attributes in tree.attributes if attributes is not None for key in attributes.by_key}
    omissions = (
        *((f"@{name}", name not in ("title", "source")) for name in tree.header.by_key),
        (_spelling_note(respelled) if respelled else "", bool(respelled)),
        ("evaluations", "eval" in keys),
        ("features", "f" in keys),
        ("visits and wins", bool(keys & {"n", "w"})),
        ("values written at nodes", any(claim is not None for claim in tree.claims)),
        ("crosses", any(tree.crosses)),
    )
    return tuple(words for words, occurs in omissions if occurs)


def _spelling_note(respelled: list[str]) -> str:
    """Return the first of the texts with another spelling in the file, and their number."""
    first = f"{clip(respelled[0])} (written {clip(_to_ascii(respelled[0]))})"
    count = len(respelled)
    return f"the spelling of {first}" if count == 1 else f"the spelling of {count} texts, such as {first}"


def _label(text: str) -> str:
    """Quote a name, label or title for Gambit."""
    return quote_text(_to_ascii(text))


def _to_ascii(text: str) -> str:
    """Convert a text to ASCII with single spaces; letters without a plain form become codes, u540d."""
    letters = normalize("NFKD", text.translate(_ASCII_TWINS))
    signs = (f"u{ord(sign):04x}" if not sign.isascii() else sign for sign in letters if not combining(sign))
    return " ".join("".join(signs).split())


def renamed_players(text: str, tree: Tree) -> tuple[str, ...]:
    """Return the names of players in an `.efg` file that its tree replaces."""
    reader = _EfgReader(text.removeprefix("\ufeff"))
    reader.prologue()
    names = zip(reader.players, _SEATS if tree.seats else _SIDES, strict=False)  # there may be fewer players
    return tuple(clip(name) for name, player in names if name not in ("", player.value))


def _action(tree: Tree, node: int) -> str:
    """Write the branch above a node, with its probability below a chance node."""
    label, share = _label(tree.moves[node] or ""), tree.probabilities[node]
    return label if share is None else f"{label} {write_number(share)}"


def read_efg(text: str) -> Tree | Diagnostics:
    """Read a game of perfect information from an `.efg` file; return the tree, or diagnostics.

    Two players whose payoffs always sum to 0 are MAX and MIN, a single player is MAX, all others are
    P1 to P9 with vectors. Labels of actions become moves; unique names of nodes are kept.
    Information sets of several nodes and payoffs before the end are reported as mistakes.
    """
    reader = _EfgReader(text.removeprefix("\ufeff"))
    with suppress(_Unreadable):
        tree = reader.tree()
        if tree is not None and not reader.mistakes:
            return tree
    return to_diagnostics(reader.text, reader.mistakes)


Action: TypeAlias = tuple[str, Number | None]
"""The label of an action, and at a chance node its probability."""


class _Unreadable(Exception):  # noqa: N818 - the mistake is noted before it is raised
    """The rest of a file cannot be read."""


@dataclass(frozen=True, slots=True)
class _EfgNode:
    """A node in the file; `player` is -1 at the end of the game and 0 for chance."""

    start: int
    parent: int
    name: str
    player: int
    move: str
    probability: Number | None
    outcome: int


class _EfgReader:
    """Reads one `.efg` file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mistakes: list[Complaint] = []
        self._tokens = _TOKEN.finditer(text)
        self._token, self._start = "", 0
        self.players: list[str] = []
        self._seats = 0
        self._sets: dict[tuple[int, int], list[Action]] = {}
        self._outcomes: dict[int, tuple[Number, ...]] = {}
        self._nodes: list[_EfgNode] = []
        self._advance()

    def _advance(self) -> str:
        """Return the current token and advance to the next one. Commas are ignored."""
        token, match = self._token, next(self._tokens, None)
        self._token, self._start = ("", len(self.text)) if match is None else (match[0], match.start())
        return token

    def _wrong(self, code: str, message: str, hint: str = "", start: int | None = None) -> None:
        """Note a mistake at the current token or from `start`. Raises `_Unreadable` beyond `MAX_MISTAKES`."""
        if len(self.mistakes) >= MAX_MISTAKES:
            raise _Unreadable
        begin = self._start if start is None else start
        self.mistakes.append(Complaint(begin, begin + max(1, len(self._token)), code, message, hint))

    def _stop(self, wanted: str) -> _Unreadable:
        """Note that another token is where `wanted` should be."""
        if self._token == '"':
            self._wrong("efg-syntax", "a quote is not closed", HINTS["unclosed-quote"])
        else:
            token = clip(self._token) if self._token else "the end of the file"
            self._wrong("efg-syntax", f"expected {wanted}, not {token}")
        return _Unreadable()

    def _is_text(self) -> bool:
        return len(self._token) > 1 and self._token[0] == '"'

    def _text(self, wanted: str) -> str:
        """Read a quoted text, with white space reduced to single blanks. Raises `_Unreadable`."""
        if not self._is_text():
            raise self._stop(wanted)
        return " ".join(_ESCAPE.sub(r"\1", self._advance()[1:-1]).split())

    def _whole(self, wanted: str) -> int:
        """Read a whole number of at most nine digits. Raises `_Unreadable`."""
        if not (self._token.isascii() and self._token.isdigit() and len(self._token) < 10):
            raise self._stop(wanted)
        return int(self._advance())

    def _number(self, wanted: str) -> Number:
        """Consume a number. Raises `_Unreadable` after noting that one is `wanted` here."""
        try:
            number = read_number(self._token)
        except NumeralError:
            raise self._stop(wanted) from None
        self._advance()
        return number

    def _braced_list(self, wanted: str, read: Callable[[], T]) -> list[T]:
        """Read a list in braces. Raises `_Unreadable`."""
        if self._token != "{":
            raise self._stop(wanted)
        self._advance()
        items = []
        while self._token != "}":
            items.append(read())
        self._advance()
        return items

    def tree(self) -> Tree | None:
        """Return the tree of the whole file; None if it has mistakes."""
        header = self.prologue()
        open_nodes: list[tuple[int, list[Action]]] = []
        branch: Action = ("", None)
        while True:
            parent = open_nodes[-1][0] if open_nodes else -1
            actions = self._node(parent, *branch)
            if actions:
                open_nodes.append((len(self._nodes) - 1, actions[::-1]))
                if len(open_nodes) > MAX_SUPPORTED_PLIES:
                    self._wrong("too-deep", TOO_DEEP)
                    return None
            while open_nodes and not open_nodes[-1][1]:
                open_nodes.pop()
            if not open_nodes:
                break
            branch = open_nodes[-1][1].pop()
        if self._token:
            self._wrong("efg-syntax", "the game ends before this", "every branch already has its node")
        return self._build_tree(header) if not self.mistakes else None

    def prologue(self) -> Header:
        """Read the first line: `EFG 2 R "title" { "player" ... } "comment"`."""
        start = self._start
        if [self._advance(), self._advance()] != ["EFG", "2"] or self._advance() not in ("R", "D"):
            hint = 'it begins with EFG 2 R "title" { "player" "player" }'
            self._wrong("efg-syntax", "this is not an .efg file of version 2", hint, start)
            raise _Unreadable
        title = self._text("the title")
        self.players = self._braced_list("{", lambda: self._text("the name of a player"))
        self._seats = len(self.players)
        source = self._text("a comment") if self._is_text() else ""
        if not 1 <= self._seats <= 9:
            message = f"the game has {self._seats} players"
            self._wrong("efg-players", message, "games of 1 to 9 players can be read", start)
            raise _Unreadable
        return Header(title=title or None, source=source or None)

    def _node(self, parent: int, move: str, share: Number | None) -> list[Action]:
        """Read one node; return its actions with their probabilities."""
        start, kind = self._start, self._token
        if kind not in ("c", "p", "t"):
            raise self._stop("a node (c, p or t)")
        self._advance()
        name = self._text("the name of the node")
        player, actions = -1, []
        if kind != "t":
            player = self._whole("the number of the player") if kind == "p" else 0
            if kind == "p" and not 1 <= player <= self._seats:
                hint = f"players are 1 to {self._seats}"
                self._wrong("efg-players", f"there is no player {player}", hint, start)
                raise _Unreadable
            actions = self._information_set(start, player)
        outcome = self._outcome()
        if kind != "t" and any(self._outcomes.get(outcome, ())):
            hint = "a game tree here has payoffs at its leaves only: add them to the leaves below"
            self._wrong("efg-payoff-inside", "payoffs before the end of the game", hint, start)
        self._nodes.append(_EfgNode(start, parent, name, player, move, share, outcome))
        return actions

    def _information_set(self, start: int, player: int) -> list[Action]:
        """Read the information set of a node; return its actions."""
        number = self._whole("the number of the information set")
        if self._is_text():
            self._advance()
        key = player, number
        known = self._sets.get(key)
        if known is not None and player > 0:
            wrong = f"information set {number} of player {player} contains several nodes"
            hint = "only games of perfect information can be read: whoever moves knows the state of the game"
            self._wrong("efg-information-set", wrong, hint, start)
        if self._token != "{" and known is not None:
            return known
        actions = self._sets[key] = self._braced_list("{ and the actions", lambda: self._action(player))
        if not actions:
            hint = "write its actions, or t for the end of the game"
            self._wrong("empty-node", "a node without actions", hint, start)
            raise _Unreadable
        return actions

    def _action(self, player: int) -> Action:
        label = self._text("the label of an action")
        return label, self._number("a probability") if player == 0 else None

    def _outcome(self) -> int:
        """Read an outcome: its number, and at its first use its payoffs. Return the number."""
        number = self._whole("the number of an outcome, or 0")
        start = self._start
        if self._is_text():
            self._advance()
        if self._token != "{" and (not number or number in self._outcomes):
            return number
        wanted = f"{{ and the payoffs of outcome {number}"
        payoffs = self._braced_list(wanted, lambda: self._number("a payoff"))
        if len(payoffs) != self._seats:
            message = f"{format_count(len(payoffs), 'payoff')} for {format_count(self._seats, 'player')}"
            self._wrong("efg-payoffs", message, "every player gets one", start)
            payoffs = [0] * self._seats
        if number and self._outcomes.setdefault(number, tuple(payoffs)) != tuple(payoffs):
            message = f"outcome {number} has other payoffs elsewhere"
            self._wrong("efg-payoffs", message, "give this one another number", start)
        return number

    def _build_tree(self, header: Header) -> Tree | None:
        """Build the tree of the nodes."""
        no_payoffs: tuple[Number, ...] = (0,) * self._seats
        payoffs = [self._outcomes.get(node.outcome, no_payoffs) for node in self._nodes]
        has_sides = self._seats == 1 or (
            self._seats == 2
            and all(sum(payoffs[place]) == 0 for place, node in enumerate(self._nodes) if node.player < 0)
        )
        players = (Player.CHANCE, *(_SIDES if has_sides else _SEATS))
        names = Counter(node.name for node in self._nodes)
        builder = TreeBuilder()
        for place, node in enumerate(self._nodes):
            payoff: Payoff | None = None
            if node.player < 0:
                payoff = payoffs[place][0] if has_sides else payoffs[place]
            builder.add(
                node.parent,
                None if node.player < 0 else players[node.player],
                payoff,
                name=node.name if node.name and names[node.name] == 1 else None,
                move=node.move or None,
                probability=node.probability,
            )
        tree = builder.tree(header)
        for fault in tree_violations(tree):
            self._wrong(fault.code, fault.message, fault.hint, self._nodes[fault.node].start)
        return tree
