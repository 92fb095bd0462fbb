"""The conventions an answer depends on, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from grader.base.numbers import INFINITY, Bound, Number, read_number, write_number
from grader.base.phrases import PhraseError

Order: TypeAlias = Literal["left-to-right", "right-to-left"]
Ties: TypeAlias = Literal["cut", "keep"]
Test: TypeAlias = Literal["value", "window"]
Returns: TypeAlias = Literal["soft", "hard"]

RULE_NAMES = ("order", "ties", "test", "returns", "bounds", "depth", "window")
"""The names of the rules in records, in tree files and on the command line, in the order of their fields."""

CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "ties": get_args(Ties),
    "test": get_args(Test),
    "returns": get_args(Returns),
}
"""The rules with a choice of words, the default first."""


class RulesError(PhraseError):
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
    - `bounds`: the known limits of leaf values; the search starts with them at the root, and uses them
      below chance nodes.
    - `depth`: the number of plies before the static evaluation is used.
    - `window`: the window with which the search starts at the root; the value of the game may lie outside it.

    Raises `RulesError` for `hard` with `keep` (a bound reported as a value would look like
    a tie), for bounds in the wrong order, for a window that no value within the bounds can be in and for
    a negative depth.
    """

    order: Order = "left-to-right"
    ties: Ties = "cut"
    test: Test = "value"
    returns: Returns = "soft"
    bounds: tuple[Number, Number] | None = None
    depth: int | None = None
    window: tuple[Number, Number] | None = None

    def __post_init__(self) -> None:
        choices = self.order, self.ties, self.test, self.returns
        for (name, words), word in zip(CHOICES.items(), choices, strict=True):
            if word not in words:
                raise RulesError(
                    "{name} is {words}, not {word}", name=name, words=" or ".join(words), word=repr(word)
                )
        if self.returns == "hard" and self.ties == "keep":
            raise RulesError(
                "returns=hard does not go with ties=keep: "
                "a cut node would report a bound that another node then takes for a tie"
            )
        if self.bounds is not None and self.bounds[0] > self.bounds[1]:
            raise RulesError("the lower bound is above the upper bound")
        if self.depth is not None and self.depth < 0:
            raise RulesError("the depth limit is negative")
        if self.window is not None:
            if self.window[0] >= self.window[1]:
                raise RulesError("the window is empty: its alpha is not below its beta")
            low, high = self.bounds or self.window
            if self.window[0] >= high or self.window[1] <= low:
                raise RulesError("the window lies outside the bounds of the payoffs")

    @property
    def root_window(self) -> tuple[Bound, Bound]:
        """The window with which a search starts at the root: the bounds, narrowed by the given window."""
        low, high = self.bounds or (-INFINITY, INFINITY)
        alpha, beta = self.window or (-INFINITY, INFINITY)
        return max(low, alpha), min(high, beta)

    @property
    def narrows_root(self) -> bool:
        """Whether a search starts with a finite alpha or beta at the root."""
        return self.bounds is not None or self.window is not None

    def with_other_ties(self) -> "Rules":
        """Return the rules with the other tie rule, and `soft`, which suits both and changes no visit."""
        return replace(self, ties="keep" if self.ties == "cut" else "cut", returns="soft")

    def with_other_order(self) -> "Rules":
        """Return the rules with the opposite order of children."""
        other: Order = "right-to-left" if self.order == "left-to-right" else "left-to-right"
        return replace(self, order=other)


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Return rules as a JSON object, with bounds in canonical text; a window only if there is one."""
    values = rules_to_keys(rules)
    for name in ("bounds", "window"):
        values[name] = values[name] and [write_number(end) for end in values[name]]
    if rules.window is None:
        del values["window"]
    return values


def rules_to_keys(rules: Rules) -> dict[str, Any]:
    """Return all rules by key; the inverse of `rules_from_keys`."""
    choices = rules.order, rules.ties, rules.test, rules.returns
    return dict(zip(RULE_NAMES, (*choices, rules.bounds, rules.depth, rules.window), strict=True))


_DEFAULTS = rules_to_keys(Rules())
"""The default rules by key."""


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
    depth = record.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
        raise TypeError("depth is not a whole number")
    pairs = {name: _pair_from_json(record.get(name), name) for name in ("bounds", "window")}
    return rules_from_keys({**record, **pairs})


def _pair_from_json(pair: Any, name: str) -> tuple[Number, Number] | None:
    """Return two exact numbers from texts, or None for null.

    Raises TypeError for anything but two texts, `NumeralError` for a text that is not a number.
    """
    if pair is None:
        return None
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(end, str) for end in pair):
        raise TypeError(f"{name} are two numbers, each as text")
    return read_number(pair[0]), read_number(pair[1])
