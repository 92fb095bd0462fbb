"""The conventions an answer depends on, as data."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

from grader.base.numbers import Number, read_number, write_number

Order: TypeAlias = Literal["left-to-right", "right-to-left"]
Ties: TypeAlias = Literal["cut", "keep"]
Test: TypeAlias = Literal["value", "window"]
Returns: TypeAlias = Literal["soft", "hard"]

CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "ties": get_args(Ties),
    "test": get_args(Test),
    "returns": get_args(Returns),
}
"""The rules that choose among words, each with its words, the default first."""


class RulesError(ValueError):
    """Conventions that do not go together; the message says why."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a search visits, tests and reports.

    - `order`: the order in which children are visited.
    - `ties`: prune on `>=` and `<=` (`cut`), or only on `>` and `<` (`keep`).
    - `test`: compare the running value with the window before updating it
      (`value`; Russell and Norvig, Artificial Intelligence, 3rd ed., fig. 5.7),
      or update the window and test `alpha >= beta` (`window`).
    - `returns`: a cut node reports its running value (`soft`) or the bound it ran into (`hard`).
    - `bounds`: the limits known for leaf values, used below chance nodes.
    - `depth`: how many plies are searched before the static evaluation is used.

    Raises `RulesError` for `hard` with `keep` (a bound reported as a value would then be
    taken for a tie), for bounds in the wrong order and for a negative depth.
    """

    order: Order = "left-to-right"
    ties: Ties = "cut"
    test: Test = "value"
    returns: Returns = "soft"
    bounds: tuple[Number, Number] | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, words in CHOICES.items():
            if getattr(self, name) not in words:
                raise RulesError(f"{name} is {' or '.join(words)}, not {getattr(self, name)!r}")
        if self.returns == "hard" and self.ties == "keep":
            raise RulesError(
                "returns=hard does not go with ties=keep: "
                "a cut node would report a bound that another node then takes for a tie"
            )
        if self.bounds is not None and self.bounds[0] > self.bounds[1]:
            raise RulesError("the lower bound is above the upper bound")
        if self.depth is not None and self.depth < 0:
            raise RulesError("the depth limit is negative")

    def with_other_ties(self) -> "Rules":
        """The same rules with the other tie rule, and `soft`, which goes with both and changes no visit."""
        return replace(self, ties="keep" if self.ties == "cut" else "cut", returns="soft")

    def with_other_order(self) -> "Rules":
        """The same rules with the children visited from the other end."""
        other: Order = "right-to-left" if self.order == "left-to-right" else "left-to-right"
        return replace(self, order=other)


_NAMES = tuple(field.name for field in fields(Rules))


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Rules as a JSON object, bounds as numbers in canonical text."""
    bounds = None if rules.bounds is None else [write_number(bound) for bound in rules.bounds]
    return asdict(rules) | {"bounds": bounds}


def rules_from_json(record: Any) -> Rules:
    """The rules of a record. Raises `ValueError` or `TypeError` when they are none."""
    if not isinstance(record, dict):
        raise TypeError("rules are an object")
    unknown = [name for name in record if name not in _NAMES]
    if unknown:
        raise ValueError(f"there is no rule {unknown[0]!r}; the rules are {', '.join(_NAMES)}")
    bounds, depth = record.get("bounds"), record.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
        raise TypeError("depth is no whole number")
    if bounds is not None:
        two = isinstance(bounds, list) and len(bounds) == 2
        if not two or not all(isinstance(bound, str) for bound in bounds):
            raise TypeError("bounds are two numbers, each as text")
        bounds = (read_number(bounds[0]), read_number(bounds[1]))
    return Rules(**{**record, "bounds": bounds})
