"""The boxes of each sort of answer: at leaves, on branches, in rows, for digits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.answers.box_blanks import child_label, node_label
from grader.answers.form import Terms
from grader.answers.paper_boxes import BoxGroup, BoxPlace, NumberEntry, PaperBoxes
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import write_number
from grader.base.phrases import Language, Phrase
from grader.trees.tree import Tree

MAX_DIGIT_NUMBER = 999
"""The largest number that is entered digit by digit."""

ROW_WIDTH_MM = 142.0
"""The room for choices beside the name of a node, in millimetres."""

ONE_BOX = Phrase("Mark one box with a cross.")
ONE_BOX_A_ROW = Phrase("Mark one box in each row with a cross.")
BEST_BOXES = Phrase("Mark the box of each best choice with a cross.")
LEAF_BOXES = Phrase(
    'Mark the box of each such leaf with a cross, or the box "none of them" if there is none.'
)
BRANCH_BOXES = Phrase(
    'Mark the box of each such branch with a cross, or the box "none of them" if there is none. '
    "The box of a branch is just above the node below it, or next to that node's label."
)
NODE_BOXES = Phrase(
    'Mark the box of each such node with a cross, or the box "none of them" if there is none. '
    "The box of a node is just above it or next to its label."
)
NODE_BOX = Phrase("Mark the box of this node with a cross: it is just above the node or next to its label.")
DIGIT_BOXES = Phrase("Mark one box for each digit with a cross, and the box of a minus sign if there is one.")
CELLS = Phrase("Write each value into the cell of its node.")
ROWS = Phrase("Write alpha, beta and the returned value into the row of each node.")
_ASKS: Mapping[BoxPlace, Phrase | None] = {"row": ONE_BOX, "digits": DIGIT_BOXES, "written": None}


def any_boxes(place: BoxPlace, ask: Phrase, tree: Tree, terms: Terms, _offered: NumberEntry) -> PaperBoxes:
    """Boxes at leaves or on branches, any number of which may be crossed, and one for none."""
    # no numbers are entered
    group = _at(place, tree.leaves if place == "leaf" else tree.breadth_first[1:], tree, several=True)
    says, none = group.meanings, vocabulary(tree).empty_text
    texts = (*group.texts, terms.language.term("none of them"))
    return PaperBoxes((replace(group, columns=((*says, none),), texts=texts, has_none_box=True),), ask=ask)


def one_leaf(tree: Tree, terms: Terms, _offered: NumberEntry) -> PaperBoxes:
    """A box at every leaf, one of which is to be crossed, or all that are best."""
    # no numbers are entered
    group = _at("leaf", tree.leaves, tree, several=terms.every)
    return PaperBoxes((group,), ask=BEST_BOXES if terms.every else ONE_BOX)


def one_node(tree: Tree, _terms: Terms, _offered: NumberEntry) -> PaperBoxes:
    """A box above every node but the root, one of which is to be crossed."""
    # no numbers are entered, and never several are best
    return PaperBoxes((_at("branch", tree.breadth_first[1:], tree, several=False),), ask=NODE_BOX)


def _at(place: BoxPlace, nodes: Sequence[int], tree: Tree, *, several: bool) -> BoxGroup:
    """A box at each of some nodes."""
    names = vocabulary(tree)
    says = (
        names.write_path(tree.paths[node]) if place == "leaf" else names.write_guarded(node) for node in nodes
    )
    texts = (child_label(tree, node) for node in nodes)
    return BoxGroup(
        place, columns=(tuple(says),), texts=tuple(texts), nodes=tuple(nodes), allows_several=several
    )


def one_of_row(says: Sequence[str], texts: Sequence[str], every: bool = False) -> PaperBoxes:
    """Boxes in a row, one of which is to be crossed, or all that are best."""
    group = BoxGroup("row", columns=(tuple(says),), texts=tuple(texts), allows_several=every)
    return PaperBoxes((group,), ask=BEST_BOXES if every else ONE_BOX)


def number_boxes(_tree: Tree, terms: Terms, offered: NumberEntry) -> PaperBoxes:
    """One number."""
    # what it can be is offered
    group = _number("", "", offered, terms.language)
    return PaperBoxes((group,), ask=_ASKS[group.place])


def table_boxes(tree: Tree, terms: Terms, offered: NumberEntry) -> PaperBoxes:
    """A number for every node that is asked about."""
    groups = _rows("=", tree, terms, offered)
    ask = _ASKS[groups[0].place] or CELLS
    return PaperBoxes(groups, ask=ONE_BOX_A_ROW if ask is ONE_BOX and len(groups) > 1 else ask)


def written_rows(tree: Tree, terms: Terms, _offered: NumberEntry) -> PaperBoxes:
    """Something written for every node that is asked about."""
    # whatever can be offered for a number
    return PaperBoxes(_rows(" ", tree, terms, NumberEntry("written")), "; ", ROWS)


def _rows(between: str, tree: Tree, terms: Terms, offered: NumberEntry) -> tuple[BoxGroup, ...]:
    """An entry for every node that is asked about, behind its name and what stands `between` the two."""
    names, language = vocabulary(tree), terms.language
    if offered.method == "choice" and not _side_by_side([language.number(value) for value in offered.values]):
        offered = replace(offered, method="written")
    return tuple(
        _number(node_label(tree, node, language), f"{names.write_guarded(node)}{between}", offered, language)
        for node in (tree.by_level if terms.nodes is None else terms.nodes)
    )


def _side_by_side(texts: Sequence[str]) -> bool:
    """Whether there is room for boxes side by side with these texts above them, which are small over many."""
    letter, box, gap = 1.3 if len(texts) > 24 else 1.9, 4.0, 1.2
    return sum(max(box, letter * len(text)) + gap for text in texts) <= ROW_WIDTH_MM


def _number(label: str, before: str, offered: NumberEntry, language: Language) -> BoxGroup:
    """One number, entered as the blueprint chooses where that is possible, else written."""
    values = offered.values
    if values and offered.method == "choice":
        says = tuple(map(write_number, values))
        return BoxGroup("row", label, before, (says,), tuple(map(language.number, values)))
    whole = [value for value in values if isinstance(value, int) and abs(value) <= MAX_DIGIT_NUMBER]
    if values and offered.method == "bubbles" and len(whole) == len(values):
        places = max(len(str(abs(value))) for value in whole)
        sign = (("-",),) if min(whole) < 0 else ()
        digits = tuple("0123456789")
        return BoxGroup("digits", label, before, (*sign, *(digits for _ in range(places))), digits)
    return BoxGroup("written", label, before)
