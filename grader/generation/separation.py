"""Whether a tree tells the right answer from beliefs, beliefs from each other, and both from guesses."""

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from grader.generation.limits import beliefs_apart_from_each_other, beliefs_apart_from_key
from grader.generation.mistake_credit import FULL_MARK_WEIGHT, batch_measured_beliefs
from grader.generation.recipe import Recipe
from grader.questions.case import Case
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Tree

AnswersByName: TypeAlias = Mapping[str, Any]
"""Name of a belief, or of something that takes no thought -> the answer it leads to."""

BeliefAnswer: TypeAlias = Callable[[str], Any]
"""Name of a belief -> the answer it leads to, None for none."""


def answers_by_belief(kind: AnyKind, case: Case, names: Iterable[str] | None = None) -> dict[str, Any]:
    """The answers of these beliefs, or of all, that lead to one."""
    names = kind.beliefs if names is None else names
    answers = {name: kind.beliefs[name](case) for name in names}
    return {name: answer for name, answer in answers.items() if answer is not None}


def lazy_belief_answers(kind: AnyKind, case: Case) -> BeliefAnswer:
    """The answers of all beliefs, each worked out when it is first asked for."""
    return cache(lambda name: kind.beliefs[name](case))


def separation_penalty(
    recipe: Recipe, case: Case, key: Any, answer: BeliefAnswer, enough: float = math.inf, likely: str = ""
) -> tuple[int, str]:
    """What a question with this key does not tell apart of what its recipe wants told apart.

    It is 0 if all is well: the thousandths that mistakes earn too much in all, and `FULL_MARK_WEIGHT` for
    each full mark, of mistakes that are not measured of many trees at once
    (`grader.generation.mistake_credit`). More than `enough` is too much, and then what else there is goes
    unheard; what is `likely` to be the worst, by its name, is looked at first.
    The name is that of the worst: `belief NAME` leads to the key or earns more than the recipe allows,
    `beliefs ONE and OTHER` lead to the same answer, `reply NAME` takes no thought and earns the full mark.
    """
    kind, terms = recipe.question_kind, recipe.question
    most = Fraction(recipe.separate.most)
    # What follows from no more than that makes it neither more than `most` nor the full mark.
    little = most * Fraction(1, 2) if most < 1 else Fraction(0)
    found: list[tuple[int, str]] = []
    of_many = batch_measured_beliefs(recipe)
    for name in sorted(beliefs_apart_from_key(recipe), key=lambda name: f"belief {name}" != likely):
        if name in of_many or (reply := answer(name)) is None:
            continue
        earned = kind.earned_share(case, reply, key, terms, little)
        if earned == 1:
            found.append((FULL_MARK_WEIGHT, f"belief {name}"))
        elif earned > most and name not in recipe.separate.mild:
            found.append((-(-1000 * (earned - most) // 1), f"belief {name}"))
        if sum(each for each, _ in found) > enough:
            break
    seen: dict[Any, str] = {}
    for name in beliefs_apart_from_each_other(recipe):
        if (reply := answer(name)) is not None:
            other = seen.setdefault(reply, name)
            if other != name:
                found.append((UNSEPARATED_WEIGHT, f"beliefs {other} and {name}"))
    for name, reply in payoff_blind_answers(kind, case.tree, case.rules).items():
        if kind.earned_share(case, reply, key, terms) == 1:
            found.append((FULL_MARK_WEIGHT, f"reply {name}"))
    return sum(each for each, _ in found), max(found, key=lambda each: each[0], default=(0, ""))[1]


UNSEPARATED_WEIGHT = 100 * FULL_MARK_WEIGHT
"""What two beliefs weigh that have to be told apart and are not: such a tree is never asked about."""


def payoff_blind_answers(kind: AnyKind, tree: Tree, rules: Rules) -> AnswersByName:
    """The answers of the kind's form that anyone can give without looking at a payoff."""
    find = kind.form.payoff_blind_answers
    return {} if find is None else find(tree, rules)
