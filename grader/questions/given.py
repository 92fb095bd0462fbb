"""The data of a question other than the tree and its rules: a JSON object that the kind defines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.base.safe_text import safe_line
from grader.base.suggest import close_matches


class Given(Mapping[str, Any]):
    """A JSON object that does not change: a transformation, a budget, the other side's policy, a statement.

    Equality and hash do not depend on the order of keys.
    Raises `TypeError` or `ValueError` unless the object is JSON.
    """

    __slots__ = ("_content", "_text")

    def __init__(self, content: Mapping[str, Any] | None = None) -> None:
        self._text = json.dumps(
            dict(content or {}), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
        self._content: dict[str, Any] = json.loads(self._text)

    def __getitem__(self, name: str) -> Any:
        return self._content[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Given) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Given({self._text})"

    def text(self, name: str, missing: str = "") -> str:
        """Return the text under a name: `missing` if the name is absent, empty if the value is not a text."""
        found = self.get(name, missing)
        return found if isinstance(found, str) else ""

    def to_json(self) -> dict[str, Any]:
        """The object as plain JSON values, which may be changed without changing this."""
        content: dict[str, Any] = json.loads(self._text)
        return content


def select_given(shared: Given, names: Iterable[str]) -> dict[str, Any]:
    """Return the fields with these names that are given."""
    return {name: shared[name] for name in names if name in shared}


def find_unknown_field(given: Given, known: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the first name that is not among the known ones, with a message and a hint, or None."""
    name = next((name for name in given if name not in known), None)
    if name is None:
        return None
    message = f"this question has no field {safe_line(name[:30])!r}"
    close = close_matches(name.casefold(), known)
    if close:
        return name, message, f"did you mean {close[0]!r}?"
    return (
        name,
        message,
        f"its fields are {', '.join(known)}" if known else "it takes nothing but the tree",
    )


NOTHING_GIVEN = Given()
"""What most kinds give: the tree and the rules say it all."""
