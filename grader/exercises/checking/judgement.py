"""Judge a hand-drawn tree: its claims, its crosses, and notes on both."""

from dataclasses import dataclass, replace

from grader.base.phrases import ENGLISH, Language, paragraph
from grader.exercises.checking.claims import JudgedClaim, claim_notes, judge_claims
from grader.exercises.checking.crosses import JudgedCrosses, cross_notes, crosses_obstacle, judge_crosses
from grader.solvers.depth_limit import nodes_within_depth
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.solution import Solution, solve
from grader.trees.rules import Rules
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Judgement:
    """A hand-drawn tree, judged; nodes are those of the tree of `solution`, which ends at the depth limit.

    `crosses` is None if judging them was not requested or is impossible (then `notes` says why).
    Marks below the depth limit cannot be judged: then `ok` is false, and a note says so.
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

    `pruning` says whether the crosses are judged; None means: if there are any.
    `language` is the one of the reasons and notes.
    Raises what `grader.solvers.solution.solve` raises.
    """
    solution = _with_claims(solve(tree, rules), tree)
    pruning = any(tree.crosses) if pruning is None else pruning
    claims = judge_claims(solution, language)
    unjudged = _below_the_limit(tree, rules, language, crosses=pruning)
    ok = all(claim.right for claim in claims) and not unjudged
    notes = (*unjudged, *claim_notes(solution, claims, language))
    if not pruning:
        return Judgement(solution, claims, None, notes, ok)
    unjudgeable = crosses_obstacle(solution, language)
    if unjudgeable:
        return Judgement(solution, claims, None, (*notes, unjudgeable), ok=False)
    crosses = judge_crosses(solution, language)
    notes = (*notes, *cross_notes(solution, crosses, language))
    return Judgement(solution, claims, crosses, notes, ok and not crosses.missing and not crosses.extra)


def _with_claims(solution: Solution, whole: Tree) -> Solution:
    """Return the solution with the claims at the depth limit, where the solver has leaves."""
    claims = tuple(whole.claims[node] for node in nodes_within_depth(whole, solution.rules.depth))
    return replace(solution, tree=replace(solution.tree, claims=claims))


def _below_the_limit(whole: Tree, rules: Rules, language: Language, *, crosses: bool) -> tuple[str, ...]:
    """Return a note about marks below the depth limit, or nothing if there are none."""
    deeper = sorted(set(range(len(whole))) - set(nodes_within_depth(whole, rules.depth)))
    claimed = [node for node in deeper if whole.claims[node] is not None]
    crossed = [node for node in deeper if crosses and whole.crosses[node]]
    marks = [
        *(language.term("the value at {node}", node=node_title(whole, node, language)) for node in claimed),
        *(language.term("the cross at {node}", node=node_title(whole, node, language)) for node in crossed),
    ]
    if not marks:
        return ()
    note = language.say(
        "These are below the depth limit of {depth} and are not checked: {things}.",
        depth=rules.depth,
        things=language.join_and(marks),
    )
    if any(whole.players[node] is None for node in (*claimed, *crossed)):
        note = paragraph(note, language.say("Leaves are numbered as in the whole tree."))
    return (note,)
