"""Trees as JSON: nested nodes, with numbers as canonical strings; nothing is lost."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from grader.base.numbers import Number, NumeralError, number_to_json, read_number, write_number
from grader.trees.annotations import Attributes, Header
from grader.trees.notation.diagnostics import (
    HINTS,
    MAX_MISTAKES,
    Complaint,
    Diagnostic,
    Diagnostics,
    cap_diagnostics,
    clip,
    to_diagnostics,
)
from grader.trees.notation.facts import HEADER_CHOICES
from grader.trees.notation.laws import TOO_DEEP, TOO_MANY_LEAVES, tree_violations
from grader.trees.tree import MAX_SUPPORTED_LEAVES, MAX_SUPPORTED_PLIES, Claim, Payoff, Player, Tree, Value
from grader.trees.tree_builder import TreeBuilder

SCHEMA = 1
"""The version of the format, under the key `schema`."""

_MAX_NESTING = 2 * MAX_SUPPORTED_PLIES + 8
"""Deeper JSON has too deep a tree, and would overflow the stack of Python's parser."""

FieldReader: TypeAlias = Callable[[object, str], Any]
"""Reads the value at a JSON path, and notes its mistakes."""

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class _Digits(str):
    """A number in its original spelling, to be read as a numeral and not by Python's rules."""

    __slots__ = ()


class _RepeatedKeys(dict[str, Any]):
    """A JSON object with repeated keys."""

    __slots__ = ("repeated_keys",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated_keys = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, and keep repeated keys, which Python's parser ignores."""
    result = dict(pairs)
    return result if len(result) == len(pairs) else _RepeatedKeys(pairs)


def write_json(tree: Tree) -> str:
    """Return the tree as one JSON document, from which `read_json` reads the same tree.

    Every node is an object with `player` and `children`, or with `payoff` (a numeral, or a list of
    them) or `unknown` (a word). Optional keys are `name`, `move`, `probability`, `claim` (`relation`,
    `value`), `cross` and `attributes` (`eval`, `f`, `n`, `w`, `board`).
    """
    objects: list[dict[str, Any]] = []
    for node, player in enumerate(tree.players):
        record: dict[str, Any] = {}
        payoff = tree.payoffs[node]
        if player is not None:
            record["player"] = player.value
        elif isinstance(payoff, str):
            record["unknown"] = payoff
        else:
            record["payoff"] = number_to_json(0 if payoff is None else payoff)
        for key, column in (("name", tree.given), ("move", tree.moves)):
            if column[node] is not None:
                record[key] = column[node]
        probability, claim, attributes = tree.probabilities[node], tree.claims[node], tree.attributes[node]
        if probability is not None:
            record["probability"] = write_number(probability)
        if claim is not None:
            record["claim"] = {"relation": claim.relation, "value": number_to_json(claim.value)}
        if tree.crosses[node]:
            record["cross"] = True
        if attributes is not None:
            record["attributes"] = _record_to_json(attributes)
        if player is not None:
            record["children"] = []
        objects.append(record)
        if node:
            objects[tree.parents[node]]["children"].append(record)
    document: dict[str, Any] = {"schema": SCHEMA}
    if header := _record_to_json(tree.header):
        document["header"] = header
    document["tree"] = objects[0]
    return json.dumps(document, ensure_ascii=False, indent=None)


def _record_to_json(record: Attributes | Header) -> dict[str, Any]:
    """Return attributes or a header as JSON; numbers become texts."""
    return {
        key: value if isinstance(value, str) else number_to_json(value)
        for key, value in record.by_key.items()
    }


def read_json(text: str) -> Tree | Diagnostics:
    """Read a tree from JSON; return the tree, or all diagnostics with their JSON paths."""
    text = text.removeprefix("\ufeff")
    if _nesting(text) > _MAX_NESTING:
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
    """Return the depth of nested brackets outside of strings."""
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif match[0] in "]}":
            depth -= 1
    return deepest


class _JsonReader:
    """Reads one JSON document."""

    def __init__(self) -> None:
        self._items: list[Diagnostic] = []
        self._more = 0
        self._tree_builder = TreeBuilder()
        self._parents: list[int] = []
        self._ordinals: list[int] = []
        self._damaged: set[int] = set()
        self._marks: dict[str, FieldReader | None] = {
            "name": self._text,
            "move": self._text,
            "probability": self._number,
            "claim": self._claim,
            "cross": self._cross,
            "attributes": self._attributes,
        }

    def document(self, document: object) -> Tree | Diagnostics:
        """Return the tree of a document, or its diagnostics."""
        parts: dict[str, FieldReader | None] = {
            "schema": self._schema,
            "header": self._header,
            "tree": self._nodes,
        }
        header = self._object(document, "$", parts, ("schema", "tree")).get("header")
        if self._parents:
            tree = self._tree_builder.tree(header)
            for fault in tree_violations(tree):
                if fault.node not in self._damaged:
                    self._wrong(self._path(fault.node), fault.message, fault.hint, fault.code)
            if not self._items:
                return tree
        return Diagnostics(tuple(cap_diagnostics(self._items, self._more)))

    def _wrong(self, path: str, message: str, hint: str = "", code: str = "json-value") -> None:
        """Note a mistake with its JSON path; beyond `MAX_MISTAKES` they are only counted."""
        if len(self._items) < MAX_MISTAKES:
            self._items.append(Diagnostic(code, message, 0, 0, path, hint or HINTS.get(code, "")))
        else:
            self._more += 1

    def _path(self, node: int) -> str:
        """Return the JSON path of a node."""
        steps = []
        while node > 0:
            steps.append(f".children[{self._ordinals[node]}]")
            node = self._parents[node]
        return "$.tree" + "".join(reversed(steps))

    def _object(
        self, value: object, path: str, readers: dict[str, "FieldReader | None"], needed: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Read the values of the keys that have a reader; note unknown, repeated and missing keys."""
        if not isinstance(value, dict):
            self._wrong(path, "this should be an object", "write {...}")
            return {}
        for key in value:
            if key not in readers:
                hint = f"keys here are {', '.join(readers)}"
                self._wrong(path, f"the key {clip(key)} is unknown", hint, "json-key")
        for key in value.repeated_keys if isinstance(value, _RepeatedKeys) else ():
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
        """Read the header object."""
        lines: dict[str, FieldReader | None] = {
            "title": self._text,
            "source": self._text,
            **{name: partial(self._choice, words=words) for name, words in HEADER_CHOICES.items()},
            "bounds": partial(self._numbers, count=2),
            "window": partial(self._numbers, count=2),
            "depth": self._whole,
            "weights": self._numbers,
        }
        return Header.from_keys(self._object(value, path, lines))

    def _nodes(self, root: object, _: str) -> None:
        """Read all nodes in preorder."""
        stack: list[tuple[object, int, int]] = [(root, -1, 0)]
        leaves = 0
        while stack:
            value, parent, ordinal = stack.pop()
            node = len(self._parents)
            self._parents.append(parent)
            self._ordinals.append(ordinal)
            children = self._node(value, parent, node)
            leaves += not children
            if leaves > MAX_SUPPORTED_LEAVES:
                self._wrong("$.tree", TOO_MANY_LEAVES, code="too-many-leaves")
                return
            stack += [(child, node, place) for place, child in enumerate(children)][::-1]

    def _node(self, value: object, parent: int, node: int) -> list[object]:
        """Add one node and return its children, which are still unread."""
        count_before = len(self._items)
        player: Player | None = None
        payoff: Payoff | None = 0
        marks: dict[str, Any] = {}
        children: list[object] = []
        if not isinstance(value, dict):
            self._wrong(self._path(node), "a node should be an object", "write {...}")
        else:
            own_keys: tuple[str, ...] = ("player", "children")
            if own_keys[0] not in value and own_keys[1] not in value:
                own_keys = ("unknown",) if "unknown" in value else ("payoff",)
            if type(value) is not dict or len(value) != len(own_keys) or own_keys[0] not in value:
                marks = self._object(value, self._path(node), dict.fromkeys(own_keys) | self._marks, own_keys)
            if len(own_keys) == 2:
                player, payoff = self._player(value.get("player", "MAX"), node), None
                children = value.get("children", [])
            elif "unknown" in value:
                payoff = self._text(value["unknown"], f"{self._path(node)}.unknown") or "x"
            elif "payoff" in value:
                payoff = self._payoff(value["payoff"], node)
        if not isinstance(children, list):
            self._wrong(f"{self._path(node)}.children", "children should be a list", "write [...]")
            children = []
        if len(self._items) > count_before:
            self._damaged.update((node, max(parent, 0)))
        self._tree_builder.add(parent, player, payoff, **marks)
        return children

    def _player(self, value: object, node: int) -> Player:
        """Return a player; report anything else, and return MAX."""
        if isinstance(value, str) and value in Player.__members__:
            return Player[value]
        self._wrong(f"{self._path(node)}.player", "there is no such player", "MAX, MIN, CHANCE, or P1 to P9")
        return Player.MAX

    def _claim(self, value: object, path: str) -> Claim:
        """Return a claim about a value; a relation that is missing or invalid becomes `=`, a value 0."""
        parts: dict[str, FieldReader | None] = {
            "relation": partial(self._choice, words=("=", "<=", ">=")),
            "value": self._value,
        }
        claim = self._object(value, path, parts, tuple(parts))
        return Claim(claim.get("relation") or "=", claim.get("value", 0))

    def _cross(self, value: object, path: str) -> bool:
        if not isinstance(value, bool):
            self._wrong(path, "cross is true or false", "write true")
        return value is True

    def _attributes(self, value: object, path: str) -> Attributes:
        """Return the attributes of a node; report unknown keys and invalid values."""
        keys: dict[str, FieldReader | None] = {
            "eval": self._number,
            "f": self._numbers,
            "n": self._whole,
            "w": self._number,
            "board": self._text,
        }
        return Attributes.from_keys(self._object(value, path, keys))

    def _text(self, value: object, path: str) -> str | None:
        """Return a text; report anything else, and return None."""
        if type(value) is str:
            return value
        self._wrong(path, "this should be a text", "put it in quotes")
        return None

    def _choice(self, value: object, path: str, words: tuple[str, ...]) -> str | None:
        """Return one of the words; report anything else, and return None."""
        if isinstance(value, str) and value in words:
            return str(value)
        self._wrong(path, "there is no such choice", f"write {' or '.join(words)}")
        return None

    def _number(self, value: object, path: str) -> Number:
        """Return the number in a text; report anything else, and return 0."""
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
        """Return the whole number, 0 or more, in a text; report anything else, and return 0."""
        number = self._number(value, path)
        if isinstance(number, int) and number >= 0:
            return number
        self._wrong(path, "this should be a whole number, 0 or more", "such as 2")
        return 0

    def _numbers(self, value: object, path: str, count: int = 0) -> tuple[Number, ...]:
        """Return a list of numbers, of the length `count` unless that is 0.

        Report anything else, and return zeros.
        """
        if not isinstance(value, list) or (count and len(value) != count):
            self._wrong(path, f"this should be a list of {f'{count} ' * bool(count)}numbers", "write [...]")
            return (0,) * count
        return tuple(self._number(number, f"{path}[{place}]") for place, number in enumerate(value))

    def _value(self, value: object, path: str) -> Value:
        return self._numbers(value, path) if isinstance(value, list) else self._number(value, path)

    def _payoff(self, value: object, node: int) -> Value:
        """Read a payoff; its path is built only if needed."""
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 19:
            return int(value)
        return self._value(value, f"{self._path(node)}.payoff")
