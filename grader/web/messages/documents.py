"""The JSON documents of commands and pages: schema 1, numbers as strings in canonical form."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from grader.base.numbers import Bound, number_to_json, write_number
from grader.solvers.solution import Solution
from grader.solvers.value_intervals import Interval
from grader.trees.notation.writing import write_claim, write_tree
from grader.trees.rules import rules_to_json
from grader.trees.tree import Claim, Value

if TYPE_CHECKING:
    from grader.exercises.checking.judgement import Judgement
    from grader.exercises.exercise import Exercise
    from grader.exercises.feedback import Feedback
    from grader.exercises.marking import Mark

Record: TypeAlias = dict[str, Any]


def record_text(record: Record) -> str:
    """A record as JSON text, as commands print it: any terminal carries it, for it has ASCII alone."""
    return json.dumps(record, indent=2)


def json_number(value: Value | Bound | None) -> str | list[str] | None:
    """A value as JSON has it, null when unknown."""
    return None if value is None else number_to_json(value)


def solution_record(solution: Solution) -> Record:
    """What `gametree solve --json` prints.

    Where a payoff is unknown and decides, `value` is null and `low` and `high` say between which
    values it lies. What only a search can say is null when there was none.
    """
    return {
        name: list(value) if isinstance(value, Iterator) else value
        for name, value in solution_fields(solution)
    }


def solution_fields(solution: Solution) -> Iterator[tuple[str, Any]]:
    """The same field by field, and what is said of nodes and leaves one by one, for a large tree has many."""
    tree = solution.tree
    root = range(len(tree.children[0]))
    best = solution.best[0]
    branches = solution.pruned_branches
    yield "schema", 1
    yield "tree", write_tree(tree)
    yield "rules", rules_to_json(solution.rules)
    yield from _valued(solution, 0).items()
    yield (
        "best_moves",
        None
        if best is None
        else [
            {"index": index, "name": tree.names[child], "move": tree.moves[child]}
            for index, child in zip(root, tree.children[0], strict=True)
            if child in best
        ],
    )
    yield "nodes", (_node(solution, node) for node in tree.internal)
    yield "leaves", (_leaf(solution, path, leaf) for path, leaf in enumerate(tree.leaves, 1))
    yield "pruned_paths", solution.pruned_paths
    yield "pruned_branches", None if branches is None else [tree.names[node] for node in branches]
    yield "visited_leaves", solution.visited_leaves
    yield "variants", solution.variants
    yield "other_ties", solution.other_ties
    yield "convention_sensitive", solution.convention_sensitive


def judgement_record(judgement: "Judgement") -> Record:
    """What `gametree check --json` prints; the lists of `crosses` are empty when they were not judged."""
    solution, crosses = judgement.solution, judgement.crosses
    return {
        "schema": 1,
        "ok": judgement.ok,
        "claims": [
            {
                "name": solution.tree.names[judged.node],
                "claimed": json_claim(judged.claim),
                **_valued(solution, judged.node),
                "right": judged.right,
                "follows": judged.follows,
                "why": judged.why,
            }
            for judged in judgement.claims
        ],
        "crosses": {
            "right": [] if crosses is None else list(crosses.right),
            "missing": [] if crosses is None else list(crosses.missing),
            "extra": [] if crosses is None else list(crosses.extra),
        },
        "notes": list(judgement.notes),
    }


def mark_record(exercise: "Exercise", mark: "Mark", feedback: "Feedback") -> Record:
    """What `gametree mark --json` prints; `points` is null unless the state is GRADED."""
    tree = exercise.public.tree
    return {
        "schema": 1,
        "exercise": exercise.public.id,
        "state": str(mark.state),
        "points": None if mark.points is None else write_number(mark.points),
        "max": write_number(mark.maximum),
        "follow_through": write_number(mark.follow_through),
        "notes": [note.code for note in mark.notes],
        "diagnosis": [
            {"code": note.code, "match": note.match, "text": text}
            for note, text in zip(mark.notes, feedback.diagnosis(mark), strict=True)
        ],
        "understood": mark.understood,
        "message": mark.message,
        "items": [
            {
                "name": None if item.node is None else tree.names[item.node],
                "said": item.said,
                "right": item.right,
                "verdict": item.verdict,
                "text": text,
            }
            for item, text in zip(mark.items, feedback.sentences(mark), strict=True)
        ],
    }


def json_claim(claim: Claim) -> str | list[str] | None:
    """A claim as JSON has it: a number for `=`, with the relation in front for a bound."""
    return json_number(claim.value) if claim.relation == "=" else write_claim(claim)


def _valued(solution: Solution, node: int) -> Record:
    value = solution.values[node]
    between: Interval | None = solution.intervals[node] if solution.intervals is not None else None
    if value is not None or between is None:
        return {"value": json_number(value)}
    return {"value": None, "low": json_number(between[0]), "high": json_number(between[1])}


def _node(solution: Solution, node: int) -> Record:
    tree, search, best = solution.tree, solution.search, solution.best[node]
    return {
        "name": tree.names[node],
        "player": tree.players[node],
        **_valued(solution, node),
        "best": None if best is None else [tree.names[child] for child in best],
        "visited": None if search is None else search.visited[node],
        "alpha": None if search is None else json_number(search.alphas[node]),
        "beta": None if search is None else json_number(search.betas[node]),
        "returned": None if search is None else json_number(search.returned[node]),
    }


def _leaf(solution: Solution, path: int, leaf: int) -> Record:
    tree, search = solution.tree, solution.search
    return {
        "path": path,
        "name": tree.names[leaf],
        **_valued(solution, leaf),
        "visited": None if search is None else search.visited[leaf],
    }
