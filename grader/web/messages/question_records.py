"""Records of questions and trees for a page, which has to compute nothing; they contain no key."""

from dataclasses import replace

from grader.answers.paper_boxes import NumberEntry
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import write_number
from grader.base.phrases import Language
from grader.base.safe_text import safe_line
from grader.exercises.exercise import Exercise
from grader.pictures.node_words import board_squares, spell_value
from grader.pictures.view import with_numbers_of
from grader.trees.notation.keywords import write_word
from grader.trees.notation.writing import write_attributes, write_header, write_payoff, write_tree
from grader.trees.tree import Tree
from grader.web.messages.documents import Record, json_claim
from grader.web.messages.question_labels import question_labels, unlabelled_conventions

MAX_SHOWN_NAME_LENGTH = 200
"""The most characters of a name that a page shows."""

MAX_OFFERED_ANSWERS = 8
"""The most answers that a page offers to choose from."""


def tree_record(tree: Tree, language: Language) -> Record:
    """Return the record of a tree: its notation, and the fields of every node in preorder.

    - `title`, `shown`, `known`, `board`: name, payoff, attributes and board for display.
    - `word`, `payoff`, `label`, `attributes`: name, payoff, move and attributes in the notation.
    - `spelled`: the name of the node in a reply.
    """
    names, language = vocabulary(tree), with_numbers_of(tree, language)
    return {
        "schema": 1,
        "tree": write_tree(tree),
        "header": write_header(tree.header),
        "nothing": names.empty_text,
        "nodes": [
            {
                "parent": tree.parents[node],
                "player": None if player is None else str(player),
                "name": tree.names[node],
                "title": safe_line(tree.names[node], MAX_SHOWN_NAME_LENGTH),
                "given": tree.given[node] is not None,
                "word": None if (given := tree.given[node]) is None else write_word(given),
                "spelled": names.write(node),
                "path": tree.paths[node],
                "payoff": None if (payoff := tree.payoffs[node]) is None else write_payoff(payoff),
                "shown": spell_value(payoff, language, MAX_SHOWN_NAME_LENGTH),
                "move": None
                if (move := tree.moves[node]) is None
                else safe_line(move, MAX_SHOWN_NAME_LENGTH),
                "label": None if move is None else write_word(move),
                "chance": None if (share := tree.probabilities[node]) is None else write_number(share),
                "claim": None if (claim := tree.claims[node]) is None else json_claim(claim),
                "crossed": tree.crosses[node],
                "attributes": ""
                if (attributes := tree.attributes[node]) is None
                else write_attributes(attributes),
                "known": ""
                if attributes is None
                else write_attributes(replace(attributes, board=None)).strip("{}"),
                "board": [] if attributes is None else board_squares(attributes.board),
            }
            for node, player in enumerate(tree.players)
        ],
    }


def question_record(exercise: Exercise) -> Record:
    """Return the record of a question: its text, its tree, and how the page takes the answer.

    - `labels`, `special`: its conventions as short labels, and those that have none.
    - `rules`: everything else that it says, in paragraphs.
    - `asked`: the nodes at which an entry is asked for, in the order of the answer.
    """
    public, form = exercise.public, exercise.kind.form
    wording = public.wording
    return {
        **tree_record(public.tree, public.terms.language),
        "id": public.id,
        "kind": public.kind,
        "prompt": public.prompt,
        "question": wording.question,
        "labels": question_labels(public),
        "special": unlabelled_conventions(public),
        "rules": [
            text
            for text in (wording.instruction, wording.demands, *wording.conventions, wording.marking)
            if text
        ],
        "asked": _nodes_with_entries(exercise),
        "touch": form.screen_input,
        "choices": _choices(exercise),
        "signs": list(form.screen_keys),
        "example": public.terms.language.reply(form.example),
        "several_lines": form.is_multiline,
        "names": form.names_nodes,
        "paths": public.numbers_leaves,
    }


def _nodes_with_entries(exercise: Exercise) -> list[int]:
    """Return the nodes at which an entry is asked for; none if the answer is not written at nodes."""
    tree, terms = exercise.public.tree, exercise.public.terms
    nodes = {"values": tree.internal, "windows": tree.internal, "payoffs": tree.leaves}
    candidates = nodes.get(exercise.kind.form.screen_input, ())
    return [node for node in candidates if terms.asks_for(node)]


def _choices(exercise: Exercise) -> list[dict[str, str]]:
    """Return the possible answers, as replies and as printed; none if there are too many to choose from."""
    public, form = exercise.public, exercise.kind.form
    if form.screen_input:
        return []
    groups = form.paper_boxes(public.tree, public.terms, NumberEntry("choice")).groups
    if len(groups) != 1 or groups[0].place != "row" or not 1 < len(groups[0].meanings) <= MAX_OFFERED_ANSWERS:
        return []
    return [
        {"reply": reply, "text": text}
        for reply, text in zip(groups[0].meanings, groups[0].texts, strict=True)
    ]
