"""What a TOML document may say, as data: by it a text is read and every fault told."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.base.suggest import close_matches
from grader.tables.toml import Path, read_toml, value_offsets
from grader.tables.toml_values import InvalidValueError, Value
from grader.trees.notation.diagnostics import Complaint, Diagnostics, clip, to_diagnostics

_WORD = re.compile(r"[\w.-]+|\"[^\"\n]*\"")
"""A word or a quoted text, at which a mistake is shown."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a table: what it holds, what it means in a line, and an example if not any such value."""

    name: str
    value: Value
    meaning: str
    example: str = ""
    is_required: bool = False

    @property
    def example_line(self) -> str:
        """The field as one may write it."""
        return f"{self.name} = {self.example_value}"

    @property
    def example_value(self) -> str:
        """TOML of a value that the field may hold."""
        return self.example or self.value.example


@dataclass(frozen=True, slots=True)
class SchemaTable:
    """A table of fields and of further tables.

    - `item_title`: what each is called of a table that may stand several times, counted from 0.
    - `optional_entries`: which entries are not needed after all, by the values that were read.
    """

    name: str
    meaning: str
    entries: tuple["Field | SchemaTable", ...]
    item_title: Callable[[int], str] | None = None
    is_required: bool = False
    optional_entries: Callable[[Mapping[str, Any]], Collection[str]] = lambda _values: ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, without those of tables within."""
        return tuple(entry for entry in self.entries if isinstance(entry, Field))

    def within(self, path: str = "") -> Iterator[tuple[str, "SchemaTable"]]:
        """The table and all tables within, each after its header in brackets; a whole document has none."""
        yield (path and self.header(path)), self
        for entry in self.entries:
            if isinstance(entry, SchemaTable):
                yield from entry.within(f"{path}.{entry.name}".lstrip("."))

    def header(self, path: str) -> str:
        """The header of the table where it stands at this path."""
        return f"[{path}]" if self.item_title is None else f"[[{path}]]"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a value: the way to it, and the quoted word in it where only that is wrong."""

    path: Path
    code: str
    message: str
    hint: str = ""
    word: str = ""

    @property
    def full_message(self) -> str:
        """The message, with the name of the field where nothing shows its place."""
        name = dotted_name(self.path)
        return self.message if name in self.message else f"{name}: {self.message}"


def fault_at(name: str, code: str, message: str, hint: str = "", word: str = "") -> Fault:
    """A fault at a field that is named in full, `shape.plies`."""
    return Fault(tuple(name.split(".")), code, message, hint, word)


Enclosing: TypeAlias = tuple[str, ...]
"""What the tables around a value are called, from within: part b, question 2."""


def _where(around: Enclosing) -> str:
    """` in part b of question 2`; empty in a table that stands only once."""
    return f" in {' of '.join(around)}" if around else ""


@dataclass(frozen=True, slots=True)
class Schema:
    """A type of document.

    - `name`: with which its codes begin, too: `recipe` makes `recipe-syntax`, `recipe-key`, ...
    - `max_length`: the most characters of a text.
    - `hint`: what helps who writes no TOML.
    - `codes`: everything that can be wrong, and what it means.
    """

    name: str
    body: SchemaTable
    max_length: int
    hint: str
    codes: Mapping[str, str]

    def check(self, said: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
        """The values that can be read, and what is unknown, missing or wrong."""
        faults: list[Fault] = []
        return self._read(self.body, said, (), (), faults), faults

    def _read(
        self, table: SchemaTable, said: Mapping[str, Any], path: Path, around: Enclosing, faults: list[Fault]
    ) -> dict[str, Any]:
        """The values of a table, and in `faults` what is wrong with it."""
        found: dict[str, Any] = {}
        known = {entry.name: entry for entry in table.entries}
        for name, value in said.items():
            entry, place = known.get(name), (*path, name)
            if entry is None:
                faults.append(self._unknown(table, place, value, around))
            elif isinstance(entry, Field):
                try:
                    found[name] = entry.value.read(value)
                except InvalidValueError as wrong:
                    message = (
                        f"{dotted_name(place)}: {wrong.message or f'{entry.value.description} is wanted'}"
                    )
                    hint = wrong.hint or (
                        f"for example {entry.example_value}" if wrong.code == "type" else ""
                    )
                    faults.append(Fault(place, f"{self.name}-{wrong.code}", message, hint))
            elif entry.item_title is None and isinstance(value, dict):
                found[name] = self._read(entry, value, place, around, faults)
            elif entry.item_title is not None and _are_tables(value):
                found[name] = []
                for number, each in enumerate(value):
                    here = (entry.item_title(number), *around)
                    found[name].append(self._read(entry, each, (*place, number), here, faults))
            else:
                message = (
                    f"{dotted_name(place)} is a {'table' if entry.item_title is None else 'list of tables'}"
                )
                hint = f"write {entry.header(_dotted(place))} and its fields below it"
                faults.append(Fault(place, f"{self.name}-type", message, hint))
        missing = dict(_missing(table, said, path, table.optional_entries(found)))
        if missing:
            names, verb = " and ".join(map(dotted_name, missing)), "is" if len(missing) == 1 else "are"
            message = f"{names} {verb} missing{_where(around)}"
            hint = f"write {'; '.join(missing.values())}"
            faults.append(Fault(next(iter(missing)), f"{self.name}-missing", message, hint))
        return found

    def _unknown(self, table: SchemaTable, path: Path, value: Any, around: Enclosing) -> Fault:
        """The fault of a name that the table does not know, with the one that was probably meant."""
        tables = isinstance(value, dict) or _are_tables(value)
        said = ("[[{}]]" if isinstance(value, list) else "[{}]") if tables else "{}"
        sort = "table" if tables else "field"
        message = f"there is no {sort} {said.format(clip(dotted_name(path)))}{_where(around)}"
        name = str(path[-1])
        belongs = [
            header
            for header, other in self.body.within()
            if header and any(field.name == name and field.value.holds(value) for field in other.fields)
        ]
        comparable = [
            entry.name
            for entry in table.entries
            if (tables if isinstance(entry, SchemaTable) else entry.value.has_type_of(value))
        ]
        close = close_matches(name, comparable)
        if belongs:
            hint = f"it belongs below {' or '.join(belongs)}"
        elif close:
            meant = next(entry for entry in table.entries if entry.name == close[0])
            known = dotted_name((*path[:-1], meant.name))
            hint = f"did you mean {meant.header(known) if isinstance(meant, SchemaTable) else known}?"
        else:
            hint = f"there are {', '.join(entry.name for entry in table.entries)}"
        return Fault(path, f"{self.name}-key", message, hint)


class Document:
    """A text of a schema: what TOML makes of it, the values that can be read, and the faults found so far.

    Whoever reads on from the values adds faults of its own.
    """

    def __init__(self, schema: Schema, text: str) -> None:
        self.text = text
        self.raw: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.places: dict[Path, int] = {(): len(text)}
        code = f"{schema.name}-syntax"
        if len(text) > schema.max_length:
            self.places[()] = 0
            self.fault((), code, f"the {schema.name} has more than {schema.max_length} characters")
            return
        said = read_toml(text)
        if isinstance(said, tuple):
            self.places[()], why = said
            self.fault((), code, why, schema.hint)
            return
        self.raw = said
        self.places |= value_offsets(text)
        self.values, self.faults = schema.check(said)

    def fault(self, path: Path, code: str, message: str, hint: str = "") -> None:
        """Add a fault."""
        self.faults.append(Fault(path, code, message, hint))

    def diagnostics(self) -> Diagnostics:
        """Every fault at its value, or at what is nearest around it; without any this raises `ValueError`."""
        placed: dict[tuple[int, str], Complaint] = {}
        for fault in dict.fromkeys(self.faults):
            path = fault.path
            while path not in self.places:
                path = path[:-1]
            start = self.places[path]
            if fault.word and path == fault.path:
                start = max(start, self.text.find(f'"{fault.word}"', start))
            word = _WORD.match(self.text, start)
            end = word.end() if word else start + 1
            while (start, fault.code) in placed and start + 1 < end:
                start += 1  # one value may have several faults, and each has its place
            placed[start, fault.code] = Complaint(start, end, fault.code, fault.message, fault.hint)
        return to_diagnostics(self.text, list(placed.values()))


def dotted_name(path: Path) -> str:
    """A field as it is named in its document or in its question: `shape.plies`."""
    named: list[str] = []
    for step in path:
        named = [] if isinstance(step, int) else [*named, step]
    return ".".join(named)


def _dotted(path: Path) -> str:
    """A table as its header names it: `question.part`."""
    return ".".join(step for step in path if isinstance(step, str))


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _missing(
    table: SchemaTable, said: Mapping[str, Any], path: Path, spared: Collection[str] = ()
) -> Iterator[tuple[Path, str]]:
    """The ways to what is needed and not said, each with what to write."""
    for entry in table.entries:
        place = (*path, entry.name)
        if not entry.is_required or entry.name in said or entry.name in spared:
            continue
        if isinstance(entry, Field):
            header = table.header(_dotted(path))
            yield place, f"{entry.example_line}{f' below {header}' if path else ''}"
        elif entry.item_title is None:
            yield from _missing(entry, {}, place)
        else:
            yield place, f"{entry.header(_dotted(place))} and its fields below it"
