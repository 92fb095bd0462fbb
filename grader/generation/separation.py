"""Whether a tree separates the correct answer from beliefs and guesses, and beliefs from each other."""

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
"""Name of a belief, or of a reply without thought -> the answer it leads to."""

BeliefAnswer: TypeAlias = Callable[[str], Any]
"""Name of a belief -> the answer it leads to, or None."""


def answers_by_belief(kind: AnyKind, case: Case, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the answers of these beliefs, or of all, without those that lead to none."""
    names = kind.beliefs if names is None else names
    answers = {name: kind.beliefs[name](case) for name in names}
    return {name: answer for name, answer in answers.items() if answer is not None}


def lazy_belief_answers(kind: AnyKind, case: Case) -> BeliefAnswer:
    """Return a function from beliefs to their answers, each computed on its first call."""
    return cache(lambda name: kind.beliefs[name](case))


def separation_penalty(
    recipe: Recipe, case: Case, key: Any, answer: BeliefAnswer, cutoff: float = math.inf, first: str = ""
) -> tuple[int, str]:
    """Return the penalty of a question with this key, 0 if all is well, and the name of its worst reason.

    The penalty is the sum for

    1. every belief that must be separated from the key, unless it is measured of many trees at once
       (`grader.generation.mistake_credit`): `FULL_MARK_WEIGHT` if it earns the full mark, else the
       thousandths that it earns above the recipe's limit; the reason is `belief NAME`,
    2. every pair of beliefs with the same answer that must differ: `beliefs ONE and OTHER`,
    3. every reply without thought that earns the full mark: `reply NAME`.

    Beliefs are tried until the penalty is above `cutoff`, the one that gave the reason `first` before others.
    """
    kind, terms = recipe.question_kind, recipe.question
    most = Fraction(recipe.separate.most)
    # Follow-through at most doubles a share: below half of `most` it need not be worked out.
    negligible = most * Fraction(1, 2) if most < 1 else Fraction(0)
    penalties: list[tuple[int, str]] = []
    batch_measured = batch_measured_beliefs(recipe)
    for name in sorted(beliefs_apart_from_key(recipe), key=lambda name: f"belief {name}" != first):
        if name in batch_measured or (reply := answer(name)) is None:
            continue
        share = kind.earned_share(case, reply, key, terms, negligible)
        if share == 1:
            penalties.append((FULL_MARK_WEIGHT, f"belief {name}"))
        elif share > most and name not in recipe.separate.mild:
            penalties.append((-(-1000 * (share - most) // 1), f"belief {name}"))
        if sum(penalty for penalty, _ in penalties) > cutoff:
            break
    belief_by_answer: dict[Any, str] = {}
    for name in beliefs_apart_from_each_other(recipe):
        if (reply := answer(name)) is not None:
            other = belief_by_answer.setdefault(reply, name)
            if other != name:
                penalties.append((UNSEPARATED_WEIGHT, f"beliefs {other} and {name}"))
    for name, reply in payoff_blind_answers(kind, case.tree, case.rules).items():
        if kind.earned_share(case, reply, key, terms) == 1:
            penalties.append((FULL_MARK_WEIGHT, f"reply {name}"))
    total = sum(penalty for penalty, _ in penalties)
    return total, max(penalties, key=lambda each: each[0], default=(0, ""))[1]


UNSEPARATED_WEIGHT = 100 * FULL_MARK_WEIGHT
"""The penalty for two beliefs with the same answer that must differ: such a tree is never used."""


def payoff_blind_answers(kind: AnyKind, tree: Tree, rules: Rules) -> AnswersByName:
    """Return the answers of the kind's form that can be given without looking at a payoff."""
    find = kind.form.payoff_blind_answers
    return {} if find is None else find(tree, rules)
