"""Sets and sequences of things in a tree as replies name them: by path number, name, label, range."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from grader.answers.beside import weighed
from grader.answers.mention import Mark, Naming, Way
from grader.answers.numeral import numeral
from grader.answers.reading import Reply, UnreadableError, UnsureError, quote
from grader.answers.reply_words import POSITIONS
from grader.base.numbers import NumeralError
from grader.base.phrases import ENGLISH
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Token

A = TypeVar("A")

_COUNTER = re.compile(r"""(?:leaf|l|path|move)_?([0-9]+)|["']([0-9]+)["']""", re.IGNORECASE)

_JOINED = re.compile("and|und")

_NEGATIVE = re.compile(r"- ?[0-9]+(?:[./][0-9]+)?")

MANY = 100_000
"""The most nodes that a reply may name in all."""

FEW = 4
"""The most leaves with one payoff that a hint names."""


def read_marks(reply: Reply, naming: Naming) -> tuple[Mark, ...]:
    """The marks of a reply in order; empty for `none` and `{}`. Raises `UnreadableError`.

    What "or" joins is one mark with several ways, unless all of what is equally good is asked for.
    A question mark after the last of several marks leaves open whether it is meant: a hedge is no answer.
    """
    parsed = parse_marks(reply, naming)
    nothing = any(_is_rule(item, "nothing") for item in parsed)
    items = list(_flat(item for item in parsed if not _is_rule(item, "nothing")))
    marks: list[Mark] = []
    every = naming.one and reply.terms.every
    everything = excepted = whole = hollow = either = False
    meant = iter(_meant(reply, naming, items))
    for item in items:
        if isinstance(item, list):
            mark = next(meant)
            if mark is None:
                continue
            if everything and not excepted:
                if naming.labels or any(reply.tree.paths[node] for way in mark.ways for node in way):
                    raise UnreadableError("everything, and more", _place(item), "say: all, or: all except 5")
                whole = True
            if either and marks and not (excepted or every):
                both = marks[-1].ways + mark.ways
                mark = Mark(tuple(dict.fromkeys(way for way in both if way)), marks.pop().place, _OR)
            marks.append(mark)
            either = False
            continue
        match item.type:
            case "ALL":
                if marks or everything:
                    raise UnreadableError(
                        "everything, and more", item.start_pos or 0, "say: all, or: all except 5"
                    )
                everything = True
            case "EXCEPT":
                if not everything or excepted or whole:
                    raise UnreadableError("except from what?", item.start_pos or 0, "say: all except 5")
                excepted = True
            case "OR":
                either = item.lower() in ("or", "oder", "∨")
            case "BAR" if naming.one:
                either = True
            case "DOT" if item == "?" and len(marks) > 1 and not excepted:
                marks[-1] = Mark((*marks[-1].ways[:2], ()), marks[-1].place, _DOUBT)
            case "EQUALS" if marks or everything or not reply.text[: item.start_pos].strip():
                raise UnreadableError(f"{quote(item)} does not fit here", item.start_pos or 0)
            case "CUT" if not naming.crossed:
                raise UnreadableError(
                    f"what is {quote(item)} is not asked for", item.start_pos or 0, "write the answer alone"
                )
            case "LBRACE" | "LBRACKET" | "LPAREN":
                hollow = True
    if nothing:
        if marks or everything:
            raise UnreadableError("none, and something", 0, "write none alone if there is nothing to name")
        return ()
    if excepted and not marks:
        raise UnreadableError("the reply stops too early", len(reply.text.rstrip()), "say: all except 5")
    if everything and not whole:
        return _all_but(reply.tree, naming, marks)
    if not marks and not hollow:
        raise UnreadableError("this names nothing", 0, "write none if there is nothing to name")
    return tuple(marks)


_BESIDE = ("COLON", "DOT", "LBRACE", "LBRACKET", "LPAREN", "RBRACE", "RBRACKET", "RPAREN")


def _meant(reply: Reply, naming: Naming, items: "Sequence[Token | list[Token]]") -> list[Mark | None]:
    """One mark for each list among the items, None for one that is only a count or a value."""
    marks: list[Mark] = []
    strange: dict[int, UnreadableError] = {}
    counting = follows = named = beside = telling = False
    for item in items:
        if isinstance(item, list):
            try:
                marks.append(_chain(reply, naming, item, counting))
            except UnreadableError as trouble:
                if not naming.one or len(item) > 1 or item[0].type != "NUMERAL":
                    raise
                strange[len(marks)] = trouble
                marks.append(Mark((), _place(item)))
            named = named or item[0].type != "NUMERAL"
            telling = telling or (beside and len(marks) > 1)
            follows = True
            continue
        if item.type in ("PATH", "NO"):
            counting = True
        elif item.type == "NOUN":
            counting = False
            telling = telling or follows
        elif item.type in ("OF", "BELOW", "WITH"):
            telling = True
        elif marks and item.type in _BESIDE:
            beside = True
        follows = False
    if telling or strange or (named and len(marks) > 1):
        return weighed(reply, naming, items, marks, strange)
    return list(marks)


def parse_marks(reply: Reply, naming: Naming) -> list[Any]:
    """What the grammar makes of a reply. Raises `UnreadableError`, which knows a negative payoff."""
    try:
        return reply.parse("marks")
    except UnreadableError as error:
        negative = _NEGATIVE.match(reply.text, error.place)
        paid = _paid(reply, negative.group()) if negative and naming.counted == "leaf" else ""
        if negative and paid:
            raise UnreadableError(
                f"{quote(negative.group())} is not a path number", error.place, paid
            ) from None
        raise


def payoffs_as_paths(tree: Tree, leaves: Iterable[int]) -> tuple[int, ...] | None:
    """The payoffs of some leaves, taken for path numbers; None where one of them is none."""
    payoffs = tuple(tree.payoffs[leaf] for leaf in leaves)
    paths = tuple(payoff for payoff in payoffs if isinstance(payoff, int) and 0 < payoff <= len(tree.leaves))
    return paths if len(paths) == len(payoffs) else None


def choose(marks: Sequence[Mark], build: Callable[[Iterable[Way]], A]) -> A:
    """The answer that `build` makes of the marks.

    Raises `UnsureError` when different ways to read a mark give different answers.
    """
    answer = build(mark.ways[0] for mark in marks)
    others: list[A] = []
    why = ""
    doubtful = [mark for mark in marks if () in mark.ways[1:]]
    if 1 < len(doubtful) < len(marks):
        other = build(() if mark in doubtful else mark.ways[0] for mark in marks)
        if other != answer:
            others, why, marks = [other], doubtful[0].why, [mark for mark in marks if mark not in doubtful]
    for index, mark in enumerate(marks):
        for way in mark.ways[1:3]:
            if len(others) < 3:
                other = build(way if place == index else each.ways[0] for place, each in enumerate(marks))
                if other != answer and other not in others:
                    others.append(other)
                    why = why or mark.why
    if others:
        raise UnsureError(why or "this can be read in two ways", (answer, *others))
    return answer


_OR = "an or leaves open which one is meant"
_DOUBT = "a question mark leaves open whether this is meant"


def _is_rule(item: Any, name: str) -> bool:
    return getattr(item, "data", "") == name


def _flat(items: Iterable[Any]) -> "Iterator[Token | list[Token]]":
    """Tokens, and chains as lists of tokens; groups give their brackets and what is inside."""
    stack = [iter(items)]
    while stack:
        for item in stack[-1]:
            if not hasattr(item, "children"):
                yield item
            elif item.data == "chain":
                yield item.children
            else:
                stack.append(iter(item.children))
                break
        else:
            stack.pop()


def _all_but(tree: Tree, naming: Naming, marks: Sequence[Mark]) -> tuple[Mark, ...]:
    everything = range(1, len(tree)) if naming.labels and naming.counted == "leaf" else naming.count(tree)
    if any(len(mark.ways) > 1 for mark in marks):
        first = next(mark for mark in marks if len(mark.ways) > 1)
        raise UnreadableError("this can be read in two ways", first.place, first.why)
    left_out = {below for mark in marks for node in mark.ways[0] for below in tree.leaves_below(node)}
    left_out |= {node for mark in marks for node in mark.ways[0]}
    return (Mark((tuple(node for node in everything if node not in left_out),), 0),)


def _place(chain: "Sequence[Token]") -> int:
    return chain[0].start_pos or 0


def _chain(reply: Reply, naming: Naming, chain: "list[Token]", counting: bool) -> Mark:
    """One mark, or several with links between: a range, a branch `A->C`, a sequence."""
    if len(chain) == 1:
        return _single(reply, naming, chain[0], counting)
    links: list[Token] = []
    ends: list[Mark] = []
    sharp = counting
    for token in chain:
        if token.type in ("HASH", "PATH"):
            sharp = True
        elif token.type == "NOUN":
            continue
        elif token.type in ("DASH", "LONGDASH", "DOTS", "ARROW", "TO"):
            links.append(token)
        else:
            ends.append(_single(reply, naming, token, sharp))
            sharp = counting
    if not links:
        return ends[0]
    if all(link.type == "ARROW" for link in links):
        return _in_a_row(ends) if naming.arrows else _downwards(reply, ends)
    if any(link.type == "ARROW" for link in links):
        raise UnreadableError("arrows and ranges do not mix", links[0].start_pos or 0)
    return _range(reply, naming, ends, links)


def _in_a_row(ends: Sequence[Mark]) -> Mark:
    for end in ends:
        if len(end.ways) > 1:
            return Mark((_one_after_another(ends, 0), _one_after_another(ends, 1)), end.place, end.why)
    return Mark((_one_after_another(ends, 0),), ends[0].place)


def _one_after_another(ends: Sequence[Mark], way: int) -> Way:
    return tuple(node for end in ends for node in end.ways[min(way, len(end.ways) - 1)])


def _downwards(reply: Reply, ends: Sequence[Mark]) -> Mark:
    """The node at the end of `A -> B -> 5`, each one a child of the one before."""
    parents = reply.tree.parents
    ways: list[tuple[Way, ...]] = [(way,) for way in ends[0].ways if len(way) == 1]
    for end in ends[1:]:
        ways = [
            (*walked, way)
            for walked in ways
            for way in end.ways
            if len(way) == 1 and parents[way[0]] == walked[-1][0]
        ][:4]
    if not ways:
        raise UnreadableError(
            "the arrow does not follow a branch of the tree",
            ends[0].place,
            "write A -> B for the branch from A to its child B",
        )
    found = tuple(dict.fromkeys(walked[-1] for walked in ways))
    return Mark(found, ends[0].place)


def _range(reply: Reply, naming: Naming, ends: Sequence[Mark], links: "Sequence[Token]") -> Mark:
    """`5-9`: all from one to the other. Several dashes, or a dash backwards, may also just separate."""
    tree, place = reply.tree, ends[0].place
    counted = {node: number for number, node in enumerate(naming.count(tree))}
    listed = _one_after_another(ends, 0)
    for end in ends:
        if len(end.ways) > 1:
            why = end.why
            first = _spans(naming, tree, [end.ways[0] for end in ends], counted)
            second = _spans(naming, tree, [end.ways[-1] for end in ends], counted)
            if first is None or second is None:
                raise UnreadableError(why or "this can be read in two ways", end.place, "name each one apart")
            return Mark((first, second), place, why)
    spans = _spans(naming, tree, [end.ways[0] for end in ends], counted)
    if spans is None:
        if naming.labels and all(
            len(above) == len(below) == 1 and tree.parents[below[0]] == above[0]
            for above, below in pairwise(end.ways[0] for end in ends)
        ):
            return Mark((ends[-1].ways[0],), place)  # nobody lists a node together with its own child
        raise UnreadableError(
            f"a range goes from one {naming.counted} to another",
            place,
            "name each one apart, with blanks between",
        )
    backwards = len(ends) == 2 and counted[ends[0].ways[0][0]] > counted[ends[1].ways[0][0]]
    if naming.arrows and any(link.type == "DOTS" and link != ".." for link in links):
        return Mark((listed, spans), place, "the dots may stand for all between, or for what is left out")
    if len(ends) > 2 or (backwards and not naming.arrows):
        dashed = all(link.type in ("DASH", "LONGDASH") for link in links)
        why = "the dashes may be ranges or separators" if dashed else "these ranges do not add up"
        return Mark((listed, spans), place, why)
    return Mark((spans,), place)


def _spans(naming: Naming, tree: Tree, ends: Sequence[Way], counted: dict[int, int]) -> Way | None:
    """All nodes from each end to the next one; None unless every end is one counted node."""
    everything = naming.count(tree)
    nodes: list[int] = []
    for begin, end in pairwise(ends):
        if len(begin) != 1 or len(end) != 1 or begin[0] not in counted or end[0] not in counted:
            return None
        low, high = counted[begin[0]], counted[end[0]]
        if len(nodes) + abs(high - low) > MANY:
            return None
        step = everything[low : high + 1] if low <= high else everything[high : low + 1][::-1]
        nodes += step[1:] if nodes and nodes[-1] == step[0] else step
    return tuple(nodes)


def _single(reply: Reply, naming: Naming, token: "Token", sharp: bool) -> Mark:
    """One token as a mark; `sharp` after `#` and `path`, where a number only counts."""
    place = token.start_pos or 0
    match token.type:
        case "NUMERAL":
            if "/" in token:
                return _slashed(reply, naming, token, sharp)
            return _number(reply, naming, token, str(token), sharp)
        case "ORDINAL":
            named = reply.nodes(token, naming.labels)
            if named:
                return Mark(tuple((node,) for node in named), place, _several(reply, token))
            joined = _JOINED.split(token.lower())
            if all(_counting_number(digits) is not None for digits in joined):
                marks = [_number(reply, naming, token, digits, sharp) for digits in joined]
                return Mark((_one_after_another(marks, 0),), place)
            if token[-2:].lower() in ("st", "nd", "rd", "th") and token[:-2].isdigit():
                return _number(reply, naming, token, token[:-2], sharp=True)
            raise reply.unknown_name(token)
        case "DIRECTION":
            return Mark((_direction(reply, naming, token),), place)
    named = reply.nodes(token, naming.labels)
    if not named:
        number = _COUNTER.fullmatch(reply.slice(token))
        if number is None:
            raise reply.unknown_name(token)
        return _number(reply, naming, token, number[1] or number[2], sharp)
    return Mark(tuple((node,) for node in named), place, _several(reply, token) if len(named) > 1 else "")


def _several(reply: Reply, token: "Token") -> str:
    return f"{quote(reply.slice(token))} names more than one thing in this tree"


def _slashed(reply: Reply, naming: Naming, token: "Token", sharp: bool) -> Mark:
    """`5/6`: a path number is no fraction, so the bar separates, or says "or" where one is asked for."""
    marks = [_number(reply, naming, token, part.strip(), sharp) for part in token.split("/")]
    if naming.one and not reply.terms.every:
        ways = dict.fromkeys(way for mark in marks for way in mark.ways)
        return Mark(tuple(ways), token.start_pos or 0, _OR)
    return Mark((_one_after_another(marks, 0),), token.start_pos or 0)


def _number(reply: Reply, naming: Naming, token: "Token", digits: str, sharp: bool) -> Mark:
    """A number that counts leaves or moves, or is somebody's name."""
    tree, place = reply.tree, token.start_pos or 0
    everything = naming.count(tree)
    named: tuple[int, ...] = ()
    names = reply.vocabulary
    if not sharp:
        named = names.exact.get(digits, ())
        if naming.labels:
            named += tuple(node for node in names.labels.get(digits, ()) if node not in named)
    number = _counting_number(digits)
    if number is not None and 1 <= number <= len(everything):
        counted = everything[number - 1]
        if not named:
            return Mark(((counted,),), place)
        ways = tuple((node,) for node in dict.fromkeys((counted, *named)))
        return Mark(ways, place, f"{digits} is a {_COUNTED[naming.counted]} and also a name")
    if named:
        return Mark(tuple((node,) for node in named), place, _several(reply, token))
    if naming.counted != "leaf" and number is not None and 1 <= number <= len(tree.leaves):
        leaf = tree.leaves[number - 1]
        if leaf in everything and not sharp:
            return Mark(((leaf,),), place)
    many = f"{len(everything)} {naming.counted if len(everything) == 1 else _PLURAL[naming.counted]}"
    where = "this tree has" if naming.counted == "leaf" else "there are"
    hint = (
        f"{where} {many}, counted from 1 at the left"
        if number is not None
        else "write whole numbers or names"
    )
    paid = _paid(reply, digits) if naming.counted == "leaf" else ""
    raise UnreadableError(
        f"{quote(digits)} is not a {_COUNTED[naming.counted]}", place, f"{hint}; {paid}" if paid else hint
    )


def _paid(reply: Reply, digits: str) -> str:
    """`the leaf with the payoff 12 is path 2`; nothing where no leaf has such a payoff."""
    try:
        value = numeral(digits).value
    except NumeralError:
        return ""
    tree = reply.tree
    paths = [str(tree.paths[leaf]) for leaf in tree.leaves if tree.payoffs[leaf] == value]
    if not paths:
        return ""
    number = reply.terms.language.number(value)
    if len(paths) > FEW:
        return f"{number} is a payoff of leaves, not a path number"
    which = (
        f"leaf with the payoff {number} is path"
        if len(paths) == 1
        else f"leaves with the payoff {number} are paths"
    )
    return f"the {which} {ENGLISH.listed(paths)}"


_COUNTED = {"leaf": "path number", "move": "move number"}
_PLURAL = {"leaf": "leaves", "move": "moves"}


def _counting_number(digits: str) -> int | None:
    """The whole number that ASCII digits spell, None for anything else; a long one is just very large."""
    if not digits.isdigit() or not digits.isascii():
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= 9 else 10**9


def _direction(reply: Reply, naming: Naming, token: "Token") -> Way:
    """`left`, `second`, `last` among what the form counts."""
    everything = naming.count(reply.tree)
    word, many = token.lower(), len(everything)
    if word in POSITIONS:
        position: int | None = POSITIONS[word] if POSITIONS[word] <= many else None
    elif word == "last":
        position = many
    elif naming.counted == "leaf":
        position = None
    elif word == "leftmost" or (word == "left" and many <= 3):
        position = 1
    elif word == "rightmost" or (word == "right" and many <= 3):
        position = many
    elif word in ("middle", "centre", "center"):
        position = (many + 1) // 2 if many % 2 and many > 1 else None
    else:
        position = None
    if position is None:
        raise UnreadableError(
            f"{quote(token)} does not say which", token.start_pos or 0, "write the number or the name"
        )
    return (everything[position - 1],)
