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
    """Return a record as JSON text in ASCII, which every terminal can print."""
    return json.dumps(record, indent=2)


def json_number(value: Value | Bound | None) -> str | list[str] | None:
    """Return a value as JSON, null if it is unknown."""
    return None if value is None else number_to_json(value)


def solution_record(solution: Solution) -> Record:
    """Return the document of `gametree solve --json`.

    If a value depends on an unknown payoff, `value` is null, and `low` and `high` are its interval.
    Results of a search are null if there was none.
    """
    return {
        name: list(value) if isinstance(value, Iterator) else value
        for name, value in solution_fields(solution)
    }


def solution_fields(solution: Solution) -> Iterator[tuple[str, Any]]:
    """Yield the fields of this document; nodes and leaves are iterators, since a tree may be large."""
    tree = solution.tree
    best = solution.best[0]
    branches = solution.pruned_branches
    yield "schema", 1
    yield "tree", write_tree(tree)
    yield "rules", rules_to_json(solution.rules)
    yield from _value_fields(solution, 0).items()
    yield (
        "best_moves",
        None
        if best is None
        else [
            {"index": index, "name": tree.names[child], "move": tree.moves[child]}
            for index, child in enumerate(tree.children[0])
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
    """Return the document of `gametree check --json`; the lists of `crosses` are empty if not judged."""
    solution, crosses = judgement.solution, judgement.crosses
    return {
        "schema": 1,
        "ok": judgement.ok,
        "claims": [
            {
                "name": solution.tree.names[each.node],
                "claimed": json_claim(each.claim),
                **_value_fields(solution, each.node),
                "right": each.right,
                "follows": each.follows,
                "why": each.why,
            }
            for each in judgement.claims
        ],
        "crosses": {
            "right": [] if crosses is None else list(crosses.right),
            "missing": [] if crosses is None else list(crosses.missing),
            "extra": [] if crosses is None else list(crosses.extra),
        },
        "notes": list(judgement.notes),
    }


def mark_record(exercise: "Exercise", mark: "Mark", feedback: "Feedback") -> Record:
    """Return the document of `gametree mark --json`; `points` is null unless the state is GRADED."""
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
                "said": item.reply,
                "right": item.right,
                "verdict": item.verdict,
                "text": text,
            }
            for item, text in zip(mark.items, feedback.sentences(mark), strict=True)
        ],
    }


def json_claim(claim: Claim) -> str | list[str] | None:
    """Return a claim as JSON: a number for `=`, with the relation in front for a bound."""
    return json_number(claim.value) if claim.relation == "=" else write_claim(claim)


def _value_fields(solution: Solution, node: int) -> Record:
    """Return the value of a node, or null with the interval in which it lies, if unknown payoffs decide."""
    value = solution.values[node]
    interval: Interval | None = solution.intervals[node] if solution.intervals is not None else None
    if value is not None or interval is None:
        return {"value": json_number(value)}
    return {"value": None, "low": json_number(interval[0]), "high": json_number(interval[1])}


def _node(solution: Solution, node: int) -> Record:
    """Return an inner node; null for what unknown payoffs leave open, and where there was no search."""
    tree, search, best = solution.tree, solution.search, solution.best[node]
    return {
        "name": tree.names[node],
        "player": tree.players[node],
        **_value_fields(solution, node),
        "best": None if best is None else [tree.names[child] for child in best],
        "visited": None if search is None else search.visited[node],
        "alpha": None if search is None else json_number(search.alphas[node]),
        "beta": None if search is None else json_number(search.betas[node]),
        "returned": None if search is None else json_number(search.returned[node]),
    }


def _leaf(solution: Solution, path: int, leaf: int) -> Record:
    """Return a leaf with its number and value; `visited` is null if there was no search."""
    tree, search = solution.tree, solution.search
    return {
        "path": path,
        "name": tree.names[leaf],
        **_value_fields(solution, leaf),
        "visited": None if search is None else search.visited[leaf],
    }
