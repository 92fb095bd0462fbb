"""Schemas of TOML documents: they decide how a text is read, and where its faults are."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.base.suggest import close_matches
from grader.tables.toml import KeyPath, read_toml, value_offsets
from grader.tables.toml_values import InvalidValueError, ValueType
from grader.trees.notation.diagnostics import Complaint, Diagnostics, clip, to_diagnostics

_WORD = re.compile(r"[\w.-]+|\"[^\"\n]*\"")
"""A word or a quoted text, which is underlined for a fault."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a table.

    - `meaning`: in a line; `example`: if that of the type is unfit.
    - `default`: what holds without the field, in words.
    """

    name: str
    value: ValueType
    meaning: str
    example: str = ""
    is_required: bool = False
    default: str = ""

    @property
    def example_line(self) -> str:
        """Return a line with the field."""
        return f"{self.name} = {self.example_value}"

    @property
    def example_value(self) -> str:
        """Return TOML of a value that the field may hold."""
        return self.example or self.value.example


@dataclass(frozen=True, slots=True)
class SchemaTable:
    """A table of fields and of further tables.

    - `item_title`: number from 0 -> title of the table, for a table that may be repeated.
    - `optional_entries`: values that were read -> the required entries that these make optional.
    """

    name: str
    meaning: str
    entries: tuple["Field | SchemaTable", ...]
    item_title: Callable[[int], str] | None = None
    is_required: bool = False
    optional_entries: Callable[[Mapping[str, Any]], Collection[str]] = lambda _values: ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields, without those of nested tables."""
        return tuple(entry for entry in self.entries if isinstance(entry, Field))

    def within(self, path: str = "") -> Iterator[tuple[str, "SchemaTable"]]:
        """Iterate over this and all nested tables, each with its header, which is empty for a document."""
        yield (path and self.header(path)), self
        for entry in self.entries:
            if isinstance(entry, SchemaTable):
                yield from entry.within(f"{path}.{entry.name}".lstrip("."))

    def header(self, path: str) -> str:
        """Return the header of the table at this path, in brackets."""
        return f"[{path}]" if self.item_title is None else f"[[{path}]]"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the path of the value, and the quoted word in it if only that is wrong."""

    path: KeyPath
    code: str
    message: str
    hint: str = ""
    word: str = ""

    @property
    def full_message(self) -> str:
        """Return the message with the name of the field, for output that does not show its place."""
        name = _dotted_name(self.path)
        return self.message if name in self.message else f"{name}: {self.message}"


def fault_at(name: str, code: str, message: str, hint: str = "", word: str = "") -> Fault:
    """Make a fault at a field by its full name, `shape.plies`."""
    return Fault(tuple(name.split(".")), code, message, hint, word)


Enclosing: TypeAlias = tuple[str, ...]
"""The titles of the tables around a value, the innermost first: part b, question 2."""


def _inside(enclosing: Enclosing) -> str:
    """Return ` in part b of question 2`; an empty text if there are no enclosing titles."""
    return f" in {' of '.join(enclosing)}" if enclosing else ""


@dataclass(frozen=True, slots=True)
class Schema:
    """A type of document.

    - `name`: also the start of its codes: `recipe` makes `recipe-syntax`, `recipe-key`, ...
    - `max_length`: the most characters of a text.
    - `hint`: the hint for a text that is not TOML.
    - `codes`: code of a fault -> meaning.
    """

    name: str
    body: SchemaTable
    max_length: int
    hint: str
    codes: Mapping[str, str]

    def check(self, raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
        """Return the values that can be read, and the faults: unknown, missing and wrong entries."""
        faults: list[Fault] = []
        return self._read(self.body, raw, (), (), faults), faults

    def _read(
        self,
        table: SchemaTable,
        raw: Mapping[str, Any],
        path: KeyPath,
        enclosing: Enclosing,
        faults: list[Fault],
    ) -> dict[str, Any]:
        """Return the values of a table, and append its faults."""
        values: dict[str, Any] = {}
        entries = {entry.name: entry for entry in table.entries}
        for name, value in raw.items():
            entry, place = entries.get(name), (*path, name)
            if entry is None:
                faults.append(self._unknown(table, place, value, enclosing))
            elif isinstance(entry, Field):
                try:
                    values[name] = entry.value.read(value)
                except InvalidValueError as error:
                    example = f"for example {entry.example_value}" if error.code == "type" else ""
                    message, hint = f"{_dotted_name(place)}: {error.message}", error.hint or example
                    faults.append(Fault(place, f"{self.name}-{error.code}", message, hint))
            elif entry.item_title is None and isinstance(value, dict):
                values[name] = self._read(entry, value, place, enclosing, faults)
            elif entry.item_title is not None and _are_tables(value):
                values[name] = [
                    self._read(entry, item, (*place, number), (entry.item_title(number), *enclosing), faults)
                    for number, item in enumerate(value)
                ]
            else:
                wanted = "table" if entry.item_title is None else "list of tables"
                hint = f"write {entry.header(_header_path(place))} and its fields below it"
                faults.append(
                    Fault(place, f"{self.name}-type", f"{_dotted_name(place)} must be a {wanted}", hint)
                )
        missing = dict(_missing(table, raw, path, table.optional_entries(values)))
        if missing:
            names, verb = " and ".join(map(_dotted_name, missing)), "is" if len(missing) == 1 else "are"
            message = f"{names} {verb} missing{_inside(enclosing)}"
            hint = f"write {'; '.join(missing.values())}"
            faults.append(Fault(next(iter(missing)), f"{self.name}-missing", message, hint))
        return values

    def _unknown(self, table: SchemaTable, path: KeyPath, value: Any, enclosing: Enclosing) -> Fault:
        """Make the fault of an unknown name.

        The hint is the first of these:

        1. the tables that have such a field
        2. the most similar name in this table
        3. all names in this table
        """
        is_table = isinstance(value, dict) or _are_tables(value)
        spelling = ("[[{}]]" if isinstance(value, list) else "[{}]") if is_table else "{}"
        entry_type = "table" if is_table else "field"
        message = f"there is no {entry_type} {spelling.format(clip(_dotted_name(path)))}{_inside(enclosing)}"
        name = str(path[-1])
        headers = [
            header
            for header, other in self.body.within()
            if header and any(field.name == name and field.value.holds(value) for field in other.fields)
        ]
        comparable = [
            entry.name
            for entry in table.entries
            if (is_table if isinstance(entry, SchemaTable) else entry.value.has_type_of(value))
        ]
        close = close_matches(name, comparable)
        if headers:
            hint = f"it belongs below {' or '.join(headers)}"
        elif close:
            entry = next(entry for entry in table.entries if entry.name == close[0])
            known = _dotted_name((*path[:-1], entry.name))
            hint = f"did you mean {entry.header(known) if isinstance(entry, SchemaTable) else known}?"
        else:
            hint = f"the fields are {', '.join(entry.name for entry in table.entries)}"
        return Fault(path, f"{self.name}-key", message, hint)


class Document:
    """A text of a schema: its TOML, the values that can be read, and the faults found so far.

    Code that interprets the values may add faults.
    """

    def __init__(self, schema: Schema, text: str) -> None:
        self.text = text
        self.raw: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.places: dict[KeyPath, int] = {(): len(text)}
        code = f"{schema.name}-syntax"
        if len(text) > schema.max_length:
            self.places[()] = 0
            self.fault((), code, f"the {schema.name} has more than {schema.max_length} characters")
            return
        raw = read_toml(text)
        if isinstance(raw, tuple):
            self.places[()], reason = raw
            self.fault((), code, reason, schema.hint)
            return
        self.raw = raw
        self.places |= value_offsets(text)
        self.values, self.faults = schema.check(raw)

    def fault(self, path: KeyPath, code: str, message: str, hint: str = "") -> None:
        """Add a fault."""
        self.faults.append(Fault(path, code, message, hint))

    def diagnostics(self) -> Diagnostics:
        """Return every fault at its value, or at the nearest table around it.

        Raises `ValueError` if there are no faults.
        """
        complaints: dict[tuple[int, str], Complaint] = {}
        for fault in dict.fromkeys(self.faults):
            path = fault.path
            while path not in self.places:
                path = path[:-1]
            start = self.places[path]
            if fault.word and path == fault.path:
                start = max(start, self.text.find(f'"{fault.word}"', start))
            word = _WORD.match(self.text, start)
            end = word.end() if word else start + 1
            while (start, fault.code) in complaints and start + 1 < end:
                start += 1  # one value may have several faults, and each needs a place of its own
            complaints[start, fault.code] = Complaint(start, end, fault.code, fault.message, fault.hint)
        return to_diagnostics(self.text, list(complaints.values()))


def _dotted_name(path: KeyPath) -> str:
    """Return the name of a field in its document or in its list item: `shape.plies`."""
    names: list[str] = []
    for step in path:
        names = [] if isinstance(step, int) else [*names, step]
    return ".".join(names)


def _header_path(path: KeyPath) -> str:
    """Return the name of a table in its header: `question.part`."""
    return ".".join(step for step in path if isinstance(step, str))


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _missing(
    table: SchemaTable, raw: Mapping[str, Any], path: KeyPath, optional: Collection[str] = ()
) -> Iterator[tuple[KeyPath, str]]:
    """Iterate over the paths of required entries that are missing, each with the text to write."""
    for entry in table.entries:
        place = (*path, entry.name)
        if not entry.is_required or entry.name in raw or entry.name in optional:
            continue
        if isinstance(entry, Field):
            header = table.header(_header_path(path))
            yield place, f"{entry.example_line}{f' below {header}' if path else ''}"
        elif entry.item_title is None:
            yield from _missing(entry, {}, place)
        else:
            yield place, f"{entry.header(_header_path(place))} and its fields below it"
