"""What a question gives beside the tree and its rules: a JSON object that the kind owns."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.base.safe_text import safe_line
from grader.base.suggest import close_matches


class Given(Mapping[str, Any]):
    """A JSON object that does not change: a transformation, a budget, the other side's policy, a statement.

    Equal objects are equal and have one hash, whatever the order of their keys.
    Raises `TypeError` or `ValueError` for what is no JSON.
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
        """The text under a name: `missing` where nothing is there, and an empty one where it is no text."""
        found = self.get(name, missing)
        return found if isinstance(found, str) else ""

    def to_json(self) -> dict[str, Any]:
        """The object as plain JSON values, which may be changed without changing this."""
        content: dict[str, Any] = json.loads(self._text)
        return content


def select_given(shared: Given, names: Iterable[str]) -> dict[str, Any]:
    """What is given under these names, as far as it is."""
    return {name: shared[name] for name in names if name in shared}


def find_unknown_field(given: Given, known: Sequence[str]) -> tuple[str, str, str] | None:
    """The first name in what is given that is not among the known ones: it, what is wrong, and a hint."""
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
        f"its fields are {', '.join(known)}" if known else "nothing is given beside the tree",
    )


NOTHING_GIVEN = Given()
"""What most kinds give: the tree and the rules say it all."""
