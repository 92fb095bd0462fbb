"""Payoffs that nobody knows, in any question: asked wherever its answer is the same for all of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise, product
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

from grader.answers.form import Item, Terms
from grader.base.numbers import Number, exact
from grader.base.phrases import Language, paragraph
from grader.questions.given import Given
from grader.questions.kind import BeliefKey, Key, Kind
from grader.questions.parts.unknowns import BEYOND, names, not_known
from grader.questions.why import Reason, Solved, Worked
from grader.questions.wording import Prompt
from grader.solvers.solvable import Unsolvable
from grader.solvers.trying import with_numbers
from grader.trees.rules import Rules
from grader.trees.tree import Tree

A = TypeVar("A")
B = TypeVar("B")
P = ParamSpec("P")

Asked: TypeAlias = Callable[Concatenate[Tree, Rules, Given, P], B]
"""What a kind does with a tree, its rules and what is given."""

MOST = 20_000
"""The most ways in which numbers are put in for all unknowns of a tree."""


def for_any_payoffs(kind: Kind[A]) -> Kind[A]:
    """The kind, asked also about trees with unknown payoffs where every payoff leads to the same answer.

    A kind that takes such a tree by itself stays as it is there. Otherwise numbers are put in: what compares
    payoffs only hangs on their order, so one number for every place between the others decides it. Where
    means are taken, two moves differ by what only grows, or only falls, with each unknown that stands at one
    leaf, and the extremes decide; an unknown that stands at several leaves is refused there. A kind that asks
    about an unknown has nothing to put in.
    """
    if "unknown" in kind.gives:
        return kind

    def itself(tree: Tree, rules: Rules, given: Given) -> bool:
        return not tree.unknowns or kind.suits(tree, rules, given) is None

    def unless(usual: Asked[P, B], otherwise: Asked[P, B]) -> Asked[P, B]:
        def either(tree: Tree, rules: Rules, given: Given, /, *more: P.args, **named: P.kwargs) -> B:
            chosen = usual if itself(tree, rules, given) else otherwise
            return chosen(tree, rules, given, *more, **named)

        return either

    def why(solved: Solved, item: Item) -> Reason | None:
        if itself(solved.tree, solved.rules, solved.given):
            return kind.reason(solved, item)
        reason = kind.reason(_completed(solved), item)
        if reason is None or not _touched(solved.tree, item.node):
            return reason
        return replace(reason, because=paragraph(_for_instance(solved), reason.because))

    def told(steps: Callable[[Solved], tuple[str, ...]]) -> Callable[[Solved], tuple[str, ...]]:
        def whatever(solved: Solved) -> tuple[str, ...]:
            if itself(solved.tree, solved.rules, solved.given):
                return steps(solved)
            return (_for_instance(solved), *steps(_completed(solved)))

        return whatever

    return replace(
        kind,
        suits=lru_cache(maxsize=8)(unless(kind.suits, partial(_refused, kind))),
        prompt=unless(kind.prompt, partial(_prompted, kind)),
        key=unless(kind.key, partial(_at_end, 0, kind.key)),
        second_way=unless(kind.second_way, partial(_at_end, 1, kind.second_way)),
        beliefs={name: unless(belief, partial(_believed, belief)) for name, belief in kind.beliefs.items()},
        why=why,
        worked=Worked(told(kind.worked.steps), told(kind.worked.decides)),
        implied=kind.implied and unless(kind.implied, partial(_implied, kind)),
        right=kind.right and unless(kind.right, partial(_right, kind.right)),
        carries={what: unless(carry, _nothing) for what, carry in kind.carries.items()},
        takes={what: unless(take, _nothing) for what, take in kind.takes.items()},
    )


def _refused(kind: Kind[A], tree: Tree, rules: Rules, given: Given) -> str | None:
    several = next((name for name in names(tree) if tree.payoffs.count(name) > 1), None)
    if several is not None and kind.averages(tree, given):
        return f"the unknown payoff {several} stands at several leaves, and means are taken"
    if 2 ** len(names(tree)) > MOST:
        return _too_many(tree)
    why = next((why for each in corners(tree, rules) if (why := kind.suits(each, rules, given))), None)
    return why or affected(kind.key, tree, rules, given)


def _too_many(tree: Tree) -> str:
    return f"there are {len(names(tree))} unknown payoffs, more than can be tried"


def _prompted(kind: Kind[A], tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    asked = kind.prompt(tree, rules, given, language)
    return replace(asked, states=(*asked.states, not_known(tree, rules, language)))


def _at_end(end: Literal[0, 1], key: Key[A], tree: Tree, rules: Rules, given: Given) -> A:
    return key(with_numbers(tree, dict.fromkeys(names(tree), _limits(rules)[end])), rules, given)


def _believed(belief: BeliefKey[A], tree: Tree, rules: Rules, given: Given) -> A | None:
    found = [belief(each, rules, given) for each in corners(tree, rules)]
    return found[0] if all(other == found[0] for other in found) else None


def _implied(kind: Kind[A], tree: Tree, rules: Rules, given: Given, reply: A) -> A:
    assert kind.implied is not None
    found = [kind.implied(each, rules, given, reply) for each in corners(tree, rules)]
    agreed = all(other == found[0] for other in found)
    return found[0] if agreed else kind.key(next(corners(tree, rules)), rules, given)


def _right(
    right: Asked[[A, Terms], bool | None], tree: Tree, rules: Rules, given: Given, reply: A, terms: Terms
) -> bool | None:
    found = [right(each, rules, given, reply, terms) for each in corners(tree, rules)]
    return None if None in found else all(found)


def _nothing(tree: Tree, rules: Rules, given: Given, answer: Any) -> None:
    """Nothing is carried where numbers were put in."""


def affected(key: Key[A], tree: Tree, rules: Rules, given: Given) -> str | None:
    """Why the answer is not the same for all numbers that the unknown payoffs may be, or None."""
    asked = names(tree)
    first = key(next(corners(tree, rules)), rules, given)
    try:
        same = all(key(each, rules, given) == first for each in corners(tree, rules))
        if same and len(places(tree, rules)) ** len(asked) > MOST:
            return _too_many(tree)
        if same and all(key(each, rules, given) == first for each in completions(tree, rules)):
            return None
    except Unsolvable:
        pass
    if len(asked) == 1:
        return f"the payoff {asked[0]} is unknown, and the answer depends on it"
    return f"the payoffs {', '.join(asked)} are unknown, and the answer depends on them"


def corners(tree: Tree, rules: Rules) -> Iterator[Tree]:
    """The tree with each unknown payoff at the least and the largest number it may be."""
    return _filled(tree, [_limits(rules)] * len(names(tree)))


def completions(tree: Tree, rules: Rules) -> Iterator[Tree]:
    """The tree with numbers for its unknown payoffs: as many as there are orders of all payoffs, or more.

    Payoffs count without their sign too, for questions about other payoffs made of these.
    """
    return _filled(tree, [places(tree, rules)] * len(names(tree)))


def places(tree: Tree, rules: Rules) -> Sequence[Number]:
    """The numbers put in for an unknown payoff."""
    asked = names(tree)
    low, high = _limits(rules)
    if tree.has_chance:
        return (low, high)
    numbers = [payoff for payoff in tree.payoffs if isinstance(payoff, int | Fraction)]
    ends = sorted({0, *numbers, *(-number for number in numbers), low, high})
    between = [
        exact(Fraction(below) + Fraction(above - below) * part / (len(asked) + 1))
        for below, above in pairwise(ends)
        for part in range(1, len(asked) + 1)
    ]
    return sorted(number for number in (*ends, *between) if low <= number <= high)


def _filled(tree: Tree, places: Sequence[Sequence[Number]]) -> Iterator[Tree]:
    asked = names(tree)
    for numbers in product(*places):
        yield with_numbers(tree, dict(zip(asked, numbers, strict=True)))


def _limits(rules: Rules) -> tuple[Number, Number]:
    return rules.bounds or (-BEYOND, BEYOND)


def _plain(tree: Tree, rules: Rules) -> Number:
    """The number that is put in to explain an answer."""
    low, high = _limits(rules)
    return min(max(low, 0), high)


def _completed(solved: Solved) -> Solved:
    plain = dict.fromkeys(names(solved.tree), _plain(solved.tree, solved.rules))
    return replace(solved, tree=with_numbers(solved.tree, plain))


def _for_instance(solved: Solved) -> str:
    """That the answer is the same for all numbers, and which number is taken to show it."""
    asked = names(solved.tree)
    return solved.language.say(
        "The answer is the same whatever {names} is; take {number}, for instance.",
        "The answer is the same whatever {names} are; take {number} for each, for instance.",
        len(asked),
        names=solved.language.listed(asked),
        number=solved.written(_plain(solved.tree, solved.rules)),
    )


def _touched(tree: Tree, node: int | None) -> bool:
    """Whether an unknown payoff lies below a node."""
    return node is None or any(node <= leaf < tree.ends[node] for leaf in tree.unknowns)
