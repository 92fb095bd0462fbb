"""Trees as JSON: nested nodes, numbers as canonical strings, everything in the record kept."""

import json
import re
from collections import Counter
from typing import Any, cast

from grader.base.numbers import Number, NumeralError, read_number, write_number
from grader.notation import laws as faults
from grader.notation.diagnostics import Diagnostic, Diagnostics, Mistake, capped, clipped, report
from grader.rules import CHOICES
from grader.tree import LEAVES, PLIES, Attributes, Claim, Header, Payoff, Planting, Player, Tree, Value

SCHEMA = 1
"""The version of the format, under the key `schema`."""

_NESTING = 2 * PLIES + 8
"""Deeper JSON than this holds too deep a tree; Python's reader would run out of stack on it."""

_MOST = 1000
_MARKS = ("name", "move", "probability", "claim", "cross", "attributes")
_TEXTS = ("title", "source")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class _Digits(str):
    """A number as it stood in the JSON: it is read by the rules for numerals, never by Python's."""

    __slots__ = ()


class _Twice(dict[str, Any]):
    """A JSON object in which some keys occur twice."""

    __slots__ = ("keys_twice",)

    def __init__(self, pairs: list[tuple[str, Any]], keys_twice: tuple[str, ...]) -> None:
        super().__init__(pairs)
        self.keys_twice = keys_twice


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; Python's reader would keep silent about a key that occurs twice."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    times = Counter(key for key, _ in pairs)
    return _Twice(pairs, tuple(key for key, many in times.items() if many > 1))


def write_json(tree: Tree) -> str:
    """The tree as one JSON document; `read_json` gives the same tree again.

    Every node is an object with `player` and `children`, or with `payoff` (a numeral, or a list of
    them) or `unknown` (a word). `name`, `move`, `probability`, `claim` (`relation`, `value`), `cross`
    and `attributes` (`eval`, `f`, `n`, `w`) stand where the node has them.
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
            written["payoff"] = _written(0 if payoff is None else payoff)
        for key, column in (("name", tree.given), ("move", tree.moves)):
            if column[node] is not None:
                written[key] = column[node]
        share, claim, attributes = tree.probabilities[node], tree.claims[node], tree.attributes[node]
        if share is not None:
            written["probability"] = write_number(share)
        if claim is not None:
            written["claim"] = {"relation": claim.relation, "value": _written(claim.value)}
        if tree.crosses[node]:
            written["cross"] = True
        if attributes is not None:
            written["attributes"] = _attributes_written(attributes)
        if player is not None:
            written["children"] = []
        objects.append(written)
        if node:
            objects[tree.parents[node]]["children"].append(written)
    document: dict[str, Any] = {"schema": SCHEMA}
    header = _header_written(tree.header)
    if header:
        document["header"] = header
    document["tree"] = objects[0]
    return json.dumps(document, ensure_ascii=False, indent=None)


def _written(value: Value) -> str | list[str]:
    return [write_number(number) for number in value] if isinstance(value, tuple) else write_number(value)


def _attributes_written(attributes: Attributes) -> dict[str, Any]:
    values = {
        "eval": attributes.evaluation,
        "f": attributes.features,
        "n": attributes.visits,
        "w": attributes.wins,
    }
    return {key: _written(value) for key, value in values.items() if value is not None}


def _header_written(header: Header) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in (*_TEXTS, *CHOICES):
        if getattr(header, key) is not None:
            values[key] = getattr(header, key)
    for key, value in (("bounds", header.bounds), ("depth", header.depth), ("weights", header.weights)):
        if value is not None:
            values[key] = _written(value)
    return values


def read_json(text: str) -> Tree | Diagnostics:
    """Read a tree from JSON; gives the tree, or all diagnostics at once, placed by JSON path."""
    text = text.removeprefix("\ufeff")
    if _nesting(text) > _NESTING:
        fault = faults.too_deep(0)
        return report(text, [Mistake(0, 1, fault.code, fault.message, fault.hint)])
    try:
        document = json.loads(
            text,
            parse_int=_Digits,
            parse_float=_Digits,
            parse_constant=_Digits,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        hint = "check quotes, commas and brackets around this place"
        return report(text, [Mistake(error.pos, error.pos + 1, "json-syntax", error.msg, hint)])
    return _Reading().document(document)


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


class _Reading:
    """One JSON document on its way to a tree."""

    def __init__(self) -> None:
        self._items: list[Diagnostic] = []
        self._more = 0
        self._planting = Planting()
        self._parents: list[int] = []
        self._ordinals: list[int] = []
        self._damaged: set[int] = set()

    def document(self, document: object) -> Tree | Diagnostics:
        """The tree of a whole document."""
        header = None
        if self._keys(document, "$", ("schema", "header", "tree"), ("schema", "tree")):
            found = cast(dict[str, Any], document)
            if found.get("schema", "1") != str(SCHEMA):
                self._wrong(
                    "$.schema", "json-value", "this is another format", f"the format here is {SCHEMA}"
                )
            header = self._header(found["header"]) if "header" in found else None
            if "tree" in found:
                self._nodes(found["tree"])
        if self._parents:
            tree = self._planting.tree(header)
            for fault in faults.faults(tree):
                if fault.node not in self._damaged:
                    self._wrong(self._path(fault.node), fault.code, fault.message, fault.hint)
            if not self._items:
                return tree
        return Diagnostics(tuple(capped(self._items, self._more)))

    def _wrong(self, path: str, code: str, message: str, hint: str) -> None:
        if len(self._items) < _MOST:
            self._items.append(Diagnostic(code, message, 0, 0, path, hint))
        else:
            self._more += 1

    def _path(self, node: int) -> str:
        """The JSON path of a node."""
        steps = []
        while node > 0:
            steps.append(f".children[{self._ordinals[node]}]")
            node = self._parents[node]
        return "$.tree" + "".join(reversed(steps))

    def _keys(self, value: object, path: str, known: tuple[str, ...], needed: tuple[str, ...] = ()) -> bool:
        """Whether a value is an object; notes unknown, repeated and missing keys."""
        if not isinstance(value, dict):
            self._wrong(path, "json-value", "this should be an object", "write {...}")
            return False
        for key in value:
            if key not in known:
                self._wrong(
                    path,
                    "json-key",
                    f"the key {clipped(key)} is unknown",
                    f"keys here are {', '.join(known)}",
                )
        if isinstance(value, _Twice):
            for key in value.keys_twice:
                self._wrong(path, "json-key", f"the key {clipped(key)} occurs twice", "keep one of them")
        for key in needed:
            if key not in value:
                self._wrong(path, "json-key", f"the key {key} is missing", "add it")
        return True

    def _header(self, value: object) -> Header | None:
        """The header object."""
        known = (*_TEXTS, *CHOICES, "bounds", "depth", "weights")
        if not self._keys(value, "$.header", known):
            return None
        found = cast(dict[str, Any], value)
        facts: dict[str, Any] = {}
        for key in known:
            if key not in found:
                continue
            path = f"$.header.{key}"
            if key in _TEXTS:
                facts[key] = self._text(found[key], path)
            elif key in CHOICES:
                facts[key] = self._choice(found[key], path, CHOICES[key])
            elif key == "depth":
                facts[key] = self._whole(found[key], path)
            else:
                facts[key] = self._numbers(found[key], path, 2 if key == "bounds" else None)
        return Header(**facts)

    def _nodes(self, root: object) -> None:
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
            if leaves > LEAVES:
                fault = faults.too_many_leaves(node)
                self._wrong("$.tree", fault.code, fault.message, fault.hint)
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
            self._wrong(self._path(node), "json-value", "a node should be an object", "write {...}")
        elif "player" in value or "children" in value:
            path = (
                self._path(node)
                if len(value) != 2 or "player" not in value or type(value) is not dict
                else ""
            )
            if path:
                self._keys(value, path, ("player", "children", *_MARKS), ("player", "children"))
                marks = self._marks(value, path)
            player, payoff = self._player(value.get("player", "MAX"), node), None
            found = value.get("children", [])
            if isinstance(found, list):
                children = found
            else:
                self._wrong(
                    f"{self._path(node)}.children", "json-value", "children should be a list", "write [...]"
                )
        else:
            kind = "unknown" if "unknown" in value else "payoff"
            if len(value) != 1 or kind not in value or type(value) is not dict:
                self._keys(value, self._path(node), (kind, *_MARKS), (kind,))
                marks = self._marks(value, self._path(node))
            if kind == "unknown":
                payoff = self._text(value["unknown"], f"{self._path(node)}.unknown") or "x"
            elif "payoff" in value:
                payoff = self._value(value["payoff"], node, "payoff")
        if len(self._items) > problems:
            self._damaged.update((node, max(parent, 0)))
        self._planting.add(parent, player, payoff, **marks)
        return children

    def _player(self, value: object, node: int) -> Player:
        if isinstance(value, str) and value in Player.__members__:
            return Player[value]
        self._wrong(
            f"{self._path(node)}.player",
            "json-value",
            "there is no such player",
            "MAX, MIN, CHANCE, or P1 to P9",
        )
        return Player.MAX

    def _marks(self, value: dict[str, Any], path: str) -> dict[str, Any]:
        """Everything about a node but its player, payoff and children."""
        marks: dict[str, Any] = {}
        for key in ("name", "move"):
            if key in value:
                marks[key] = self._text(value[key], f"{path}.{key}")
        if "probability" in value:
            marks["probability"] = self._number(value["probability"], f"{path}.probability")
        if "cross" in value:
            marks["cross"] = value["cross"] is True
            if not isinstance(value["cross"], bool):
                self._wrong(f"{path}.cross", "json-value", "cross is true or false", "write true")
        if "claim" in value and self._keys(
            value["claim"], f"{path}.claim", ("relation", "value"), ("relation", "value")
        ):
            claim = value["claim"]
            relation = self._choice(claim.get("relation", "="), f"{path}.claim.relation", ("=", "<=", ">="))
            wanted = self._vector_or_number(claim.get("value", "0"), f"{path}.claim.value")
            marks["claim"] = Claim(cast(Any, relation or "="), wanted)
        if "attributes" in value and self._keys(
            value["attributes"], f"{path}.attributes", ("eval", "f", "n", "w")
        ):
            marks["attributes"] = self._attributes(value["attributes"], f"{path}.attributes")
        return marks

    def _attributes(self, value: dict[str, Any], path: str) -> Attributes:
        return Attributes(
            self._number(value["eval"], f"{path}.eval") if "eval" in value else None,
            self._numbers(value["f"], f"{path}.f") if "f" in value else None,
            self._whole(value["n"], f"{path}.n") if "n" in value else None,
            self._number(value["w"], f"{path}.w") if "w" in value else None,
        )

    def _text(self, value: object, path: str) -> str | None:
        if type(value) is str:
            return value
        self._wrong(path, "json-value", "this should be a text", "put it in quotes")
        return None

    def _choice(self, value: object, path: str, words: tuple[str, ...]) -> str | None:
        if isinstance(value, str) and value in words:
            return str(value)
        self._wrong(path, "json-value", "there is no such choice", f"write {' or '.join(words)}")
        return None

    def _number(self, value: object, path: str) -> Number:
        if not isinstance(value, str):
            self._wrong(path, "json-value", "this should be a number", 'write it as a text, such as "7/3"')
            return 0
        try:
            return read_number(value)
        except NumeralError as error:
            hint = 'numbers are texts such as "3", "-2", "2.5" and "7/3"'
            self._wrong(path, "bad-number", f"{clipped(value)} {error}", hint)
            return 0

    def _whole(self, value: object, path: str) -> int:
        number = self._number(value, path)
        if isinstance(number, int) and number >= 0:
            return number
        self._wrong(path, "json-value", "this should be a whole number, 0 or more", "such as 2")
        return 0

    def _numbers(self, value: object, path: str, many: int | None = None) -> tuple[Number, ...]:
        if not isinstance(value, list) or many not in (None, len(value)):
            self._wrong(
                path,
                "json-value",
                f"this should be a list of {many or ''} numbers".replace("  ", " "),
                "write [...]",
            )
            return (0,) * (many or 0)
        return tuple(self._number(number, f"{path}[{place}]") for place, number in enumerate(value))

    def _vector_or_number(self, value: object, path: str) -> Value:
        return self._numbers(value, path) if isinstance(value, list) else self._number(value, path)

    def _value(self, value: object, node: int, key: str) -> Value:
        """A payoff; its path is put together only when it is needed."""
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 19:
            return int(value)
        return self._vector_or_number(value, f"{self._path(node)}.{key}")
