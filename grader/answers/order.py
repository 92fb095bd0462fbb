"""Leaves in the order in which they are visited: `1 2 3 7`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise, zip_longest
from typing import get_args

from grader.answers.blank import NONE, Blank, Blanks, Box
from grader.answers.box_blanks import (
    BOXES_COUNT_SEPARATELY,
    NOTHING_SPELLINGS,
    is_nothing,
    node_label,
    unreadable_blank,
)
from grader.answers.canonical import CanonicalError, read_path, read_sequence
from grader.answers.form import (
    AnswerSpace,
    BlankCodec,
    CreditBasis,
    Form,
    Item,
    Tally,
    Terms,
    Verdict,
    all_or_nothing,
)
from grader.answers.mention import Mention, MentionRules, NodeReading
from grader.answers.mention_lists import (
    NOTHING_NAMED,
    build_unambiguous,
    keep_fitting,
    payoffs_as_paths,
    read_mentions,
)
from grader.answers.plain_lists import plain_paths
from grader.answers.policies import COMPLETE_TALLY
from grader.answers.reply import Reply, UnreadableError
from grader.answers.reply_reading import read_reply, try_plain_first
from grader.answers.vocabulary import fold, vocabulary
from grader.base.numbers import normalize_number
from grader.base.phrases import Phrase, paragraph
from grader.base.safe_text import quote
from grader.trees.rules import Order as Direction
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

Order = tuple[int, ...]
"""Leaf numbers, the first leaf visited first."""

_NAMING = MentionRules(arrows_mean_then=True)


def _read(reply: Reply) -> Order:
    """Read leaf numbers and names of leaves in order; a leaf named twice in a row says nothing new.

    Every search looks at a leaf, so `none` is no answer.
    """
    paths = reply.tree.paths

    def strange(mention: Mention) -> UnreadableError:
        return UnreadableError(
            "this is not a leaf", mention.place, "write every leaf in the order of the visits"
        )

    mentions = keep_fitting(read_mentions(reply, _NAMING), lambda node: paths[node] > 0, strange)

    def build(ways: Iterable[NodeReading]) -> Order:
        order = tuple(path for path, _ in groupby(paths[node] for way in ways for node in way))
        if not order:
            raise UnreadableError(NOTHING_NAMED, 0)
        if len(order) > 2 * len(reply.tree.leaves):
            raise UnreadableError(
                "leaves are repeated again and again", 0, "write each leaf once, when it is visited"
            )
        return order

    return build_unambiguous(mentions, build)


def _plain(text: str, tree: Tree, terms: Terms) -> Order | None:
    paths = plain_paths(text, tree, terms)
    order = tuple(path for path, _ in groupby(paths or ()))
    return order if 0 < len(order) <= 2 * len(tree.leaves) else None


def write(answer: Order, tree: Tree) -> str:
    """`1 2 3 7`, or `none`."""
    names = vocabulary(tree)
    return " ".join(map(names.write_path, answer)) or names.empty_text


def _parsed(text: str, tree: Tree) -> Order:
    answer = tuple(read_sequence(text, tree, read_path))
    if any(one == two for one, two in pairwise(answer)):
        raise CanonicalError("a leaf is named twice in a row")
    return answer


def compare(reply: Order, key: Order, tree: Tree, terms: Terms) -> tuple[Item, ...]:
    """The leaves up to where the order breaks.

    Every leaf of the prefix is a right item; one item says where the order breaks, and nothing is said of
    the leaves behind that place.
    """
    return _parts(reply, key, tree, terms, vocabulary(tree).write_path)


def _parts(
    reply: Order, key: Order, tree: Tree, _terms: Terms, write: Callable[[int], str] = lambda _path: ""
) -> tuple[Item, ...]:
    """The same without texts, unless something writes them."""
    # nothing here depends on the terms
    leaves, items = tree.leaves, list[Item]()
    for said, right in zip_longest(reply, key, fillvalue=0):
        verdict: Verdict = "right" if said == right else "extra" if not right else "wrong"
        typed, wanted = write(said) if said else "", write(right) if right else ""
        items.append(Item(leaves[(said or right) - 1], typed, wanted, verdict if said else "missing"))
        if said != right:
            break
    return tuple(items)


def forced_prefix_length(tree: Tree, direction: Direction) -> int:
    """How many leaves every search of such a tree visits first, whatever the payoffs; 0 where it visits all.

    The first leaf that may be pruned is the first whose path turns aside, leaving by a child that is not
    visited first, both under a MAX node and under a MIN node.
    """
    certain, waiting = 0, [(0, frozenset[Player | None]())] if len(tree) else []
    while waiting:
        node, aside = waiting.pop()
        children = tree.visiting(node, direction)
        if not children:
            if len(aside) > 1:
                return certain
            certain += 1
        turned = aside | {tree.players[node]}
        waiting += [(child, turned if place else aside) for place, child in enumerate(children)][::-1]
    return 0


def _settled(key: Order, tree: Tree) -> int:
    """How many leaves at the head of a key are visited whatever the payoffs."""
    leaves = range(1, len(tree.leaves) + 1)
    if key[:1] == (1,):
        head = tuple(leaves)[: forced_prefix_length(tree, "left-to-right")]
    else:
        head = tuple(leaves)[::-1][: forced_prefix_length(tree, "right-to-left")]
    return len(head) if key[: len(head)] == head else 0


def share(items: Sequence[Item], key: Order, tree: Tree, terms: Terms) -> Fraction:
    """The longest correct prefix over the length of the key, both without what is always visited first.

    Going on after the end is one wrong step.
    """
    right = [item.verdict for item in items].count("right")
    certain = _settled(key, tree)
    if certain == len(key):
        return all_or_nothing(items, key, tree, terms)
    if right == len(key):
        right -= len(items) - right
    return Fraction(max(right - certain, 0), len(key) - certain)


def distance(reply: Order, other: Order) -> int:
    """At how many places the two differ."""
    differing = sum(1 for one, two in zip(reply, other, strict=False) if one != two)
    return differing + abs(len(reply) - len(other))


def by_payoffs(answer: Order, tree: Tree) -> Order | None:
    """The payoffs of the leaves, taken for leaf numbers; one twice in a row says nothing new."""
    paths = payoffs_as_paths(tree, (tree.leaves[path - 1] for path in answer))
    return None if paths is None else tuple(path for path, _ in groupby(paths))


def tally(account: CreditBasis[Order]) -> Tally:
    """The list counts up to where it breaks."""
    say, points = account.terms.language.say, account.points
    right = sum(item.verdict == "right" for item in account.items)
    certain = _settled(account.key, account.tree)
    size = len(account.key) - certain
    if not size:
        return Tally(say(COMPLETE_TALLY, **points))
    if right - certain == size:
        return Tally(say(_TOO_MANY, size=size, **points))
    told = _UP_TO_THERE_WITHOUT_HEAD if certain else _UP_TO_THERE
    why = say(told, right=max(right - certain, 0), size=size, **points)
    hidden = say("Nothing right up to the first mistake: {points} of {maximum}.", **points)
    return Tally(why, hidden)


_TOO_MANY = Phrase("All {size} right, and then too many, which counts as one wrong: {points} of {maximum}.")
_UP_TO_THERE = Phrase("{right} of {size} right up to the first mistake: {points} of {maximum}.")
_UP_TO_THERE_WITHOUT_HEAD = Phrase(
    "Of the {size} behind those that are always visited first, {right} right up to the first mistake: "
    "{points} of {maximum}."
)


def blanks(key: Order, tree: Tree, terms: Terms) -> Blanks:
    """One box for every leaf, so that their number says nothing; the first after the end counts as well.

    Leaves that are always visited first earn nothing here either.
    """
    names, size, certain = vocabulary(tree), len(tree.leaves), _settled(key, tree)
    asked = min(len(key) + 1, size)
    each = normalize_number(Fraction(terms.points) / (asked - certain))
    boxes = []
    for place in range(size):
        worth = each if certain <= place < asked else 0
        if place < len(key):
            leaf = tree.leaves[key[place] - 1]
            label = node_label(tree, leaf, terms.language)
            said = (str(key[place]), names.write_path(key[place]), names.write(leaf), label)
            boxes.append(Box(str(place + 1), tuple(dict.fromkeys(said)), worth))
        else:
            boxes.append(Box(str(place + 1), NOTHING_SPELLINGS, worth))
    ask = terms.language.say(
        "Write the leaf numbers in the order of the visits, one into each box, and {none} into the "
        "remaining boxes.",
        none=NONE,
    )
    return Blanks(ask, tuple(boxes), counting_rule=terms.language.say(BOXES_COUNT_SEPARATELY))


def reply_from_blanks(asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    """The leaves up to the first box that is empty or says none; behind it nothing may follow."""
    found, end = list[int](), ""
    for blank, text in zip(asked, filled, strict=True):
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


def credit_sentence(terms: Terms, tree: Tree) -> str:
    """Up to where it breaks, from where trees of this shape may differ."""
    say = terms.language.say
    return paragraph(
        say(
            "Your list counts up to the first place where it goes wrong; "
            "each leaf too many at its end costs as much as a right one earns."
        ),
        say("The first leaves do not count, as far as every search visits them in a tree of this shape.")
        if any(forced_prefix_length(tree, direction) for direction in get_args(Direction))
        else "",
    )


def payoff_blind_answers(tree: Tree, rules: Rules) -> Mapping[str, Order]:
    """All leaves in a row."""
    paths = tuple(range(1, len(tree.leaves) + 1))
    return {"everything": paths if rules.order == "left-to-right" else paths[::-1]}


read_any = partial(read_reply, read=_read, write=write, remarks="of names")
"""The reader of any reply, by the grammar."""

ORDER: Form[Order] = Form(
    name="order",
    ask=Phrase("Write their leaf numbers in this order."),
    example="1 2 3 7",
    read=try_plain_first(_plain, read_any),
    write=write,
    parse_canonical=_parsed,
    compare=compare,
    compare_without_text=_parts,
    share=share,
    distance=distance,
    marking_rule=Phrase(
        "What is right up to there counts over the length of the key; leaves that are visited first in every "
        "tree of this shape count on neither side. A leaf written several times in a row counts once."
    ),
    credit_sentence=credit_sentence,
    tally=tally,
    answer_space=AnswerSpace("line", leaves=20),
    blank_codec=BlankCodec(blanks, reply_from_blanks),
    payoff_blind_answers=payoff_blind_answers,
    counts_leaves=True,
    by_payoffs=by_payoffs,
    screen_input="order",
)
