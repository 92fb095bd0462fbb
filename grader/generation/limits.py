"""Demands that no tree of a recipe's shape can meet, and beliefs that lead to the key on all of them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from grader.answers.reply_reading import MAX_REPLY_WORDS
from grader.base.numbers import format_count, write_number
from grader.generation.recipe import MAX_TREE_LEAVES, Recipe
from grader.generation.shape import SIMPLE_ODDS, Shape, fixed_skeleton, has_frequent_leaves, search_maxima
from grader.questions.case import Case
from grader.tables.schema import Fault, fault_at
from grader.tables.toml import did_you_mean
from grader.trees.tree import Player


def impossible_demands(recipe: Recipe) -> list[Fault]:
    """List the demands of a recipe that no tree can meet.

    Unknown beliefs and impossible chance levels are always listed. Of the other groups only the first with
    a fault is, because each group looks at trees that the groups before it have accepted.
    """
    if not recipe.question_kind.needs_tree:
        return [*_unused_shape(recipe), *_unknown_beliefs(recipe)]
    return [*_unknown_beliefs(recipe), *_wrong_chance(recipe)] + (
        [*_too_wide(recipe)]
        or [*_unsuitable(recipe)]
        or [*_too_long(recipe)]
        or [*_wrong_payoffs(recipe), *_too_many(recipe), *_moot_beliefs(recipe)]
    )


def _unused_shape(recipe: Recipe) -> Iterator[Fault]:
    """Report a shape in the recipe of a kind that needs no tree."""
    if recipe.shape.plies:
        message = f"{recipe.kind} asks about no tree"
        yield fault_at("shape.plies", "recipe-shape", message, "leave out [shape] and [payoffs]")


def _too_wide(recipe: Recipe) -> Iterator[Fault]:
    """Report too many leaves, or a number of leaves that hardly any tree of the branching has."""
    leaves = recipe.shape.max_leaves()
    if leaves > MAX_TREE_LEAVES:
        message = f"such a tree can have {leaves} leaves, but at most {MAX_TREE_LEAVES} are allowed"
        yield fault_at("shape.branching", "recipe-wide", message, "take fewer plies or fewer children")
    elif not has_frequent_leaves(recipe.shape):
        message = "shape.leaves: hardly any tree with such a branching has this number of leaves"
        yield fault_at("shape.leaves", "recipe-value", message, "take a wider span of leaves")


def _wrong_chance(recipe: Recipe) -> Iterator[Fault]:
    """Report chance levels that do not suit the probabilities or the cutoffs asked for."""
    shape = recipe.shape
    widest = max((shape.branching[level][1] for level in shape.chance), default=1)
    if shape.probabilities == "simple" and widest > max(SIMPLE_ODDS):
        message = f"there are no simple probabilities for {widest} outcomes"
        hint = f'take at most {max(SIMPLE_ODDS)} outcomes, or probabilities = "uniform"'
        yield fault_at("shape.probabilities", "recipe-chance", message, hint)
    if recipe.require.chance_cuts and not shape.chance:
        yield fault_at("require.chance_cuts", "recipe-chance", "chance moves at no level of the tree")


def _unsuitable(recipe: Recipe) -> Iterator[Fault]:
    """Report trees about which the kind cannot be asked."""
    kind = recipe.question_kind
    if kind.draw is not None:
        return  # it judges each tree together with the values that it draws
    shape, rules = recipe.shape, recipe.rules
    objection = kind.objection(Case(fixed_skeleton(shape), rules))
    if objection is not None:
        # The fault is in the chance levels if the kind accepts the tree without them, or with one.
        other = replace(shape, chance=() if shape.chance else (shape.plies - 1,))
        is_about_chance = kind.objection(Case(fixed_skeleton(other), rules)) is None
        field = "shape.chance" if is_about_chance else "shape.branching"
        yield fault_at(field, "recipe-chance", f"{recipe.kind} cannot be asked of such a tree: {objection}")


def _too_long(recipe: Recipe) -> Iterator[Fault]:
    """Report a key with more entries than a reply may have."""
    inner = level = 1
    for _, high in recipe.shape.branching[:-1]:
        level *= high
        inner += level
    if recipe.question_kind.form.answer_space.shape == "table" and inner * WORDS_PER_ENTRY > MAX_REPLY_WORDS:
        max_entries = MAX_REPLY_WORDS // WORDS_PER_ENTRY
        message = (
            f"such a tree can have {inner} inner nodes, and a reply has room for the values of {max_entries}"
        )
        yield fault_at("shape.branching", "recipe-wide", message, "take one ply less, or fewer children")


WORDS_PER_ENTRY = 3
"""A name, a sign and a value."""


REPEATS_CURE = "set distinct = false below [payoffs]"
"""The hint to let payoffs repeat; commands with an option for it name the option instead."""


def _wrong_payoffs(recipe: Recipe) -> Iterator[Fault]:
    """Report too few payoffs, bounds that do not hold them, a window without any, and impossible ties."""
    payoffs, bounds, leaves = recipe.payoffs, recipe.rules.bounds, recipe.shape.max_leaves()
    if payoffs.distinct and payoffs.size < leaves:
        message = f"{leaves} leaves cannot all differ: {format_count(payoffs.size, 'payoff')} to draw from"
        hint = f"widen the range to {leaves} payoffs at least, or {REPEATS_CURE}"
        yield fault_at("payoffs.range", "recipe-payoffs", message, hint)
    case = Case(fixed_skeleton(recipe.shape), recipe.rules)
    if (why := recipe.question_kind.root_window_objection(case)) is not None:
        name = "rules.bounds" if recipe.rules.window is None else "rules.window"
        yield fault_at(name, "recipe-bounds", f"{recipe.kind} cannot be asked so: {why}")
    if bounds is not None and not bounds[0] <= payoffs.low <= payoffs.high <= bounds[1]:
        low, high, least, greatest = map(write_number, (*payoffs.range, *bounds))
        message = f"payoffs are drawn from {low} to {high}, but the bounds are {least} and {greatest}"
        yield fault_at("rules.bounds", "recipe-bounds", message, "the bounds must hold every payoff")
    window = recipe.rules.window
    misses_window = window is not None and (payoffs.high < window[0] or window[1] < payoffs.low)
    if window is not None and misses_window and recipe.question_kind.depends_on_search:
        low, high, alpha, beta = map(write_number, (*payoffs.range, *window))
        message = f"payoffs are drawn from {low} to {high}, and none is between {alpha} and {beta}"
        hint = "take a window that contains payoffs; without any, they do not change what is pruned"
        yield fault_at("rules.window", "recipe-bounds", message, hint)
    if recipe.require.ties == "different" and payoffs.distinct and not recipe.shape.chance:
        message = "with distinct payoffs both tie rules always prune the same leaves"
        yield fault_at("require.ties", "recipe-ties", message, REPEATS_CURE)


_REASONS = {
    "alpha_cuts": "a cutoff at a MIN node takes two children, and a MAX node above it that has a value",
    "beta_cuts": "a cutoff at a MAX node takes two children, and a MIN node above it that has a value",
    "deep_cuts": "the bound must come from above the parent, so a deep cutoff takes four plies",
    "subtree_cuts": "the pruned node must be below the root and two plies or more above the leaves",
}
"""For each field that demands cutoffs the reason why small trees have none."""


def _too_many(recipe: Recipe) -> Iterator[Fault]:
    """Report counts that no tree of the shape reaches."""
    shape, require = recipe.shape, recipe.require
    leaves = shape.max_leaves()
    fewest = require.pruned[0] if require.pruned is not None else 0
    if shape.chance:
        if fewest >= leaves:
            at_most = f"at most {format_count(leaves, 'leaf', 'leaves')}"
            message = f"the tree has {at_most}, and the first is always visited"
            yield fault_at("require.pruned", "recipe-pruned", message, f"ask for {leaves - 1} at most")
        return
    limit = search_maxima(shape)
    possible_pruned = limit.pruned if shape.leaves is None else min(limit.pruned, leaves - 1)
    if limit.pruned == 0 and recipe.question_kind.depends_on_search:
        message = "alpha-beta visits every leaf of such a tree, so there is nothing to ask"
        hint = "take two plies or more, and two children"
        yield fault_at("shape.plies", "recipe-pruned", message, hint)
    elif fewest > possible_pruned:
        # One fault: with this many pruned leaves, most shapes lack the cutoffs asked for, too.
        message = (
            f"with {_size(shape)} at most {format_count(possible_pruned, 'leaf', 'leaves')} can be pruned, "
            f"and the recipe asks for {fewest}; "
            f"alpha-beta always visits {leaves - possible_pruned} of {leaves}"
        )
        cures = [f"pruned = [{min(1, possible_pruned)}, {possible_pruned}]"]
        excessive = (name for name in _REASONS if getattr(require, name) > getattr(limit, name))
        cures += [f"{name} = {getattr(limit, name)}" for name in excessive]
        hint = f"write below [require]: {', '.join(cures)}"
        yield fault_at("require.pruned", "recipe-pruned", message, hint)
        return
    for name, reason in _REASONS.items():
        minimum, possible = getattr(require, name), getattr(limit, name)
        if minimum > possible:
            cutoffs = format_count(possible, name.replace("_cuts", " cutoff"))
            tree = f"with {_size(shape)} a tree has at most {cutoffs}"
            message = f"{tree}, and the recipe asks for {minimum}: {reason}"
            hint = f"write below [require]: {name} = {possible}"
            yield fault_at(f"require.{name}", "recipe-cuts", message, hint)


def _size(shape: Shape) -> str:
    """Return the size of trees: `2 plies and branching 2`, or by level `2 plies and branching 3, 2-4`."""
    levels = [str(low) if low == high else f"{low}-{high}" for low, high in shape.branching]
    branching = ", ".join(dict.fromkeys(levels) if len(set(levels)) == 1 else levels)
    return f"{format_count(shape.plies, 'ply', 'plies')} and branching {branching}"


def _unknown_beliefs(recipe: Recipe) -> Iterator[Fault]:
    """Report beliefs that the kind does not know."""
    known = tuple(recipe.question_kind.beliefs)
    for field, belief in _separated_beliefs(recipe):
        if belief not in known:
            hint = did_you_mean(belief, known) or f"its beliefs are {', '.join(known)}"
            yield fault_at(field, "recipe-belief", f"{recipe.kind} knows no belief {belief!r}", hint, belief)


def _moot_beliefs(recipe: Recipe) -> Iterator[Fault]:
    """Report beliefs that always lead to the key."""
    moot = moot_beliefs(recipe)
    for field, belief in _separated_beliefs(recipe):
        if belief in moot and field != "separate.mild":
            message = f"{belief} always leads to the right answer here: {moot[belief]}"
            hint = "leave it out, or change the tree"
            yield fault_at(field, "recipe-separate", message, hint, belief)


def _separated_beliefs(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """Yield the fields that name beliefs, with each belief that they name."""
    for name in ("key", "each_other", "mild"):
        for belief in getattr(recipe.separate, name) or ():
            yield f"separate.{name}", belief


def moot_beliefs(recipe: Recipe) -> dict[str, str]:
    """Return the beliefs of the kind that lead to the key on every tree of a recipe, each with the reason."""
    shape = recipe.shape
    reasons: dict[str, str] = {}
    if not recipe.question_kind.needs_tree:
        return reasons
    if recipe.rules.returns == "hard":
        for name in ("latest-not-best", "latest-in-window"):
            reasons[name] = "a child that cannot improve the best value reports that very value"
    if recipe.require.ties == "same":
        for name in ("ties-kept", "ties-cut"):
            reasons[name] = "only trees are kept on which both tie rules prune the same leaves"
    if not shape.chance:
        limit = search_maxima(shape)
        if recipe.payoffs.distinct:
            for name in ("ties-kept", "ties-cut", "stops-at-tie"):
                reasons[name] = "no two payoffs are equal"
        # Windows come from above the parent one ply before cutoffs do.
        if not limit.deep_cuts and (recipe.question_kind.about != "windows" or shape.plies < 3):
            reasons["shallow-only"] = "a deep cutoff takes four plies"
        if not limit.subtree_cuts:
            reasons["leaves-only"] = "no whole subtree can be pruned"
        widest = [high for _, high in shape.branching]
        if max(widest[1:], default=0) < 3:
            reasons["one-sibling-only"] = "no node with a cutoff has three children"
        if max(widest[:-1], default=0) < 3:
            reasons["latest-in-window"] = "no node has three children that are searched"
            if shape.plies < 4 and recipe.question_kind.about != "windows":
                reasons["latest-not-best"] = (
                    "before every cutoff there is at most one bound, which is both the best and the latest"
                )
        if not limit.beta_cuts:
            reasons["only-at-min"] = "no cutoff can occur at a MAX node"
        if not limit.alpha_cuts:
            reasons["only-at-max"] = "no cutoff can occur at a MIN node"
    elif shape.probabilities == "uniform":
        reasons["plain-average"] = "all outcomes are equally likely"
    if recipe.payoffs.low >= 0:
        reasons["sign-overlooked"] = "no payoff is negative"
    if Player.MIN not in shape.movers:
        reasons["ignores-opponent"] = "MIN never moves"
    return {name: reason for name, reason in reasons.items() if name in recipe.question_kind.beliefs}


def beliefs_apart_from_key(recipe: Recipe) -> tuple[str, ...]:
    """Return the beliefs whose answers must differ from the key, without those that never can."""
    return _without_moot(recipe, recipe.separate.key)


def beliefs_apart_from_each_other(recipe: Recipe) -> tuple[str, ...]:
    """Return the beliefs whose answers must differ from each other, without those that never can."""
    return _without_moot(recipe, recipe.separate.each_other)


@lru_cache(maxsize=128)
def _without_moot(recipe: Recipe, names: tuple[str, ...] | None) -> tuple[str, ...]:
    """Leave out the beliefs that always lead to the key; None stands for all beliefs of the kind."""
    moot = moot_beliefs(recipe)
    names = tuple(recipe.question_kind.beliefs) if names is None else names
    return tuple(name for name in names if name not in moot)
