"""Trees with nasty names, answers of every form on them, and damaged replies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from grader.answers.form import AnyForm
from grader.answers.numeral import Numeral
from grader.answers.window_entries import Window
from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY, normalize_number
from grader.base.safe_text import skeleton
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.strategies import QUOTED, trees

_WORDS = """
    none nothing and or to leaf leaves path node inf x v alpha beta always never all except in the is
    5 1 2 3 12 007 5-9 1/2 2.5 -3 #1 B=3 B b Min1 min1 MIN_1 Min1_ _ __ 3a 1st x² B' root ∅ ∞ = -> [ ] { } ( )
    , ; . - — left right first last é ß ＡＢ １ ³
"""

NASTY = (
    *_WORDS.split(),
    "x y",
    "Min 1",
    "leaf 5",
    'he said "hi"',
    "it's",
    "back\\slash",
    '"',
    "'",
    " ",
    "a  b",
    "a, b",
    "B = 3",
    "B [1, 2]",
    "no leaf",
    "\u200f",
    "\ue000",
    "\u00a0",
    "\u2212",
    "tab\there",
)
"""Names that mean something in a reply, look like numbers or signs, or differ in little."""


@st.composite
def nasty_trees(draw: st.DrawFn, seats: int = 0, unknowns: bool = False) -> Tree:
    """A small tree whose nodes and moves carry any names, unique as the notation demands."""
    tree = draw(trees(plies=3, leaves=9, seats=seats, chance=seats == 0, unknowns=unknowns))
    names = draw(st.lists(st.one_of(st.sampled_from(NASTY), QUOTED), unique_by=skeleton, max_size=len(tree)))
    labels = draw(st.lists(st.one_of(st.sampled_from(NASTY), QUOTED), max_size=len(tree)))
    places = Random(draw(st.integers(0, 2**32)))
    given: list[str | None] = [*names, *[None] * (len(tree) - len(names))]
    moves: list[str | None] = [*labels, *[None] * (len(tree) - len(labels))]
    places.shuffle(given)
    places.shuffle(moves)
    return replace(tree, given=tuple(given), moves=(None, *moves[1:]))


def nasty_trees_for(form: AnyForm) -> st.SearchStrategy[Tree]:
    """Trees with nasty names that a form can speak of."""
    seats = st.sampled_from((2, 3)) if form.name == "vector" else st.just(0)
    made = seats.flatmap(lambda count: nasty_trees(seats=count, unknowns=form.name == "interval"))
    return made.filter(lambda tree: form.name != "move" or bool(tree.children[0]))


VALUES = st.one_of(
    st.integers(-9, 20),
    st.builds(
        lambda top, below: normalize_number(Fraction(top, below)), st.integers(-40, 40), st.integers(1, 12)
    ),
)
NUMERALS = st.builds(Numeral, VALUES)
BOUNDS = st.one_of(VALUES, st.sampled_from((-INFINITY, INFINITY)))


@st.composite
def spans(draw: st.DrawFn) -> Spans:
    """A canonical union of up to three spans."""
    found = []
    for _ in range(draw(st.integers(0, 3))):
        low, high = sorted((draw(BOUNDS), draw(BOUNDS)))
        if low != high or abs(low) != INFINITY:
            open_or_not = st.booleans()
            found.append(
                Span(
                    low, draw(open_or_not) and low != -INFINITY, high, draw(open_or_not) and high != INFINITY
                )
            )
    return union(found)


def _some_nodes(
    tree: Tree, entry: Callable[[int], st.SearchStrategy[object]]
) -> st.SearchStrategy[tuple[tuple[int, object], ...]]:
    """Entries for some inner nodes, sorted by node."""
    nodes = st.frozensets(st.sampled_from(tree.internal)) if tree.internal else st.just(frozenset[int]())
    return nodes.flatmap(
        lambda some: st.tuples(*(st.tuples(st.just(node), entry(node)) for node in sorted(some)))
    )


def _entries(row: Mapping[int, object]) -> tuple[tuple[int, object], ...]:
    """The entries of a table, sorted by node."""
    return tuple(sorted(row.items(), key=lambda item: item[0]))


def answers(name: str, tree: Tree) -> st.SearchStrategy[object]:
    """Answers of the form `name` about a tree; where there is none, they name the nodes of a small one."""
    tree = tree if len(tree) else tree_of("MAX (1 2)")
    paths, nodes = range(1, len(tree.leaves) + 1), range(len(tree))
    windows = st.builds(Window, BOUNDS, BOUNDS, st.one_of(st.none(), NUMERALS))
    strategies: dict[str, st.SearchStrategy[object]] = {
        "number": NUMERALS,
        "count": st.builds(Numeral, st.integers(0, 40)),
        "move": st.frozensets(st.sampled_from(range(len(tree.children[0]))), min_size=1),
        "path": st.frozensets(st.sampled_from(paths), min_size=1, max_size=3),
        "paths": st.frozensets(st.sampled_from(paths)),
        "branches": st.frozensets(st.sampled_from(nodes)).map(lambda some: some - {0} or some),
        "table": st.dictionaries(st.sampled_from(nodes), NUMERALS, min_size=1).map(_entries),
        "windows": st.dictionaries(st.sampled_from(nodes), windows).map(_entries),
        "order": st.lists(st.sampled_from(paths), unique=True, min_size=1).map(tuple),
        "interval": spans(),
        "truth": st.booleans(),
        "children-order": _some_nodes(tree, lambda node: st.permutations(tree.children[node]).map(tuple)),
        "payoffs": st.lists(NUMERALS, min_size=len(paths), max_size=len(paths)).map(tuple),
        "strategy": _some_nodes(
            tree, lambda node: st.frozensets(st.sampled_from(tree.children[node]), min_size=1)
        ),
        "vector": st.lists(NUMERALS, min_size=max(tree.seats, 1), max_size=max(tree.seats, 1)).map(tuple),
    }
    return strategies[name]
