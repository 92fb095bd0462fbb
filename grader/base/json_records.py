"""Dataclasses as JSON objects: a field states its key once, for the writer and the reader."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from math import isfinite
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args, get_origin

OPTIONAL = "optional"
"""Stated after the key of a field: a value that equals the default is not written."""


class RecordError(Exception):
    """Something in a record that is not as this program writes it, with its place."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(place, message)  # both, so that a worker process can send a copy
        self.place, self.message = place, message

    def __str__(self) -> str:
        return self.message


class _KeyedField(NamedTuple):
    """A field that is written; for its `default` the key is left out, `MISSING` if it never is."""

    name: str
    key: str
    value_type: Any
    default: Any


class JsonRecord:
    """A dataclass that is written as a JSON object.

    A field states its key with its type, `code: Annotated[str, "variant"]`, so that it can be renamed without
    changing any file. A field without a key has a default value, and is not written; one that is `OPTIONAL`
    (`Annotated[int, "batch", OPTIONAL]`) is written only if it differs from its default.
    Types are `str`, `bool`, `int`, `float`, `Literal`, other records, tuples and mappings of these, and each
    of them with `| None`.
    """

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            field.key: _write(value)
            for field in self._keyed_fields()
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def from_json(cls, record: object, place: str = "") -> Self:
        """Read the JSON object, which has every key but optional ones.

        Raises `RecordError`, its place below `place`.
        """
        if not isinstance(record, dict):
            raise RecordError(place, "this is not an object")
        before = f"{place}." if place else ""
        values = {
            field.name: read_field(record, field.key, field.value_type, before)
            for field in cls._keyed_fields()
            if field.default is MISSING or field.key in record
        }
        return cls(**values)

    @classmethod
    @cache
    def _keyed_fields(cls: Any) -> tuple[_KeyedField, ...]:
        """The fields with a JSON key, as their `Annotated` types say; only `OPTIONAL` ones have a default."""
        keyed = []
        for field in fields(cls):
            if get_origin(field.type) is Annotated:
                value_type, key, *marks = get_args(field.type)
                default = field.default if OPTIONAL in marks else MISSING
                keyed.append(_KeyedField(field.name, key, value_type, default))
        return tuple(keyed)


def read_field(
    record: Mapping[str, Any], key: str, value_type: Any, before: str = "", default: Any = None
) -> Any:
    """Read the value of a key, or of its default if the key is missing.

    Raises `RecordError`, its place after `before`, if it has another type.
    """
    return _read(record.get(key, default), value_type, f"{before}{key}")


def _write(value: Any) -> Any:
    """Return a value as JSON data: records become objects, tuples become lists, at any depth."""
    if isinstance(value, JsonRecord):
        return value.to_json()
    if isinstance(value, tuple):
        return [_write(item) for item in value]
    return {name: _write(item) for name, item in value.items()} if isinstance(value, Mapping) else value


def _is_finite(number: float) -> bool:
    """Return whether a float can have this number; an integer may be too large."""
    try:
        return isfinite(number)
    except OverflowError:  # an integer beyond all floats
        return False


def _read(value: Any, value_type: Any, place: str) -> Any:
    """Read a value of this type. Raises `RecordError`."""
    if value_type is float and type(value) in (int, float) and not _is_finite(value):
        raise RecordError(place, f"{place.rpartition('.')[2]} is too large a number")
    if type(value) is value_type:
        return value
    origin, inner = get_origin(value_type), get_args(value_type)
    if origin is UnionType:
        return None if value is None else _read(value, inner[0], place)
    if origin is tuple and isinstance(value, list):
        item_types = inner[:1] * len(value) if inner[-1] is ... else inner
        if len(item_types) == len(value):
            pairs = enumerate(zip(value, item_types, strict=True))
            return tuple(_read(item, item_type, f"{place}[{index}]") for index, (item, item_type) in pairs)
    if origin in (dict, Mapping) and isinstance(value, dict):
        if inner[1] is Any:
            return value
        return {name: _read(item, inner[1], f"{place}.{name}") for name, item in value.items()}
    if origin is None and issubclass(value_type, JsonRecord):
        return value_type.from_json(value, place)
    if (origin is Literal and value in inner) or (value_type is float and type(value) is int):
        return value
    fault = "not as this program writes it" if origin is Literal else "missing or of the wrong type"
    raise RecordError(place, f"{place.rpartition('.')[2]} is {fault}")
