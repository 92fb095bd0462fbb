"""A move at the root, by the name of its child, its label or its number: `B`, `a1`, `2`."""

import re
from collections.abc import Iterable, Sequence
from functools import partial

from grader.answers.blank import MAX_BLANK_LABEL_LENGTH, Option, node_label
from grader.answers.canonical import CanonicalError, read_index, read_node, read_sequence
from grader.answers.choice_blanks import Offer, compare_best, single_options
from grader.answers.form import AnswerSpace, Form, Terms
from grader.answers.mention import (
    Mention,
    MentionRules,
    NodeReading,
    moves_are_squares,
    moves_numbered_otherwise,
)
from grader.answers.mention_lists import build_unambiguous, keep_fitting, read_mentions
from grader.answers.reply import UNCLEAR, Reply, UnreadableError, UnsureError, words_outside_quotes
from grader.answers.reply_reading import read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase
from grader.base.safe_text import quote, safe_line
from grader.trees.tree import Tree

Moves = frozenset[int]
"""Indices of the root's children, counted from 0."""

_NAMING = MentionRules(number_target="move", accepts_labels=True, wants_one=True)

_NUMBERS = re.compile(r"\d+")
_BARE_NUMBERS = re.compile(r"[\d\s,;()\[\]-]+")
"""Numbers with nothing but separators between them."""

_PLACE = re.compile(r"[(\[]?\s?\d{1,3}\s?[,;]\s?\d{1,3}\s?[)\]]?")
"""Two numbers, which may be a place on a board."""


def _read(reply: Reply) -> Moves:
    """Read one move or several; numbers count the moves from 1 at the left."""
    children = reply.tree.children[0]

    def unfit_error(mention: Mention) -> UnreadableError:
        return UnreadableError(
            "this is not a move at the root", mention.place, "the moves are {moves}", moves=_moves(reply)
        )

    def build(readings: Iterable[NodeReading]) -> Moves:
        return frozenset(children.index(node) for reading in readings for node in reading if node in children)

    labelled = _by_numbers(reply.text, reply.tree)
    place = _PLACE.fullmatch(reply.text.strip(" .\n"))
    if place and labelled is None and moves_are_squares(reply.tree):
        raise UnreadableError(
            "{word} could be a row or a column",
            reply.text.index(place[0]),
            "the moves are {moves}",
            word=quote(place[0]),
            moves=_moves(reply),
        )
    if labelled is not None and _BARE_NUMBERS.fullmatch(reply.text):
        return labelled
    mentions = keep_fitting(read_mentions(reply, _NAMING), children.__contains__, unfit_error)
    found = build_unambiguous(mentions, build)
    if not found:
        raise unfit_error(mentions[0])
    if labelled not in (None, found):
        raise UnsureError(UNCLEAR, (labelled, found))
    first = build((mentions[0].readings[0],)) if mentions else found
    words = words_outside_quotes(reply.text.casefold())
    if found != first and not reply.words.following.isdisjoint(words):
        raise UnsureError(UNCLEAR, (first, found))
    return found


def _moves(reply: Reply) -> str:
    """The first moves, as a hint lists them."""
    moves = range(len(reply.tree.children[0]))[:8]
    return reply.terms.language.join(write(frozenset((index,)), reply.tree) for index in moves)


def _by_numbers(text: str, tree: Tree) -> Moves | None:
    """Return the move whose label is the several numbers of a reply, such as heaps `1 0 1`, or None."""
    numbers, children = _NUMBERS.findall(text), tree.children[0]
    found = [index for index, child in enumerate(children) if (tree.moves[child] or "").split() == numbers]
    return frozenset(found) if len(numbers) > 1 and len(found) == 1 else None


def write(answer: Moves, tree: Tree) -> str:
    """Write the names of the children of the moves; a number for one without a name, `#2` next to others."""
    names, children = vocabulary(tree), tree.children[0]

    def written(move: int, guarded: bool) -> str:
        is_named = names.is_named(children[move])
        return names.write(children[move], guarded) if is_named else names.write_path(move + 1, guarded)

    texts = [written(move, guarded=False) for move in sorted(answer)]
    numbers = [text for text in texts if text.isdecimal()]
    if len(numbers) not in (0, len(texts)) or any(
        {*moves_numbered_otherwise(tree, children, int(text))} - {children[int(text) - 1]} for text in numbers
    ):
        # A number next to names may be a value, and a number may be that of a leaf.
        texts = [f"#{text}" if text.isdecimal() else text for text in texts]
    if names.makes_names(" ".join(texts)):
        texts = [written(move, guarded=True) for move in sorted(answer)]
    return " ".join(texts) or names.empty_text


def _move(text: str, tree: Tree) -> int:
    """The index of a move at the root, by name or number. Raises `CanonicalError` if there is none."""
    children = tree.children[0]
    if text[:1] == "#" or text[:1].isdecimal():
        return read_index(text, len(children)) - 1
    node = read_node(text, tree)
    if node not in children:
        raise CanonicalError(f"{quote(text)} is not a move at the root")
    return children.index(node)


def _option(index: int, tree: Tree, terms: Terms) -> Option:
    """A move by its label, the name of the child or its number."""
    child = tree.children[0][index]
    label = tree.moves[child]
    name = node_label(tree, child, terms.language) if vocabulary(tree).is_named(child) else ""
    name = name or terms.language.term("move {number} from the left", number=index + 1)
    text = terms.language.with_label(safe_line(label, MAX_BLANK_LABEL_LENGTH), name) if label else name
    return Option(text, reply=write(frozenset((index,)), tree))


def _all(tree: Tree) -> Sequence[int]:
    return range(len(tree.children[0]))


def key_remark(key: Moves, tree: Tree) -> str:
    """Return a remark if every move is optimal."""
    return "all moves are equally good, so every one is right" if len(key) == len(_all(tree)) else ""


ASK = Phrase(
    "Write the label of the child that the move leads to, or the number of the move, counted from the left."
)

read = partial(read_reply, read=_read, write=write, remarks="of words")
"""Reads a reply."""


def labelled_moves(answer: Moves, tree: Tree, terms: Terms) -> str | None:
    """The moves by their labels, each with its number: `top right (2)`; None where children have names."""
    children, names = tree.children[0], vocabulary(tree)
    if not answer or any(names.is_named(children[move]) or not tree.moves[children[move]] for move in answer):
        return None
    texts = (
        terms.language.with_note(
            safe_line(tree.moves[children[move]] or "", MAX_BLANK_LABEL_LENGTH), str(move + 1)
        )
        for move in sorted(answer)
    )
    text = terms.language.number_separator.join(texts)
    return text if read(text, tree, terms) == answer else None


MOVE: Form[Moves] = Form(
    name="move",
    ask=ASK,
    example="B",
    read=read,
    write=write,
    parse_canonical=lambda text, tree: frozenset(read_sequence(text, tree, _move)),
    compare=partial(compare_best, lambda move, tree: tree.children[0][move], write),
    labelled_reply=labelled_moves,
    marking_rule=Phrase(
        "The label of the child, the label of the branch, or the number of the move is accepted."
    ),
    key_remark=key_remark,
    answer_space=AnswerSpace("short"),
    blank_codec=Offer(_all, _option, write, ASK).codec,
    repeats=3,
    answer_count=lambda _key, tree: len(_all(tree)),
    names_nodes=True,
    has_alternatives=True,
    single_answers=single_options,
    screen_input="child",
)
