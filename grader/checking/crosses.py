"""Judge the branches that someone crossed out: right, missing or too many, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.base.phrases import Language, Phrase
from grader.explaining.naming import branches, called
from grader.explaining.steps import Account, explain
from grader.solvers.mistaken import players_swapped
from grader.solvers.payoffs import UnknownPayoff, several_players
from grader.solvers.searching import search
from grader.solvers.solution import Solution
from grader.solvers.trace import pruned_paths
from grader.tree import Tree


@dataclass(frozen=True, slots=True)
class JudgedCrosses:
    """The leaves crossed out rightly, not crossed out and crossed out wrongly, as path numbers.

    `why` says for every branch that was missed or wrongly crossed out what the search does there.
    """

    right: tuple[int, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    why: tuple[str, ...]


def obstacle(solution: Solution, language: Language) -> str:
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


def judge_crosses(solution: Solution, language: Language) -> JudgedCrosses:
    """The crosses of the tree of a solution, judged."""
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


def cross_notes(solution: Solution, crosses: JudgedCrosses, language: Language) -> tuple[str, ...]:
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
