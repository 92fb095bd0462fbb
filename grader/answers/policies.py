"""How policies are spelled, and how sets of leaves and branches are credited by them, also in words."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, get_args

from grader.answers.form import (
    AnswerSpace,
    CreditBasis,
    Form,
    Item,
    Policy,
    PolicyName,
    Tally,
    Terms,
    Verdict,
)
from grader.base.numbers import NumeralError, normalize_number, read_number, write_number
from grader.base.phrases import Phrase, plural_phrase
from grader.trees.tree import Tree

_NAMES: dict[str, PolicyName] = {name: name for name in get_args(PolicyName)}


class PolicyError(ValueError):
    """A text that names no policy; its message says what does."""


def read_policy(text: str) -> Policy:
    """Read `exact`, `net`, `players`, `deduct:1/2`, ...; raises `PolicyError`."""
    said, _, amount = text.strip().lower().partition(":")
    if said not in _NAMES or (said == "deduct") != bool(amount):
        plain = ", ".join(name for name in _NAMES if name != "deduct")
        raise PolicyError(f"a policy is {plain} or deduct:k, for example deduct:1/2")
    try:
        deduction = read_number(amount.strip()) if amount else 0
    except NumeralError as error:
        raise PolicyError(f"the deduction {error}; write for example deduct:1/2") from None
    if amount and deduction <= 0:
        raise PolicyError("a deduction is more than 0; write for example deduct:1/2")
    return Policy(_NAMES[said], deduction)


def write_policy(policy: Policy) -> str:
    """The spelling that `read_policy` reads."""
    return f"deduct:{write_number(policy.deduction)}" if policy.name == "deduct" else policy.name


def compare_sets(
    reply: Set[int], key: Set[int], node: Callable[[int], int], write: Callable[[int], str]
) -> tuple[Item, ...]:
    """Everything that is named or asked for; `node` and `write` give the node and the text of a thing."""
    items = []
    for thing in sorted(reply | key):
        verdict: Verdict = "missing" if thing not in reply else "right" if thing in key else "extra"
        name = write(thing)
        said, right = "" if verdict == "missing" else name, "" if verdict == "extra" else name
        items.append(Item(node(thing), said, right, verdict))
    return tuple(items)


def _of_key(items: Sequence[Item]) -> Set[int | None]:
    """The nodes of the things that are asked for."""
    return {item.node for item in items if item.verdict in ("right", "missing")}


@dataclass(frozen=True, slots=True)
class SetCredit:
    """What a set is a set of: how many of them a tree has, and what a student is told of each policy.

    Of `are_branches`, which are nodes, some are below others.
    """

    size: Callable[[Tree], int]
    policy_sentences: Mapping[str, tuple[Phrase, ...]]
    are_branches: bool = False

    def form(self, **own: Any) -> Form[frozenset[int]]:
        """The form of a reply that is such a set, with all that sets have in common."""
        return Form(
            marking_rule=Phrase("Order, separators and repetition do not matter."),
            credit_sentence=self.credit_sentence,
            is_fully_right=self.is_fully_right,
            share=self.share,
            tally=self.tally,
            distance=lambda reply, other: len(reply ^ other),
            key_remark=lambda key, _tree: "" if key else "nothing is pruned in this tree",
            answer_space=AnswerSpace("line", leaves=40),
            counts_leaves=True,
            drawn_verdicts="crosses",
            policies=("net", "each", "deduct", "exact"),
            **own,
        )

    def credit_sentence(self, terms: Terms, _tree: Tree) -> str:
        """How a reply that is not wholly right is credited."""
        # whatever the tree looks like
        language, policy = terms.language, terms.policy
        one, *many = self.policy_sentences[policy.name]
        if not many:
            return language.say(one)
        count = 1 if policy.deduction == 1 else 2
        return language.say(one, many[0], count, lost=language.number(policy.deduction))

    def is_fully_right(self, reply: Set[int], key: Set[int], _tree: Tree, _terms: Terms) -> bool:
        """Whether a reply earns everything: where nothing is below something else, it is the key."""
        # whatever the tree looks like
        return reply == key

    def share(self, items: Sequence[Item], _key: object, tree: Tree, terms: Terms) -> Fraction:
        """The share of the full mark by the policy of the terms.

        To name everything earns nothing under any policy unless that is right.
        """
        # the items say it
        found = self._by_policy(items, tree, terms)
        return Fraction(0) if found < 1 and self._names_everything(items, tree) else found

    def _by_policy(self, items: Sequence[Item], tree: Tree, terms: Terms) -> Fraction:
        """The share of the full mark, before the rule on naming everything."""
        policy = terms.policy
        right, wrong, missing = self._counts(items, tree, policy)
        size, key = self.size(tree), right + missing
        if not wrong + missing:
            return Fraction(1)
        match policy.name:
            case "exact":
                found = Fraction(0)
            case "net":
                found = Fraction(right - wrong, key or 1)
            case "each":
                seen, blind = size - wrong - missing, max(key, size - key)
                found = Fraction(seen - blind, (size - blind) or 1)
            case _:
                found = 1 - Fraction(policy.deduction) * (wrong + missing) / Fraction(terms.points)
        return max(Fraction(0), found)

    def _counts(self, items: Sequence[Item], tree: Tree, policy: Policy) -> tuple[int, int, int]:
        """How many things are right, wrong and left out.

        What is below a branch of the key is crossed out rightly, so it costs nothing, here as where platforms
        mark ticks; unless only the complete answer counts.
        """
        verdicts = [item.verdict for item in items]
        right, missing = verdicts.count("right"), verdicts.count("missing")
        idle = 0
        if self.are_branches and policy.name != "exact":
            key = _of_key(items)
            others = (item.node for item in items if item.node not in key)
            idle = sum(node is not None and not key.isdisjoint(tree.ancestors(node)) for node in others)
        return right, len(items) - right - missing - idle, missing

    def _names_everything(self, items: Sequence[Item], tree: Tree) -> bool:
        """Whether all is named, of branches every leaf or one above it."""
        named = {item.node for item in items if item.verdict != "missing"}
        if not self.are_branches:
            return len(named) >= self.size(tree)
        return all(leaf in named or not named.isdisjoint(tree.ancestors(leaf)) for leaf in tree.leaves)

    def tally(self, account: CreditBasis[Any]) -> Tally:
        """How the points came about; what only follows from other answers is wrong here."""
        terms, tree, size = account.terms, account.tree, self.size(account.tree)
        say, policy = terms.language.say, terms.policy
        right, wrong, missing = self._counts(account.items, tree, policy)
        key = right + missing
        earned = self._by_policy(account.items, tree, terms)
        seen, blind = size - wrong - missing, max(key, size - key)
        cost = normalize_number(Fraction(policy.deduction) * (wrong + missing))
        values: dict[str, object] = {"right": right, "wrong": wrong, "missing": missing, "key": key}
        values |= {"size": size, "seen": seen, "blind": blind, "left": right - wrong}
        values |= {"above": seen - blind, "possible": size - blind, "cost": account.number(cost)}
        values |= {"each": account.number(policy.deduction), "full": account.number(terms.points)}
        match policy.name:
            case _ if earned and not self.share(account.items, None, tree, terms):
                why = hidden = _EVERYTHING
            case "exact":
                why = hidden = COMPLETE_TALLY
            case "net":
                why = hidden = NET_TALLY if right > wrong else NET_ZERO_TALLY
            case "each":
                why = (_ABOVE if seen > blind else _BELOW)[size - key < key]
                hidden = Phrase("No more is right than by naming all or none: {points} of {maximum}.")
            case _:
                why = _COST if earned else _COST_ALL
                hidden = Phrase("What is wrong or left out costs all points: {points} of {maximum}.")
        values |= account.points
        return Tally(say(why, **values), say(hidden, **values))


_EVERYTHING = Phrase("Naming everything earns nothing: {points} of {maximum}.")
COMPLETE_TALLY = Phrase("Only the complete answer earns points: {points} of {maximum}.")
NET_TALLY = Phrase("{right} right minus {wrong} wrong is {left} of {key}: {points} of {maximum}.")
NET_ZERO_TALLY = Phrase("{right} right minus {wrong} wrong is not above 0: {points} of {maximum}.")
_ABOVE = (
    Phrase(
        "{seen} of {size} are right, named or left out; naming none would get {blind} right, "
        "so {above} of {possible} above that: {points} of {maximum}."
    ),
    Phrase(
        "{seen} of {size} are right, named or left out; naming all would get {blind} right, "
        "so {above} of {possible} above that: {points} of {maximum}."
    ),
)
_BELOW = (
    Phrase(
        "{seen} of {size} are right, named or left out; naming none would get {blind} right, "
        "which is no less: {points} of {maximum}."
    ),
    Phrase(
        "{seen} of {size} are right, named or left out; naming all would get {blind} right, "
        "which is no less: {points} of {maximum}."
    ),
)
_COST = Phrase(
    "{wrong} wrong and {missing} left out cost {each} each, {cost} of {full}: {points} of {maximum}."
)
_COST_ALL = Phrase(
    "{wrong} wrong and {missing} left out cost {each} each, which is all: {points} of {maximum}."
)


LEAF_SETS = SetCredit(
    size=lambda tree: len(tree.leaves),
    policy_sentences={
        "exact": (Phrase("Only the complete answer earns points: all these leaves and no others."),),
        "net": (
            Phrase(
                "Each leaf you name wrongly takes away as much as a right one earns (never below 0); "
                "naming all leaves earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Every leaf counts, rightly named or rightly left out, but only beyond what naming all "
                "leaves or naming none gets right, whichever is more; "
                "neither earns anything unless it is right."
            ),
        ),
        "deduct": plural_phrase(
            "Each leaf you name wrongly and each one you leave out costs {lost} point (never below 0); "
            "naming all leaves earns nothing.",
            "Each leaf you name wrongly and each one you leave out costs {lost} points (never below 0); "
            "naming all leaves earns nothing.",
        ),
    },
)
"""A set of leaves."""

BRANCH_SETS = SetCredit(
    size=lambda tree: len(tree) - 1,
    are_branches=True,
    policy_sentences={
        "exact": (Phrase("Only the complete answer earns points: all these branches and no others."),),
        "net": (
            Phrase(
                "Each branch you name wrongly takes away as much as a right one earns (never below 0); "
                "naming all branches earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Every branch counts, rightly named or rightly left out, but only beyond what naming all "
                "branches or naming none gets right, whichever is more; "
                "neither earns anything unless it is right."
            ),
        ),
        "deduct": plural_phrase(
            "Each branch you name wrongly and each one you leave out costs {lost} point "
            "(never below 0); naming all branches earns nothing.",
            "Each branch you name wrongly and each one you leave out costs {lost} points "
            "(never below 0); naming all branches earns nothing.",
        ),
    },
)
"""A set of branches."""

NODE_SETS = SetCredit(
    size=lambda tree: len(tree) - 1,
    policy_sentences={
        "exact": (Phrase("Only the complete answer earns points: all these nodes and no others."),),
        "net": (
            Phrase(
                "Each node you name wrongly takes away as much as a right one earns (never below 0); "
                "naming all nodes earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Every node counts, rightly named or rightly left out, but only beyond what naming all "
                "nodes or naming none gets right, whichever is more; "
                "neither earns anything unless it is right."
            ),
        ),
        "deduct": plural_phrase(
            "Each node you name wrongly and each one you leave out costs {lost} point "
            "(never below 0); naming all nodes earns nothing.",
            "Each node you name wrongly and each one you leave out costs {lost} points "
            "(never below 0); naming all nodes earns nothing.",
        ),
    },
)
"""A set of nodes other than the root, each for itself."""

ONE_NODE = replace(
    NODE_SETS,
    policy_sentences={"exact": (Phrase("One node is asked for: naming more than one earns nothing."),)},
)
"""A set of which one node is right."""
