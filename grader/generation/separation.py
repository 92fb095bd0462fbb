"""Whether a tree tells the right answer from beliefs, beliefs from each other, and both from guesses."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from grader.answers.form import Terms
from grader.generation.limits import separated, told_apart
from grader.generation.recipe import Recipe
from grader.kinds.given import Given
from grader.kinds.kind import AnyKind
from grader.rules import Rules
from grader.tree import Tree

Thoughtless: TypeAlias = Mapping[str, Any]
"""Name -> an answer that takes no thought."""


def unseparated(recipe: Recipe, tree: Tree, given: Given, key: Any) -> str | None:
    """What a question with this key does not tell apart of what its recipe wants told apart, or None.

    `belief NAME` leads to the key or earns the full mark, `beliefs ONE and OTHER` lead to the same answer,
    `reply NAME` takes no thought and earns the full mark.
    """
    kind, rules, terms = recipe.asked, recipe.rules, recipe.question
    needed, apart = separated(recipe), told_apart(recipe)
    believed: dict[str, Any] = {}
    for name in sorted(dict.fromkeys((*needed, *apart)), key=_patience):
        answer = kind.beliefs[name](tree, rules, given)
        if answer is None:
            continue
        believed[name] = answer
        if name in needed and answer == key:
            return f"belief {name}"
    for name, answer in believed.items():
        if name in needed and share(kind, tree, rules, given, terms, answer, key) == 1:
            return f"belief {name}"
    seen: dict[Any, str] = {}
    for name in apart:
        if name in believed:
            other = seen.setdefault(believed[name], name)
            if other != name:
                return f"beliefs {other} and {name}"
    for name, answer in thoughtless(kind, tree, rules).items():
        if share(kind, tree, rules, given, terms, answer, key) == 1:
            return f"reply {name}"
    return None


_HARD = ("latest-not-best", "shallow-only", "only-at-min", "only-at-max", "returned-for-value")
"""The beliefs that most often lead to the right answer; trying them first saves the work on the others."""


def _patience(name: str) -> int:
    return _HARD.index(name) if name in _HARD else len(_HARD)


def share(
    kind: AnyKind, tree: Tree, rules: Rules, given: Given, terms: Terms, reply: Any, key: Any
) -> Fraction:
    """The share of the full mark that a reply earns, the better of strict and follow-through."""
    return max(credit.share for credit in kind.credit(reply, key, tree, rules, given, terms))


def thoughtless(kind: AnyKind, tree: Tree, rules: Rules) -> Thoughtless:
    """The answers of the kind's form that anyone can give without looking at a payoff."""
    find = kind.form.thoughtless
    return {} if find is None else find(tree, rules)
