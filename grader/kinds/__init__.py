"""The question kinds: what is asked of a tree, what is right, and how people go wrong."""

import sys

from grader.kinds import (
    belief_state,
    best_move,
    best_path,
    board_position,
    chance_cuts,
    cut_reasons,
    deepening,
    depth_limited,
    evaluation_scaling,
    expected_values,
    feasible_pattern,
    imperfect_opponent,
    node_values,
    payoff_vectors,
    possible_values,
    pruned_branches,
    pruned_paths,
    reorder,
    root_value,
    search_budget,
    strategy,
    true_false,
    uct,
    unknown_leaf,
    visited_count,
    visiting_order,
    windows,
)
from grader.kinds.kind import AnyKind
from grader.kinds.unaffected import for_any_payoffs

KINDS: tuple[AnyKind, ...] = tuple(
    for_any_payoffs(kind)
    for kind in (
        root_value.KIND,
        best_move.KIND,
        best_path.KIND,
        node_values.KIND,
        pruned_paths.KIND,
        pruned_branches.KIND,
        visited_count.KIND,
        *windows.ASKS,
        visiting_order.KIND,
        expected_values.KIND,
        chance_cuts.KIND,
        unknown_leaf.PRUNED,
        unknown_leaf.EXTREME,
        unknown_leaf.CHOSEN,
        unknown_leaf.MATTERS,
        reorder.ORDER,
        reorder.LEAVES,
        *deepening.ASKS,
        *depth_limited.ASKS,
        *evaluation_scaling.ASKS,
        *imperfect_opponent.KINDS,
        *strategy.KINDS,
        possible_values.KIND,
        cut_reasons.WHERE,
        cut_reasons.CAUSE,
        cut_reasons.WHY_NOT,
        *payoff_vectors.KINDS,
        *board_position.ASKS,
        *uct.ASKS,
        *belief_state.KINDS,
        *search_budget.ASKS,
        feasible_pattern.POSSIBLE,
        feasible_pattern.WHY_NOT,
        feasible_pattern.WITH_PAYOFFS,
        *true_false.KINDS,
    )
)
"""Every kind there is; a new kind is one file and one line here."""


def kind_named(code: str) -> AnyKind | None:
    """The kind with this name and ask, `unknown-leaf.pruned`, or None."""
    name, _, ask = code.partition(".")
    return next((kind for kind in KINDS if kind.name == name and kind.ask == ask), None)


def question_of(kind: AnyKind) -> str:
    """The question a kind asks: its own where it is one of several, or the docstring of its module."""
    return kind.question or (sys.modules[f"{__name__}.{kind.name.replace('-', '_')}"].__doc__ or "").strip()


def the_kind(code: str) -> AnyKind:
    """The kind with this name and ask. Raises `KeyError` when there is none."""
    kind = kind_named(code)
    if kind is None:
        raise KeyError(code)
    return kind
