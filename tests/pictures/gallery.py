"""Twenty trees that are difficult to draw, each with what its picture shows."""

import html
from dataclasses import dataclass, replace

from grader.pictures.placement import Direction
from grader.pictures.svg import svg
from grader.pictures.text import text_picture
from grader.pictures.view import Names, View
from grader.solvers.solution import solve
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A tree, a view of it and the options it is drawn with."""

    name: str
    tree: Tree
    view: View
    direction: Direction | None = None
    names: Names = "given"
    paths: bool = False


def read(text: str) -> Tree:
    """The tree a text spells."""
    tree = read_tree(text)
    assert isinstance(tree, Tree), str(tree)
    return tree


def uniform(branching: tuple[int, ...], payoffs: str = "plain") -> str:
    """A text with alternating players: `branching[k]` children on ply k, payoffs that look random."""
    spell = {
        "plain": lambda k: str(k * 37 % 101 - 50),
        "fractions": lambda k: f"{-(k * 37 % 101) - 1}/{7 + k % 6}",
    }[payoffs]
    count = 1
    for width in branching:
        count *= width
    parts = [spell(leaf) for leaf in range(count)]
    for ply, width in reversed(tuple(enumerate(branching))):
        player = "MIN" if ply % 2 else "MAX"
        parts = [
            f"{player} ({' '.join(parts[first : first + width])})" for first in range(0, len(parts), width)
        ]
    return parts[0]


def solved(tree: Tree, *, windows: bool = False) -> View:
    """The solution of a tree under the rules in its header."""
    return View.solution(solve(tree, tree.rules()), windows=windows)


def _question(name: str, text: str, **options: object) -> Exhibit:
    tree = read(text)
    return Exhibit(name, tree, View.question(tree), **options)  # type: ignore[arg-type]  # checked by the record


def _solution(name: str, text: str, *, windows: bool = False, **options: object) -> Exhibit:
    tree = read(text)
    return Exhibit(name, tree, solved(tree, windows=windows), **options)  # type: ignore[arg-type]  # likewise


TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
CHANCE = """MAX (left: CHANCE L (1/2: 3, 1/3: -7/3, 1/6: MIN deep (4 5))
  right: CHANCE R (0.9: 10, 0.1: MAX (-100 -99.5)) middle: 2)"""
PLAYERS = """P1 (P2 (P3 (<1,2,6> <4,2,3>) P3 (<6,1,2> <7,4,-1>))
  P2 (P3 (<5,-1/3,-1> <-1,5,2>) P3 (<7,7,-1> <5,4,5>)))"""
NINE = """P1 (P2 (P3 (a: <1,2,3,4,5,6,7,8,9> <9,8,7,6,5,4,3,2,1>) P4 (<-1/3,0,0,0,0,0,0,0,12>
  P5 (P6 (P7 (P8 (P9 (<0,0,0,0,0,0,0,0,0> <1,1,1,1,1,1,1,1,1>))))))) <5,5,5,5,5,5,5,5,5>)"""
WIDE = """MAX "the first player, who opens" (
  "an opening with a very long name": MIN "the second player's reply" (1 "a named leaf with many words"=2)
  x: MIN M (3 4)
  "another opening with a long name":
    MIN "a third node whose name is wider than all" (-1234567/891 5.0625 6))"""
CLAIMED = "MAX A=4 (MIN B=3 (3 12 8) MIN C=4 (2 ~4 6) MIN D<=2 (14 ~5 2))"


def _marked() -> Exhibit:
    tree = read(CLAIMED)
    crosses = {"5": "right", "6": "missing", "8": "extra"}
    claim_marks = {"A": "follows", "B": "right", "C": "wrong", "D": "right"}
    view = replace(
        View.question(tree),
        values=solved(tree).values,
        claim_marks=tuple(claim_marks.get(name) for name in tree.names),  # type: ignore[arg-type]  # ClaimMark
        cross_marks=tuple(crosses.get(name) for name in tree.names),  # type: ignore[arg-type]  # CrossMark
    )
    return Exhibit("marked", tree, view)


def _step() -> Exhibit:
    tree = read(TEXTBOOK)
    steps = View.steps(solve(tree, Rules()))
    return Exhibit("a step of a search", tree, next(view for view in steps if any(view.pruned)))


def _chain(plies: int) -> str:
    return "".join("MIN (" if ply % 2 else "MAX (" for ply in range(plies)) + "1 2" + ")" * plies


def _caterpillar(plies: int) -> str:
    text = "0"
    for ply in range(plies, 0, -1):
        text = f"{'MIN' if ply % 2 else 'MAX'} N{ply} ({text} {ply * 11 - 60})"
    return text


def gallery() -> tuple[Exhibit, ...]:
    """All exhibits."""
    return (
        _question("textbook", TEXTBOOK, paths=True),
        _solution("textbook solved", TEXTBOOK, windows=True, paths=True),
        _solution("textbook to the right", TEXTBOOK, windows=True, paths=True, direction="right"),
        _marked(),
        _step(),
        _question("claims and crosses", CLAIMED),
        _solution("three plies", uniform((3, 3, 3)), windows=True, paths=True),
        _solution("three plies downwards", uniform((3, 3, 3)), windows=True, paths=True, direction="down"),
        _question("sixty leaves", uniform((5, 3, 4)), names="all", paths=True),
        _solution("sixty fractions", uniform((5, 3, 4), "fractions"), windows=True, direction="down"),
        _question("chance", CHANCE),
        _solution("chance solved", f"@bounds [-100, 10]\n{CHANCE}", windows=True, direction="right"),
        _solution("three players", PLAYERS),
        _solution("nine players", NINE),
        _question("wide names", WIDE),
        _solution("wide names to the right", WIDE, windows=True, direction="right"),
        _solution("unary chain", _chain(9), names="all"),
        _question("single leaf", "7"),
        _solution("caterpillar", _caterpillar(12)),
        _question("flat", "MAX (" + " ".join(f"m{k}: {k * 7 - 80}" for k in range(24)) + ")"),
        _question(
            "attributes", "MAX A {eval=4, f=[2,-1], n=10, w=6} (~MIN B {n=3} (x y) MIN {eval=-1/3} (1 2) e=3)"
        ),
        _solution("unknowns", "MAX (MIN (3 12 8) MIN (2 x y) MIN (14 5 2))"),
        _solution(
            "crossed moves", uniform((2, 2, 3)).replace("MIN (", "a: MIN (").replace("MAX (", "b: MAX (")[3:]
        ),
        _solution(
            "other alphabets",
            'MAX "Ωμέγα" (MIN "щука" (1 2) MIN "日本語の名前" (0 "résumé"=4) MIN "שלום" (7 8))',
        ),
    )


def page() -> str:
    """All exhibits on one HTML page: to look at, `python -m tests.pictures.gallery > gallery.html`."""
    figures = (
        f"<figure><figcaption>{exhibit.name}</figcaption>"
        + svg(
            exhibit.tree,
            view=exhibit.view,
            direction=exhibit.direction,
            names=exhibit.names,
            paths=exhibit.paths,
        )
        + f"<pre>{html.escape(text_picture(exhibit.tree, view=exhibit.view, width=100))}</pre></figure>"
        for exhibit in gallery()
    )
    return "<!DOCTYPE html><html lang='en'><title>Gallery</title><body>" + "".join(figures) + "</body></html>"


if __name__ == "__main__":
    print(page())
