"""What is asked of a picture, and a picture that is made."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.base.safe_text import readable
from grader.pictures.layout import BoxedLayout, Layout, Spot
from grader.pictures.placing import Direction
from grader.pictures.view import View
from grader.solvers.limit import limited
from grader.tree import Tree, require_tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution


class Options(Layout, total=False):
    """How a picture is drawn and called: `title`, or else the title in the file's header, or "Game tree"."""

    title: str | None


class BoxedOptions(BoxedLayout, total=False):
    """The same for a picture with room for boxes."""

    title: str | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its size in CSS pixels, its name, and what it shows in words."""

    svg: str
    width: float
    height: float
    direction: Direction
    title: str
    description: str
    language: str
    spots: tuple[Spot, ...] = ()


def shown(tree: Tree, solution: "Solution | None", view: View | None) -> tuple[Tree, View]:
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
    if solved != tree.bare() and solved != limited(tree, solution.rules.depth).bare():
        raise ValueError("the solution is of another tree")
    return solution.tree, View.solution(solution)


def title_of(tree: Tree, view: View, title: str | None) -> str:
    """What a picture is called."""
    return readable(title or tree.header.title or view.language.say("Game tree"), 200)
