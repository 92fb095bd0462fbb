"""Trees as JSON: nested nodes, numbers as canonical strings, everything in the record kept."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from grader.base.numbers import Number, NumeralError, number_to_json, read_number, write_number
from grader.trees.notation.diagnostics import (
    HINTS,
    Complaint,
    Diagnostic,
    Diagnostics,
    cap_diagnostics,
    clip,
    to_diagnostics,
)
from grader.trees.notation.keywords import attributes_from_keys, header_from_keys
from grader.trees.notation.laws import TOO_DEEP, TOO_MANY_LEAVES, tree_violations
from grader.trees.rules import CHOICES
from grader.trees.tree import (
    MAX_SUPPORTED_LEAVES,
    MAX_SUPPORTED_PLIES,
    Attributes,
    Claim,
    Header,
    Payoff,
    Player,
    Tree,
    Value,
)
from grader.trees.tree_builder import TreeBuilder

SCHEMA = 1
"""The version of the format, under the key `schema`."""

_NESTING = 2 * MAX_SUPPORTED_PLIES + 8
"""Deeper JSON than this holds too deep a tree; Python's reader would run out of stack on it."""

_MOST = 1000
Reader: TypeAlias = Callable[[object, str], Any]
"""Gives what a value at a path says, and notes what is wrong with it."""

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class _Digits(str):
    """A number as it stood in the JSON: it is read by the rules for numerals, never by Python's."""

    __slots__ = ()


class _Twice(dict[str, Any]):
    """A JSON object in which some keys occur twice."""

    __slots__ = ("keys_twice",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.keys_twice = [key for key, many in Counter(key for key, _ in pairs).items() if many > 1]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; Python's reader would keep silent about a key that occurs twice."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Twice(pairs)


def write_json(tree: Tree) -> str:
    """The tree as one JSON document; `read_json` gives the same tree again.

    Every node is an object with `player` and `children`, or with `payoff` (a numeral, or a list of
    them) or `unknown` (a word). `name`, `move`, `probability`, `claim` (`relation`, `value`), `cross`
    and `attributes` (`eval`, `f`, `n`, `w`, `board`) stand where the node has them.
    """
    objects: list[dict[str, Any]] = []
    for node, player in enumerate(tree.players):
        written: dict[str, Any] = {}
        payoff = tree.payoffs[node]
        if player is not None:
            written["player"] = player.value
        elif isinstance(payoff, str):
            written["unknown"] = payoff
        else:
            written["payoff"] = number_to_json(0 if payoff is None else payoff)
        for key, column in (("name", tree.given), ("move", tree.moves)):
            if column[node] is not None:
                written[key] = column[node]
        share, claim, attributes = tree.probabilities[node], tree.claims[node], tree.attributes[node]
        if share is not None:
            written["probability"] = write_number(share)
        if claim is not None:
            written["claim"] = {"relation": claim.relation, "value": number_to_json(claim.value)}
        if tree.crosses[node]:
            written["cross"] = True
        if attributes is not None:
            written["attributes"] = _said(attributes)
        if player is not None:
            written["children"] = []
        objects.append(written)
        if node:
            objects[tree.parents[node]]["children"].append(written)
    document: dict[str, Any] = {"schema": SCHEMA}
    if header := _said(tree.header):
        document["header"] = header
    document["tree"] = objects[0]
    return json.dumps(document, ensure_ascii=False, indent=None)


def _said(record: Attributes | Header) -> dict[str, Any]:
    return {
        key: value if isinstance(value, str) else number_to_json(value)
        for key, value in record.by_key.items()
    }


def read_json(text: str) -> Tree | Diagnostics:
    """Read a tree from JSON; gives the tree, or all diagnostics at once, placed by JSON path."""
    text = text.removeprefix("\ufeff")
    if _nesting(text) > _NESTING:
        return to_diagnostics(text, [Complaint(0, 1, "too-deep", TOO_DEEP)])
    try:
        document = json.loads(
            text,
            parse_int=_Digits,
            parse_float=_Digits,
            parse_constant=_Digits,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        return to_diagnostics(text, [Complaint(error.pos, error.pos + 1, "json-syntax", error.msg)])
    return _JsonReader().document(document)


def _nesting(text: str) -> int:
    """How deeply brackets outside strings are nested."""
    depth = deepest = 0
    for found in _BRACKETS.finditer(text):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in "]}":
            depth -= 1
    return deepest


class _JsonReader:
    """One JSON document on its way to a tree."""

    def __init__(self) -> None:
        self._items: list[Diagnostic] = []
        self._more = 0
        self._planting = TreeBuilder()
        self._parents: list[int] = []
        self._ordinals: list[int] = []
        self._damaged: set[int] = set()
        self._marks: dict[str, Reader | None] = {
            "name": self._text,
            "move": self._text,
            "probability": self._number,
            "claim": self._claim,
            "cross": self._cross,
            "attributes": self._attributes,
        }

    def document(self, document: object) -> Tree | Diagnostics:
        """The tree of a whole document."""
        parts: dict[str, Reader | None] = {
            "schema": self._schema,
            "header": self._header,
            "tree": self._nodes,
        }
        header = self._object(document, "$", parts, ("schema", "tree")).get("header")
        if self._parents:
            tree = self._planting.tree(header)
            for fault in tree_violations(tree):
                if fault.node not in self._damaged:
                    self._wrong(self._path(fault.node), fault.message, fault.hint, fault.code)
            if not self._items:
                return tree
        return Diagnostics(tuple(cap_diagnostics(self._items, self._more)))

    def _wrong(self, path: str, message: str, hint: str = "", code: str = "json-value") -> None:
        if len(self._items) < _MOST:
            self._items.append(Diagnostic(code, message, 0, 0, path, hint or HINTS.get(code, "")))
        else:
            self._more += 1

    def _path(self, node: int) -> str:
        """The JSON path of a node."""
        steps = []
        while node > 0:
            steps.append(f".children[{self._ordinals[node]}]")
            node = self._parents[node]
        return "$.tree" + "".join(reversed(steps))

    def _object(
        self, value: object, path: str, readers: dict[str, "Reader | None"], needed: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """What an object says under each key that has a reader; notes unknown, repeated and missing keys."""
        if not isinstance(value, dict):
            self._wrong(path, "this should be an object", "write {...}")
            return {}
        for key in value:
            if key not in readers:
                hint = f"keys here are {', '.join(readers)}"
                self._wrong(path, f"the key {clip(key)} is unknown", hint, "json-key")
        for key in value.keys_twice if isinstance(value, _Twice) else ():
            self._wrong(path, f"the key {clip(key)} occurs twice", "keep one of them", "json-key")
        for key in needed:
            if key not in value:
                self._wrong(path, f"the key {key} is missing", "add it", "json-key")
        return {
            key: read(value[key], f"{path}.{key}") for key, read in readers.items() if read and key in value
        }

    def _schema(self, value: object, path: str) -> None:
        if value != str(SCHEMA):
            self._wrong(path, "this is another format", f"the format here is {SCHEMA}")

    def _header(self, value: object, path: str) -> Header:
        """The header object."""
        lines: dict[str, Reader | None] = {
            "title": self._text,
            "source": self._text,
            **{name: partial(self._choice, words=words) for name, words in CHOICES.items()},
            "bounds": partial(self._numbers, many=2),
            "depth": self._whole,
            "weights": self._numbers,
        }
        return header_from_keys(self._object(value, path, lines))

    def _nodes(self, root: object, _: str) -> None:
        """All nodes in preorder."""
        waiting: list[tuple[object, int, int]] = [(root, -1, 0)]
        leaves = 0
        while waiting:
            value, parent, ordinal = waiting.pop()
            node = len(self._parents)
            self._parents.append(parent)
            self._ordinals.append(ordinal)
            children = self._node(value, parent, node)
            leaves += not children
            if leaves > MAX_SUPPORTED_LEAVES:
                self._wrong("$.tree", TOO_MANY_LEAVES, code="too-many-leaves")
                return
            waiting += [(child, node, place) for place, child in enumerate(children)][::-1]

    def _node(self, value: object, parent: int, node: int) -> list[object]:
        """Add one node; its children are still to be read."""
        problems = len(self._items)
        player: Player | None = None
        payoff: Payoff | None = 0
        marks: dict[str, Any] = {}
        children: list[object] = []
        if not isinstance(value, dict):
            self._wrong(self._path(node), "a node should be an object", "write {...}")
        else:
            own: tuple[str, ...] = ("player", "children")
            if own[0] not in value and own[1] not in value:
                own = ("unknown",) if "unknown" in value else ("payoff",)
            if type(value) is not dict or len(value) != len(own) or own[0] not in value:
                marks = self._object(value, self._path(node), dict.fromkeys(own) | self._marks, own)
            if len(own) == 2:
                player, payoff = self._player(value.get("player", "MAX"), node), None
                children = value.get("children", [])
            elif "unknown" in value:
                payoff = self._text(value["unknown"], f"{self._path(node)}.unknown") or "x"
            elif "payoff" in value:
                payoff = self._payoff(value["payoff"], node)
        if not isinstance(children, list):
            self._wrong(f"{self._path(node)}.children", "children should be a list", "write [...]")
            children = []
        if len(self._items) > problems:
            self._damaged.update((node, max(parent, 0)))
        self._planting.add(parent, player, payoff, **marks)
        return children

    def _player(self, value: object, node: int) -> Player:
        if isinstance(value, str) and value in Player.__members__:
            return Player[value]
        self._wrong(f"{self._path(node)}.player", "there is no such player", "MAX, MIN, CHANCE, or P1 to P9")
        return Player.MAX

    def _claim(self, value: object, path: str) -> Claim:
        parts: dict[str, Reader | None] = {
            "relation": partial(self._choice, words=("=", "<=", ">=")),
            "value": self._value,
        }
        said = self._object(value, path, parts, tuple(parts))
        return Claim(said.get("relation") or "=", said.get("value", 0))

    def _cross(self, value: object, path: str) -> bool:
        if not isinstance(value, bool):
            self._wrong(path, "cross is true or false", "write true")
        return value is True

    def _attributes(self, value: object, path: str) -> Attributes:
        keys: dict[str, Reader | None] = {
            "eval": self._number,
            "f": self._numbers,
            "n": self._whole,
            "w": self._number,
            "board": self._text,
        }
        said = self._object(value, path, keys)
        return attributes_from_keys(said)

    def _text(self, value: object, path: str) -> str | None:
        if type(value) is str:
            return value
        self._wrong(path, "this should be a text", "put it in quotes")
        return None

    def _choice(self, value: object, path: str, words: tuple[str, ...]) -> str | None:
        if isinstance(value, str) and value in words:
            return str(value)
        self._wrong(path, "there is no such choice", f"write {' or '.join(words)}")
        return None

    def _number(self, value: object, path: str) -> Number:
        if not isinstance(value, str):
            self._wrong(path, "this should be a number", 'write it as a text, such as "7/3"')
            return 0
        try:
            return read_number(value)
        except NumeralError as error:
            hint = 'numbers are texts such as "3", "-2", "2.5" and "7/3"'
            self._wrong(path, f"{clip(value)} {error}", hint, "bad-number")
            return 0

    def _whole(self, value: object, path: str) -> int:
        number = self._number(value, path)
        if isinstance(number, int) and number >= 0:
            return number
        self._wrong(path, "this should be a whole number, 0 or more", "such as 2")
        return 0

    def _numbers(self, value: object, path: str, many: int = 0) -> tuple[Number, ...]:
        if not isinstance(value, list) or (many and len(value) != many):
            self._wrong(path, f"this should be a list of {f'{many} ' * bool(many)}numbers", "write [...]")
            return (0,) * many
        return tuple(self._number(number, f"{path}[{place}]") for place, number in enumerate(value))

    def _value(self, value: object, path: str) -> Value:
        return self._numbers(value, path) if isinstance(value, list) else self._number(value, path)

    def _payoff(self, value: object, node: int) -> Value:
        """A payoff; its path is put together only when it is needed."""
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 19:
            return int(value)
        return self._value(value, f"{self._path(node)}.payoff")
