"""Whether a tree tells the right answer from beliefs, beliefs from each other, and both from guesses."""

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from grader.generation.limits import separated, told_apart
from grader.generation.recipe import Recipe
from grader.generation.worth import FULL, measured
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Answers: TypeAlias = Mapping[str, Any]
"""Name of a belief, or of something that takes no thought -> the answer it leads to."""

Believing: TypeAlias = Callable[[str], Any]
"""Name of a belief -> the answer it leads to, None for none."""


def believed(
    kind: AnyKind, tree: Tree, rules: Rules, given: Given, names: Iterable[str] | None = None
) -> dict[str, Any]:
    """The answers of these beliefs, or of all, that lead to one."""
    names = kind.beliefs if names is None else names
    answers = {name: kind.beliefs[name](tree, rules, given) for name in names}
    return {name: answer for name, answer in answers.items() if answer is not None}


def believing(kind: AnyKind, tree: Tree, rules: Rules, given: Given) -> Believing:
    """The answers of all beliefs, each worked out when it is first asked for."""
    return cache(lambda name: kind.beliefs[name](tree, rules, given))


def against(
    recipe: Recipe,
    tree: Tree,
    given: Given,
    key: Any,
    answer: Believing,
    enough: float = math.inf,
    likely: str = "",
) -> tuple[int, str]:
    """What a question with this key does not tell apart of what its recipe wants told apart.

    The number is 0 where all is well: by how many thousandths mistakes earn too much in all, and `FULL` for
    each full mark, of mistakes that are not measured of many trees at once (`grader.generation.worth`).
    More than `enough` is too much, and then what else there is goes unheard; what is `likely` to be
    the worst, by its name, is looked at first.
    The name is that of the worst: `belief NAME` leads to the key or earns more than the recipe allows,
    `beliefs ONE and OTHER` lead to the same answer, `reply NAME` takes no thought and earns the full mark.
    """
    kind, rules, terms = recipe.asked, recipe.rules, recipe.question
    most = Fraction(recipe.separate.most)
    # What follows from no more than that makes it neither more than `most` nor the full mark.
    little = most * Fraction(1, 2) if most < 1 else Fraction(0)
    found: list[tuple[int, str]] = []
    of_many = measured(recipe)
    for name in sorted(separated(recipe), key=lambda name: f"belief {name}" != likely):
        if name in of_many or (reply := answer(name)) is None:
            continue
        earned = kind.worth(reply, key, tree, rules, given, terms, little)
        if earned == 1:
            found.append((FULL, f"belief {name}"))
        elif earned > most and name not in recipe.separate.mild:
            found.append((-(-1000 * (earned - most) // 1), f"belief {name}"))
        if sum(each for each, _ in found) > enough:
            break
    seen: dict[Any, str] = {}
    for name in told_apart(recipe):
        if (reply := answer(name)) is not None:
            other = seen.setdefault(reply, name)
            if other != name:
                found.append((NEVER, f"beliefs {other} and {name}"))
    for name, reply in thoughtless(kind, tree, rules).items():
        if kind.worth(reply, key, tree, rules, given, terms) == 1:
            found.append((FULL, f"reply {name}"))
    return sum(each for each, _ in found), max(found, key=lambda each: each[0], default=(0, ""))[1]


NEVER = 100 * FULL
"""What two beliefs weigh that have to be told apart and are not: such a tree is never asked about."""


def thoughtless(kind: AnyKind, tree: Tree, rules: Rules) -> Answers:
    """The answers of the kind's form that anyone can give without looking at a payoff."""
    find = kind.form.thoughtless
    return {} if find is None else find(tree, rules)
