"""Sets and sequences of things in a tree as replies name them: by leaf number, name, label, range."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from grader.answers.mention import (
    NO_LEAF_NUMBER,
    NO_PLACE,
    NUMBER_OR_NAME,
    OR,
    Mention,
    MentionRules,
    payoff_hint,
)
from grader.answers.mention_context import resolve_mentions
from grader.answers.reply import DOUBT, NAMELESS, UNCLEAR, Reply, UnreadableError, UnsureError, take_nothing
from grader.answers.reply_tokens import BASIC, BRACKETS, SPELLED, Cursor, Token
from grader.base.phrases import BoundPhrase, Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

A = TypeVar("A")

_MORE = Phrase('the answer says "all" but also lists something else')
_EXCEPT = Phrase('write either "all" or, for example, "all except 5"')

_NEGATIVE = re.compile(r"- ?[0-9]+(?:[./][0-9]+)?")

NOTHING_NAMED = Phrase('"none" is not a possible answer to this question')
"""The message about `none` if it cannot be correct."""


def read_mentions(reply: Reply, naming: MentionRules) -> tuple[Mention, ...]:
    """Return the mentions of a reply in order; empty for `none` and `{}`. Raises `UnreadableError`.

    Mentions joined by "or" become one with several readings, unless all equally good items are requested.
    A question mark after the last of several mentions makes it doubtful.
    """
    items, nothing = parse_mentions(reply, naming)
    mentions: list[Mention] = []
    every = naming.wants_one and reply.terms.every
    is_all = is_exception = is_restricted = has_brackets = after_or = False
    value_sign: Token | None = None
    resolved = iter(resolve_mentions(reply, naming, items))
    for before, item in zip((None, *items), items, strict=False):
        if isinstance(item, list):
            _refuse_halves(reply, naming, before, item, first=not mentions)
            mention = next(resolved)
            if mention is None:
                value_sign = None
                continue
            if is_all and not is_exception:
                if naming.accepts_labels or any(
                    reply.tree.paths[node] for reading in mention.readings for node in reading
                ):
                    raise reply.misplaced(item[0], _MORE, _EXCEPT)
                is_restricted = True
            if after_or and mentions and not (is_exception or every):
                both = dict.fromkeys(
                    reading for reading in mentions[-1].readings + mention.readings if reading
                )
                mention = Mention(tuple(both), mentions.pop().place, BoundPhrase(OR))
            mentions.append(mention)
            after_or = False
            continue
        match item.type:
            case "ALL":
                if mentions or is_all:
                    raise reply.misplaced(item, _MORE, _EXCEPT)
                is_all = True
            case "EXCEPT":
                if not is_all or is_exception or is_restricted:
                    raise reply.misplaced(
                        item,
                        "it is unclear what this is an exception to",
                        Phrase('write "all except 5", for example'),
                    )
                is_exception = True
            case "OR":
                after_or = item.lower() not in ("∪", "u")
            case "BAR" if naming.wants_one:
                after_or = True
            case "DOT" if item == "?" and len(mentions) > 1 and not is_exception:
                mentions[-1] = replace(
                    mentions[-1], readings=(*mentions[-1].readings[:2], ()), doubt=BoundPhrase(DOUBT)
                )
            case "EQUALS" if is_all or not reply.text[: item.start_pos].strip():
                raise reply.misplaced(item)
            case "EQUALS" | "VALUE" if mentions:
                value_sign = item
            case "TO" if reply.words.sense(str(before)) in ("leaf", "leaves"):
                raise reply.misplaced(item)  # `Blätter nach 5`: the leaves after 5
            case "CUT" if not naming.asks_for_pruned:
                raise reply.misplaced(
                    item, "the question does not ask which are {word}", Phrase("write only the answer")
                )
            case "VISITED" if not naming.arrows_mean_then:
                raise reply.misplaced(item)
            case kind if kind in BRACKETS:
                has_brackets = True
    if value_sign is not None:
        raise reply.misplaced(value_sign)
    if items and not isinstance(items[-1], list) and items[-1].type in ("AND", "OR", "PLUS"):
        raise reply.misplaced(items[-1])
    if naming.wants_one and not mentions and (nothing or has_brackets):
        raise UnreadableError(NOTHING_NAMED, 0)
    if nothing:
        if mentions or is_all:
            raise UnreadableError(
                'the answer says "none" but also lists something', 0, 'if there are none, write only "none"'
            )
        return ()
    if is_exception and not mentions:
        raise reply.ends_early(hint=Phrase('write "all except 5", for example'))
    if is_all and not is_restricted:
        return _all_but(reply.tree, naming, mentions)
    if not mentions and not has_brackets:
        hint = "" if naming.wants_one else NAMELESS
        raise UnreadableError("the answer does not name anything", 0, hint)
    return tuple(mentions)


def _refuse_halves(
    reply: Reply, naming: MentionRules, before: Token | list[Token] | None, chain: list[Token], *, first: bool
) -> None:
    """Raise `UnreadableError` for what begins a range without an end, `from 7`, and for `second last`."""
    types = [each.type for each in chain]
    if isinstance(before, list):
        if before[-1].type in ("DIRECTION", "ORDINAL") and types[0] == "DIRECTION":
            raise reply.misplaced(chain[0], NO_PLACE, NUMBER_OR_NAME)
    elif (
        before is not None
        and before.type == "OF"
        and first
        and types == ["NUMERAL"]
        and not naming.accepts_labels
    ):
        raise reply.misplaced(before)


_MARKS = (*SPELLED, "NUMERAL", "ORDINAL", "DIRECTION", "HASH")
_LINKS = ("DASH", "LONGDASH", "DOTS", "ARROW", "GT", "TO")
_WORDS = ("ALL", "EXCEPT", "CUT", "VISITED", "OF", "BELOW", "IN", "WITH", "VALUE")
_SIGNS = (*_WORDS, "COMMA", "SEMICOLON", "DOT", "AND", "OR", "PLUS", "COLON", "EQUALS", "BAR")
_KINDS = BASIC | {*BRACKETS, *BRACKETS.values(), *_MARKS, *_LINKS, *_SIGNS, "NOUN", "PATH", "NONE", "NO"}


def parse_mentions(reply: Reply, naming: MentionRules) -> tuple[list[Token | list[Token]], bool]:
    """The tokens of a reply, those of each mention in a list, and whether it says none.

    Raises `UnreadableError`, which knows a negative payoff.
    """
    try:
        return _grouped(reply.cursor(_KINDS), naming)
    except UnreadableError as error:
        negative = _NEGATIVE.match(reply.text, error.place)
        paid = payoff_hint(reply, negative.group()) if negative and naming.number_target == "leaf" else None
        if negative and paid:
            number = quote(negative.group())
            raise UnreadableError(NO_LEAF_NUMBER, error.place, paid, number=number) from None
        raise


def _grouped(cursor: Cursor, naming: MentionRules) -> tuple[list[Token | list[Token]], bool]:
    """Do the same as `parse_mentions`, without the hint about a negative payoff.

    Brackets must match, and `none` ends the reply.
    """
    items: list[Token | list[Token]] = []
    open_brackets: list[str] = []
    if naming.number_target == "move" and cursor.kind == "TO" and cursor.following != "NUMERAL":
        cursor.need("TO")  # `to the second child of A`
    while cursor.kind:
        if cursor.kind in _MARKS:
            items.append(_chain(cursor))
        elif cursor.kind in BRACKETS:
            open_brackets.append(BRACKETS[cursor.kind])
            items += cursor.optional(cursor.kind)
        elif open_brackets and cursor.kind == open_brackets[-1]:
            items += cursor.optional(open_brackets.pop())
        elif cursor.kind == "NO" and cursor.following == "DOT":
            items += [cursor.need("NO"), cursor.need("DOT")]
        elif cursor.kind in ("NONE", "NO") and not open_brackets:
            take_nothing(cursor, "OF", "BELOW")
            return items, True
        elif cursor.kind in ("NOUN", "PATH"):
            items += [cursor.need("NOUN", "PATH"), *cursor.optional("TO")]
        elif naming.asks_for_pruned and cursor.kind == "ALL" and _is_placed(cursor):
            cursor.need("ALL")
        else:
            items.append(cursor.need(*_SIGNS))
    if open_brackets or not items:
        raise cursor.error()
    return items, False


def _is_placed(cursor: Cursor) -> bool:
    """Return whether `all` has a place, as in `all leaves of J`; then it is redundant."""
    start = cursor.place
    cursor.need("ALL")
    cursor.many("NOUN", "PATH")
    placed = bool(cursor.many("OF", "BELOW", "IN")) and cursor.kind in _MARKS
    cursor.place = start
    return placed


def _chain(cursor: Cursor) -> list[Token]:
    """One mention, or several with links between: `A -> C`, `5 to leaf 7`."""
    chain: list[Token] = []
    while True:
        hashes = cursor.optional("HASH")
        chain += [*hashes, cursor.need("NUMERAL") if hashes else cursor.need(*_MARKS)]
        if cursor.kind not in _LINKS:
            return chain
        chain += [cursor.need(*_LINKS), *cursor.many("NOUN", "PATH")]


def payoffs_as_paths(tree: Tree, leaves: Iterable[int]) -> tuple[int, ...] | None:
    """The payoffs of some leaves, taken for leaf numbers; None if some payoff is not a leaf number."""
    payoffs = tuple(tree.payoffs[leaf] for leaf in leaves)
    paths = tuple(payoff for payoff in payoffs if isinstance(payoff, int) and 0 < payoff <= len(tree.leaves))
    return paths if len(paths) == len(payoffs) else None


def build_unambiguous(mentions: Sequence[Mention], build: Callable[[Iterable[Any]], A]) -> A:
    """Build the answer from the mentions.

    The first reading of every mention gives the answer. Then one change at a time is tried:
    1. All mentions that may be none, if there are several, are dropped together.
    2. All mentions of a group take their last reading.
    3. One mention takes its second or its third reading.
    Raises `UnsureError`, with at most three other answers, if a change gives another answer.
    """
    first = [mention.readings[0] for mention in mentions]
    answer = build(first)
    if all(len(mention.readings) == 1 for mention in mentions):
        return answer
    others: list[A] = []
    why: BoundPhrase | None = None
    doubtful = [index for index, mention in enumerate(mentions) if () in mention.readings[1:]]
    together = doubtful if 1 < len(doubtful) < len(mentions) else []
    changes: list[dict[int, Any]] = [dict.fromkeys(together, ())] if together else []
    changes += (
        {index: each.readings[-1] for index, each in enumerate(mentions) if each.group == group}
        for group in dict.fromkeys(mention.group for mention in mentions if mention.group)
    )
    for index, mention in enumerate(mentions):
        if mention.group:
            continue
        changes += [{index: reading} for reading in mention.readings[1:3] if index not in together]
    for changed in changes:
        other = build(changed.get(index, reading) for index, reading in enumerate(first))
        if other != answer and other not in others and len(others) < 3:
            others.append(other)
            why = why or mentions[min(changed)].doubt
    if others:
        raise UnsureError(why or UNCLEAR, (answer, *others))
    return answer


def keep_fitting(
    mentions: Iterable[Mention],
    fits: Callable[[int], bool],
    unfit_error: Callable[[Mention], UnreadableError],
) -> list[Mention]:
    """Restrict mentions to readings in which every node fits. Raises `unfit_error` for one without any."""
    fitting = []
    for mention in mentions:
        readings = tuple(reading for reading in mention.readings if all(map(fits, reading)))
        if not readings:
            raise unfit_error(mention)
        fitting.append(Mention(readings, mention.place, mention.doubt))
    return fitting


def _all_but(tree: Tree, naming: MentionRules, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return everything that can be named except these mentions and the leaves below them.

    Raises `UnreadableError` for a mention with several readings.
    """
    numbered = (
        range(1, len(tree))
        if naming.accepts_labels and naming.number_target == "leaf"
        else naming.numbered_nodes(tree)
    )
    left_out = set[int]()
    for mention in mentions:
        if len(mention.readings) > 1:
            raise UnreadableError(UNCLEAR, mention.place, mention.doubt or "")
        for node in mention.readings[0]:
            left_out.update((node, *tree.leaves_below(node)))
    return (Mention((tuple(node for node in numbered if node not in left_out),), 0),)
