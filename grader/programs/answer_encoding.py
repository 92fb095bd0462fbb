"""The answer of a student's program as JSON: the numbers, nodes and moves in it."""

from collections.abc import Sequence
from typing import Any

from grader.programs.position import TreePosition, move_name

MAX_NUMBER = 10**1000
"""No number in a report is larger."""

MAX_ANSWER_DEPTH = 3
"""The most lists inside each other in an answer; a list may contain itself."""


def encode_answer(answer: Any, position: TreePosition, depth: int = 0) -> Any:
    """Return an answer as JSON: `number`, `node` and `move` of each item; a list for several.

    An object that is nothing of that has no key.
    """
    node = position.record.node_of(answer)
    if getattr(answer, "shape", None) and hasattr(answer, "tolist"):
        answer = answer.tolist()  # an array of NumPy
    number = _number(answer)
    if node is not None:
        item: dict[str, Any] = {"node": node}
        return item if number is None else item | {"number": number}
    if number is not None:
        return {"number": number}
    if isinstance(answer, str):
        names = list(map(move_name, range(len(position.children))))
        return {"move": names.index(answer) if answer in names else None}
    inner = getattr(answer, "_position", None)
    if isinstance(inner, TreePosition):
        return {"node": inner.node}
    if isinstance(answer, dict):
        answer = list(answer.values())
    elif hasattr(answer, "__dict__") and not callable(answer):
        answer = list(vars(answer).values())  # a record of the program's own
    if isinstance(answer, tuple | list) and depth < MAX_ANSWER_DEPTH:
        items = [encode_answer(item, position, depth + 1) for item in answer[:4]]
        return {"number": [item["number"] for item in items]} if _is_vector(items, position) else items
    return None if answer is None else {}


def _is_vector(items: Sequence[Any], position: TreePosition) -> bool:
    """Return whether the items of an answer are a payoff for each of several players."""
    seats = position.tree["seats"]
    return len(items) == seats > 0 and all(
        isinstance(item, dict) and isinstance(item.get("number"), int | str) for item in items
    )


def _number(answer: Any) -> int | str | None:
    """Return a number as JSON that loses nothing: a whole number, or the text of another one.

    None for anything else, and for whole numbers from `MAX_NUMBER` on.
    """
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return int(answer) if abs(answer) < MAX_NUMBER else None
    if hasattr(answer, "dtype") and not getattr(answer, "shape", None):
        answer = answer.item()  # a number of NumPy
    if isinstance(answer, int):
        return int(answer)
    return float.__repr__(answer) if isinstance(answer, float) else None


def is_usable(answer: Any) -> bool:
    """Return whether an encoded answer has a number, a node or a move in it."""
    items = answer if isinstance(answer, list) else [answer]
    return any(
        is_usable(item)
        if isinstance(item, list)
        else item is not None and any(item.get(key) is not None for key in ("number", "node", "move"))
        for item in items
    )
