"""Shared by questions about unknown payoffs: their fields, their sentences, and substituting numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from grader.base.intervals import Spans, complement, contains, intersection, numbers_related_to, union
from grader.base.numbers import INFINITY, Number, normalize_number, read_number
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import BeliefKey
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import game_sentences, probability_sentences
from grader.solvers.solvable import Unsolvable
from grader.solvers.trial_numbers import substitute_unknowns
from grader.solvers.unknown_payoff import Unknown
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

ANY_NUMBER = plural_phrase(
    "The payoff {names} is unknown: it can be any number.",
    "The payoffs {names} are unknown: each can be any number.",
)
NUMBER_WITHIN_LIMITS = plural_phrase(
    "The payoff {names} is unknown.",
    "The payoffs {names} are unknown.",
)
KNOWN_NUMBER = Phrase("Let {name} = {number}.")
NUMBER_OF_UNKNOWN = Phrase("{name} = {number}")

A = TypeVar("A")

BEYOND_ALL_PAYOFFS = 10**9
"""Beyond all payoffs: put in for unknowns that may be anything."""


def names(tree: Tree) -> tuple[str, ...]:
    """The names of the unknown payoffs, from left to right."""
    return tuple(dict.fromkeys(str(tree.payoffs[leaf]) for leaf in tree.unknowns))


def known_values(given: Given) -> dict[str, Number]:
    """Return the given values of other unknowns."""
    return {name: read_number(number) for name, number in given.get("told", {}).items()}


def requested_unknown(case: Case) -> str:
    """Return the unknown that the question is about: the given one, or the first without a given value."""
    untold = [name for name in names(case.tree) if name not in known_values(case.given)]
    name: str = case.given.get("unknown", untold[0])
    return name


def requested_unknown_leaf(case: Case) -> int:
    """Return the first leaf of the unknown that the question is about."""
    return next(leaf for leaf in case.tree.unknowns if case.tree.payoffs[leaf] == requested_unknown(case))


def solver_question(case: Case) -> Unknown:
    """The question for the solver: where chance moves and payoffs have limits, x keeps within them."""
    return Unknown(case.tree, requested_unknown(case), known_values(case.given), limits_of(case))


def unspecified_unknowns(case: Case) -> tuple[str, ...]:
    """Return the other unknowns without a given value."""
    return tuple(
        name
        for name in names(case.tree)
        if name not in known_values(case.given) and name != requested_unknown(case)
    )


def limits_of(case: Case) -> tuple[Number, Number] | None:
    """Between which numbers x lies, where that is known."""
    return case.rules.bounds if case.tree.has_chance else None


def unknowns_objection(case: Case) -> str | None:
    """Return why the tree or the fields do not suit a question about an unknown, or None."""
    tree, given = case.tree, case.given
    if tree.seats:
        return "the game has several players"
    if case.rules.depth is not None:
        return "the rules have a depth limit, and this kind asks about the whole tree"
    if case.rules.narrows_root and not tree.has_chance:
        return "the rules give bounds or a window to start with, which this kind takes only with chance nodes"
    if not tree.unknowns:
        return "no payoff is unknown"
    numbers, requested, node = (
        given.get("told", {}),
        given.get("unknown", ""),
        given.get("node", tree.names[0]),
    )
    if not isinstance(numbers, dict) or not isinstance(requested, str) or not isinstance(node, str):
        return "what is given is not of the right type"
    try:
        known_values(given)
    except (TypeError, ValueError):
        return "what is known about an unknown is not a number in quotes"
    left = set(names(tree)) - set(numbers)
    if not left or (requested and requested not in left):
        return f"there is no unknown {requested}".strip()
    return None if node in tree.index else f"there is no node {node}"


def answer_objection(key: Callable[[Case], object], case: Case) -> str | None:
    """Why there is nothing to ask or no answer, or None."""
    why = unknowns_objection(case)
    if why is None:
        try:
            key(case)
        except Unsolvable as error:
            return str(error)
    return why


def where_answerable(believed: BeliefKey[A]) -> BeliefKey[A]:
    """Wrap a belief; None if its answer depends on another unknown."""

    def key(case: Case) -> A | None:
        try:
            return believed(case)
        except Unsolvable:
            return None

    return key


def unknown_payoffs_sentence(case: Case, language: Language) -> str:
    """Say which payoffs are unknown, and whether they can be any number."""
    every = names(case.tree)
    sentences = ANY_NUMBER if limits_of(case) is None else NUMBER_WITHIN_LIMITS
    return language.say(*sentences, len(every), names=join_names(every, language))


def join_names(unknowns: Iterable[str], language: Language) -> str:
    """Join the names of unknown payoffs in the order of the alphabet: `x and y`."""
    return language.join_and(sorted(unknowns))


def unknowns_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say who plays, and what is known about the unknown payoffs."""
    takes = [
        language.say(KNOWN_NUMBER, name=name, number=language.number(number))
        for name, number in known_values(case.given).items()
    ]
    return (
        *game_sentences(case, language),
        *probability_sentences(case, language),
        unknown_payoffs_sentence(case, language),
        *takes,
    )


def simplify_to_limits(spans: Spans, limits: tuple[Number, Number] | None) -> Spans:
    """A set within the limits of x, as people write it: `x <= 3` and not `0 <= x <= 3`."""
    if limits is None:
        return spans
    low, high = limits
    within = intersection(spans, intersection(numbers_related_to(">=", low), numbers_related_to("<=", high)))
    below = numbers_related_to("<", low) if contains(within, low) else ()
    above = numbers_related_to(">", high) if contains(within, high) else ()
    return union((*within, *below, *above))


def substitute_unknown(case: Case, number: Number) -> Tree:
    """Return the tree with a number in place of the unknown, and the given values in place of others.

    Others without a given value do not matter: they are 0.
    """
    numbers = (
        dict.fromkeys(names(case.tree), 0) | known_values(case.given) | {requested_unknown(case): number}
    )
    return substitute_unknowns(case.tree, numbers)


def trees_with_one_unknown(case: Case) -> Iterator[Tree]:
    """Yield trees with only the requested unknown; others without a given value are at an extreme."""
    others = unspecified_unknowns(case)
    for extreme in (-BEYOND_ALL_PAYOFFS, BEYOND_ALL_PAYOFFS) if others else (0,):
        yield substitute_unknowns(case.tree, dict.fromkeys(others, extreme) | known_values(case.given))


def common_spans(results: Iterable[Spans]) -> Spans:
    """Return the set that is the same for both extremes of the other unknowns.

    Raises `Unsolvable` if it is not.
    """
    every = set(results)
    if len(every) > 1:
        raise Unsolvable("the answer depends on another unknown")
    return every.pop()


def witness(one: Spans, other: Spans, limits: tuple[Number, Number] | None) -> Number | None:
    """Return the plainest number within the limits that is in only one of two sets, or None."""
    domain = (
        numbers_related_to("<=", INFINITY)
        if limits is None
        else intersection(*map(numbers_related_to, (">=", "<="), limits))
    )
    difference = intersection(
        domain, union((*intersection(one, complement(other)), *intersection(other, complement(one))))
    )
    return min(map(plain_number_in, [(span,) for span in difference]), key=_plainness, default=None)


def plain_number_in(spans: Spans) -> Number:
    """Return a plain number in a nonempty set."""
    low, high = spans[0].low, spans[0].high
    candidates: list[Number] = [number for number in (low, high) if not isinstance(number, float)]
    if isinstance(low, float):
        candidates += [0] if isinstance(high, float) else [-(-high // 1) - 1]
    elif isinstance(high, float):
        candidates.append(low // 1 + 1)
    else:
        candidates += [low // 1 + 1, normalize_number(Fraction(low + high) / 2)]
    return min((normalize_number(number) for number in candidates if contains(spans, number)), key=_plainness)


def _plainness(number: Number) -> tuple[int, Number]:
    return Fraction(number).denominator, normalize_number(abs(Fraction(number)))


def samples(spans: Spans, limits: tuple[Number, Number] | None) -> tuple[Number, ...]:
    """Return a number from every part of a set and of its complement, ascending."""
    ends: Sequence[Spans] = [*((span,) for span in spans), *((span,) for span in complement(spans))]
    low, high = limits or (-INFINITY, INFINITY)
    return tuple(sorted(x for part in ends if low <= (x := plain_number_in(part)) <= high))


def with_x_phrase(solved: SolvedExercise, number: Number) -> str:
    """`With x = 3`, for the start of a sentence about a number."""
    name = requested_unknown(solved.case)
    return solved.language.term(NUMBER_OF_UNKNOWN, name=name, number=solved.value_text(number))
