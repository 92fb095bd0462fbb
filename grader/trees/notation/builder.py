"""Builds a tree: the parser calls a method for every grammar rule that it recognises."""

from fractions import Fraction
from sys import intern
from typing import TYPE_CHECKING, Any, cast

from grader.base.numbers import Number, normalize_number
from grader.trees.annotations import ATTRIBUTES, Attributes, Header
from grader.trees.notation.diagnostics import clip
from grader.trees.notation.facts import HEADER_EXAMPLES, attribute_fact, header_fact
from grader.trees.notation.keywords import PLAYERS
from grader.trees.notation.laws import CLAIM_AT_LEAF, TOO_DEEP, TOO_MANY_LEAVES, VISITS, LawViolation
from grader.trees.notation.plain_reader import SMALL_NUMBERS
from grader.trees.notation.token_reading import Placed, TokenReader, TooManyMistakes
from grader.trees.tree import MAX_SUPPORTED_LEAVES, MAX_SUPPORTED_PLIES, Claim, Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder

if TYPE_CHECKING:
    from grader.trees.notation.lexer import Piece

PROBABILITY_FAULTS = frozenset(("probability-negative", "probability-place"))
"""Faults of a probability itself, reported at its place in front of the branch."""

_OPPONENTS = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}
_RELATIONS = {"≤": "<=", "≥": ">="}
_NEEDED_VALUES = {
    "f": "f needs a list of numbers, such as [2, -1]",
    "board": 'board needs a text in quotes, such as "X.O/.X./..O"',
}
"""The messages about attributes whose values are not numbers."""

_RULES = ("returns", "ties", "bounds", "depth", "window")


class GrammarBuilder(TokenReader):
    """Builds one tree; the public methods are named after the rules of the grammar.

    A node is added when its head is recognised, before its children:
    nodes come in preorder, and no rule passes more than a few words to another.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Reset the builder for a new text."""
        super().begin()
        self.places: list[int] = []
        self.damaged: set[int] = set()
        self.odd_probabilities: dict[int, Piece] = {}
        self._tree_builder = TreeBuilder()
        self._open = [-1]
        self._next_players = [Player.MAX]
        self._open_groups: set[int] = set()
        self._closed_group = -1, -1  # the last group without a player, and where it ended: see `outlined`
        self._leaves = 0
        self._last_word: Piece | None = None
        self._words: list[tuple[Piece, int, int]] = []
        self.playerless: list[tuple[tuple[Piece, ...], int]] = []
        self._header_values: dict[str, Any] = {}
        self._header_tokens: dict[str, Piece] = {}
        self._attribute_values: dict[str, Any] = {}
        self._pending: dict[str, Any] = {}  # labels, cross and marks of the next node
        self._has_typed_fraction = False

    @property
    def parent(self) -> int:
        """The node whose children are being read; -1 outside every node."""
        return self._open[-1]

    def tree(self) -> Tree:
        """Return the tree as far as it was read; it needs at least one node."""
        values = {"numbers": "fractions"} if self._has_typed_fraction else {}
        return self._tree_builder.tree(Header.from_keys({**values, **self._header_values}))

    def place(self, fault: LawViolation) -> tuple[int, int]:
        """Return the range of characters of a fault."""
        if fault.code in ("rules-clash", "header-value"):
            for name in _RULES:
                if name in self._header_tokens:
                    return self._header_tokens[name].start_pos, self._header_tokens[name].end_pos
        token = self.odd_probabilities.get(fault.node) if fault.code in PROBABILITY_FAULTS else None
        if token is not None:
            return token.start_pos, token.end_pos
        start = self.places[fault.node]
        return start, start + 1

    # Rules without an action: their parts have been added already.

    def text(self, _: list[object]) -> None:
        """The whole text."""

    headers = items = item = children = branch = marks = text

    # Nodes.

    def number(self, children: "list[Piece]") -> None:
        """Add a leaf with a number."""
        token = children[0] or children[1]
        payoff = SMALL_NUMBERS.get(token)
        self._leaf(token, self._number(token) if payoff is None else payoff)

    def payoffs(self, children: "list[Placed]") -> None:
        """Add a leaf with a vector."""
        self._leaf(*children[0])

    def word(self, children: "list[Piece]") -> None:
        """Add a leaf with a word: an unknown payoff, or a name if `=` and a payoff follow."""
        token = self._last_word = children[0]
        word = self._word(token)
        claim = self._pending.pop("claim", None)
        if claim is None:
            self._leaf(token, word)
            return
        if claim.relation != "=":
            self.note_mistake(token, "claim-at-leaf", CLAIM_AT_LEAF)
        self._leaf(token, claim.value, word)

    def words_before(self) -> "tuple[Piece, ...]":
        """Return the last children read so far that are words, at most two."""
        words: list[Piece] = []
        for token, node, parent in reversed(self._words):
            if node != len(self.places) - 1 - len(words) or parent != self.parent:
                break
            words.append(token)
        return tuple(reversed(words))

    def _leaf(self, token: "Piece", payoff: Payoff, name: str | None = None) -> None:
        """Add a leaf. Raises `TooManyMistakes` beyond `MAX_SUPPORTED_LEAVES`."""
        if self._pending and self._pending.pop("claim", None) is not None:
            self.note_mistake(token, "claim-at-leaf", CLAIM_AT_LEAF)
        if self._typed_fractions:  # one in front of the leaf is not its payoff
            self._has_typed_fraction |= self._typed_fractions[-1] >= token.start_pos
            self._typed_fractions.clear()
        self._leaves += 1
        if self._leaves > MAX_SUPPORTED_LEAVES:
            self.note_mistake(token, "too-many-leaves", TOO_MANY_LEAVES)
            raise TooManyMistakes
        self._add(token, None, payoff, name)
        if token is self._last_word:
            self._words = [*self._words[-1:], (token, len(self.places) - 1, self.parent)]

    def head(self, children: "list[Piece]") -> None:
        """Add an internal node, before its children."""
        token = children[0]
        player = PLAYERS.get(token) or PLAYERS[token.upper()]
        name = self._word(children[1]) if len(children) > 1 and children[1] is not None else None
        claim = self._pending.get("claim")
        if claim is not None and isinstance(claim.value, str):
            self.note_mistake(token, "claim-kind", f"{clip(claim.value)} is claimed, which is not a value")
            del self._pending["claim"]
        self._open_node(token, player, name)

    def group(self, children: "list[Piece]") -> None:
        """Add a group without a player, at its bracket: the opponent moves there."""
        token = children[0]
        if self._last_word is not None and self._last_word.end_pos == token.start_pos:
            word = clip(self._last_word)
            self.note_mistake(
                token,
                "leaf-with-children",
                f"{word} has children, but no player before it",
                f"write who moves there, such as MAX {word} (3 4); "
                "a leaf before a group needs a blank between the two",
            )
            self.damaged.add(max(self.parent, 0))
        player = self._next_players[-1]
        if player.seat is not None:
            message = "in a game of several players every node needs its player"
            self.note_mistake(token, "group-without-player", message)
            player = Player.CHANCE
        if not self._pending:
            self._open_groups.add(len(self.places))
            if self._words and (words := self.words_before()):
                self.playerless.append((words, token.start_pos))
        self._open_node(token, player, None)

    def node(self, _: list[object]) -> None:
        """End an internal node."""
        node = self._open.pop()
        self._next_players.pop()
        if node in self._open_groups:
            self._open_groups.discard(node)
            self._closed_group = (node, len(self.places))

    def outlined(self, children: list[object]) -> None:
        """End an internal node whose children are on deeper lines."""
        group = self._open[-1] + 1
        if self._closed_group == (group, len(self.places)):
            message = "a single group on a deeper line: the children of the node above, or one child?"
            self.note_mistake_at(self.places[group], self.places[group] + 1, "unclear-group", message)
        self.node(children)

    def _open_node(self, token: "Piece", player: Player, name: str | None) -> None:
        """Add an internal node and open it for its children."""
        node = len(self.places)
        self._add(token, player, None, name)
        self._open.append(node)
        if player in _OPPONENTS:
            self._next_players.append(_OPPONENTS[player])
        else:
            self._next_players.append(self._next_players[-1] if player.seat is None else player)

    def _add(self, token: "Piece", player: Player | None, payoff: Payoff | None, name: str | None) -> None:
        """Add a node with its pending labels and marks. Raises `TooManyMistakes` if it is too deep."""
        parent = self._open[-1]
        if parent < 0 and self.places:
            parent = self._second_root(token)
        if len(self._open) > MAX_SUPPORTED_PLIES + 1:
            self.note_mistake(token, "too-deep", TOO_DEEP)
            raise TooManyMistakes
        self.places.append(token.start_pos)
        self._tree_builder.add(parent, player, payoff, name=name, **self._pending)
        if self._pending:
            self._pending = {}

    def _second_root(self, token: "Piece") -> int:
        """Note once that there are several trees, and read this one as a child of the first root."""
        if not any(mistake.code == "several-trees" for mistake in self.mistakes):
            hint = ""
            if len(self.places) == 1 and self._last_word is not None:
                word = clip(self._last_word)
                hint = f"{word} alone is an unknown payoff; a node needs its player: MAX {word} (3 12 8)"
            self.note_mistake(token, "several-trees", "a second tree begins here", hint)
        self.damaged.add(0)
        return 0

    # Labels before a node, and marks after it.

    def label(self, children: "list[Piece]") -> None:
        """Note a move label or a probability for the next node."""
        token = children[0]
        if token.type == "NUMBER":
            self._note_repetition("probability", token, "two probabilities")
            probability = self._pending["probability"] = self._probability(token)
            if probability < 0 or not self._tree_builder.is_chance(self.parent):
                self.odd_probabilities[len(self.places)] = token
        else:
            self._note_repetition("move", token, "two move labels")
            self._pending["move"] = intern(self._word(token))

    def cross(self, children: "list[Piece]") -> None:
        """Note a cross for the next node."""
        self._note_repetition("cross", children[0], "two crosses")
        self._pending["cross"] = True

    def _note_repetition(self, key: str, token: "Piece", repeated: str) -> None:
        if key in self._pending:
            self.note_mistake(token, "label-twice", f"{repeated} on one branch")

    def _probability(self, token: "Piece") -> Number:
        """Read a probability: a number or a percentage."""
        count_before = len(self.mistakes)
        if token.endswith("%"):
            share = normalize_number(Fraction(self._number(token, token[:-1]), 100))
        else:
            share = self._number(token)
        if len(self.mistakes) > count_before:
            self.damaged.add(self.parent)
        return share

    def claim(self, children: "list[Any]") -> None:
        """Note a claim at a node, or the payoff of a named leaf."""
        relation, value = children
        if "claim" in self._pending:
            self.note_mistake(relation, "claim-twice", "two values at one node")
            return
        if isinstance(value, tuple):
            claimed: Any = value[1]
        else:  # a word can be the unknown payoff of a named leaf, but not a claim
            claimed = self._number(value) if value.type == "NUMBER" else self._word(value)
        self._pending["claim"] = Claim(cast(Any, _RELATIONS.get(relation, str(relation))), claimed)

    def attribute(self, children: "list[Any]") -> None:
        """Note one `key=value` between braces."""
        key, relation, value = children
        if relation != "=":
            self.note_mistake(relation, "attribute-value", f"{relation} in an attribute", "write {eval=4}")
        elif key not in ATTRIBUTES:
            self.note_mistake(key, "attribute-unknown", f"{clip(key)} is not an attribute")
        elif key in self._attribute_values:
            self.note_mistake(key, "attribute-twice", f"{key} is given twice")
        else:
            kind, fact = self._read_fact(value)
            attribute = attribute_fact(key, kind, fact)
            if attribute is not None:
                self._attribute_values[key] = attribute
            elif key == "n" and kind == "NUMBER":
                self.note_mistake(value, "attribute-value", VISITS)
            else:
                self.note_mistake(key, "attribute-value", _NEEDED_VALUES.get(key, f"{key} needs one number"))

    def attributes(self, children: "list[Piece]") -> None:
        """Note all attributes of a node."""
        if "attributes" in self._pending:
            hint = "put them into one {...}"
            self.note_mistake(children[0], "attribute-twice", "attributes are given twice", hint)
        self._typed_fractions = [start for start in self._typed_fractions if start < children[0].start_pos]
        self._pending["attributes"] = Attributes.from_keys(self._attribute_values)
        self._attribute_values = {}

    # Words and numbers.

    def vector(self, children: "list[Any]") -> Placed:
        """Return the opening bracket and the numbers between `<` and `>`, or between `[` and `]`."""
        return children[0], tuple(children[1]) if len(children) > 1 else ()

    row = vector

    def numbers(self, children: "list[Any]") -> "list[Number]":
        """Return a list of numbers."""
        if len(children) == 1:
            return [self._number(children[0])]
        numbers: list[Number] = children[0]
        numbers.append(self._number(children[1]))
        return numbers

    # The header.

    def fact(self, children: "list[Any]") -> Any:
        """Return a word, a number or a list in a header line."""
        return children[0]

    name = value = fact

    def header(self, children: "list[Any]") -> None:
        """Note one header line."""
        line, *facts = children
        name = str(line[1:])
        if name not in HEADER_EXAMPLES:
            known = "headers are " + ", ".join(f"@{known}" for known in HEADER_EXAMPLES)
            self.note_mistake(line, "header-unknown", f"@{clip(name)} is not a header", known)
            return
        if name in self._header_tokens:
            self.note_mistake(line, "header-twice", f"@{name} is given twice")
            return
        self._header_tokens[name] = line
        count_before = len(self.mistakes)
        value = header_fact(name, *self._read_fact(facts[0])) if len(facts) == 1 else None
        if value is not None:
            self._header_values[name] = value
        elif len(self.mistakes) == count_before:
            needed, example = HEADER_EXAMPLES[name]
            message = f"@{name} needs {needed}, alone on its line"
            self.note_mistake(line, "header-value", message, f"for example: @{name} {example}")
