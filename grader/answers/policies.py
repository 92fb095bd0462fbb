"""How policies are spelled, and how sets of leaves and branches are credited by them, also in words."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, get_args

from grader.answers.form import (
    AnswerSpace,
    CreditBasis,
    Form,
    Item,
    ItemVerdict,
    Policy,
    PolicyName,
    Tally,
    Terms,
)
from grader.base.numbers import NumeralError, normalize_number, read_number, write_number
from grader.base.phrases import Phrase
from grader.trees.tree import Tree

_NAMES: dict[str, PolicyName] = {name: name for name in get_args(PolicyName)}

_LIMITS = {
    "keep": "a share must be more than 0 and less than 1, with a denominator of at most 1000",
    "deduct": "a deduction must be more than 0",
}
"""The policies with an amount, and the error for an amount that is out of range."""

POLICY_SPELLINGS = {"keep": "keep:F", "deduct": "deduct:K"}
"""How help and hints write the policies with an amount."""

_MAX_EXACT_DENOMINATOR = 10**12
"""The largest denominator of a share under `keep`: records hold numbers of at most 30 digits."""

_MAX_COUNTED_MISTAKES = 30_000
"""After this many mistakes, twelve decimals show 0, even if each leaves the share 999/1000."""


class PolicyError(ValueError):
    """A text that names no policy; its message says what does."""


def read_policy(text: str) -> Policy:
    """Read `keep:1/2`, `exact`, `net`, `players`, `deduct:1/2`, ...; raises `PolicyError`."""
    name, _, amount = text.strip().lower().partition(":")
    if name not in _NAMES or (name in _LIMITS) != bool(amount):
        plain = ", ".join(name for name in _NAMES if name not in (*_LIMITS, "each"))
        raise PolicyError(
            f"a policy is {plain}, keep:F or deduct:K, for example keep:1/2 (each mistake halves the points) "
            "or deduct:1/2 (each mistake costs half a point)"
        )
    if not amount:
        return Policy(_NAMES[name])
    example = f"write for example {name}:1/2"
    try:
        value = read_number(amount.strip())
    except NumeralError as error:
        raise PolicyError(f"the number in {name}: {error}; {example}") from None
    if value <= 0 or (name == "keep" and (value >= 1 or value.denominator > 1000)):
        raise PolicyError(f"{_LIMITS[name]}; {example}")
    return Policy(_NAMES[name], value)


def write_policy(policy: Policy) -> str:
    """The spelling that `read_policy` reads."""
    match policy.name:
        case "keep":
            return f"keep:{policy.amount}"
        case "deduct":
            return f"deduct:{write_number(policy.amount)}"
        case name:
            return name


class SetCounts(NamedTuple):
    """How a reply compares with the key.

    - `right`, `wrong`, `missing`: how many things are listed correctly, listed incorrectly and left out.
    - `lists_everything`: whether the reply lists all there is; that earns nothing unless it is the key.
    """

    right: int
    wrong: int
    missing: int
    lists_everything: bool = False


def share_of_counts(counts: SetCounts, size: int, terms: Terms) -> Fraction:
    """Return the share of the full mark that a set or an order earns; `size` is how many things there are.

    Everything that marks sets and orders asks here, so that all mark alike.
    """
    right, wrong, missing, lists_everything = counts
    mistakes, key, policy = wrong + missing, right + missing, terms.policy
    if not mistakes:
        return Fraction(1)
    if lists_everything:
        return Fraction(0)
    match policy.name:
        case "keep":
            return _kept_share(Fraction(policy.amount), mistakes) if right > wrong else Fraction(0)
        case "net":
            return max(Fraction(0), Fraction(right - wrong, key or 1))
        case "each":
            blind = max(key, size - key)
            return max(Fraction(0), Fraction(size - mistakes - blind, (size - blind) or 1))
        case "deduct":
            return max(Fraction(0), 1 - Fraction(policy.amount) * mistakes / Fraction(terms.points))
        case _:
            return Fraction(0)


def _kept_share(factor: Fraction, mistakes: int) -> Fraction:
    """Return `factor ** mistakes`, with at most twelve decimals where the fraction would be longer."""
    share = factor ** min(mistakes, _MAX_COUNTED_MISTAKES)
    if share.denominator <= _MAX_EXACT_DENOMINATOR:
        return share
    return Fraction(int(share * _MAX_EXACT_DENOMINATOR), _MAX_EXACT_DENOMINATOR)


def compare_sets(
    reply: Set[int], key: Set[int], node: Callable[[int], int], write: Callable[[int], str] | None
) -> tuple[Item, ...]:
    """Return an item for each member of a reply or its key.

    `node` gives the node of a member and `write` its text; items have no texts without it.
    """
    items = []
    for member in sorted(reply | key):
        verdict: ItemVerdict = "missing" if member not in reply else "right" if member in key else "extra"
        name = "" if write is None else write(member)
        listed, wanted = "" if verdict == "missing" else name, "" if verdict == "extra" else name
        items.append(Item(node(member), listed, wanted, verdict))
    return tuple(items)


@dataclass(frozen=True, slots=True)
class SetCredit:
    """The credit of sets: the number of possible members in a tree, and the marking rule of each policy.

    If they `are_branches`, one member may be below another.
    """

    size: Callable[[Tree], int]
    policy_sentences: Mapping[str, tuple[Phrase, ...]]
    are_branches: bool = False

    def form(self, **own: Any) -> Form[frozenset[int]]:
        """The form of a reply that is such a set, with all that sets have in common."""
        return Form(
            marking_rule=Phrase("Order, separators, and repetition do not matter."),
            credit_sentence=self.credit_sentence,
            has_one_spelling=not self.are_branches,
            share=self.share,
            tally=self.tally,
            distance=lambda reply, other: len(reply ^ other),
            key_remark=lambda key, _tree: "" if key else "nothing is pruned in this tree",
            answer_space=AnswerSpace("line", leaves=40),
            counts_leaves=True,
            drawn_verdicts="crosses",
            policies=("keep", "net", "deduct", "exact"),
            earlier_policies=("each",),
            **own,
        )

    def credit_sentence(self, terms: Terms, _tree: Tree) -> str:
        """Say how a reply that is not wholly right is credited, for any tree."""
        language, policy = terms.language, terms.policy
        one, *many = self.policy_sentences[policy.name]
        match policy.name:
            case "keep":
                return keep_sentence(terms, one, many[0])
            case "deduct":
                count = 1 if policy.amount == 1 else 2
                return language.say(one, many[0], count, lost=language.number(policy.amount))
            case _:
                return language.say(one)

    def share(self, items: Sequence[Item], _key: object, tree: Tree, terms: Terms) -> Fraction:
        """The share of the full mark by the policy of the terms."""
        return share_of_counts(self._counts(items, tree, terms.policy), self.size(tree), terms)

    def _counts(self, items: Sequence[Item], tree: Tree, policy: Policy) -> SetCounts:
        """Count the things that are right, wrong and left out.

        A branch below one of the key is crossed out rightly, so it costs nothing, here as where platforms
        mark ticks; unless only the complete answer counts.
        """
        verdicts = [item.verdict for item in items]
        right, missing = verdicts.count("right"), verdicts.count("missing")
        idle = 0
        if self.are_branches and policy.name != "exact":
            key = {item.node for item in items if item.verdict in ("right", "missing")}
            others = (item.node for item in items if item.node not in key)
            idle = sum(node is not None and not key.isdisjoint(tree.ancestors(node)) for node in others)
        wrong = len(items) - right - missing - idle
        return SetCounts(right, wrong, missing, self._lists_everything(items, tree))

    def _lists_everything(self, items: Sequence[Item], tree: Tree) -> bool:
        """Return whether all is listed, of branches every leaf or one above it."""
        listed = {item.node for item in items if item.verdict != "missing"}
        if not self.are_branches:
            return len(listed) >= self.size(tree)
        return all(leaf in listed or not listed.isdisjoint(tree.ancestors(leaf)) for leaf in tree.leaves)

    def tally(self, account: CreditBasis[Any]) -> Tally:
        """Say how the points came about; an item that only follows from other answers is wrong here."""
        terms, size = account.terms, self.size(account.tree)
        say, policy = terms.language.say, terms.policy
        counts = self._counts(account.items, account.tree, policy)
        by_policy = share_of_counts(counts._replace(lists_everything=False), size, terms)
        if by_policy and not share_of_counts(counts, size, terms):
            return Tally(say(EVERYTHING_TALLY, **account.points))
        right, wrong, missing, _ = counts
        key, points = right + missing, account.points
        match policy.name:
            case "keep":
                return keep_tally(counts, account)
            case "exact":
                return Tally(say(COMPLETE_TALLY, **points))
            case "net":
                return net_tally(right, wrong, key, account)
            case "each":
                correct, blind = size - wrong - missing, max(key, size - key)
                values = {"seen": correct, "size": size, "blind": blind}
                values |= {"above": correct - blind, "possible": size - blind}
                why = (_ABOVE if correct > blind else _BELOW)[size - key < key]
                hidden = say(
                    "The answer is no better than listing all or none. Score: {points} of {maximum}.",
                    **points,
                )
                return Tally(say(why, **values, **points), hidden)
            case _:
                cost = normalize_number(Fraction(policy.amount) * (wrong + missing))
                amounts = {"each": policy.amount, "cost": cost, "full": terms.points}
                texts = {name: account.number(amount) for name, amount in amounts.items()}
                hidden = say(
                    "The incorrect and missing items use up all the points. Score: {points} of {maximum}.",
                    **points,
                )
                phrase = _COST if by_policy else _COST_ALL
                return Tally(say(phrase, wrong=wrong, missing=missing, **texts, **points), hidden)


def net_tally(right: int, wrong: int, key: int, account: CreditBasis[Any]) -> Tally:
    """Say how points came about if an incorrect item cancels a correct one; `key` is the size of the key."""
    phrase = _NET if right > wrong else _NET_ZERO
    values = {"right": right, "wrong": wrong, "left": right - wrong, "key": key}
    return Tally(account.terms.language.say(phrase, **values, **account.points))


def keep_sentence(terms: Terms, halves: Phrase, multiplies: Phrase) -> str:
    """Say how `keep` credits: by the first phrase if each mistake halves the points."""
    if terms.policy.amount == Fraction(1, 2):
        return terms.language.say(halves)
    return terms.language.say(multiplies, factor=str(terms.policy.amount))


def keep_tally(counts: SetCounts, account: CreditBasis[Any], zero: Phrase | None = None) -> Tally:
    """Say how points came about by `keep`; `zero` says why there are none, if not as of sets."""
    terms, points = account.terms, account.points
    right, wrong, missing, _ = counts
    values = {"right": right, "wrong": wrong, "missing": missing, **points}
    hidden = terms.language.say(
        "The correct items do not outnumber the incorrect ones. Score: {points} of {maximum}.", **points
    )
    if right <= wrong:
        return Tally(terms.language.say(zero or _KEEP_ZERO, **values), hidden)
    if terms.policy.amount == Fraction(1, 2):
        return Tally(terms.language.say(_HALVED, **values), hidden)
    return Tally(terms.language.say(_MULTIPLIED, factor=str(terms.policy.amount), **values), hidden)


_HALVED = Phrase(
    "Incorrect items: {wrong}. Missing items: {missing}. Each of them halves the points. Score: "
    "{points} of {maximum}."
)
_MULTIPLIED = Phrase(
    "Incorrect items: {wrong}. Missing items: {missing}. Each of them multiplies the points by {factor}. "
    "Score: {points} of {maximum}."
)
_KEEP_ZERO = Phrase(
    "Correct items: {right}. Incorrect items: {wrong}. "
    "Only an answer with more correct than incorrect items earns points. Score: {points} of {maximum}."
)
EVERYTHING_TALLY = Phrase("Listing everything earns nothing. Score: {points} of {maximum}.")
COMPLETE_TALLY = Phrase("Only a complete and correct answer earns points. Score: {points} of {maximum}.")
_NET = Phrase(
    "The number of correct items minus the number of incorrect items is {right} − {wrong} = {left}, out of "
    "{key}. Score: {points} of {maximum}."
)
_NET_ZERO = Phrase(
    "The number of correct items minus the number of incorrect items, {right} − {wrong}, is not positive. "
    "Score: {points} of {maximum}."
)
_ABOVE = (
    Phrase(
        "{seen} of {size} items are correctly listed or omitted. Listing none would get {blind} correct. "
        "Beyond that, {above} of {possible} count. Score: {points} of {maximum}."
    ),
    Phrase(
        "{seen} of {size} items are correctly listed or omitted. Listing all would get {blind} correct. "
        "Beyond that, {above} of {possible} count. Score: {points} of {maximum}."
    ),
)
_BELOW = (
    Phrase(
        "{seen} of {size} items are correctly listed or omitted. "
        "Listing none would get {blind} correct, which is at least as many. Score: {points} of {maximum}."
    ),
    Phrase(
        "{seen} of {size} items are correctly listed or omitted. "
        "Listing all would get {blind} correct, which is at least as many. Score: {points} of {maximum}."
    ),
)
_COST = Phrase(
    "Incorrect items: {wrong}. Missing items: {missing}. "
    "Each costs {each}, for a total of {cost} out of {full}. Score: {points} of {maximum}."
)
_COST_ALL = Phrase(
    "Incorrect items: {wrong}. Missing items: {missing}. Each costs {each}, which uses up all the points. "
    "Score: {points} of {maximum}."
)
