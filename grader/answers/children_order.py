"""For nodes the order of their children: `B: D C E`, one node on each line; `B: same` as they are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, islice, product
from math import factorial
from operator import eq

from grader.answers.blank import Blank
from grader.answers.box_blanks import is_nothing, unreadable_blank
from grader.answers.canonical import CanonicalError, read_node, split_canonical
from grader.answers.choice_blanks import list_spellings
from grader.answers.entry_forms import EntryFormat
from grader.answers.form import AnswerSpace, Form, Terms
from grader.answers.mention import Mention, NodeReading
from grader.answers.node_entries import NAME_KINDS, NAMES, assemble_entries, is_none
from grader.answers.numeral import parse_digits
from grader.answers.reply import UNCLEAR, Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import Token
from grader.answers.vocabulary import fold, vocabulary
from grader.base.numbers import Number
from grader.base.phrases import BoundPhrase, Phrase, plural_phrase
from grader.base.safe_text import quote
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Orders = tuple[tuple[int, tuple[int, ...]], ...]
"""Nodes with all their children in an order, sorted by node."""

_SAME = ("same", "unchanged")
"""What says that the children stay as they are drawn."""

MAX_ENTRY_READINGS = 64
"""The most ways in which the names of one entry are read."""


def _read(reply: Reply) -> Orders:
    """Read for each node named all its children, by names, labels of moves or leaf numbers.

    Without colons, `A D C B, B F E` or `D C B, F E`, the names are divided into nodes with their children.
    """
    tokens = [letter for token in reply.row(NAME_KINDS) for letter in _letters(reply, token)]
    if is_none(tokens):
        return ()
    entries = _parted(reply, tokens)
    for head, children in entries:
        if not children and head is not None and head.lower() in reply.words.retracting | reply.words.denying:
            raise reply.misplaced(head)  # `not: B: D C E`
    divisions = [_divisions(reply, head, children) for head, children in entries if children]
    if not divisions:
        raise UnreadableError(
            "the answer does not list the children of any node",
            0,
            "write the node and its children: B: D C E",
        )
    answers = [
        assemble_entries([*chain(*division)], Phrase("there are two orders for one node"))
        for division in islice(product(*divisions), MAX_ENTRY_READINGS)
    ]
    if len(answers) > 1:
        raise UnsureError(UNCLEAR, answers)
    return answers[0]


def _letters(reply: Reply, token: Token) -> list[Token]:
    """Return the letters of a word such as `DCB` if each is a label, but not the word; else the word."""
    typed = reply.slice(token)
    is_word = token.lower() in (*_SAME, *reply.words.retracting, *reply.words.denying)
    if token.type != "WORD" or len(typed) < 2 or is_word or reply.nodes(token, labels=True):
        return [token]
    if not all(letter in reply.vocabulary.exact for letter in typed):
        return [token]
    return [Token(letter, token.type, token.start_pos + place) for place, letter in enumerate(typed)]


def _divisions(reply: Reply, head: Token | None, tokens: Sequence[Token]) -> list[list[Mention]]:
    """Return the ways to divide the names after a colon into nodes with all their children, at most two.

    Each node but the first may be named before its children. Raises `UnreadableError` if there is no way.
    """
    tree, count = reply.tree, len(tokens)
    divisions: list[list[list[Mention]]] = [[] for _ in tokens] + [[[]]]
    for start in reversed(range(count)):
        first = tokens[start]
        parents = [tree.parents[node] for node in child_candidates(reply, first) if node]
        options: list[tuple[Token | None, int, Sequence[int]]] = [
            (None, start, parents),
            (first, start + 1, reply.nodes(first)),
        ]
        if head is not None and start == 0:
            options = [(head, start, reply.nodes(head))]
        for name, begin, nodes in options:
            for end in sorted({begin + len(tree.children[node]) for node in nodes} - {begin}):
                if end > count or not divisions[end]:
                    continue
                try:
                    entry = _entry(reply, name, tokens[begin:end])
                except UnreadableError:
                    continue
                divisions[start] += [[entry, *rest] for rest in divisions[end]]
        del divisions[start][2:]
    return divisions[0] or [[_entry(reply, head, tokens)]]


def _parted(reply: Reply, tokens: Sequence[Token]) -> list[tuple[Token | None, list[Token]]]:
    """Return the name before each colon with the names after it; None if there is none before the first.

    Numbers in brackets next to names are values, and `first` is ignored, since the order implies it.
    """
    entries: list[tuple[Token | None, list[Token]]] = [(None, [])]
    valued = _values(tokens)
    for index, token in enumerate(tokens):
        if token.type == "LT" and index and tokens[index - 1].type in NAMES:
            raise reply.misplaced(token)  # `B<C`, `B<-C`: as it seems, C comes before B
        if token.type not in NAMES or index in valued:
            continue
        following = [each.type for each in tokens[index + 1 : index + 2]]
        below = tokens[index + 2 : index + 3]
        if following in (["COLON"], ["EQUALS"]) or (
            following in (["ARROW"], ["DASH"]) and _is_parent(reply, token, below)
        ):
            entries.append((token, []))
        elif reply.words.sense(token) != "first" or reply.nodes(token, labels=True):
            entries[-1][1].append(token)
    return entries


def _values(tokens: Sequence[Token]) -> set[int]:
    """The places of numbers that stand alone in brackets right behind a name: `D (35)`, `D (-6)`."""
    found = set[int]()
    for place, token in enumerate(tokens):
        kinds = [each.type for each in tokens[place + 1 : place + 5]]
        signed = kinds[1:2] == ["DASH"]
        if token.type in NAMES and [kinds[0:1], kinds[1 + signed : 3 + signed]] == [
            ["LPAREN"],
            ["NUMERAL", "RPAREN"],
        ]:
            found.add(place + 2 + signed)
    return found


def _is_parent(reply: Reply, token: Token, below: Sequence[Token]) -> bool:
    """Return whether a token names a parent of the node after a dash or an arrow."""
    nodes = reply.nodes(token)
    return any(
        reply.tree.parents[node] in nodes for each in below for node in child_candidates(reply, each) if node
    )


def child_candidates(reply: Reply, token: Token) -> tuple[int, ...]:
    """Return the nodes that a token may mean as children: by name, label of the move, or leaf number."""
    tree = reply.tree
    if token.type != "NUMERAL":
        return reply.nodes(token, labels=True)
    path = parse_digits(token)
    numbered = tree.leaves[path - 1 : path] if path > 0 else ()
    if reply.text[: token.start_pos].rstrip().endswith("#"):
        return numbered
    return tuple(dict.fromkeys((*numbered, *reply.nodes(token, labels=True))))


def _entry(reply: Reply, head: Token | None, children: Sequence[Token]) -> Mention:
    """Return one entry with all readings of its names."""
    tree, first = reply.tree, children[0]
    place = (first if head is None else head).start_pos
    parents: Iterable[int]
    if head is None:
        parents = dict.fromkeys(tree.parents[node] for node in child_candidates(reply, first) if node)
    else:
        parents = reply.require_named_nodes(head)
    readings: list[tuple[int, NodeReading]] = []
    trouble = UnreadableError("a colon is missing", place, "write the label of the node first: B: D C E")
    for parent in parents:
        try:
            readings += ((parent, order) for order in _orders(reply, parent, children))
        except UnreadableError as error:
            trouble = error
    if not readings:
        raise trouble
    return Mention(
        tuple(readings),
        place,
        BoundPhrase("a label here could belong to more than one node") if len(readings) > 1 else None,
    )


def _orders(reply: Reply, parent: int, tokens: Sequence[Token]) -> list[NodeReading]:
    """Return the orders of the children that these tokens may mean. Raises `UnreadableError`."""
    tree, place = reply.tree, tokens[0].start_pos
    children = tree.children[parent]
    candidates = [[node for node in child_candidates(reply, token) if node in children] for token in tokens]
    if len(tokens) == 1 and not candidates[0] and tokens[0].lower() in _SAME and children:
        return [children]
    for token, nodes in zip(tokens, candidates, strict=True):
        if not nodes:
            names = vocabulary(tree)
            raise UnreadableError(
                "{child} is not a child of {node}",
                token.start_pos,
                "its children are {children}" if children else "",
                child=quote(reply.slice(token)),
                node=quote(names.write(parent)),
                children=" ".join(map(names.write, children[:8])),
            )
    if len(tokens) < len(children):
        message = plural_phrase(
            "only {count} of {children} children is listed", "only {count} of {children} children are listed"
        )
        raise UnreadableError(
            BoundPhrase(*message, len(tokens), children=len(children)),
            place,
            "write each child once: B: D C E",
        )
    orders = [
        order
        for order in islice(product(*candidates), MAX_ENTRY_READINGS)
        if len(set(order)) == len(order) == len(children)
    ]
    if not orders:
        raise UnreadableError("a child is listed twice", place, "write each child once: B: D C E")
    return orders


def _parse_all(text: str, tree: Tree) -> Orders:
    """Return the orders of a canonical text. Raises `CanonicalError` if a node has other children."""
    orders: dict[int, tuple[int, ...]] = {}
    node = -1
    for piece in split_canonical(text):
        name = piece.rstrip(":;")
        if piece.endswith(":"):
            node = read_node(name, tree)
            orders[node] = ()
        elif node < 0:
            raise CanonicalError(f"no node is named before {quote(piece)}")
        else:
            orders[node] += (read_node(name, tree),)
    if any(sorted(order) != list(tree.children[node]) or not order for node, order in orders.items()):
        raise CanonicalError("these are not the children of each node")
    return tuple(orders.items())


def _solve_blanks(
    blanks: Sequence[Blank], order: tuple[int, ...], points: Number, tree: Tree, _terms: Terms
) -> Sequence[Blank]:
    """Fill in the order of the children of a node, with all of its points."""
    spellings = list_spellings([vocabulary(tree).write(child) for child in order])
    return [replace(box, points=points, spellings=spellings) for box in blanks]


def _read_box(
    blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms
) -> tuple[int, ...] | None:
    """Read the order in the box of a node; None for a sign that there is none. Raises `BlankError`."""
    (blank,), (text,) = blanks, filled
    names, nothing = vocabulary(tree), is_nothing(text)
    if nothing and fold(text) not in names.loose:
        return None
    orders = CHILDREN_ORDER.read(f"{names.write_guarded(blank.node)}: {text}", tree, terms)
    # Without quotes it may be the name of a node, or mean that there is none.
    if nothing or not (isinstance(orders, tuple) and len(orders) == 1 and orders[0][0] == blank.node):
        raise unreadable_blank(blank, text, "{text} is not a valid order of the children of this node")
    return orders[0][1]


def payoff_blind_answers(tree: Tree, _rules: Rules) -> Mapping[str, Orders]:
    """Every node as it is drawn."""
    return {"same": tuple((node, tree.children[node]) for node in tree.internal)}


def _possible(key: Orders, _tree: Tree) -> Fraction | None:
    """In how many orders the children of a node can stand: the harmonic mean over the nodes of the key."""
    guessed = sum((Fraction(1, factorial(len(order))) for _, order in key), Fraction(0))
    return Fraction(len(key)) / guessed if guessed else None


ENTRIES = EntryFormat(
    spell=lambda name, node, order: f"{name(node)}: {' '.join(map(name, order))}",
    separator="; ",
    parse_all=_parse_all,
    entry_share=lambda entry, right, _digits: entry == right,
    is_equivalent=eq,
    solve_blanks=_solve_blanks,
    read_blanks=_read_box,
    fill_instruction=Phrase(
        "In each box, write the children of the node in order, separated by spaces. "
        "If the question does not ask about a node, write {none} in its box."
    ),
)

CHILDREN_ORDER: Form[Orders] = ENTRIES.form(
    name="children-order",
    ask=Phrase("After the label of each node, write its children in order: {example}."),
    example="B: D C E",
    read=partial(read_reply, read=_read, write=ENTRIES.write),
    marking_rule=Phrase("All children of a node must be in the correct order."),
    answer_space=AnswerSpace("tall"),
    is_multiline=True,
    counts_leaves=True,
    answer_count=_possible,
    payoff_blind_answers=payoff_blind_answers,
    screen_input="orders",
)
