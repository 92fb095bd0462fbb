"""Unknown payoffs in any question: it can be asked if its answer is the same for all payoffs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

from grader.answers.form import Item, Terms
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.kind import BeliefKey, Key, Kind
from grader.questions.reasons import Reason, SolvedExercise, Steps
from grader.questions.unknown_payoffs import BEYOND_ALL_PAYOFFS, join_names, names, unknown_payoffs_sentence
from grader.questions.wording import Prompt
from grader.solvers.solvable import Unsolvable
from grader.solvers.trial_numbers import substitute_unknowns
from grader.trees.rules import Rules
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

WHY_INDEPENDENT = plural_phrase(
    "The answer does not depend on {names}; take {number}, for example.",
    "The answer does not depend on {names}; take {number} for each, for example.",
)

A = TypeVar("A")
B = TypeVar("B")
P = ParamSpec("P")

QuestionFunction: TypeAlias = Callable[Concatenate[Case, P], B]
"""What a kind does with a case."""

MAX_COMPLETIONS = 20_000
"""The most ways in which numbers are put in for all unknowns of a tree."""


def for_any_payoffs(kind: Kind[A]) -> Kind[A]:
    """Extend a kind to trees with unknown payoffs for which every payoff leads to the same answer.

    A kind that supports such a tree itself is not changed. Otherwise numbers are substituted. A question that
    only compares payoffs depends on their order, so one number between each two known payoffs is enough. In
    one that averages them, the difference of two moves is monotonic in each unknown that occurs at one leaf,
    so the extremes are enough; an unknown at several leaves is refused there. A kind about an unknown itself
    is returned as it is.
    """
    if "unknown" in kind.given_names:
        return kind

    def applies_directly(case: Case) -> bool:
        return not case.tree.unknowns or kind.objection(case) is None

    def unless(usual: QuestionFunction[P, B], otherwise: QuestionFunction[P, B]) -> QuestionFunction[P, B]:
        """Return the usual function for cases that the kind takes directly, the other for the rest."""

        def either(case: Case, /, *more: P.args, **keywords: P.kwargs) -> B:
            chosen = usual if applies_directly(case) else otherwise
            return chosen(case, *more, **keywords)

        return either

    def explain_item(solved: SolvedExercise, item: Item) -> Reason | None:
        """Explain an item by the substituted payoffs, and say so where unknown payoffs matter."""
        if applies_directly(solved.case):
            return kind.reason(solved, item)
        reason = kind.reason(_completed(solved), item)
        if reason is None or not _has_unknown_below(solved.tree, item.node):
            return reason
        return replace(reason, because=paragraph(_substitution_sentence(solved), reason.because))

    def steps_for_any_payoffs(steps: Steps) -> Steps:
        """Return steps that begin with the substitution, unless the kind applies directly."""

        def all_steps(solved: SolvedExercise) -> tuple[str, ...]:
            if applies_directly(solved.case):
                return steps(solved)
            return (_substitution_sentence(solved), *steps(_completed(solved)))

        return all_steps

    return replace(
        kind,
        objection=unless(kind.objection, partial(_objection_for_all, kind)),
        prompt=unless(kind.prompt, partial(_prompt_with_unknowns, kind)),
        key=unless(kind.key, partial(_at_end, 0, kind.key)),
        independent_key=unless(kind.independent_key, partial(_at_end, 1, kind.independent_key)),
        beliefs={
            name: unless(belief, partial(_belief_for_all, belief)) for name, belief in kind.beliefs.items()
        },
        explain_item=explain_item,
        worked_solution=kind.worked_solution.change(steps_for_any_payoffs),
        implied_key=kind.implied_key and unless(kind.implied_key, partial(_implied, kind)),
        accepts=kind.accepts and unless(kind.accepts, partial(_accepts_for_all, kind.accepts)),
        carries={quantity: unless(carry, _nothing) for quantity, carry in kind.carries.items()},
        takes={quantity: unless(take, _nothing) for quantity, take in kind.takes.items()},
    )


def _objection_for_all(kind: Kind[A], case: Case) -> str | None:
    """Return why a question has no answer that holds for all unknown payoffs; None if it has one.

    The extreme completions must all be suitable, and have the same key.
    """
    unknowns = names(case.tree)
    several = next((name for name in unknowns if case.tree.payoffs.count(name) > 1), None)
    if several is not None and kind.takes_averages(case):
        return f"the unknown payoff {several} is at several leaves, and means are taken"
    if 2 ** len(unknowns) > MAX_COMPLETIONS:
        return _too_many(case.tree)
    why = next((why for each in extreme_completions(case) if (why := kind.objection(each))), None)
    return why or dependence_objection(kind.key, case)


def _too_many(tree: Tree) -> str:
    return f"there are {len(names(tree))} unknown payoffs, more than can be tried"


def _prompt_with_unknowns(kind: Kind[A], case: Case, language: Language) -> Prompt:
    prompt = kind.prompt(case, language)
    return replace(prompt, conventions=(*prompt.conventions, unknown_payoffs_sentence(case, language)))


def _at_end(end: Literal[0, 1], key: Key[A], case: Case) -> A:
    limit = _limits(case.rules)[end]
    return key(replace(case, tree=substitute_unknowns(case.tree, dict.fromkeys(names(case.tree), limit))))


def _belief_for_all(belief: BeliefKey[A], case: Case) -> A | None:
    found = [belief(each) for each in extreme_completions(case)]
    return found[0] if all(other == found[0] for other in found) else None


def _implied(kind: Kind[A], case: Case, reply: A) -> A:
    """Return what follows from a reply, if it is the same for both extremes of the unknown payoffs.

    Otherwise return the key, from which nothing follows.
    """
    assert kind.implied_key is not None
    found = [kind.implied_key(each, reply) for each in extreme_completions(case)]
    agreed = all(other == found[0] for other in found)
    return found[0] if agreed else kind.key(next(extreme_completions(case)))


def _accepts_for_all(
    right: QuestionFunction[[A, Terms], bool | None], case: Case, reply: A, terms: Terms
) -> bool | None:
    found = [right(each, reply, terms) for each in extreme_completions(case)]
    return None if None in found else all(found)


def _nothing(case: Case, answer: Any) -> None:
    """Carry nothing to other parts, since the numbers were substituted."""


def dependence_objection(key: Key[A], case: Case) -> str | None:
    """Return why the answer depends on the unknown payoffs, or None."""
    unknowns = names(case.tree)
    first = key(next(extreme_completions(case)))
    try:
        same = all(key(each) == first for each in extreme_completions(case))
        if same and len(substitute_values(case)) ** len(unknowns) > MAX_COMPLETIONS:
            return _too_many(case.tree)
        if same and all(key(each) == first for each in completions(case)):
            return None
    except Unsolvable:
        pass
    if len(unknowns) == 1:
        return f"the payoff {unknowns[0]} is unknown, and the answer depends on it"
    return f"the payoffs {', '.join(unknowns)} are unknown, and the answer depends on them"


def extreme_completions(case: Case) -> Iterator[Case]:
    """The case with each unknown payoff at the least and the largest number it may be."""
    return _filled(case, _limits(case.rules))


def completions(case: Case) -> Iterator[Case]:
    """The case with numbers for its unknown payoffs: as many as there are orders of all payoffs, or more.

    Payoffs count without their sign too, for questions about other payoffs made of these.
    """
    return _filled(case, substitute_values(case))


def substitute_values(case: Case) -> Sequence[Number]:
    """Return the numbers that are substituted for an unknown payoff.

    With chance nodes, only the extremes; else all payoffs, their negatives, and numbers between them.
    """
    unknowns = names(case.tree)
    low, high = _limits(case.rules)
    if case.tree.has_chance:
        return (low, high)
    numbers = [payoff for payoff in case.tree.payoffs if isinstance(payoff, int | Fraction)]
    ends = sorted({0, *numbers, *(-number for number in numbers), low, high})
    between = [
        normalize_number(Fraction(below) + Fraction(above - below) * part / (len(unknowns) + 1))
        for below, above in pairwise(ends)
        for part in range(1, len(unknowns) + 1)
    ]
    return sorted(number for number in (*ends, *between) if low <= number <= high)


def _filled(case: Case, choices: Sequence[Number]) -> Iterator[Case]:
    """Yield the case with every combination of the numbers put in for the unknowns."""
    unknowns = names(case.tree)
    for numbers in product(choices, repeat=len(unknowns)):
        yield replace(case, tree=substitute_unknowns(case.tree, dict(zip(unknowns, numbers, strict=True))))


def _limits(rules: Rules) -> tuple[Number, Number]:
    return rules.bounds or (-BEYOND_ALL_PAYOFFS, BEYOND_ALL_PAYOFFS)


def _plain(rules: Rules) -> Number:
    """The number that is put in to explain an answer."""
    low, high = _limits(rules)
    return min(max(low, 0), high)


def _completed(solved: SolvedExercise) -> SolvedExercise:
    plain = dict.fromkeys(names(solved.tree), _plain(solved.rules))
    return replace(solved, case=replace(solved.case, tree=substitute_unknowns(solved.tree, plain)))


def _substitution_sentence(solved: SolvedExercise) -> str:
    """Say that the answer is the same for all numbers, and which number the explanation uses."""
    unknowns = names(solved.tree)
    return solved.language.say(
        *WHY_INDEPENDENT,
        len(unknowns),
        names=join_names(unknowns, solved.language),
        number=solved.value_text(_plain(solved.rules)),
    )


def _has_unknown_below(tree: Tree, node: int | None) -> bool:
    """Return whether an unknown payoff is below a node."""
    return node is None or any(node <= leaf < tree.ends[node] for leaf in tree.unknowns)
