"""Judge the values that someone claimed at nodes: right, following from below, or wrong and why."""

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
"""Between which values a node lies: two numbers, infinities or vectors."""

MIN_DECIMALS = 2
"""A rounded value needs at least this many decimals to be right."""

_NOTHING = Phrase("The search proves nothing about {node}.")
_SETTLED = Phrase("The search proves the exact value: write {proved}.")
_TURNED = Phrase("The inequality sign is reversed: the search proves {proved}.")
_WEAKER = Phrase("This is true, but the search proves more: {proved}.")
_STRONGER = Phrase("This is more than the search proves: {proved}.")
_ONLY = Phrase("The search proves only {proved}.")
"""What is said of a bound that is not the proved one; `_ONLY` is said of a wrong value."""

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
    - `proved`: between which values the node is known to lie when the search leaves it, where a cut child
      contributes only its bound; None where the search never comes.
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
    """Every claim of the tree of a solution, judged."""
    tree = solution.tree
    claimed = [node for node in range(len(tree)) if tree.claims[node] is not None]
    if not claimed:
        return ()
    # From all that stands below a node, and without the branches that are crossed out there.
    whole, uncrossed = (_implied(solution, ignored) for ignored in ((False,) * len(tree), tree.crossed_out))
    known = _known(solution)
    faults: dict[int, Phrase] = {}
    judged = []
    for node in reversed(claimed):  # a claim may follow from the wrong ones below it
        claim, value = tree.claims[node], solution.values[node]
        assert claim is not None
        fault = _fault(solution, node, claim, known[node])
        follows = whole[node], uncrossed[node]
        one = JudgedClaim(node, claim, value, known[node], fault is None, any(follows), "")
        why = ""
        if fault is not None:
            cause = _cause_below(solution, node, faults, *follows) if fault in (_ONLY, _STRONGER) else None
            why = _why_wrong(solution, one, fault, cause, language)
            faults[node] = fault
        judged.append(replace(one, why=why))
    return tuple(reversed(judged))


def _cause_below(
    solution: Solution, node: int, wrong: Collection[int], follows: bool, uncrossed: bool
) -> Phrase | None:
    """Return where below a node the mistake is that its claim follows from; None if none is there.

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
    """What is proved of every node; where nothing can be searched, all that can be worked out is."""
    if solution.search is not None:
        return proved_intervals(solution.tree, solution.search.visited, solution.rules.bounds)
    return solution.intervals or [(value, value) for value in solution.values]


def _limits(solution: Solution) -> ValueRange:
    """Between which values everything lies before anything is searched."""
    return solution.rules.bounds or (-INFINITY, INFINITY)


def _fault(solution: Solution, node: int, claim: Claim, between: ValueRange | None) -> Phrase | None:
    """What is wrong with a claim, held against what is proved; None when it is right."""
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
    """What is proved of a node as it is written in a tree, `C<=2`; empty where that is nothing."""
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
    """Whether a claim is true of a value; a bound on a vector is one on each of its components."""
    said, true = (side if isinstance(side, tuple) else (side,) for side in (claim.value, value))
    if len(said) != len(true):
        return False
    pairs = list(zip(true, said, strict=True))
    if claim.relation == "=":
        return all(t == s or _rounds(s, t) for t, s in pairs)
    return all(t <= s for t, s in pairs) if claim.relation == "<=" else all(t >= s for t, s in pairs)


def _rounds(said: Number | Bound, true: Number | Bound, fewest: int = MIN_DECIMALS) -> bool:
    """Whether a decimal is another number rounded to `fewest` decimals or more; a whole number never is."""
    if isinstance(said, float) or isinstance(true, float) or normalize_number(said) == int(said):
        return False
    places = write_number(said).partition(".")[2]
    return places.isdigit() and matches_key(Numeral(said, max(len(places), fewest)), Numeral(true), fewest)


def _settles(claim: Claim, between: ValueRange) -> bool:
    """Whether a claim is true of every value in an interval."""
    low, high = between
    return _holds(claim, low) and _holds(claim, high) and (claim.relation != "=" or low == high)


def _implied(solution: Solution, ignored: Sequence[bool]) -> tuple[bool, ...]:
    """Whether each claim is what the claims below it imply when some branches are ignored.

    Between which values a node lies is told by what is claimed below it, its own claim left aside; None
    where that is a mere bound on a vector. A node without a claim is worth what follows from below it.
    """
    tree, several = solution.tree, several_players(solution.tree)
    everything = None if several else solution.rules.bounds or (-INFINITY, INFINITY)
    implied: list[ValueRange | None] = [everything] * len(tree)
    stated = list(implied)
    for node in range(len(tree) - 1, -1, -1):
        payoff, player, claim = tree.payoffs[node], tree.players[node], tree.claims[node]
        if player is not None:
            below = [stated[child] for child in _looked_at(tree, node, ignored)]
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


def _looked_at(tree: Tree, node: int, ignored: Sequence[bool]) -> tuple[int, ...]:
    """The children of a node without the crossed ones, unless chance moves or nothing would be left."""
    kept = tuple(child for child in tree.children[node] if not ignored[child])
    return tree.children[node] if tree.players[node] is Player.CHANCE or not kept else kept


def _stated(claim: Claim | None, implied: ValueRange | None, several: bool) -> ValueRange | None:
    """Between which values a node lies for someone who believes in its claim."""
    if claim is None or isinstance(claim.value, tuple) != several:
        return implied
    if claim.relation == "=":
        # A rounded value stands for the exact one.
        return implied if implied and _settles(claim, implied) else (claim.value, claim.value)
    if several:
        return None
    return (-INFINITY, claim.value) if claim.relation == "<=" else (claim.value, INFINITY)


def _why_wrong(
    solution: Solution, judged: JudgedClaim, fault: Phrase, cause: Phrase | None, language: Language
) -> str:
    """What is right instead of a wrong claim, and why; then what the wrong value may come from.

    `cause` says where below the node the mistake is, None where it is not below it.
    """
    tree, say, node, value, between = solution.tree, language.say, judged.node, judged.value, judged.proved
    name = node_title(tree, node, language)
    if value is None and solution.intervals is None:
        return say("The value of {node} depends on unknown payoffs.", node=name)
    if value is None and (fault is _ONLY or solution.search is None) and solution.intervals is not None:
        low, high = (value_text(end, language) for end in solution.intervals[node])
        return say(
            "The value of {node} is between {low} and {high}, whatever the unknown payoffs are.",
            node=name,
            low=low,
            high=high,
        )
    told = []
    if value is not None and fault in (_ONLY, _SETTLED):
        told.append(say("{node} is worth {value}.", node=name, value=value_text(value, language)))
        if all(solution.values[child] is not None for child in tree.children[node]):
            known = tuple(value if value is not None else 0 for value in solution.values)
            told.append(value_reason(tree, node, known, language))
    shown = _proved(solution, node, between, language)
    if fault is not _ONLY or (shown and between and between[0] != between[1]):
        told.append(say(fault, node=name, proved=shown))
    source = _source_of_mistake(solution, node, judged.claim, language)
    if source or cause is not None:
        told.append(source or say(cause or ""))
    return paragraph(*told)


def _source_of_mistake(solution: Solution, node: int, claim: Claim, language: Language) -> str:
    """Where a wrong value seems to come from; empty when it looks like nothing known."""
    tree, values = solution.tree, solution.values
    said, below = claim.value, [values[child] for child in tree.children[node]]
    numbers = [value for value in below if isinstance(value, int | Fraction)]
    if claim.relation != "=" or not numbers or isinstance(said, tuple):
        return ""
    value, shown = values[node], value_text(said, language)
    if value is not None and not isinstance(value, tuple) and _rounds(said, value, 1):
        return language.say(
            "{said} is not precise enough: {places} decimal places are required.",
            said=shown,
            places=MIN_DECIMALS,
        )
    for seems, like in _looks(tree.players[node], numbers, _likeliest(tree, node, values)):
        if said in like:
            return language.say(seems, said=shown)
    return ""


def _looks(
    player: Player | None, below: Sequence[Number], likeliest: Value | None
) -> Iterator[tuple[Phrase, Sequence[Value | None]]]:
    """What wrong values look like, by the values below the node; the first that fits is told."""
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
    """The value of the one outcome that is more likely than each other."""
    children = sorted(tree.children[node], key=lambda child: tree.probabilities[child] or 0)
    *others, likeliest = children
    tied = others and tree.probabilities[others[-1]] == tree.probabilities[likeliest]
    return None if tied else values[likeliest]


def claim_notes(solution: Solution, claims: Sequence[JudgedClaim], language: Language) -> tuple[str, ...]:
    """What is to be said of claims that are rounded, or values where only a bound is known."""
    said = [
        (solution.tree.names[judged.node], judged)
        for judged in claims
        if judged.right and judged.claim.relation == "=" and judged.value != judged.claim.value
    ]
    bounds = [name for name, judged in said if judged.value is None or not _holds(judged.claim, judged.value)]
    notes = [
        language.say(
            "{claim} is rounded; the exact value is {value}.",
            claim=f"{name}={value_text(judged.claim.value, language)}",
            value=value_text(judged.value, language),
        )
        for name, judged in said
        if judged.value is not None and name not in bounds
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
