"""The boxes of each sort of answer: at leaves, on branches, in rows, for digits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.answers.box_blanks import child_label, node_label
from grader.answers.form import Terms
from grader.answers.paper_boxes import (
    DIGIT_CELL,
    DIVIDER_CELL,
    SIGN_CELL,
    BoxGroup,
    BoxPlace,
    NumberEntry,
    PaperBoxes,
)
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number, write_number
from grader.base.phrases import Language, Phrase
from grader.trees.tree import Tree

MAX_DIGIT_NUMBER = 999
"""The largest number that is entered digit by digit."""

FRACTION_DIGITS = 3
"""The boxes for digits before and after the fraction bar or the point."""

ROW_WIDTH_MM = 142.0
"""The room for choices beside the name of a node, in millimetres."""

ONE_BOX = Phrase("Put a cross into one box.")
ONE_BOX_A_ROW = Phrase("Put a cross into one box in each row.")
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
NODE_BOX = Phrase("Put a cross into the box of this node, just above it or beside its name.")
DIGIT_BOXES = Phrase(
    "Put a cross into one box for each digit, and into the box of a minus sign if there is one."
)
DIGIT_CELLS = Phrase("Write one digit in each box. The first box is for a minus sign.")
UNSIGNED_CELLS = Phrase("Write one digit in each box.")
FRACTION_CELLS = Phrase(
    "Write one digit in each box. The first box is for a minus sign, "
    "the middle one for a fraction bar or a decimal point."
)
CELLS = Phrase("Write each value into the cell of its node.")
ROWS = Phrase("Write alpha, beta and the value returned into the row of each node.")
_ASKS: Mapping[BoxPlace, Phrase | None] = {
    "row": ONE_BOX,
    "digits": DIGIT_BOXES,
    "cells": None,
    "written": None,
}


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
    return PaperBoxes((group,), ask=_cells_instruction(group) or _ASKS[group.place])


def table_boxes(tree: Tree, terms: Terms, offered: NumberEntry) -> PaperBoxes:
    """A number for every node that is asked about."""
    groups = _rows("=", tree, terms, offered)
    ask = _cells_instruction(groups[0]) or _ASKS[groups[0].place] or CELLS
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
    cells = _cells(offered)
    if not cells:
        return BoxGroup("written", label, before)
    marks = {SIGN_CELL: "−", DIVIDER_CELL: "/ ," if language.comma else "/ .", DIGIT_CELL: ""}
    columns, texts = tuple((cell,) for cell in cells), tuple(marks[cell] for cell in cells)
    return BoxGroup("cells", label, before, columns, texts, offered=offered)


def _cells(offered: NumberEntry) -> tuple[str, ...]:
    """Return the meanings of the boxes to write a number in; none if its length is not known."""
    limits: Sequence[Number] = offered.values or offered.bounds or ()
    if not limits or any(not -MAX_DIGIT_NUMBER <= value <= MAX_DIGIT_NUMBER for value in limits):
        return ()
    whole = [value for value in offered.values if isinstance(value, int)]
    if whole and len(whole) == len(limits):
        count = max(len(str(abs(value))) for value in whole)
        return (*(SIGN_CELL for _ in range(min(whole) < 0)), *(DIGIT_CELL for _ in range(count)))
    digits = (DIGIT_CELL,) * FRACTION_DIGITS
    return (SIGN_CELL, *digits, DIVIDER_CELL, *digits)


def _cells_instruction(group: BoxGroup) -> Phrase | None:
    """Return how the boxes of a number are written in; None for anything else."""
    if group.place != "cells":
        return None
    if DIVIDER_CELL in group.meanings:
        return FRACTION_CELLS
    return DIGIT_CELLS if SIGN_CELL in group.meanings else UNSIGNED_CELLS
