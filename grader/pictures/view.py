"""What a picture shows of a tree beyond the question: values, windows, crosses, marks, the current node."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from grader.base.numbers import INFINITY, Bound
from grader.base.phrases import ENGLISH, Language
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.value_intervals import Interval, proved_intervals
from grader.trees.tree import Claim, Tree, Value, require_tree

if TYPE_CHECKING:
    from grader.exercises.checking.judgement import Judgement
    from grader.solvers.solution import Solution

Names: TypeAlias = Literal["given", "all", "none"]
ClaimMark: TypeAlias = Literal["right", "wrong", "follows"]
CrossMark: TypeAlias = Literal["right", "extra", "missing"]


@dataclass(frozen=True, slots=True)
class Range:
    """All that is known of a value: it lies between `low` and `high`, either of which may be infinite."""

    low: Bound
    high: Bound


NodeValue: TypeAlias = Value | Bound | Range
"""What can stand at a node as its value."""


@dataclass(frozen=True, slots=True)
class View:
    """What a picture says about a tree beyond the question itself: tuples aligned with the nodes.

    - `values`: the value written at an internal node.
    - `windows`: alpha and beta, written below the value.
    - `pruned`: whether the branch above the node is crossed out; all below it is drawn in grey.
    - `chosen`: whether the branch above the node is drawn thick, as part of the line of play.
    - `claims`: the value a student wrote.
    - `claim_marks`: whether that claim is right, wrong, or wrong but what the student's own values below
      imply; one that is not right gets the value beside it.
    - `cross_marks`: whether a student's cross is right, extra (it should not be there) or missing.
    - `notes`: lines of words at nodes, beside those of their attributes; empty for none anywhere.
    - `current`: the node a search is at, drawn inside a frame.
    - `language`: how all numbers are written, those of the question too, and what is said of the picture.
    """

    values: tuple[NodeValue | None, ...]
    windows: tuple[tuple[Bound, Bound] | None, ...]
    pruned: tuple[bool, ...]
    chosen: tuple[bool, ...]
    claims: tuple[Claim | None, ...]
    claim_marks: tuple[ClaimMark | None, ...]
    cross_marks: tuple[CrossMark | None, ...]
    notes: tuple[tuple[str, ...], ...] = ()
    current: int | None = None
    language: Language = ENGLISH

    @classmethod
    def question(cls, tree: Tree, language: Language = ENGLISH) -> "View":
        """The tree as its author wrote it, with the claims and crosses that someone drew on it."""
        nothing = (None,) * len(tree)
        return cls(
            values=nothing,
            windows=nothing,
            pruned=tree.crosses,
            chosen=(False,) * len(tree),
            claims=tree.claims,
            claim_marks=nothing,
            cross_marks=nothing,
            language=language,
        )

    @classmethod
    def solution(
        cls,
        solution: "Solution",
        *,
        windows: bool = False,
        pruning: bool = True,
        language: Language = ENGLISH,
    ) -> "View":
        """The answer: values, the first principal variation and, with `pruning`, what alpha-beta cuts.

        With pruning, a node shows what the visited leaves say of its value (`≤ 2` where the search
        left early) and `windows` adds the window with which it was entered.
        Without, every node shows its exact value. In a game of several players nothing is pruned.
        """
        tree, search = solution.tree, solution.search if pruning else None
        lines = solution.principal_variations
        line: frozenset[int] = frozenset(lines[0]) if lines else frozenset()
        plain = replace(
            cls.question(tree.bare(), language),
            values=tuple(_solved(solution, node) for node in range(len(tree))),
            chosen=tuple(node in line for node in range(len(tree))),
        )
        if search is None:
            return plain
        visited = search.visited
        cut = frozenset(solution.pruned_branches or ())
        return replace(
            plain,
            values=tuple(map(interval_value, proved_intervals(tree, visited, solution.rules.bounds))),
            windows=tuple(
                (alpha, beta)
                if windows and player is not None and alpha is not None and beta is not None
                else None
                for player, alpha, beta in zip(tree.players, search.alphas, search.betas, strict=True)
            ),
            pruned=tuple(node in cut for node in range(len(tree))),
        )

    @classmethod
    def from_judgement(cls, judgement: "Judgement", language: Language = ENGLISH) -> "View":
        """A hand-drawn tree, judged: a tick or the right value at each claim, a mark at each cross.

        A mark stands at the topmost branch that is wholly right, wholly extra or wholly missing.
        """
        solution, crosses = judgement.solution, judgement.crosses
        tree = solution.tree
        values: list[NodeValue | None] = [None] * len(tree)
        claim_marks: list[ClaimMark | None] = [None] * len(tree)
        cross_marks: list[CrossMark | None] = [None] * len(tree)
        for claim in judgement.claims:
            bound = claim.claim.relation != "="
            values[claim.node] = interval_value(claim.proved) if bound else _solved(solution, claim.node)
            claim_marks[claim.node] = "right" if claim.right else "wrong"
        if crosses is not None:
            sides: tuple[CrossMark, ...] = ("right", "missing", "extra")
            for mark in sides:
                for node in tree.covering(set(getattr(crosses, mark))):
                    cross_marks[node] = mark
        return replace(
            cls.question(tree, language),
            values=tuple(values),
            claim_marks=tuple(claim_marks),
            cross_marks=tuple(cross_marks),
        )

    @classmethod
    def steps(cls, solution: "Solution", language: Language = ENGLISH) -> tuple["View", ...]:
        """The state of the search after each of its events: what is known, open and cut so far."""
        from grader.solvers.trace import Cut, Enter, Gather, Leave, Update

        tree, search = solution.tree, solution.search
        assert search is not None
        known = proved_intervals(tree, search.visited, solution.rules.bounds)
        values: list[NodeValue | None] = [None] * len(tree)
        windows: list[tuple[Bound, Bound] | None] = [None] * len(tree)
        pruned = [False] * len(tree)
        entered = [False] * len(tree)
        blank = cls.question(tree.bare(), language)
        views = []
        for event in search.trace:
            node = event.node
            match event:
                case Enter():
                    entered[node] = True
                    if tree.children[node]:
                        windows[node] = (event.alpha, event.beta)
                case Update():
                    alpha, beta = windows[node] or (-INFINITY, INFINITY)
                    windows[node] = (event.value, beta) if event.bound == "alpha" else (alpha, event.value)
                case Cut():
                    for child in event.skipped:
                        pruned[child] = True
                case Leave():
                    # Chance passes over outcomes of probability zero without a cut.
                    for child in tree.children[node]:
                        pruned[child] = not entered[child]
                    values[node] = interval_value(known[node])
                case Gather():
                    pass
                case _:
                    assert_never(event)
            views.append(
                replace(
                    blank, values=tuple(values), windows=tuple(windows), pruned=tuple(pruned), current=node
                )
            )
        return tuple(views)


def _solved(solution: "Solution", node: int) -> NodeValue | None:
    """The exact value of a node, or between which values it lies when an unknown payoff decides."""
    return solution.values[node] if solution.intervals is None else interval_value(solution.intervals[node])


def interval_value(ends: Interval | None) -> NodeValue | None:
    """What a node between two ends shows."""
    return None if ends is None else ends[0] if ends[0] == ends[1] else Range(*ends)


def resolve_view(tree: Tree, solution: "Solution | None", view: View | None) -> tuple[Tree, View]:
    """What to draw: a solution brings its own tree, which a depth limit may have made shorter.

    Raises `ValueError` for the solution or the view of another tree, and for the diagnosis of a text,
    `TypeError` for what is no solution or no view.
    """
    from grader.solvers.solution import Solution

    require_tree(tree)
    for found, kind in ((view, View), (solution, Solution)):
        if found is not None and not isinstance(found, kind):
            raise TypeError(f"this is no {kind.__name__.lower()}: {found!r}")
    if view is not None:
        if len(view.values) != len(tree):
            raise ValueError(
                f"the view is of a tree of {len(view.values)} nodes, and this one has {len(tree)}"
            )
        return tree, view
    if solution is None:
        return tree, View.question(tree)
    solved = solution.tree.bare()
    if solved != tree.bare() and solved != truncate_at_depth(tree, solution.rules.depth).bare():
        raise ValueError("the solution is of another tree")
    return solution.tree, View.solution(solution)
