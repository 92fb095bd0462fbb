"""The boxes of each sort of answer: at leaves, on branches, in rows, for digits."""

from collections.abc import Mapping, Sequence

from grader.answers.boxes import child_label, leaf_label, node_label
from grader.answers.form import Terms
from grader.answers.marks import Group, Marks, Offered, Place
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import write_number
from grader.base.phrases import Language, Phrase
from grader.tree import Tree

LARGEST = 999
"""The largest number that is entered digit by digit."""

ONE_BOX = Phrase("Put a cross into one box.")
BEST_BOXES = Phrase("Put a cross into the box of each best one.")
LEAF_BOXES = Phrase(
    'Put a cross into the box of each such leaf, or into the box "none of them" if there is none.'
)
BRANCH_BOXES = Phrase(
    "Put a cross into the box of each such branch, just above the node below it or beside that node's name, "
    'or into the box "none of them" if there is none.'
)
NODE_BOXES = Phrase(
    "Put a cross into the box of each such node, just above it or beside its name, "
    'or into the box "none of them" if there is none.'
)
DIGIT_BOXES = Phrase(
    "Put a cross into one box for each digit, and into the box of a minus sign if there is one."
)
CELLS = Phrase("Write each value into the cell of its node.")
ROWS = Phrase("Write alpha, beta and the value returned into the row of each node.")
_ASKS: Mapping[Place, Phrase | None] = {"row": ONE_BOX, "digits": DIGIT_BOXES, "written": None}


def leaf_boxes(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """A box at every leaf, any number of which may be crossed, and one for none."""
    del offered  # no numbers are entered
    names = vocabulary(tree)
    says = tuple(names.write_path(path) for path in range(1, len(tree.leaves) + 1))
    texts = [leaf_label(tree, leaf) for leaf in tree.leaves]
    return _any_of("leaf", tree.leaves, says, texts, tree, terms.language, LEAF_BOXES)


def branch_boxes(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """A box on every branch, any number of which may be crossed, and one for none."""
    del offered  # no numbers are entered
    return _above_nodes(tree, terms, BRANCH_BOXES)


def node_boxes(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """The same boxes for the nodes below the branches."""
    del offered  # no numbers are entered
    return _above_nodes(tree, terms, NODE_BOXES)


def _above_nodes(tree: Tree, terms: Terms, ask: Phrase) -> Marks:
    nodes = [node for node in tree.breadth_first if node]
    names = vocabulary(tree)
    says = tuple(names.write_guarded(node) for node in nodes)
    texts = [child_label(tree, node) for node in nodes]
    return _any_of("branch", nodes, says, texts, tree, terms.language, ask)


def _any_of(
    place: Place,
    nodes: Sequence[int],
    says: Sequence[str],
    texts: Sequence[str],
    tree: Tree,
    language: Language,
    ask: Phrase,
) -> Marks:
    none = vocabulary(tree).nothing
    group = Group(
        place,
        columns=((*says, none),),
        texts=(*texts, language.term("none of them")),
        nodes=tuple(nodes),
        several=True,
        nothing=True,
    )
    return Marks((group,), ask=ask)


def one_leaf(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """A box at every leaf, one of which is to be crossed, or all that are best."""
    del offered  # no numbers are entered
    names = vocabulary(tree)
    says = tuple(names.write_path(path) for path in range(1, len(tree.leaves) + 1))
    texts = tuple(leaf_label(tree, leaf) for leaf in tree.leaves)
    group = Group("leaf", columns=(says,), texts=texts, nodes=tree.leaves, several=terms.every)
    return Marks((group,), ask=BEST_BOXES if terms.every else ONE_BOX)


def one_of_row(says: Sequence[str], texts: Sequence[str], every: bool = False) -> Marks:
    """Boxes in a row, one of which is to be crossed, or all that are best."""
    group = Group("row", columns=(tuple(says),), texts=tuple(texts), several=every)
    return Marks((group,), ask=BEST_BOXES if every else ONE_BOX)


def number_boxes(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """One number."""
    del tree  # what it can be is offered
    group = _number("", "", offered, terms.language)
    return Marks((group,), ask=_ASKS[group.place])


def table_boxes(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """A number for every node that is asked about."""
    names = vocabulary(tree)
    groups = tuple(
        _number(
            node_label(tree, node, terms.language), f"{names.write_guarded(node)}=", offered, terms.language
        )
        for node in _rows(tree, terms)
    )
    return Marks(groups, ask=_ASKS[groups[0].place] or CELLS)


def written_rows(tree: Tree, terms: Terms, offered: Offered) -> Marks:
    """Something written for every node that is asked about."""
    del offered  # whatever it is
    names, language = vocabulary(tree), terms.language
    groups = [
        Group("written", node_label(tree, node, language), f"{names.write_guarded(node)} ")
        for node in _rows(tree, terms)
    ]
    return Marks(tuple(groups), "; ", ROWS)


def _rows(tree: Tree, terms: Terms) -> Sequence[int]:
    """The nodes that have a row."""
    return tree.by_level if terms.nodes is None else terms.nodes


def _number(label: str, before: str, offered: Offered, language: Language) -> Group:
    """One number, entered as the blueprint chooses where that is possible, else written."""
    values = offered.values
    if values and offered.entry == "choice":
        says = tuple(map(write_number, values))
        return Group("row", label, before, (says,), tuple(map(language.number, values)))
    whole = [value for value in values if isinstance(value, int) and abs(value) <= LARGEST]
    if values and offered.entry == "bubbles" and len(whole) == len(values):
        places = max(len(str(abs(value))) for value in whole)
        sign = (("-",),) if min(whole) < 0 else ()
        digits = tuple("0123456789")
        return Group("digits", label, before, (*sign, *(digits for _ in range(places))), digits)
    return Group("written", label, before)
