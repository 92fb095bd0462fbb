"""Leaves in the order in which they are visited: `1 2 3 7`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise

from grader.answers.blank import NONE, NOTHING_SPELLINGS, Blank, Blanks, node_label
from grader.answers.box_blanks import BOXES_COUNT_SEPARATELY, is_nothing, unreadable_blank
from grader.answers.canonical import CanonicalError, read_path, read_sequence
from grader.answers.form import AnswerSpace, BlankCodec, Form, Terms
from grader.answers.mention import Mention, MentionRules, NodeReading
from grader.answers.mention_lists import (
    NOTHING_NAMED,
    build_unambiguous,
    keep_fitting,
    payoffs_as_paths,
    read_mentions,
)
from grader.answers.order_credit import (
    LeafOrder,
    compare,
    credit_sentence,
    forced_length,
    leaves_in_order,
    share,
    tally,
)
from grader.answers.reply import Reply, UnreadableError
from grader.answers.reply_reading import read_reply
from grader.answers.vocabulary import fold, vocabulary
from grader.base.numbers import normalize_number
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.rules import Rules
from grader.trees.tree import Tree

_NAMING = MentionRules(arrows_mean_then=True)


def _read(reply: Reply) -> LeafOrder:
    """Read leaf numbers and names of leaves in order; a leaf listed twice in a row counts once.

    Every search visits a leaf, so `none` is not an answer.
    """
    paths = reply.tree.paths

    def unfit_error(mention: Mention) -> UnreadableError:
        return UnreadableError(
            "this is not a leaf", mention.place, "write the leaves in the order in which they are visited"
        )

    mentions = keep_fitting(read_mentions(reply, _NAMING), lambda node: paths[node] > 0, unfit_error)

    def build(readings: Iterable[NodeReading]) -> LeafOrder:
        """Return the leaf numbers in the order of the mentions, repeats in a row merged.

        Raises `UnreadableError` if there is none, or more than twice as many as there are leaves.
        """
        order = tuple(path for path, _ in groupby(paths[node] for reading in readings for node in reading))
        if not order:
            raise UnreadableError(NOTHING_NAMED, 0)
        if len(order) > 2 * len(reply.tree.leaves):
            raise UnreadableError(
                "leaves are repeated too many times", 0, "write each leaf once, when it is visited"
            )
        return order

    return build_unambiguous(mentions, build)


def write(answer: LeafOrder, tree: Tree) -> str:
    """`1 2 3 7`, or `none`."""
    names = vocabulary(tree)
    return " ".join(map(names.write_path, answer)) or names.empty_text


def _parse_canonical(text: str, tree: Tree) -> LeafOrder:
    """Return the leaves of a canonical text. Raises `CanonicalError` if one follows itself."""
    answer = tuple(read_sequence(text, tree, read_path))
    if any(one == two for one, two in pairwise(answer)):
        raise CanonicalError("a leaf is named twice in a row")
    return answer


def distance(reply: LeafOrder, other: LeafOrder) -> int:
    """At how many places the two differ."""
    differing = sum(1 for one, two in zip(reply, other, strict=False) if one != two)
    return differing + abs(len(reply) - len(other))


def by_payoffs(answer: LeafOrder, tree: Tree) -> LeafOrder | None:
    """The payoffs of the leaves, taken for leaf numbers; one twice in a row says nothing new.

    None if some payoff is not a leaf number.
    """
    paths = payoffs_as_paths(tree, (tree.leaves[path - 1] for path in answer))
    return None if paths is None else tuple(path for path, _ in groupby(paths))


def lay_out(tree: Tree, terms: Terms) -> Blanks:
    """One box for every leaf, so that their number says nothing."""
    ask = terms.language.say(
        "Write the leaf numbers in the order in which the leaves are visited, one in each box. "
        "Write {none} in the remaining boxes.",
        none=NONE,
    )
    boxes = (Blank(str(place)) for place in range(1, len(tree.leaves) + 1))
    return Blanks(ask, tuple(boxes), counting_rule=terms.language.say(BOXES_COUNT_SEPARATELY))


def solve(blanks: Sequence[Blank], key: LeafOrder, tree: Tree, terms: Terms) -> Sequence[Blank]:
    """Solve the boxes and the first one after the end; leaves that are always visited first earn nothing."""
    names, certain = vocabulary(tree), forced_length(key, tree)
    box_count = min(len(key) + 1, len(blanks))
    each = normalize_number(Fraction(terms.points) / (box_count - certain))
    solved = []
    for place, blank in enumerate(blanks):
        spellings: tuple[str, ...] = NOTHING_SPELLINGS
        if place < len(key):
            leaf = tree.leaves[key[place] - 1]
            label = node_label(tree, leaf, terms.language)
            spellings = (str(key[place]), names.write_path(key[place]), names.write(leaf), label)
        worth = each if certain <= place < box_count else 0
        solved.append(replace(blank, points=worth, spellings=tuple(dict.fromkeys(spellings))))
    return solved


def order_from_blanks(blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    """Return the leaves up to the first box that is empty or says none; later boxes have to be empty.

    Raises `BlankError` for a box that is not one leaf, or comes after the end.
    """
    found, end = list[int](), ""
    for blank, text in zip(blanks, filled, strict=True):
        if text and is_nothing(text) and fold(text) in vocabulary(tree).loose:
            raise unreadable_blank(blank, text, "{text} could be a leaf or mean that there is none")
        if not text or is_nothing(text):
            end = end or blank.label
            continue
        if end:
            why = Phrase("{text} comes after box {box}, which contains no leaf")
            raise unreadable_blank(blank, text, why, box=quote(end))
        leaf = ORDER.read(text, tree, terms)
        if not (isinstance(leaf, tuple) and len(leaf) == 1):
            raise unreadable_blank(blank, text, "{text} is not one leaf")
        found += leaf
    return write(tuple(dict.fromkeys(found)), tree)


def payoff_blind_answers(tree: Tree, rules: Rules) -> Mapping[str, LeafOrder]:
    """All leaves in a row."""
    return {"everything": leaves_in_order(tree, rules.order)}


ORDER: Form[LeafOrder] = Form(
    name="order",
    ask=Phrase("Write their leaf numbers in that order."),
    example="1 2 3 7",
    read=partial(read_reply, read=_read, write=write, remarks="of names", listed=True),
    write=write,
    parse_canonical=_parse_canonical,
    compare=compare,
    has_one_spelling=True,
    share=share,
    distance=distance,
    marking_rule=Phrase("A leaf listed several times in a row counts once."),
    credit_sentence=credit_sentence,
    tally=tally,
    answer_space=AnswerSpace("line", leaves=20),
    blank_codec=BlankCodec(lay_out, solve, order_from_blanks),
    payoff_blind_answers=payoff_blind_answers,
    counts_leaves=True,
    policies=("keep", "net", "exact"),
    by_payoffs=by_payoffs,
    screen_input="order",
)
