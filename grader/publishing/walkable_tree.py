"""A tree for those who read it by keys or hear it: what a page needs to walk it, and its table."""

import json
from collections.abc import Iterator
from typing import Any

from grader.exam.paper import PublicQuestion
from grader.pictures.layout import Drawing
from grader.pictures.node_words import (
    MAX_DESCRIBED_NODES,
    describe_inner_nodes,
    describe_outcome,
    words_at_nodes,
)
from grader.publishing.sheet import drawing_options, picture_of, question_view
from grader.solvers.explaining.node_wording import node_title
from grader.trees.tree import Tree


def walkable_tree(question: PublicQuestion) -> dict[str, Any]:
    """Return the tree of a question as JSON for `walk.js`, and as the rows of a table of its inner nodes.

    A node is a list: its parent (-1 for the root), its place in the picture, and its words. Both are empty
    for a single node, and for a tree of more than 400 nodes, which is described by its size.
    """
    tree, view, options = question.tree, question_view(question), drawing_options(question)
    if not tree.internal or len(tree) > MAX_DESCRIBED_NODES:
        return {"nodes": "[]", "rows": []}
    names = "given" if options["names"] == "none" else options["names"]
    words = words_at_nodes(tree, view, names)
    inner = describe_inner_nodes(tree, view, words)
    places = dict(_places(picture_of(question).drawing, tree))
    nodes = []
    for node, parent in enumerate(tree.parents):
        sentence = inner[node].sentence if node in inner else describe_outcome(tree, node, view, words[node])
        if node not in inner and options["paths"]:
            sentence = view.language.with_note(sentence, node_title(tree, node, view.language))
        nodes.append([parent, *places[node], sentence])
    return {"nodes": json.dumps(nodes), "rows": [(each.label, each.outcomes) for each in inner.values()]}


def _places(drawing: Drawing, tree: Tree) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield every node with its place: the middle of its shape, or else the end of the branch above it."""
    for edge in drawing.edges:
        yield edge.node, (round(edge.points[-1][0]), round(edge.points[-1][1]))
    for shape in drawing.shapes:
        if shape.role == tree.players[shape.node] or shape.node == 0:  # a root may be drawn as a board alone
            left, top, right, bottom = shape.box
            yield shape.node, (round((left + right) / 2), round((top + bottom) / 2))
