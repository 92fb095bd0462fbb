"""The conventions an answer depends on, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
"""The rules with a choice of words, the default first."""


class RulesError(ValueError):
    """Rules that contradict each other; the message says why."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The conventions of a search.

    - `order`: the order in which children are visited.
    - `ties`: prune on `>=` and `<=` (`cut`), or only on `>` and `<` (`keep`).
    - `test`: compare the running value with the window before updating it
      (`value`; Russell and Norvig, Artificial Intelligence, 3rd ed., fig. 5.7),
      or update the window and test `alpha >= beta` (`window`).
    - `returns`: a cut node reports its running value (`soft`) or the bound it ran into (`hard`).
    - `bounds`: the known limits of leaf values, used below chance nodes.
    - `depth`: the number of plies before the static evaluation is used.

    Raises `RulesError` for `hard` with `keep` (a bound reported as a value would look like
    a tie), for bounds in the wrong order and for a negative depth.
    """

    order: Order = "left-to-right"
    ties: Ties = "cut"
    test: Test = "value"
    returns: Returns = "soft"
    bounds: tuple[Number, Number] | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        choices = self.order, self.ties, self.test, self.returns
        for (name, words), word in zip(CHOICES.items(), choices, strict=True):
            if word not in words:
                raise RulesError(f"{name} is {' or '.join(words)}, not {word!r}")
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
        """Return the rules with the other tie rule, and `soft`, which suits both and changes no visit."""
        return replace(self, ties="keep" if self.ties == "cut" else "cut", returns="soft")

    def with_other_order(self) -> "Rules":
        """Return the rules with the opposite order of children."""
        other: Order = "right-to-left" if self.order == "left-to-right" else "left-to-right"
        return replace(self, order=other)


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Return rules as a JSON object, with bounds in canonical text."""
    bounds = None if rules.bounds is None else [write_number(bound) for bound in rules.bounds]
    return {
        "order": rules.order,
        "ties": rules.ties,
        "test": rules.test,
        "returns": rules.returns,
        "bounds": bounds,
        "depth": rules.depth,
    }


_DEFAULTS = rules_to_json(Rules())
"""The default rules by their names in records, in tree files and on the command line, in field order."""


def rules_from_keys(values: Mapping[str, Any]) -> Rules:
    """Return the rules with these values by key, else the defaults. Raises `RulesError`."""
    return Rules(*(values.get(name, default) for name, default in _DEFAULTS.items()))


def rules_from_json(record: Any) -> Rules:
    """Read rules from a JSON object. Raises `ValueError` or `TypeError` if they are invalid."""
    if not isinstance(record, dict):
        raise TypeError("rules are an object")
    unknown = [name for name in record if name not in _DEFAULTS]
    if unknown:
        raise ValueError(f"there is no rule {unknown[0]!r}; the rules are {', '.join(_DEFAULTS)}")
    bounds, depth = record.get("bounds"), record.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
        raise TypeError("depth is not a whole number")
    if bounds is not None:
        is_pair = isinstance(bounds, list) and len(bounds) == 2
        if not is_pair or not all(isinstance(bound, str) for bound in bounds):
            raise TypeError("bounds are two numbers, each as text")
        bounds = (read_number(bounds[0]), read_number(bounds[1]))
    return rules_from_keys({**record, "bounds": bounds})
