"""Judge what someone drew on a tree: the values claimed at its nodes and the branches crossed out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answers.numeral import Numeral, agrees
from grader.base.numbers import INFINITY, Bound, Number, exact, write_number
from grader.base.phrases import ENGLISH, Language, Phrase
from grader.explaining.naming import branches, called, written
from grader.explaining.steps import Account, explain
from grader.explaining.values import why_value
from grader.rules import Rules
from grader.solvers.backing import backed_up
from grader.solvers.limit import kept
from grader.solvers.mistaken import players_swapped
from grader.solvers.payoffs import UnknownPayoff, several_players
from grader.solvers.searching import search
from grader.solvers.solution import Solution, solve
from grader.solvers.trace import pruned_paths
from grader.solvers.unknowns import Interval
from grader.tree import Claim, Player, Tree, Value

PLACES = 2
"""A rounded value needs at least this many decimals to be right."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A value someone wrote at a node, and the truth.

    - `value`: the exact value, or at the depth limit the static evaluation; None where an unknown
      payoff decides.
    - `right`: also for a value rounded to `PLACES` decimals or more.
    - `follows`: whether the claim follows from what the same person wrote below the node, with or
      without the branches crossed out there.
    - `why`: the right value and how it comes about; empty when the claim is right.
    """

    node: int
    claim: Claim
    value: Value | None
    right: bool
    follows: bool
    why: str


@dataclass(frozen=True, slots=True)
class JudgedCrosses:
    """The leaves crossed out rightly, not crossed out and crossed out wrongly, as path numbers.

    `why` says for every branch that was missed or wrongly crossed out what the search does there.
    """

    right: tuple[int, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A hand-drawn tree, judged; nodes are those of the tree of `solution`, which ends at the depth limit.

    `crosses` is None when they were not to be judged, or cannot be (`notes` then says why).
    What is drawn below the depth limit cannot be judged: then it is not `ok`, and a note says so.
    """

    solution: Solution
    claims: tuple[JudgedClaim, ...]
    crosses: JudgedCrosses | None
    notes: tuple[str, ...]
    ok: bool


def judge(
    tree: Tree, rules: Rules, *, pruning: bool | None = None, language: Language = ENGLISH
) -> Judgement:
    """Judge the claims of a tree, and its crosses.

    `pruning` says whether the crosses are judged; None means: when there are any.
    `language` is the one of the reasons and notes.
    Raises what `grader.solvers.solution.solve` raises.
    """
    solution = _with_claims(solve(tree, rules), tree)
    pruning = any(tree.crosses) if pruning is None else pruning
    claims = _judge_claims(solution, language)
    unjudged = _below_the_limit(tree, rules, language, crosses=pruning)
    ok = all(claim.right for claim in claims) and not unjudged
    notes = (*unjudged, *_claim_notes(solution, claims, language))
    if not pruning:
        return Judgement(solution, claims, None, notes, ok)
    obstacle = _obstacle(solution, language)
    if obstacle:
        return Judgement(solution, claims, None, (*notes, obstacle), ok=False)
    crosses = _judge_crosses(solution, language)
    notes = (*notes, *_cross_notes(solution, crosses, language))
    return Judgement(solution, claims, crosses, notes, ok and not crosses.missing and not crosses.extra)


def _with_claims(solution: Solution, whole: Tree) -> Solution:
    """The solution with the claims at nodes at the depth limit, which are leaves to a solver."""
    claims = tuple(whole.claims[node] for node in kept(whole, solution.rules.depth))
    return replace(solution, tree=replace(solution.tree, claims=claims))


def _below_the_limit(whole: Tree, rules: Rules, language: Language, *, crosses: bool) -> tuple[str, ...]:
    """A note about what is drawn deeper than the search goes; none when nothing is."""
    deeper = sorted(set(range(len(whole))) - set(kept(whole, rules.depth)))
    claimed = [node for node in deeper if whole.claims[node] is not None]
    crossed = [node for node in deeper if crosses and whole.crosses[node]]
    told = [
        *(language.term("the value at {node}", node=called(whole, node, language)) for node in claimed),
        *(language.term("the cross at {node}", node=called(whole, node, language)) for node in crossed),
    ]
    if not told:
        return ()
    note = language.say(
        "Not judged below the depth limit of {depth}: {things}.",
        depth=rules.depth,
        things=language.listed(told),
    )
    if any(whole.players[node] is None for node in (*claimed, *crossed)):
        note += " " + language.say("Leaves are numbered as in the whole tree.")
    return (note,)


# Claims -------------------------------------------------------------------------------------------


def _judge_claims(solution: Solution, language: Language) -> tuple[JudgedClaim, ...]:
    tree = solution.tree
    claimed = [node for node in range(len(tree)) if tree.claims[node] is not None]
    if not claimed:
        return ()
    follows = _follows(solution)
    judged = []
    for node in claimed:
        claim, value = tree.claims[node], solution.values[node]
        assert claim is not None
        right = _is_right(solution, node, claim)
        why = "" if right else _why_wrong(solution, node, claim, language, *follows[node])
        judged.append(JudgedClaim(node, claim, value, right, any(follows[node]), why))
    return tuple(judged)


def _is_right(solution: Solution, node: int, claim: Claim) -> bool:
    value = solution.values[node]
    if solution.intervals is not None:
        return _settles(claim, solution.intervals[node])
    if value is not None and _holds(claim, value):
        return True
    returned = solution.search.returned[node] if solution.search is not None else None
    return claim.relation != "=" and returned is not None and _holds(claim, returned)


def _holds(claim: Claim, value: Value | Bound) -> bool:
    """Whether a claim is true of a value; a bound on a vector is one on each of its components."""
    said, true = (side if isinstance(side, tuple) else (side,) for side in (claim.value, value))
    if len(said) != len(true):
        return False
    pairs = list(zip(true, said, strict=True))
    if claim.relation == "=":
        return all(t == s or _rounds(s, t) for t, s in pairs)
    return all(t <= s for t, s in pairs) if claim.relation == "<=" else all(t >= s for t, s in pairs)


def _rounds(said: Number | Bound, true: Number | Bound, fewest: int = PLACES) -> bool:
    """Whether a decimal is another number rounded to `fewest` decimals or more; a whole number never is."""
    if isinstance(said, float) or isinstance(true, float) or exact(said) == int(said):
        return False
    places = write_number(said).partition(".")[2]
    return places.isdigit() and agrees(Numeral(said, max(len(places), fewest)), Numeral(true), fewest)


def _settles(claim: Claim, between: Interval) -> bool:
    """Whether a claim is true of every value in an interval."""
    low, high = between
    return _holds(claim, low) and _holds(claim, high) and (claim.relation != "=" or low == high)


def _follows(solution: Solution) -> tuple[tuple[bool, bool], ...]:
    """Whether each claim follows from what stands below it: from all of it, and without the crossed branches.

    A node without a claim is worth what follows from below it.
    """
    tree = solution.tree
    whole, uncrossed = (_implied(solution, ignored) for ignored in ((False,) * len(tree), tree.crossed_out))
    return tuple(zip(whole, uncrossed, strict=True))


def _implied(solution: Solution, ignored: Sequence[bool]) -> tuple[bool, ...]:
    """Whether each claim is what the claims below it imply when some branches are ignored."""
    tree = solution.tree
    if several_players(tree):
        vectors = _implied_vectors(tree, ignored)
        return tuple(
            claim is not None and vector is not None and _holds(claim, vector)
            for claim, vector in zip(tree.claims, vectors, strict=True)
        )
    between = _implied_intervals(tree, ignored, solution.rules)
    return tuple(
        claim is not None and _settles(claim, interval)
        for claim, interval in zip(tree.claims, between, strict=True)
    )


def _looked_at(tree: Tree, node: int, ignored: Sequence[bool]) -> tuple[int, ...]:
    """The children of a node without the crossed ones, unless chance moves or nothing would be left."""
    kept = tuple(child for child in tree.children[node] if not ignored[child])
    return tree.children[node] if tree.players[node] is Player.CHANCE or not kept else kept


def _implied_intervals(tree: Tree, ignored: Sequence[bool], rules: Rules) -> tuple[Interval, ...]:
    """Between which values each node lies by what is claimed below it, its own claim left aside."""
    floor, ceiling = rules.bounds or (-INFINITY, INFINITY)
    implied: list[Interval] = [(floor, ceiling)] * len(tree)
    stated = list(implied)
    for node in range(len(tree) - 1, -1, -1):
        payoff, player = tree.payoffs[node], tree.players[node]
        if isinstance(payoff, int | Fraction):
            implied[node] = (payoff, payoff)
        elif player is not None:
            lows, highs = zip(*(stated[child] for child in _looked_at(tree, node, ignored)), strict=True)
            implied[node] = (backed_up(tree, node, lows), backed_up(tree, node, highs))
        stated[node] = _stated(tree.claims[node], implied[node])
    return tuple(implied)


def _stated(claim: Claim | None, implied: Interval) -> Interval:
    if claim is None or isinstance(claim.value, tuple):
        return implied
    if claim.relation == "=" and _settles(claim, implied):
        return implied  # a rounded value stands for the exact one
    low = -INFINITY if claim.relation == "<=" else claim.value
    high = INFINITY if claim.relation == ">=" else claim.value
    return low, high


def _implied_vectors(tree: Tree, ignored: Sequence[bool]) -> tuple[tuple[Number, ...] | None, ...]:
    """The payoff vector of each node by what is claimed below it; None where that is a mere bound."""
    implied: list[tuple[Number, ...] | None] = [None] * len(tree)
    stated = list(implied)
    for node in range(len(tree) - 1, -1, -1):
        payoff, player, claim = tree.payoffs[node], tree.players[node], tree.claims[node]
        if isinstance(payoff, tuple):
            implied[node] = payoff
        elif player is not None:
            below = _looked_at(tree, node, ignored)
            vectors = [vector for child in below if (vector := stated[child]) is not None]
            if len(vectors) == len(below):
                implied[node] = backed_up(tree, node, vectors)
        stated[node] = implied[node]
        if claim is not None:
            stated[node] = claim.value if claim.relation == "=" and isinstance(claim.value, tuple) else None
    return tuple(implied)


def _why_wrong(
    solution: Solution, node: int, claim: Claim, language: Language, follows: bool, uncrossed: bool
) -> str:
    """What is right instead of a wrong claim, and why; then what the wrong value may come from."""
    tree, value, say = solution.tree, solution.values[node], language.say
    name = called(tree, node, language)
    if value is None:
        if solution.intervals is None:
            return say("The value of {node} depends on payoffs that are not known.", node=name)
        low, high = (written(end, language) for end in solution.intervals[node])
        return say(
            "{node} lies between {low} and {high}, whatever the unknown payoffs are.",
            node=name,
            low=low,
            high=high,
        )
    told = [say("{node} is worth {value}.", node=name, value=written(value, language))]
    if all(solution.values[child] is not None for child in tree.children[node]):
        known = tuple(value if value is not None else 0 for value in solution.values)
        told.append(why_value(tree, node, known, language))
    source = _source_of_mistake(solution, node, claim, language)
    if source:
        told.append(source)
    elif follows:
        told.append(say("It does follow from the values written below it, so the mistake is further down."))
    elif uncrossed:
        told.append(
            say("It does follow when the crossed branches are left out, so the mistake is in the crosses.")
        )
    return " ".join(told)


def _source_of_mistake(solution: Solution, node: int, claim: Claim, language: Language) -> str:
    """Where a wrong value seems to come from; empty when it looks like nothing known."""
    tree, search, values = solution.tree, solution.search, solution.values
    said, below = claim.value, [values[child] for child in tree.children[node]]
    numbers = [value for value in below if isinstance(value, int | Fraction)]
    if claim.relation != "=" or not numbers or isinstance(said, tuple):
        return ""
    value, shown = values[node], written(said, language)
    returned = search.returned[node] if search is not None else None
    if returned == said and value is not None and not isinstance(value, tuple):
        relation = "<=" if said > value else ">="
        return language.say(
            "{said} is what alpha-beta returns there, after a cut, and so only a bound: {claim}.",
            said=shown,
            claim=f"{tree.names[node]}{relation}{shown}",
        )
    if value is not None and not isinstance(value, tuple) and _rounds(said, value, 1):
        return language.say(
            "{said} is rounded too much: {places} decimals are needed.", said=shown, places=PLACES
        )
    for seems, looks in _LOOKS:
        if looks(tree, node, said, numbers, values):
            return language.say(seems, said=shown)
    return ""


_LOOKS: tuple[
    tuple[Phrase, Callable[[Tree, int, Bound, list[Number], Sequence[Value | None]], bool]], ...
] = (
    (
        Phrase("{said} is the largest, which MAX would take."),
        lambda tree, node, said, below, _: tree.players[node] is Player.MIN and said == max(below),
    ),
    (
        Phrase("{said} is the smallest, which MIN would take."),
        lambda tree, node, said, below, _: tree.players[node] is Player.MAX and said == min(below),
    ),
    (
        Phrase("{said} is the plain average, without the probabilities."),
        lambda tree, node, said, below, _: (
            tree.players[node] is Player.CHANCE and said == Fraction(sum(below), len(below))
        ),
    ),
    (
        Phrase("{said} is the sum of the outcomes, without the probabilities."),
        lambda tree, node, said, below, _: tree.players[node] is Player.CHANCE and said == sum(below),
    ),
    (
        Phrase("{said} is the most likely outcome, but the others count as well."),
        lambda tree, node, said, _, values: (
            tree.players[node] is Player.CHANCE and said == _likeliest(tree, node, values)
        ),
    ),
    (
        Phrase("{said} is one of the outcomes, but chance does not choose."),
        lambda tree, node, said, below, _: (
            tree.players[node] is Player.CHANCE and said in (max(below), min(below))
        ),
    ),
)
"""What a wrong value looks like, the first that fits: (tree, node, what is said, values below, all)."""


def _likeliest(tree: Tree, node: int, values: Sequence[Value | None]) -> Value | None:
    """The value of the one outcome that is more likely than each other."""
    children = sorted(tree.children[node], key=lambda child: tree.probabilities[child] or 0)
    *others, likeliest = children
    tied = others and tree.probabilities[others[-1]] == tree.probabilities[likeliest]
    return None if tied else values[likeliest]


def _claim_notes(solution: Solution, claims: Sequence[JudgedClaim], language: Language) -> tuple[str, ...]:
    tree, search = solution.tree, solution.search
    notes = [
        language.say(
            "{claim} is rounded; the exact value is {value}.",
            claim=f"{tree.names[judged.node]}={written(judged.claim.value, language)}",
            value=written(judged.value, language),
        )
        for judged in claims
        if judged.right
        and judged.claim.relation == "="
        and judged.value is not None
        and judged.value != judged.claim.value
    ]
    bounds = [
        tree.names[judged.node]
        for judged in claims
        if not judged.right
        and judged.claim.relation == "="
        and search is not None
        and search.returned[judged.node] == judged.claim.value
    ]
    if bounds:
        notes.append(
            language.say(
                "What is written at {nodes} is what alpha-beta returns there, not the value: "
                "write a bound, <= or >=, where the search left early.",
                nodes=language.listed(bounds),
            )
        )
    return tuple(notes)


# Crosses ------------------------------------------------------------------------------------------


def _obstacle(solution: Solution, language: Language) -> str:
    """Why crosses cannot be judged, or nothing."""
    tree = solution.tree
    if several_players(tree):
        return language.say("The crosses are not judged: alpha-beta prunes in games of two players only.")
    if solution.blocked_by is not None:
        return language.say(
            "The crosses are not judged: the search comes to {leaf}, whose payoff is unknown.",
            leaf=called(tree, solution.blocked_by, language),
        )
    return ""


def _judge_crosses(solution: Solution, language: Language) -> JudgedCrosses:
    tree = solution.tree
    pruned, crossed = set(solution.pruned_paths or ()), set(tree.crossed_paths)
    missing, extra = pruned - crossed, crossed - pruned
    return JudgedCrosses(
        right=tuple(sorted(pruned & crossed)),
        missing=tuple(sorted(missing)),
        extra=tuple(sorted(extra)),
        why=_why_crosses(solution, missing, extra, language) if missing or extra else (),
    )


def _why_crosses(
    solution: Solution, missing: set[int], extra: set[int], language: Language
) -> tuple[str, ...]:
    tree, search = solution.tree, solution.search
    assert search is not None
    account: Account = explain(solution, language)
    told = [
        *_why_missing(tree, account, missing, solution.pruned_branches or (), language),
        *_why_extra(tree, account, extra, language),
    ]
    return tuple(words for _, words in sorted(told))


def _why_missing(
    tree: Tree, account: Account, missing: set[int], pruned_branches: Sequence[int], language: Language
) -> list[tuple[int, str]]:
    """For every cut that was overlooked: its first leaf, and what the search says when it cuts."""
    by_reason: dict[str, list[int]] = {}
    for branch in pruned_branches:
        below = [leaf for leaf in tree.leaves_below(branch) if tree.paths[leaf] in missing]
        if below:
            reason = account.cuts.get(branch) or language.say("Its probability is 0.")
            by_reason.setdefault(reason, []).extend(below)
    told = []
    for reason, leaves in by_reason.items():
        what = branches(tree, leaves, language)
        claim = language.say(
            "{what} should be crossed out.", "{what} should be crossed out.", len(leaves), what=what
        )
        told.append((leaves[0], f"{claim} {reason}"))
    return told


def _why_extra(tree: Tree, account: Account, extra: set[int], language: Language) -> list[tuple[int, str]]:
    """For every cross that should not be there: its first leaf, and why the search goes in."""
    told = []
    for node in tree.tops(tree.crossed_out):
        below = [leaf for leaf in tree.leaves_below(node) if tree.paths[leaf] in extra]
        if below:
            claim = language.say(
                "{what} should not be crossed out: the search goes to {node}.",
                "{what} should not be crossed out: the search goes to {node}.",
                len(below),
                what=branches(tree, below, language),
                node=called(tree, node, language),
            )
            told.append((below[0], f"{claim} {account.visits[node]}"))
    return told


def _cross_notes(solution: Solution, crosses: JudgedCrosses, language: Language) -> tuple[str, ...]:
    """What the crosses are the answer to, when they are wrong; what else would be right, when they are."""
    tree, rules, say = solution.tree, solution.rules, language.say
    crossed = tree.crossed_paths
    if crosses.missing or crosses.extra:
        # No crosses at all are the answer to too many other questions to say anything.
        answers = _other_answers(solution, language) if crossed else ()
        return tuple(words for words, paths in answers if paths == crossed)[:1]
    if solution.convention_sensitive:
        other = rules.with_other_ties().ties
        paths = " ".join(map(str, solution.other_ties or ()))
        if paths:
            return (
                say(
                    "The answer depends on the tie rule: under ties={ties} the pruned leaves are {paths}.",
                    ties=other,
                    paths=paths,
                ),
            )
        return (say("The answer depends on the tie rule: under ties={ties} nothing is pruned.", ties=other),)
    return ()


def _other_answers(solution: Solution, language: Language) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The pruned paths under other conventions and for swapped players, each with what is said then."""
    tree, rules, say = solution.tree.bare(), solution.rules, language.say
    ties, order = rules.with_other_ties(), rules.with_other_order()
    under = Phrase("These crosses are the answer under {rules}.")
    swapped = say(
        "These crosses are the answer with swapped players: MAX where MIN moves, and MIN where MAX moves."
    )
    candidates = (
        (say(under, rules=f"ties={ties.ties}"), tree, ties),
        (say(under, rules=f"order={order.order}"), tree, order),
        (say(under, rules=f"order={order.order}, ties={ties.ties}"), tree, ties.with_other_order()),
        (swapped, players_swapped(tree), rules),
    )
    answers = []
    for name, candidate, conventions in candidates:
        try:
            visited = search(candidate, conventions, traced=False).visited
        except UnknownPayoff:
            continue
        answers.append((name, pruned_paths(candidate, visited)))
    return tuple(answers)
