"""The content of a picture beyond the question: values, windows, crosses, marks, the current node."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from grader.base.numbers import INFINITY, Bound, format_count
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
    """An interval that contains an unknown value; either end may be infinite."""

    low: Bound
    high: Bound


NodeValue: TypeAlias = Value | Bound | Range
"""A value that a picture can show at a node."""


@dataclass(frozen=True, slots=True)
class View:
    """The content of a picture beyond the question itself: tuples aligned with the nodes.

    - `values`: the value at an internal node.
    - `windows`: alpha and beta, below the value.
    - `pruned`: the branch above the node is crossed out, and its subtree is grey.
    - `chosen`: the branch above the node is thick, as part of the line of play.
    - `claims`: the value that a student wrote.
    - `claim_marks`: the claim is right, or wrong, or follows from the student's values below; the correct
      value is next to one that is not right.
    - `cross_marks`: a student's cross is right, extra (it should not be there) or missing.
    - `notes`: lines of words at nodes in addition to those of their attributes; empty without any.
    - `current`: the node of the current step of a search, inside a frame.
    - `language`: the language of all numbers, also in the question, and of the description; it has
      `fractions` if the tree demands them.
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
        """Return the view of the tree as it was written, with the claims and crosses drawn on it."""
        nothing = (None,) * len(tree)
        return cls(
            values=nothing,
            windows=nothing,
            pruned=tree.crosses,
            chosen=(False,) * len(tree),
            claims=tree.claims,
            claim_marks=nothing,
            cross_marks=nothing,
            language=with_numbers_of(tree, language),
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
        """Return the view of the solution, with its first principal variation.

        With `pruning` a node shows what the visited leaves prove of its value (`≤ 2` after a cutoff),
        pruned branches are crossed out, and `windows` adds the window of each node when it was entered.
        Without it, and in games of several players, every node shows its exact value.
        """
        tree, search = solution.tree, solution.search if pruning else None
        lines = solution.principal_variations
        line: frozenset[int] = frozenset(lines[0]) if lines else frozenset()
        plain = replace(
            cls.question(tree.bare(), language),
            values=tuple(_exact_value(solution, node) for node in range(len(tree))),
            chosen=tuple(node in line for node in range(len(tree))),
        )
        if search is None:
            return plain
        pruned = frozenset(solution.pruned_branches or ())
        proved = proved_intervals(tree, search.visited, solution.rules.bounds)
        return replace(
            plain,
            values=tuple(map(interval_value, proved)),
            windows=tuple(
                (alpha, beta)
                if windows and player is not None and alpha is not None and beta is not None
                else None
                for player, alpha, beta in zip(tree.players, search.alphas, search.betas, strict=True)
            ),
            pruned=tuple(node in pruned for node in range(len(tree))),
        )

    @classmethod
    def from_judgement(cls, judgement: "Judgement", language: Language = ENGLISH) -> "View":
        """Return the view of a judged hand-drawn tree, with a mark at each claim and each cross.

        The mark for a cross is at the topmost branch whose leaves are all right, all extra or all missing.
        """
        solution, crosses = judgement.solution, judgement.crosses
        tree = solution.tree
        values: list[NodeValue | None] = [None] * len(tree)
        claim_marks: list[ClaimMark | None] = [None] * len(tree)
        cross_marks: list[CrossMark | None] = [None] * len(tree)
        for claim in judgement.claims:
            is_bound, node = claim.claim.relation != "=", claim.node
            values[node] = interval_value(claim.proved) if is_bound else _exact_value(solution, node)
            claim_marks[node] = "right" if claim.right else "wrong"
        if crosses is not None:
            marks: tuple[CrossMark, ...] = ("right", "missing", "extra")
            for mark in marks:
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
        """Return the view after each event of the search: the values, windows and crosses so far."""
        from grader.solvers.trace import Cut, Enter, Gather, Leave, Update

        tree, search = solution.tree, solution.search
        assert search is not None
        proved = proved_intervals(tree, search.visited, solution.rules.bounds)
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
                    # Outcomes of probability zero are skipped without a `Cut` event.
                    for child in tree.children[node]:
                        pruned[child] = not entered[child]
                    values[node] = interval_value(proved[node])
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


def with_numbers_of(tree: Tree, language: Language) -> Language:
    """Return the language, writing numbers as fractions if the tree has the line `@numbers fractions`."""
    return replace(language, fractions=True) if tree.header.numbers == "fractions" else language


def _exact_value(solution: "Solution", node: int) -> NodeValue | None:
    """Return the exact value of a node, or its interval if it depends on an unknown payoff."""
    return solution.values[node] if solution.intervals is None else interval_value(solution.intervals[node])


def interval_value(interval: Interval | None) -> NodeValue | None:
    """Return the value of a node with this interval: a number if both ends are equal, None without one."""
    if interval is None:
        return None
    return interval[0] if interval[0] == interval[1] else Range(*interval)


def resolve_view(tree: Tree, solution: "Solution | None", view: View | None) -> tuple[Tree, View]:
    """Return the tree and the view to draw; a solution has its own tree, which a depth limit may cut.

    Raises `ValueError` for the solution or the view of another tree, and for the diagnosis of a text,
    `TypeError` for arguments of other types.
    """
    from grader.solvers.solution import Solution

    require_tree(tree)
    for argument, expected in ((view, View), (solution, Solution)):
        if argument is not None and not isinstance(argument, expected):
            raise TypeError(f"this is not a {expected.__name__.lower()}: {argument!r}")
    if view is not None:
        if len(view.values) != len(tree):
            nodes = format_count(len(view.values), "node")
            raise ValueError(f"the view is of a tree of {nodes}, but this one has {len(tree)}")
        return tree, view
    if solution is None:
        return tree, View.question(tree)
    solved_tree = solution.tree.bare()
    depth = solution.rules.depth
    if solved_tree != tree.bare() and solved_tree != truncate_at_depth(tree, depth).bare():
        raise ValueError("the solution belongs to another tree")
    return solution.tree, View.solution(solution)
