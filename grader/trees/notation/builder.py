"""From the rules of the grammar to a tree: the parser calls here whenever it has recognised one."""

import re
from fractions import Fraction
from sys import intern
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from grader.base.numbers import MAX_NUMERAL_DIGITS, Number, NumeralError, normalize_number, read_number
from grader.trees.notation.diagnostics import Complaint, clip
from grader.trees.notation.facts import Fact, FactKind, attribute_fact, header_fact
from grader.trees.notation.keywords import (
    PLAYERS,
    attributes_from_keys,
    header_from_keys,
    is_word,
    unquote_text,
)
from grader.trees.notation.laws import CLAIM_AT_LEAF, TOO_DEEP, TOO_MANY_LEAVES, VISITS, LawViolation
from grader.trees.notation.plain_reader import SMALL_NUMBERS
from grader.trees.rules import CHOICES
from grader.trees.tree import (
    ATTRIBUTES,
    MAX_SUPPORTED_LEAVES,
    MAX_SUPPORTED_PLIES,
    Claim,
    Payoff,
    Player,
    Tree,
)
from grader.trees.tree_builder import TreeBuilder

if TYPE_CHECKING:
    from grader.trees.notation.lexer import Piece

Placed: TypeAlias = "tuple[Piece, tuple[Number, ...]]"
"""A vector or a list of numbers, with the bracket that opened it."""

MAX_MISTAKES = 1000
"""So many mistakes say that a text is not a tree at all: the rest is not read."""

PROBABILITY_FAULTS = frozenset(("probability-negative", "probability-place"))
"""Faults of a probability itself: their place is where it stands in front of its branch."""

_CLOSED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\.")
_TWO_NUMBERS = re.compile(r"([+-]?[0-9.]+)([+-][0-9.]+)")
_TURNS = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}
_RELATIONS = {"≤": "<=", "≥": ">="}
_WANTED = {
    "f": "f needs a list of numbers, such as [2, -1]",
    "board": 'board needs a text in quotes, such as "X.O/.X./..O"',
}
"""What attributes need that are no numbers."""

_RULES = ("returns", "ties", "bounds", "depth")


class TooManyMistakes(Exception):  # noqa: N818 - not an error of the program: reading on would say nothing new
    """Reading stops here; what is wrong has been noted."""


class GrammarBuilder:
    """Puts one tree together; its public methods are named after the rules of the grammar.

    A node is added when its head is recognised, which is before its children are:
    nodes come in preorder, and no rule hands more than a few words to another.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget the last text."""
        self.mistakes: list[Complaint] = []
        self.places: list[int] = []
        self.damaged: set[int] = set()
        self.odd_shares: dict[int, Piece] = {}
        self._planting = TreeBuilder()
        self._open = [-1]
        self._turns = [Player.MAX]
        self._groups: set[int] = set()
        self._last_group = (-1, -1)
        self._leaves = 0
        self._last_word: Piece | None = None
        self._words: list[tuple[Piece, int, int]] = []
        self.playerless: list[tuple[tuple[Piece, ...], int]] = []
        self._facts: dict[str, Any] = {}
        self._fact_places: dict[str, Piece] = {}
        self._pairs: dict[str, Any] = {}
        self._waiting: dict[str, Any] = {}  # labels, cross and marks, until their node comes

    @property
    def parent(self) -> int:
        """The node whose children are being read; -1 outside every node."""
        return self._open[-1]

    def tree(self) -> Tree:
        """The tree as far as it was read; at least one node was."""
        return self._planting.tree(header_from_keys(self._facts) if self._facts else None)

    def place(self, fault: LawViolation) -> tuple[int, int]:
        """The characters that a fault of the tree belongs to."""
        if fault.code in ("rules-clash", "header-value"):
            for name in _RULES:
                if name in self._fact_places:
                    return self._fact_places[name].start_pos, self._fact_places[name].end_pos
        share = self.odd_shares.get(fault.node) if fault.code in PROBABILITY_FAULTS else None
        if share is not None:
            return share.start_pos, share.end_pos
        start = self.places[fault.node]
        return start, start + 1

    def note_mistake(self, token: "Piece", code: str, message: str, hint: str = "") -> None:
        """Note a mistake at a token; without a hint the usual one of its code is given."""
        self.note_mistake_at(token.start_pos, token.start_pos + len(token), code, message, hint)

    def note_mistake_at(self, start: int, end: int, code: str, message: str, hint: str = "") -> None:
        """Note a mistake at a range of characters."""
        if len(self.mistakes) >= MAX_MISTAKES:
            raise TooManyMistakes
        self.mistakes.append(Complaint(start, end, code, message, hint))

    # Rules that have nothing to say: what they hold has been noted when its parts were recognised.

    def text(self, _: list[object]) -> None:
        """The whole text."""

    headers = items = item = children = branch = marks = text

    # Nodes.

    def number(self, children: "list[Piece]") -> None:
        """A leaf with a number."""
        token = children[0] or children[1]
        payoff = SMALL_NUMBERS.get(token)
        self._leaf(token, self._number(token) if payoff is None else payoff)

    def payoffs(self, children: "list[Placed]") -> None:
        """A leaf with a vector."""
        self._leaf(*children[0])

    def word(self, children: "list[Piece]") -> None:
        """A leaf with a word: an unknown payoff, or a name when `=` and a payoff follow."""
        token = self._last_word = children[0]
        word = self._word(token)
        claim = self._waiting.pop("claim", None)
        if claim is None:
            self._leaf(token, word)
            return
        if claim.relation != "=":
            self.note_mistake(token, "claim-at-leaf", CLAIM_AT_LEAF)
        self._leaf(token, claim.value, word)

    def words_before(self) -> "tuple[Piece, ...]":
        """The leaves, at most two, that are words and stand last among the children read so far."""
        found: list[Piece] = []
        for token, node, parent in reversed(self._words):
            if node != len(self.places) - 1 - len(found) or parent != self.parent:
                break
            found.append(token)
        return tuple(reversed(found))

    def _leaf(self, token: "Piece", payoff: Payoff, name: str | None = None) -> None:
        """Add a leaf."""
        if self._waiting and self._waiting.pop("claim", None) is not None:
            self.note_mistake(token, "claim-at-leaf", CLAIM_AT_LEAF)
        self._leaves += 1
        if self._leaves > MAX_SUPPORTED_LEAVES:
            self.note_mistake(token, "too-many-leaves", TOO_MANY_LEAVES)
            raise TooManyMistakes
        self._add(token, None, payoff, name)
        if token is self._last_word:
            self._words = [*self._words[-1:], (token, len(self.places) - 1, self.parent)]

    def head(self, children: "list[Piece]") -> None:
        """An internal node, before its children."""
        token = children[0]
        player = PLAYERS.get(token) or PLAYERS[token.upper()]
        name = self._word(children[1]) if len(children) > 1 and children[1] is not None else None
        claim = self._waiting.get("claim")
        if claim is not None and isinstance(claim.value, str):
            self.note_mistake(token, "claim-kind", f"{clip(claim.value)} is claimed, which is not a value")
            del self._waiting["claim"]
        self._open_node(token, player, name)

    def group(self, children: "list[Piece]") -> None:
        """A group without a player, at its bracket: the other player moves there."""
        token = children[0]
        if self._last_word is not None and self._last_word.end_pos == token.start_pos:
            word = clip(self._last_word)
            self.note_mistake(
                token,
                "leaf-with-children",
                f"{word} has children, but no player in front of it",
                f"write who moves there, such as MAX {word} (3 4); "
                "a leaf with a group behind it needs a blank between the two",
            )
            self.damaged.add(max(self.parent, 0))
        turn = self._turns[-1]
        if turn.seat is not None:
            wrong = "in a game of several players every node needs its player"
            self.note_mistake(token, "group-without-player", wrong)
            turn = Player.CHANCE
        if not self._waiting:
            self._groups.add(len(self.places))
            if self._words and (words := self.words_before()):
                self.playerless.append((words, token.start_pos))
        self._open_node(token, turn, None)

    def node(self, _: list[object]) -> None:
        """The end of an internal node."""
        node = self._open.pop()
        self._turns.pop()
        if node in self._groups:
            self._groups.discard(node)
            self._last_group = (node, len(self.places))

    def outlined(self, children: list[object]) -> None:
        """The end of an internal node whose children stand on deeper lines."""
        only = self._open[-1] + 1
        if self._last_group == (only, len(self.places)):
            wrong = "a single group on a deeper line: the children of the node above, or one child?"
            self.note_mistake_at(self.places[only], self.places[only] + 1, "unclear-group", wrong)
        self.node(children)

    def _open_node(self, token: "Piece", player: Player, name: str | None) -> None:
        """Add an internal node; what follows are its children."""
        node = len(self.places)
        self._add(token, player, None, name)
        self._open.append(node)
        if player in _TURNS:
            self._turns.append(_TURNS[player])
        else:
            self._turns.append(self._turns[-1] if player.seat is None else player)

    def _add(self, token: "Piece", player: Player | None, payoff: Payoff | None, name: str | None) -> None:
        """Add a node with everything that waits for it."""
        parent = self._open[-1]
        if parent < 0 and self.places:
            parent = self._second_root(token)
        if len(self._open) > MAX_SUPPORTED_PLIES + 1:
            self.note_mistake(token, "too-deep", TOO_DEEP)
            raise TooManyMistakes
        self.places.append(token.start_pos)
        self._planting.add(parent, player, payoff, name=name, **self._waiting)
        if self._waiting:
            self._waiting = {}

    def _second_root(self, token: "Piece") -> int:
        """Note, once, that a text holds more than one tree; the others are read as parts of the first."""
        if not any(mistake.code == "several-trees" for mistake in self.mistakes):
            hint = ""
            if len(self.places) == 1 and self._last_word is not None:
                word = clip(self._last_word)
                hint = f"{word} alone is an unknown payoff; a node needs its player: MAX {word} (3 12 8)"
            self.note_mistake(token, "several-trees", "a second tree begins here", hint)
        self.damaged.add(0)
        return 0

    # What stands before and behind a node.

    def label(self, children: "list[Piece]") -> None:
        """A move label or a probability."""
        token = children[0]
        if token.type == "NUMBER":
            self._once("probability", token, "two probabilities")
            share = self._waiting["probability"] = self._share(token)
            if share < 0 or not self._planting.is_chance(self.parent):
                self.odd_shares[len(self.places)] = token
        else:
            self._once("move", token, "two move labels")
            self._waiting["move"] = intern(self._word(token))

    def cross(self, children: "list[Piece]") -> None:
        """A crossed-out branch."""
        self._once("cross", children[0], "two crosses")
        self._waiting["cross"] = True

    def _once(self, key: str, token: "Piece", what: str) -> None:
        if key in self._waiting:
            self.note_mistake(token, "label-twice", f"{what} on one branch")

    def _share(self, token: "Piece") -> Number:
        """A probability: a number or a percentage."""
        problems = len(self.mistakes)
        if token.endswith("%"):
            share = normalize_number(Fraction(self._number(token, token[:-1]), 100))
        else:
            share = self._number(token)
        if len(self.mistakes) > problems:
            self.damaged.add(self.parent)
        return share

    def claim(self, children: "list[Any]") -> None:
        """A claim at a node; behind the name of a leaf, its payoff."""
        relation, value = children
        if "claim" in self._waiting:
            self.note_mistake(relation, "claim-twice", "two values at one node")
            return
        if isinstance(value, tuple):
            claimed: Any = value[1]
        else:  # a word is the unknown payoff of a named leaf; at a node it is refused
            claimed = self._number(value) if value.type == "NUMBER" else self._word(value)
        self._waiting["claim"] = Claim(cast(Any, _RELATIONS.get(relation, str(relation))), claimed)

    def attribute(self, children: "list[Any]") -> None:
        """One `key=value` between braces."""
        key, relation, value = children
        if relation != "=":
            self.note_mistake(relation, "attribute-value", f"{relation} in an attribute", "write {eval=4}")
        elif key not in ATTRIBUTES:
            self.note_mistake(key, "attribute-unknown", f"{clip(key)} is not an attribute")
        elif key in self._pairs:
            self.note_mistake(key, "attribute-twice", f"{key} is given twice")
        else:
            kind, fact = self._read_fact(value)
            found = attribute_fact(key, kind, fact)
            if found is not None:
                self._pairs[key] = found
            elif key == "n" and kind == "NUMBER":
                self.note_mistake(value, "attribute-value", VISITS)
            else:
                self.note_mistake(key, "attribute-value", _WANTED.get(key, f"{key} needs one number"))

    def attributes(self, children: "list[Piece]") -> None:
        """All attributes of a node."""
        if "attributes" in self._waiting:
            hint = "put them into one {...}"
            self.note_mistake(children[0], "attribute-twice", "attributes are given twice", hint)
        self._waiting["attributes"] = attributes_from_keys(self._pairs)
        self._pairs = {}

    # Words and numbers.

    def vector(self, children: "list[Any]") -> Placed:
        """The numbers between `<` and `>`, or between `[` and `]`, with the opening bracket."""
        return children[0], tuple(children[1]) if len(children) > 1 else ()

    row = vector

    def numbers(self, children: "list[Any]") -> "list[Number]":
        """Numbers in a row."""
        if len(children) == 1:
            return [self._number(children[0])]
        found: list[Number] = children[0]
        found.append(self._number(children[1]))
        return found

    def _number(self, token: "Piece", text: str | None = None) -> Number:
        """The number a token spells (or `text`, a part of it); 0 with a note when it spells none."""
        try:
            return read_number(token if text is None else text)
        except NumeralError as error:
            hint = ""
            if two := _TWO_NUMBERS.fullmatch(token[: 4 * MAX_NUMERAL_DIGITS]):
                hint = f"put a blank or a comma between two numbers: {two[1]} {two[2]}"
            elif token.endswith((";", "|")):
                hint = "children are separated by blanks or commas"
            elif token.endswith("%"):
                hint = "a percentage is a probability and stands before a branch: 50%: 3"
            elif "digits" in str(error) or "exponent" in str(error):
                most = MAX_NUMERAL_DIGITS
                hint = f"numbers have at most {most} digits and an exponent of at most {most}"
            self.note_mistake(token, "bad-number", f"{clip(token)} {error}", hint)
            return 0

    def _word(self, token: "Piece") -> str:
        """The name, label or unknown a token spells; a note when it spells none."""
        if token.type == "STRING":
            return self._string(token)
        if not is_word(token):
            self._bad_word(token)
        return str(token)

    def _bad_word(self, token: "Piece") -> None:
        """Note that a word needs quotes, or is none at all."""
        hint = f'a name of other characters than letters, digits and _ goes in quotes: "{clip(token)}"'
        if any(quote in token for quote in "“”„«»‘’"):
            hint = 'quotes are written straight: "a name"'
        elif token.strip(";|&.") == "":
            hint = "children are separated by blanks or commas"
        elif "inf" in token.casefold() or "∞" in token or token.casefold() == "oo":
            hint = "payoffs are finite: 3, -2, 2.5 or 7/3"
        elif not token.isascii() and any(letter.isdigit() for letter in token):
            hint = "numbers are written with the digits 0 to 9; anything else goes in quotes"
        self.note_mistake(token, "bad-word", f"{clip(token)} is neither a number nor a name", hint)

    def _string(self, token: "Piece") -> str:
        """The text between quotes."""
        if _CLOSED.fullmatch(token) is None:
            self.note_mistake(token, "unclosed-quote", "the quote is not closed on its line")
            return "?"
        for escape in _ESCAPE.finditer(token, 1, len(token) - 1) if "\\" in token else ():
            if escape[0][1] not in '\\"':
                start = token.start_pos + escape.start()
                wrong = 'a backslash stands before " or another backslash only'
                self.note_mistake_at(start, start + 2, "bad-escape", wrong)
        return unquote_text(token)

    # The header.

    def fact(self, children: "list[Any]") -> Any:
        """A word, a number or a list in a header line."""
        return children[0]

    name = value = fact

    def header(self, children: "list[Any]") -> None:
        """One header line."""
        line, *facts = children
        name = str(line[1:])
        if name not in _HEADERS:
            known = "headers are " + ", ".join(f"@{known}" for known in _HEADERS)
            self.note_mistake(line, "header-unknown", f"@{clip(name)} is not a header", known)
            return
        if name in self._fact_places:
            self.note_mistake(line, "header-twice", f"@{name} is given twice")
            return
        self._fact_places[name] = line
        problems = len(self.mistakes)
        value = header_fact(name, *self._read_fact(facts[0])) if len(facts) == 1 else None
        if value is not None:
            self._facts[name] = value
        elif len(self.mistakes) == problems:
            wanted, example = _HEADERS[name]
            wrong = f"@{name} needs {wanted}, alone on its line"
            self.note_mistake(line, "header-value", wrong, f"for example: @{name} {example}")

    def _read_fact(self, fact: "Piece | Placed") -> tuple[FactKind, Fact]:
        """What a word, number, text or row says, and which of these it is."""
        if isinstance(fact, tuple):
            return "ROW", fact[1]
        if fact.type == "STRING":
            return "TEXT", self._string(fact)
        return ("NUMBER", self._number(fact)) if fact.type == "NUMBER" else ("WORD", str(fact))


_HEADERS = {
    "title": ("a text in quotes", '"Figure 5.2"'),
    "source": ("a text in quotes", '"Russell and Norvig, fig. 5.2"'),
    **{name: (" or ".join(words), words[0]) for name, words in CHOICES.items()},
    "bounds": ("two numbers in square brackets", "[-2, 2]"),
    "depth": ("a whole number of plies, 0 or more", "2"),
    "weights": ("numbers in square brackets", "[3, 1]"),
}
"""What every header line needs, and an example of it."""
