"""How sets of leaves and branches are credited, and how a policy is spelled."""

from collections.abc import Callable, Set
from fractions import Fraction

from grader.answers.form import Credit, Item, Policy, Terms, Verdict
from grader.base.numbers import NumeralError, read_number, write_number


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
