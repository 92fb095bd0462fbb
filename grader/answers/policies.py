"""The policies by which sets of leaves and branches are credited: how they are spelled, count, and sound."""

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers.form import Credit, Earned, Form, Item, Policy, Room, Tally, Terms, Verdict
from grader.base.numbers import NumeralError, exact, read_number, write_number
from grader.base.phrases import Phrase
from grader.tree import Tree


class PolicyError(ValueError):
    """A text that names no policy; its message says what does."""


def read_policy(text: str) -> Policy:
    """Read `exact`, `net`, `each` or `deduct:1/2`; raises `PolicyError`."""
    match text.strip().lower().split(":"):
        case ["exact"]:
            return Policy("exact")
        case ["net"]:
            return Policy("net")
        case ["each"]:
            return Policy("each")
        case ["deduct", amount]:
            try:
                deduction = read_number(amount.strip())
            except NumeralError as error:
                raise PolicyError(f"the deduction {error}; write for example deduct:1/2") from None
            if deduction <= 0:
                raise PolicyError("a deduction is more than 0; write for example deduct:1/2")
            return Policy("deduct", deduction)
    raise PolicyError("a policy is exact, net, each or deduct:k, for example deduct:1/2")


def write_policy(policy: Policy) -> str:
    """The spelling that `read_policy` reads."""
    return f"deduct:{write_number(policy.deduction)}" if policy.name == "deduct" else policy.name


def share(reply: Set[int], key: Set[int], size: int, points: Fraction, policy: Policy) -> Fraction:
    """The share of the full mark for a set out of `size` things, before the rule on naming everything."""
    if reply == key:
        return Fraction(1)
    wrong, missing = len(reply - key), len(key - reply)
    match policy.name:
        case "exact":
            return Fraction(0)
        case "net":
            return max(Fraction(0), Fraction(len(reply & key) - wrong, len(key))) if key else Fraction(0)
        case "each":
            blind = Fraction(max(len(key), size - len(key)), size)
            seen = Fraction(size - wrong - missing, size)
            return max(Fraction(0), (seen - blind) / (1 - blind)) if blind < 1 else Fraction(0)
        case "deduct":
            return max(Fraction(0), 1 - Fraction(policy.deduction) * (wrong + missing) / points)


def credit_set(
    reply: Set[int],
    key: Set[int],
    size: int,
    covers: Callable[[Set[int]], bool],
    terms: Terms,
    node: Callable[[int], int],
    write: Callable[[int], str],
) -> Credit:
    """Credit a set of things by the policy of the terms.

    `size` is how many things there are to choose from; `covers` says whether a set crosses out
    everything, which earns nothing under any policy unless the key does so too.
    `node` and `write` give the node and the canonical text of a thing, for the items.
    """
    earned = share(reply, key, size, Fraction(terms.points), terms.policy)
    if earned and reply != key and covers(reply) and not covers(key):
        earned = Fraction(0)
    items = []
    for thing in sorted(reply | key):
        verdict: Verdict = "missing" if thing not in reply else "right" if thing in key else "extra"
        name = write(thing)
        said, right = "" if verdict == "missing" else name, "" if verdict == "extra" else name
        items.append(Item(node(thing), said, right, verdict))
    return Credit(earned, tuple(items))


@dataclass(frozen=True, slots=True)
class Members:
    """What a set is a set of, and the sentences that say how it is credited.

    - `size`: how many of them there are in a tree.
    - `exact`, `net`, `each`, `deduct`: what a student is told beforehand about each policy; of the last one
      in the singular and in the plural.
    - `everything`: what is said of a reply that names everything.
    - `above`, `below`: what is said of a reply under `each` that is better than naming all or none, and of
      one that is not; of both, first where naming none is the better of the two, then where naming all is.
    """

    size: Callable[[Tree], int]
    exact: Phrase
    net: Phrase
    each: Phrase
    deduct: tuple[Phrase, Phrase]
    everything: Phrase
    above: tuple[Phrase, Phrase]
    below: tuple[Phrase, Phrase]

    def form(self, **own: Any) -> Form[frozenset[int]]:
        """The form of a reply that is such a set, with all that sets have in common."""
        return Form(
            guide=Phrase("Order, separators and repetition do not matter."),
            credited=self.credited,
            tally=self.tally,
            doubt=lambda key, _tree: "" if key else "nothing is pruned in this tree",
            room=Room("line", leaves=40),
            counts_leaves=True,
            shown="crosses",
            **own,
        )

    def credited(self, terms: Terms) -> str:
        """How a reply that is not wholly right is credited."""
        language, policy = terms.language, terms.policy
        match policy.name:
            case "exact":
                return language.say(self.exact)
            case "net":
                return language.say(self.net)
            case "each":
                return language.say(self.each)
            case "deduct":
                number = 1 if policy.deduction == 1 else 2
                return language.say(*self.deduct, number, lost=language.number(policy.deduction))

    def tally(self, account: Earned[Any]) -> Tally:
        """How the points came about; what only follows from other answers is wrong here."""
        terms, points = account.terms, account.points
        say, policy, size = terms.language.say, terms.policy, self.size(account.tree)
        counts = Counter(item.verdict for item in account.items)
        right, missing = counts["right"], counts["missing"]
        wrong = len(account.items) - right - missing
        key = right + missing
        said = set(range(right + wrong))
        asked = {*range(right), *range(right + wrong, len(account.items))}
        earned = share(said, asked, size, Fraction(terms.points), policy)
        if earned and account.nothing and _names_everything(account):
            why = say(self.everything, **points)
            return Tally(Fraction(0), why, why)
        match policy.name:
            case "exact":
                why = hidden = say("Only the complete answer earns points: {points} of {maximum}.", **points)
            case "net" if right > wrong:
                values = {"right": right, "wrong": wrong, "left": right - wrong, "key": key, **points}
                why = hidden = say(
                    "{right} right minus {wrong} wrong is {left} of {key}: {points} of {maximum}.", **values
                )
            case "net":
                values = {"right": right, "wrong": wrong, **points}
                why = hidden = say(
                    "{right} right minus {wrong} wrong is not above 0: {points} of {maximum}.", **values
                )
            case "each":
                seen, blind = size - wrong - missing, max(key, size - key)
                told = self.above if seen > blind else self.below
                values = {"seen": seen, "size": size, "blind": blind, **points}
                values |= {"above": seen - blind, "possible": size - blind}
                why = say(told[size - key < key], **values)
                hidden = say("No more is right than by naming all or none: {points} of {maximum}.", **points)
            case "deduct":
                values = {"wrong": wrong, "missing": missing, **points}
                values["each"] = account.number(policy.deduction)
                cost = exact(Fraction(policy.deduction) * (wrong + missing))
                values |= {"cost": account.number(cost), "full": account.number(terms.points)}
                why = say(_COST if earned else _COST_ALL, **values)
                hidden = say("What is wrong or left out costs all points: {points} of {maximum}.", **points)
        return Tally(earned, why, hidden)


_COST = Phrase(
    "{wrong} wrong and {missing} left out cost {each} each, {cost} of {full}: {points} of {maximum}."
)
_COST_ALL = Phrase(
    "{wrong} wrong and {missing} left out cost {each} each, which is all: {points} of {maximum}."
)


def _names_everything(account: Earned[Any]) -> bool:
    """Whether every leaf is named, or something above it."""
    tree = account.tree
    said = {item.node for item in account.items if item.verdict != "missing"}
    return all(leaf in said or not said.isdisjoint(tree.ancestors(leaf)) for leaf in tree.leaves)


LEAF_SETS = Members(
    size=lambda tree: len(tree.leaves),
    exact=Phrase("Only the complete answer earns points: all these leaves and no others."),
    net=Phrase(
        "Each leaf you name wrongly takes away as much as a right one earns (never below 0); "
        "naming all leaves earns nothing."
    ),
    each=Phrase(
        "Every leaf counts, rightly named or rightly left out, but only beyond what naming all "
        "leaves or naming none gets right, whichever is more; neither earns anything unless it is right."
    ),
    deduct=(
        Phrase(
            "Each leaf you name wrongly and each one you leave out costs {lost} point (never below 0); "
            "naming all leaves earns nothing."
        ),
        Phrase(
            "Each leaf you name wrongly and each one you leave out costs {lost} points (never below 0); "
            "naming all leaves earns nothing."
        ),
    ),
    everything=Phrase("Naming all leaves earns nothing: {points} of {maximum}."),
    above=(
        Phrase(
            "{seen} of {size} leaves are right, named or left out; naming none would get {blind} right, "
            "so {above} of {possible} above that: {points} of {maximum}."
        ),
        Phrase(
            "{seen} of {size} leaves are right, named or left out; naming all would get {blind} right, "
            "so {above} of {possible} above that: {points} of {maximum}."
        ),
    ),
    below=(
        Phrase(
            "{seen} of {size} leaves are right, named or left out; naming none would get {blind} right, "
            "which is no less: {points} of {maximum}."
        ),
        Phrase(
            "{seen} of {size} leaves are right, named or left out; naming all would get {blind} right, "
            "which is no less: {points} of {maximum}."
        ),
    ),
)
"""A set of leaves."""

BRANCH_SETS = Members(
    size=lambda tree: len(tree) - 1,
    exact=Phrase("Only the complete answer earns points: all these branches and no others."),
    net=Phrase(
        "Each branch you name wrongly takes away as much as a right one earns (never below 0); "
        "naming all branches earns nothing."
    ),
    each=Phrase(
        "Every branch counts, rightly named or rightly left out, but only beyond what naming all "
        "branches or naming none gets right, whichever is more; neither earns anything unless it is right."
    ),
    deduct=(
        Phrase(
            "Each branch you name wrongly and each one you leave out costs {lost} point (never below 0); "
            "naming all branches earns nothing."
        ),
        Phrase(
            "Each branch you name wrongly and each one you leave out costs {lost} points (never below 0); "
            "naming all branches earns nothing."
        ),
    ),
    everything=Phrase("Naming all branches earns nothing: {points} of {maximum}."),
    above=(
        Phrase(
            "{seen} of {size} branches are right, named or left out; naming none would get {blind} right, "
            "so {above} of {possible} above that: {points} of {maximum}."
        ),
        Phrase(
            "{seen} of {size} branches are right, named or left out; naming all would get {blind} right, "
            "so {above} of {possible} above that: {points} of {maximum}."
        ),
    ),
    below=(
        Phrase(
            "{seen} of {size} branches are right, named or left out; naming none would get {blind} right, "
            "which is no less: {points} of {maximum}."
        ),
        Phrase(
            "{seen} of {size} branches are right, named or left out; naming all would get {blind} right, "
            "which is no less: {points} of {maximum}."
        ),
    ),
)
"""A set of branches."""
