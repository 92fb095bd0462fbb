"""Judge the values claimed at nodes: correct, consistent with the values below, or incorrect and why."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from grader.answers.numeral import Numeral, matches_key
from grader.base.numbers import INFINITY, Bound, Number, normalize_number, write_number
from grader.base.phrases import Language, Phrase, paragraph
from grader.solvers.backup import back_up
from grader.solvers.explaining.node_wording import node_title, value_text
from grader.solvers.explaining.value_reasons import value_reason
from grader.solvers.solution import Solution
from grader.solvers.solvable import several_players
from grader.solvers.value_intervals import proved_intervals
from grader.trees.tree import Claim, Player, Tree, Value

ValueRange: TypeAlias = tuple[Any, Any]
"""The lowest and the highest possible value of a node: two numbers, infinities or vectors."""

MIN_DECIMALS = 2
"""A rounded value needs at least this many decimals to be right."""

_NOTHING = Phrase("The search proves nothing about {node}.")
_SETTLED = Phrase("The search proves the exact value: write {proved}.")
_TURNED = Phrase("The inequality sign is reversed: the search proves {proved}.")
_WEAKER = Phrase("This is true, but the search proves more: {proved}.")
_STRONGER = Phrase("This is more than the search proves: {proved}.")
_ONLY = Phrase("The search proves only {proved}.")
"""Messages about a bound that is not the proved one; `_ONLY` is for an incorrect value."""

_PROVED_RANGE = (
    Phrase("The search proves only that {node} is worth at least {low}: write {proved}."),
    Phrase("The search proves only that {node} is worth at most {high}: write {proved}."),
    _ONLY,
)
_POSSIBLE_RANGE = (
    Phrase("{node} is worth at least {low}, whatever the unknown payoffs are."),
    Phrase("{node} is worth at most {high}, whatever the unknown payoffs are."),
    Phrase("The value of {node} is between {low} and {high}, whatever the unknown payoffs are."),
)
"""Messages about a range that has only a lower limit, only an upper limit, or both."""

_FURTHER_DOWN = Phrase(
    "This value is consistent with the values written below it, so the mistake is farther down."
)
_IN_CROSSES = Phrase(
    "This value is consistent with skipping the crossed-out branches, so the mistake is in the crosses."
)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A value someone wrote at a node, and the truth.

    - `value`: the exact value, or at the depth limit the static evaluation; None where an unknown
      payoff decides.
    - `proved`: the range of the node's value that is known when the search leaves it, where a child that
      ended by a cutoff contributes only its bound; None if the search never visits the node.
    - `right`: a value has to be exact, rounded to `MIN_DECIMALS` or more places, or returned by the search; a
      bound has to be the one that is proved, or that the search returns, where the value is not proved.
    - `follows`: whether the claim follows from what the same person wrote below the node, with or
      without the branches crossed out there.
    - `why`: the right value and how it comes about; empty when the claim is right.
    """

    node: int
    claim: Claim
    value: Value | None
    proved: ValueRange | None
    right: bool
    follows: bool
    why: str


def judge_claims(solution: Solution, language: Language) -> tuple[JudgedClaim, ...]:
    """Judge every claim of the tree of a solution."""
    tree = solution.tree
    claimed = [node for node in range(len(tree)) if tree.claims[node] is not None]
    if not claimed:
        return ()
    # By all claims below a node, and by those that are not in crossed-out branches.
    whole, uncrossed = (_implied(solution, ignored) for ignored in ((False,) * len(tree), tree.crossed_out))
    known = _known(solution)
    faults: dict[int, Phrase] = {}
    judgements = []
    for node in reversed(claimed):  # a claim may follow from the wrong ones below it
        claim, value = tree.claims[node], solution.values[node]
        assert claim is not None
        fault = _fault(solution, node, claim, known[node])
        follows = whole[node], uncrossed[node]
        judgement = JudgedClaim(node, claim, value, known[node], fault is None, any(follows), "")
        why = ""
        if fault is not None:
            cause = _cause_below(solution, node, faults, *follows) if fault in (_ONLY, _STRONGER) else None
            why = _why_wrong(solution, judgement, fault, cause, language)
            faults[node] = fault
        judgements.append(replace(judgement, why=why))
    return tuple(reversed(judgements))


def _cause_below(
    solution: Solution, node: int, wrong: Collection[int], follows: bool, uncrossed: bool
) -> Phrase | None:
    """Return which mistake below a node explains its claim, or None if there is none below it.

    `wrong` has the nodes with wrong claims, `follows` and `uncrossed` say whether the claim follows from
    everything below the node, or from the branches that are not crossed out there.
    """
    tree, below = solution.tree, range(node + 1, solution.tree.ends[node])
    if follows and any(each in wrong for each in below):
        return _FURTHER_DOWN
    visited = None if solution.visit_record is None else solution.visit_record.visited
    if uncrossed and visited is not None and any(tree.crosses[each] and visited[each] for each in below):
        return _IN_CROSSES
    return None


def _known(solution: Solution) -> Sequence[ValueRange | None]:
    """Return the proved range of every node, or the range of its value if the tree cannot be searched."""
    if solution.search is not None:
        return proved_intervals(solution.tree, solution.search.visited, solution.rules.bounds)
    return solution.intervals or [(value, value) for value in solution.values]


def _limits(solution: Solution) -> ValueRange:
    """Return the range of all values before the search."""
    return solution.rules.bounds or (-INFINITY, INFINITY)


def _fault(solution: Solution, node: int, claim: Claim, between: ValueRange | None) -> Phrase | None:
    """Compare a claim with the proved range; None if the claim is correct."""
    returned = solution.search.returned[node] if solution.search is not None else None
    if claim.relation == "=":
        true = (end for end in (solution.values[node], returned) if end is not None)
        return None if any(_holds(claim, end) for end in true) else _ONLY
    if between is None or between == _limits(solution):
        return _NOTHING
    if claim.value == returned and returned not in between and _settles(claim, between):
        return None  # a hard search returns the bound that it was entered with
    if between[0] == between[1]:
        return _SETTLED
    side = claim.relation == "<="
    if between[side] == _limits(solution)[side]:
        return _TURNED
    if _holds(Claim("=", claim.value), between[side]):
        return None
    return _WEAKER if _settles(claim, between) else _STRONGER


def _proved(solution: Solution, node: int, between: ValueRange | None, language: Language) -> str:
    """Write the proved range of a node as in a tree, `C<=2`; empty if nothing is proved."""
    name = solution.tree.names[node]
    if between is None:
        return ""
    if between[0] == between[1]:
        return f"{name}={value_text(between[0], language)}"
    sides = zip((">=", "<="), between, _limits(solution), strict=True)
    return language.join_and(
        [f"{name}{sign}{value_text(end, language)}" for sign, end, limit in sides if end != limit]
    )


def _holds(claim: Claim, value: Value | Bound) -> bool:
    """Return whether a claim is true of a value; a bound on a vector applies to each component."""
    claimed, actual = (side if isinstance(side, tuple) else (side,) for side in (claim.value, value))
    if len(claimed) != len(actual):
        return False
    pairs = list(zip(actual, claimed, strict=True))
    if claim.relation == "=":
        return all(t == s or _rounds(s, t) for t, s in pairs)
    return all(t <= s for t, s in pairs) if claim.relation == "<=" else all(t >= s for t, s in pairs)


def _rounds(claimed: Number | Bound, actual: Number | Bound, min_decimals: int = MIN_DECIMALS) -> bool:
    """Return whether a decimal is a number rounded to at least `min_decimals`; a whole number never is."""
    if isinstance(claimed, float) or isinstance(actual, float) or normalize_number(claimed) == int(claimed):
        return False
    places = write_number(claimed).partition(".")[2]
    reply = Numeral(claimed, max(len(places), min_decimals))
    return places.isdigit() and matches_key(reply, Numeral(actual), min_decimals)


def _settles(claim: Claim, between: ValueRange) -> bool:
    """Return whether a claim is true of every value in an interval."""
    low, high = between
    return _holds(claim, low) and _holds(claim, high) and (claim.relation != "=" or low == high)


def _implied(solution: Solution, ignored: Sequence[bool]) -> tuple[bool, ...]:
    """Check for each node whether its claim follows from the claims below it without the ignored branches.

    The range of a node follows from the claims below it, not from its own; it is None if only a bound on a
    vector is known. A node without a claim has the range that follows from below.
    """
    tree, several = solution.tree, several_players(solution.tree)
    unrestricted = None if several else _limits(solution)
    implied: list[ValueRange | None] = [unrestricted] * len(tree)
    stated = list(implied)
    for node in range(len(tree) - 1, -1, -1):
        payoff, player, claim = tree.payoffs[node], tree.players[node], tree.claims[node]
        if player is not None:
            below = [stated[child] for child in _uncrossed_children(tree, node, ignored)]
            ends = [between for between in below if between is not None]
            if len(ends) == len(below):
                lows, highs = zip(*ends, strict=True)
                implied[node] = (back_up(tree, node, lows), back_up(tree, node, highs))
        elif not isinstance(payoff, str | None):
            implied[node] = (payoff, payoff)
        stated[node] = _stated(claim, implied[node], several)
    return tuple(
        claim is not None and between is not None and _settles(claim, between)
        for claim, between in zip(tree.claims, implied, strict=True)
    )


def _uncrossed_children(tree: Tree, node: int, ignored: Sequence[bool]) -> tuple[int, ...]:
    """Return the children that are not crossed out; all of them if chance moves or all are crossed out."""
    uncrossed = tuple(child for child in tree.children[node] if not ignored[child])
    return tree.children[node] if tree.players[node] is Player.CHANCE or not uncrossed else uncrossed


def _stated(claim: Claim | None, implied: ValueRange | None, several: bool) -> ValueRange | None:
    """Return the range of a node for someone who believes its claim.

    Without a claim it is the implied one. With several players it is None for a claim about a bound.
    """
    if claim is None or isinstance(claim.value, tuple) != several:
        return implied
    if claim.relation == "=":
        # A rounded value stands for the exact one.
        return implied if implied and _settles(claim, implied) else (claim.value, claim.value)
    if several:
        return None
    return (-INFINITY, claim.value) if claim.relation == "<=" else (claim.value, INFINITY)


def _why_wrong(
    solution: Solution, judgement: JudgedClaim, fault: Phrase, cause: Phrase | None, language: Language
) -> str:
    """Explain an incorrect claim: the correct value, the reason, and the likely source of the mistake.

    `cause` says where below the node the mistake is; None if it is not below it.
    """
    tree, say = solution.tree, language.say
    node, value, between = judgement.node, judgement.value, judgement.proved
    name = node_title(tree, node, language)
    proved = _proved(solution, node, between, language)
    possible = solution.intervals[node] if value is None and solution.intervals is not None else None
    if value is None and possible in (None, _limits(solution)):
        return say("The value of {node} depends on unknown payoffs.", node=name)
    if possible is not None and (fault is _ONLY or solution.search is None):
        return _range_sentence(solution, possible, _POSSIBLE_RANGE, language, node=name)
    sentences = []
    if fault is _ONLY and proved and between and between[0] != between[1]:
        values = {"node": name, "proved": proved}
        sentences.append(_range_sentence(solution, between, _PROVED_RANGE, language, **values))
        if value is not None:
            sentences.append(say("The exact value is {value}.", value=value_text(value, language)))
    elif value is not None and fault in (_ONLY, _SETTLED):
        sentences.append(say("{node} is worth {value}.", node=name, value=value_text(value, language)))
        if all(solution.values[child] is not None for child in tree.children[node]):
            known = tuple(value if value is not None else 0 for value in solution.values)
            sentences.append(value_reason(tree, node, known, language))
    if fault is not _ONLY:
        sentences.append(say(fault, node=name, proved=proved))
    source = _source_of_mistake(solution, node, judgement.claim, language)
    if source or cause is not None:
        sentences.append(source or say(cause or ""))
    return paragraph(*sentences)


def _range_sentence(
    solution: Solution,
    between: ValueRange,
    phrases: tuple[Phrase, Phrase, Phrase],
    language: Language,
    **values: str,
) -> str:
    """Say how far the range of a value reaches, by the phrase for a lower limit, an upper limit or both."""
    (low, high), (least, greatest), (at_least, at_most, both) = between, _limits(solution), phrases
    phrase = at_least if high == greatest else at_most if low == least else both
    return language.say(phrase, low=value_text(low, language), high=value_text(high, language), **values)


def _source_of_mistake(solution: Solution, node: int, claim: Claim, language: Language) -> str:
    """Guess the source of an incorrect value; empty if it looks like no known mistake."""
    tree, values = solution.tree, solution.values
    claimed, below = claim.value, [values[child] for child in tree.children[node]]
    numbers = [value for value in below if isinstance(value, int | Fraction)]
    if claim.relation != "=" or not numbers or isinstance(claimed, tuple):
        return ""
    value, claimed_text = values[node], value_text(claimed, language)
    if value is not None and not isinstance(value, tuple) and _rounds(claimed, value, 1):
        return language.say(
            "{said} is not precise enough: {places} decimal places are required.",
            said=claimed_text,
            places=MIN_DECIMALS,
        )
    for message, suspects in _likely_mistakes(tree.players[node], numbers, _likeliest(tree, node, values)):
        if claimed in suspects:
            return language.say(message, said=claimed_text)
    return ""


def _likely_mistakes(
    player: Player | None, below: Sequence[Number], likeliest: Value | None
) -> Iterator[tuple[Phrase, Sequence[Value | None]]]:
    """Yield messages about likely mistakes, each with the values it leads to; the first match counts."""
    if player is Player.MIN:
        yield Phrase("{said} is the largest value, which MAX would choose."), [max(below)]
    elif player is Player.MAX:
        yield Phrase("{said} is the smallest value, which MIN would choose."), [min(below)]
    elif player is Player.CHANCE:
        average = Fraction(sum(below), len(below))
        yield (
            Phrase(
                "{said} is the unweighted average of the values of the outcomes; "
                "the probabilities were ignored."
            ),
            [average],
        )
        yield (
            Phrase("{said} is the sum of the values of the outcomes; the probabilities were ignored."),
            [sum(below)],
        )
        yield (
            Phrase("{said} is the value of the most likely outcome, but the other outcomes count too."),
            [likeliest],
        )
        ends = [max(below), min(below)]
        yield (
            Phrase(
                "{said} is the value of only one outcome; "
                "the expected value weights the values of all outcomes by their probabilities."
            ),
            ends,
        )


def _likeliest(tree: Tree, node: int, values: Sequence[Value | None]) -> Value | None:
    """Return the value of the most likely outcome, or None if several are tied."""
    children = sorted(tree.children[node], key=lambda child: tree.probabilities[child] or 0)
    *others, likeliest = children
    tied = others and tree.probabilities[others[-1]] == tree.probabilities[likeliest]
    return None if tied else values[likeliest]


def claim_notes(solution: Solution, claims: Sequence[JudgedClaim], language: Language) -> tuple[str, ...]:
    """Return notes on correct claims that are rounded, or values where only a bound is known."""
    inexact = [
        (solution.tree.names[judgement.node], judgement)
        for judgement in claims
        if judgement.right and judgement.claim.relation == "=" and judgement.value != judgement.claim.value
    ]
    bounds = [
        name
        for name, judgement in inexact
        if judgement.value is None or not _holds(judgement.claim, judgement.value)
    ]
    notes = [
        language.say(
            "{claim} is rounded; the exact value is {value}.",
            claim=f"{name}={value_text(judgement.claim.value, language)}",
            value=value_text(judgement.value, language),
        )
        for name, judgement in inexact
        if judgement.value is not None and name not in bounds
    ]
    if bounds:
        notes.append(
            language.say(
                "The number at {nodes} is what alpha-beta search returns there, not the minimax value. "
                "Where a cutoff ended the search, write a bound with <= or >=.",
                nodes=language.join_and(bounds),
            )
        )
    return tuple(notes)
