"""What a page is told of a question and of a tree: nothing it would have to work out, and no key."""

from dataclasses import replace

from grader.answers.marks import Offered
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import write_number
from grader.base.phrases import ENGLISH, Language
from grader.base.safe_text import readable
from grader.exercises.exercise import Exercise
from grader.pictures.words import spell, squares
from grader.trees.notation.keywords import spelled
from grader.trees.notation.writing import write_attributes, write_header, write_payoff, write_tree
from grader.trees.tree import Tree
from grader.web.messages.documents import Record, claimed

LONGEST = 200
"""The most characters of a name that a page shows."""

FEW = 8
"""So many answers are offered to be chosen from, at most."""


def tree_record(tree: Tree, language: Language = ENGLISH) -> Record:
    """A tree for a page: its notation, and of every node in preorder what is drawn and what is written.

    `title` and `shown` are a name and a payoff as a page shows them; `word`, `payoff`, `label` and
    `attributes` how the notation spells what the author gave, `known` and `board` what a page shows of it,
    and `spelled` how a reply names the node.
    """
    names = vocabulary(tree)
    return {
        "schema": 1,
        "tree": write_tree(tree),
        "header": write_header(tree.header),
        "nothing": names.nothing,
        "nodes": [
            {
                "parent": tree.parents[node],
                "player": None if player is None else str(player),
                "name": tree.names[node],
                "title": readable(tree.names[node], LONGEST),
                "given": tree.given[node] is not None,
                "word": None if (given := tree.given[node]) is None else spelled(given),
                "spelled": names.write(node),
                "path": tree.paths[node],
                "payoff": None if (payoff := tree.payoffs[node]) is None else write_payoff(payoff),
                "shown": spell(payoff, language, LONGEST),
                "move": None if (move := tree.moves[node]) is None else readable(move, LONGEST),
                "label": None if move is None else spelled(move),
                "chance": None if (share := tree.probabilities[node]) is None else write_number(share),
                "claim": None if (claim := tree.claims[node]) is None else claimed(claim),
                "crossed": tree.crosses[node],
                "attributes": "" if (said := tree.attributes[node]) is None else write_attributes(said),
                "known": "" if said is None else write_attributes(replace(said, board=None)).strip("{}"),
                "board": [] if said is None else squares(said.board),
            }
            for node, player in enumerate(tree.players)
        ],
    }


def question_record(exercise: Exercise) -> Record:
    """A question for a page: what the student reads, the tree, and how it is answered by touching that."""
    public, form = exercise.public, exercise.kind.form
    return {
        **tree_record(public.tree, public.terms.language),
        "id": public.id,
        "kind": public.kind,
        "prompt": public.prompt,
        "touch": form.touch,
        "choices": _choices(exercise),
        "signs": list(form.signs),
        "example": public.terms.language.reply(form.example),
        "several_lines": form.several_lines,
        "names": form.names_nodes,
        "paths": public.numbers_leaves,
    }


def _choices(exercise: Exercise) -> list[dict[str, str]]:
    """The answers that one is chosen of, as replies and as people read them; none where there are many."""
    public, form = exercise.public, exercise.kind.form
    if form.touch:
        return []
    groups = form.marks(public.tree, public.terms, Offered("choice")).groups
    if len(groups) != 1 or groups[0].place != "row" or not 1 < len(groups[0].says) <= FEW:
        return []
    return [
        {"reply": reply, "text": text} for reply, text in zip(groups[0].says, groups[0].texts, strict=True)
    ]
