"""Sets and sequences of things in a tree as replies name them: by path number, name, label, range."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from grader.answers.mention import Mention, Naming, Way
from grader.answers.ranges import NO_PATH_NUMBER, OR, paid_by, read_chain
from grader.answers.reply import NAMELESS, UNCLEAR, Reply, UnreadableError, UnsureError, quote
from grader.answers.surroundings import weighed
from grader.base.phrases import Phrase, Saying
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Token

A = TypeVar("A")

DOUBT = Phrase("a question mark leaves open whether this is meant")
_MORE = Phrase("everything, and more")
_EXCEPT = Phrase("say: all, or: all except 5")

_NEGATIVE = re.compile(r"- ?[0-9]+(?:[./][0-9]+)?")


def read_mentions(reply: Reply, naming: Naming) -> tuple[Mention, ...]:
    """The mentions of a reply in order; empty for `none` and `{}`. Raises `UnreadableError`.

    What "or" joins is one mention with several ways, unless all of what is equally good is asked for.
    A question mark after the last of several mentions leaves open whether it is meant: a hedge is no answer.
    """
    parsed = parse_mentions(reply, naming)
    nothing = any(_is_rule(item, "nothing") for item in parsed)
    items = list(_flat(item for item in parsed if not _is_rule(item, "nothing")))
    mentions: list[Mention] = []
    every = naming.one and reply.terms.every
    everything = excepted = whole = hollow = either = False
    meant = iter(_meant(reply, naming, items))
    for item in items:
        if isinstance(item, list):
            mention = next(meant)
            if mention is None:
                continue
            if everything and not excepted:
                if naming.labels or any(reply.tree.paths[node] for way in mention.ways for node in way):
                    raise UnreadableError(_MORE, _place(item), _EXCEPT)
                whole = True
            if either and mentions and not (excepted or every):
                both = mentions[-1].ways + mention.ways
                mention = Mention(
                    tuple(dict.fromkeys(way for way in both if way)), mentions.pop().place, Saying(OR)
                )
            mentions.append(mention)
            either = False
            continue
        match item.type:
            case "ALL":
                if mentions or everything:
                    raise UnreadableError(_MORE, item.start_pos or 0, _EXCEPT)
                everything = True
            case "EXCEPT":
                if not everything or excepted or whole:
                    raise UnreadableError("except from what?", item.start_pos or 0, "say: all except 5")
                excepted = True
            case "OR":
                either = item.lower() in ("or", "oder", "∨")
            case "BAR" if naming.one:
                either = True
            case "DOT" if item == "?" and len(mentions) > 1 and not excepted:
                mentions[-1] = Mention((*mentions[-1].ways[:2], ()), mentions[-1].place, Saying(DOUBT))
            case "EQUALS" if mentions or everything or not reply.text[: item.start_pos].strip():
                raise UnreadableError("{word} does not fit here", item.start_pos or 0, word=quote(item))
            case "CUT" if not naming.crossed:
                message = Phrase("what is {word} is not asked for")
                raise UnreadableError(
                    message, item.start_pos or 0, "write the answer alone", word=quote(item)
                )
            case "LBRACE" | "LBRACKET" | "LPAREN":
                hollow = True
    if nothing:
        if mentions or everything:
            raise UnreadableError("none, and something", 0, "write none alone if there is nothing to name")
        return ()
    if excepted and not mentions:
        raise UnreadableError("the reply stops too early", len(reply.text.rstrip()), "say: all except 5")
    if everything and not whole:
        return _all_but(reply.tree, naming, mentions)
    if not mentions and not hollow:
        raise UnreadableError("this names nothing", 0, NAMELESS)
    return tuple(mentions)


_BESIDE = ("COLON", "DOT", "LBRACE", "LBRACKET", "LPAREN", "RBRACE", "RBRACKET", "RPAREN")


def _meant(reply: Reply, naming: Naming, items: "Sequence[Token | list[Token]]") -> list[Mention | None]:
    """One mention for each list among the items, None for one that is only a count or a value."""
    mentions: list[Mention] = []
    strange: dict[int, UnreadableError] = {}
    counting = follows = named = beside = telling = False
    for item in items:
        if isinstance(item, list):
            try:
                mentions.append(read_chain(reply, naming, item, counting))
            except UnreadableError as trouble:
                if not naming.one or len(item) > 1 or item[0].type != "NUMERAL":
                    raise
                strange[len(mentions)] = trouble
                mentions.append(Mention((), _place(item)))
            named = named or item[0].type != "NUMERAL"
            telling = telling or (beside and len(mentions) > 1)
            follows = True
            continue
        if item.type in ("PATH", "NO"):
            counting = True
        elif item.type == "NOUN":
            counting = False
            telling = telling or follows
        elif item.type in ("OF", "BELOW", "WITH"):
            telling = True
        elif mentions and item.type in _BESIDE:
            beside = True
        follows = False
    if telling or strange or (named and len(mentions) > 1):
        return weighed(reply, naming, items, mentions, strange)
    return list(mentions)


def parse_mentions(reply: Reply, naming: Naming) -> list[Any]:
    """What the grammar makes of a reply. Raises `UnreadableError`, which knows a negative payoff."""
    try:
        return reply.parse("mentions")
    except UnreadableError as error:
        negative = _NEGATIVE.match(reply.text, error.place)
        paid = paid_by(reply, negative.group()) if negative and naming.counted == "leaf" else None
        if negative and paid:
            number = quote(negative.group())
            raise UnreadableError(NO_PATH_NUMBER, error.place, paid, number=number) from None
        raise


def payoffs_as_paths(tree: Tree, leaves: Iterable[int]) -> tuple[int, ...] | None:
    """The payoffs of some leaves, taken for path numbers; None where one of them is none."""
    payoffs = tuple(tree.payoffs[leaf] for leaf in leaves)
    paths = tuple(payoff for payoff in payoffs if isinstance(payoff, int) and 0 < payoff <= len(tree.leaves))
    return paths if len(paths) == len(payoffs) else None


def choose(mentions: Sequence[Mention], build: Callable[[Iterable[Way]], A]) -> A:
    """The answer that `build` makes of the mentions.

    Raises `UnsureError` when different ways to read a mention give different answers.
    """
    answer = build(mention.ways[0] for mention in mentions)
    others: list[A] = []
    why: Saying | None = None
    doubtful = [mention for mention in mentions if () in mention.ways[1:]]
    if 1 < len(doubtful) < len(mentions):
        other = build(() if mention in doubtful else mention.ways[0] for mention in mentions)
        if other != answer:
            others, why, mentions = (
                [other],
                doubtful[0].why,
                [mention for mention in mentions if mention not in doubtful],
            )
    for index, mention in enumerate(mentions):
        for way in mention.ways[1:3]:
            if len(others) < 3:
                other = build(way if place == index else each.ways[0] for place, each in enumerate(mentions))
                if other != answer and other not in others:
                    others.append(other)
                    why = why or mention.why
    if others:
        raise UnsureError(why or UNCLEAR, (answer, *others))
    return answer


def fitting(
    mentions: Iterable[Mention], fits: Callable[[int], bool], strange: Callable[[Mention], UnreadableError]
) -> list[Mention]:
    """The mentions in those ways in which every node fits. Raises what is `strange` about one without any."""
    kept = []
    for mention in mentions:
        ways = tuple(way for way in mention.ways if all(map(fits, way)))
        if not ways:
            raise strange(mention)
        kept.append(Mention(ways, mention.place, mention.why))
    return kept


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


def _all_but(tree: Tree, naming: Naming, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    everything = range(1, len(tree)) if naming.labels and naming.counted == "leaf" else naming.count(tree)
    if any(len(mention.ways) > 1 for mention in mentions):
        first = next(mention for mention in mentions if len(mention.ways) > 1)
        raise UnreadableError(UNCLEAR, first.place, first.why or "")
    left_out = {
        below for mention in mentions for node in mention.ways[0] for below in tree.leaves_below(node)
    }
    left_out |= {node for mention in mentions for node in mention.ways[0]}
    return (Mention((tuple(node for node in everything if node not in left_out),), 0),)


def _place(chain: "Sequence[Token]") -> int:
    return chain[0].start_pos or 0
