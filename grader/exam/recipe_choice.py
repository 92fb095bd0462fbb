"""The recipe that grows the trees of a question with several parts."""

from collections.abc import Collection, Sequence
from typing import Any

from grader.generation.recipe import Recipe, Size
from grader.generation.recipe_file import default_recipe
from grader.generation.shape import fixed_skeleton
from grader.questions.case import Case
from grader.questions.kind import AnyKind


def _shipped_recipe(kind: str, size: Size = "exam") -> Recipe | None:
    """Return the recipe that comes with a kind, for questions of a size; None if none does."""
    try:
        return default_recipe(kind, size)
    except FileNotFoundError:
        return None


def recipe_objection(kind: AnyKind, recipe: Recipe) -> str | None:
    """Return why the trees of a recipe do not suit a kind that needs a tree; None if they do."""
    if kind.code == recipe.kind:  # it was read with its recipe
        return None
    case = Case(fixed_skeleton(recipe.shape), recipe.rules)
    return kind.root_window_objection(case) or kind.objection(case)


def recipe_for_parts(kinds: Sequence[AnyKind], size: Size) -> Recipe | None:
    """Return the recipe that comes with the kind of a part and grows the trees of all; None if none does.

    1. That of the last part whose kind annotates the tree.
    2. Else that of the last part, because parts go from easy to hard.

    Of these the first counts whose trees suit all other parts, as far as their shape tells; if there is none,
    the first.
    """
    by_priority = sorted(kinds, key=lambda kind: 2 if kind.annotates_tree else kind.needs_tree)[::-1]
    shipped = [_shipped_recipe(kind.code, size) for kind in by_priority]
    recipes = [recipe for recipe in shipped if recipe is not None]
    tree_kinds = [kind for kind in kinds if kind.needs_tree and kind.draw_shared_given is None]
    candidates = (
        recipe for recipe in recipes if all(recipe_objection(kind, recipe) is None for kind in tree_kinds)
    )
    return next(candidates, recipes[0] if recipes else None)


def variant_changes(recipe: Recipe, kinds: Sequence[AnyKind], stated: Collection[str] = ()) -> dict[str, Any]:
    """Return the changes by which variants differ in the answers of all parts, not only of one part.

    1. The shortest answers repeat soonest, so the measure that their own recipes spread evenly is used here;
       sets of leaves then differ enough when all that variants share is how much of the tree is visited.
    2. Where trees differ in their number of leaves, the best move is spread in place of the best leaf.
    3. Every root then has as many children as it may have: with two, alpha-beta prunes little unless the
       first is best. If the blueprint has `stated` a field of the shape, the shape is left as it is.
    """
    short = sorted((kind for kind in kinds if kind.form.repeats), key=lambda kind: -kind.form.repeats)
    kind, shape, visited = recipe.question_kind, recipe.shape, recipe.require.visited
    shipped = [own.variants.evenly for each in short if (own := _shipped_recipe(each.code)) is not None]
    evenly = next((measure for measure in shipped if measure != "none"), "none")
    if evenly == "best-leaf" and shape.has_drawn_branching:
        evenly = "best-move"
    if not shipped or evenly == recipe.variants.evenly or (kind in short and not kind.depends_on_search):
        return {}
    is_level = kind in short or "visited" in shipped or visited is not None
    changes: dict[str, Any] = {"variants.evenly": evenly, "variants.same": [] if is_level else ["visited"]}
    if evenly == "best-move" and not any(name.startswith("shape.") for name in stated):
        widest = max(shape.branching[0])
        if widest > min(shape.branching[0]):
            changes["shape.branching"] = [[widest, widest], *map(list, shape.branching[1:])]
            # A change of the branching alone drops the other two.
            spans = {"shape.leaves": shape.leaves, "require.visited": visited}
            changes |= {name: list(span) for name, span in spans.items() if span is not None}
    return changes
