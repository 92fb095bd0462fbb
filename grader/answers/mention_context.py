"""The context of a mention, which may make it a count, a heading, a value or a remark."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeAlias

from grader.answers.counted_children import Items, counted_children
from grader.answers.mention import Mention, MentionRules, read_chain
from grader.answers.numeral import parse_value
from grader.answers.reply import Reply, UnreadableError
from grader.answers.reply_tokens import BRACKETS, Token
from grader.base.phrases import BoundPhrase, Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

_RELATIONS = ("OF", "BELOW", "IN", "WITH", "COLON", "VALUE", "EQUALS")
_WHERE = ("OF", "BELOW", "IN")
_PASSED = ("NOUN", "PATH", "CUT")

_SEVERAL = ("leaves", "branches", "children")
_LEAVES = ("leaf", "leaves")

_PLACED = Phrase('a word such as "first" could identify something or only give the order')
_COUNTED = Phrase("a number before a noun could be a count or a label")
_LISTED = Phrase("a number before a period could be a list number")
_VALUED = Phrase("a number next to a name could be a move or a value")
_REMARKED = Phrase("text in parentheses could be part of the answer or only a remark")
_HEADED = Phrase("text before a colon could be part of the answer or only a heading")
_RELATED = Phrase("text after {word} could be part of the answer or only an explanation")
_WITHIN = Phrase("a node is given together with something below it")
_PAID = Phrase("these numbers could be leaf numbers or payoffs")
_ABOVE = Phrase("this could be the branch to a node or the branches below it")

_LIST = re.compile(r"(?m)^[ \t]*[0-9]+\.(?![0-9])[ \t]*\S")
"""A line that begins with the number of an item."""

_Doubts: TypeAlias = Iterator[tuple[int, BoundPhrase]]
"""Which mention is in doubt, by its place in the row, and why."""


@dataclass(frozen=True, slots=True)
class _Sight:
    """One mention with its context.

    - `tokens`: its own tokens; `trouble`: why it is not a name, for a number that may be a value.
    - `number`: whether it is a bare number, not a name, without a noun before it.
    - `choice`: whether there is an "or" before it.
    - `relation`: a word or colon that relates it to the text before; `follows_mention` says that this text is
      a mention, and `noun` is the noun before the relation.
    - `behind`: the sense of the noun or the dot directly after it, or empty.
    - `is_counted`: whether it is an ordinal that counts the children of a node.
    - `group`: the number of its brackets, counted from 1; 0 outside brackets. `remark` says that these are
      next to another mention.
    """

    mention: Mention
    tokens: Sequence[Token]
    trouble: UnreadableError | None
    number: bool
    choice: bool
    relation: Token | None
    follows_mention: bool
    noun: str
    behind: str
    is_counted: bool
    group: int
    remark: bool

    @property
    def kind(self) -> str:
        """The kind of its only token, empty when there are several."""
        return self.tokens[0].type if len(self.tokens) == 1 else ""

    @property
    def counts(self) -> bool:
        """Whether it is a number before a noun in the plural."""
        return self.number and self.behind in _SEVERAL

    @property
    def is_aside(self) -> bool:
        """Whether it is in brackets, or after a colon, `with` or `=` that follows another mention."""
        return self.group > 0 or (self.follows_mention and self.relates("COLON", "WITH", "VALUE", "EQUALS"))

    def relates(self, *kinds: str) -> bool:
        """Return whether its relation is of one of these kinds."""
        return self.relation is not None and self.relation.type in kinds


def _sights(reply: Reply, naming: MentionRules, items: Items) -> Iterator[_Sight]:
    """Yield every mention with its context: the tokens since the mention before it, and the one after it."""
    names, relation = reply.vocabulary, None
    children = counted_children(reply, naming, items)
    counting = follows_mention = remark = has_mention = False
    noun = before = ""
    depth = group = 0
    for index, item in enumerate(items):
        if isinstance(item, list):
            trouble, place = None, item[0].start_pos
            bare = len(item) == 1 and item[0].type == "NUMERAL"
            try:
                mention = children.get(index) or read_chain(reply, naming, item, counting)
            except UnreadableError as error:
                if not (naming.wants_one and bare):  # else it may be a value: `B 3`
                    raise
                mention, trouble = Mention((), place), error
            known = item[0] in names.exact or item[0] in names.labels or before in ("NOUN", "PATH", "NO")
            after = next((each for each in items[index + 1 : index + 2] if not isinstance(each, list)), None)
            yield _Sight(
                mention=mention,
                tokens=item,
                trouble=trouble,
                number=bare and not known and index not in children,
                choice=before == "OR",
                relation=relation,
                follows_mention=follows_mention and relation is not None,
                noun=noun,
                behind=reply.words.sense(after) or after if after and after.type in ("NOUN", "DOT") else "",
                is_counted=index in children,
                group=group if depth else 0,
                remark=depth > 0 and remark,
            )
            relation, follows_mention, noun, before, has_mention = None, True, "", "", True
            continue
        is_adjacent, before = not before, item.type
        counting = before in ("PATH", "NO") or (counting and before != "NOUN")  # `paths 2 and 3`
        if before in BRACKETS:
            if not depth:
                group += 1
                remark = (has_mention and is_adjacent) or _is_remark(items[index:])
            depth += 1
        elif before in BRACKETS.values():
            depth -= 1
        elif before in _RELATIONS:
            relation, follows_mention = (
                relation or item,
                follows_mention or (has_mention and before == "VALUE"),
            )
        elif before in _PASSED:
            noun = reply.words.sense(item) if relation is None else noun
        else:
            relation, follows_mention, noun = None, False, ""


def _is_remark(items: Items) -> bool:
    """Return whether the brackets at the start of these items contain one mention, or precede one."""
    depth = many = 0
    for item, after in pairwise((*items, None)):
        if isinstance(item, list):
            many += 1
        elif item is not None:
            depth += (item.type in BRACKETS) - (item.type in BRACKETS.values())
            if not depth:
                return many == 1 or isinstance(after, list)
    return False


def resolve_mentions(reply: Reply, naming: MentionRules, items: Items) -> list[Mention | None]:
    """Return a mention for each list among the items; a doubtful one has an empty reading too.

    None for one that is only a count or a value. Raises `UnreadableError` for a number that is neither a name
    nor a value, and if no reading is likely.
    """
    sights = list(_sights(reply, naming, items))
    ignored = (
        _values(reply.tree, naming, sights)
        | _counts(reply, sights, naming)
        | _places(reply.tree, naming, sights)
    )
    for index, sight in enumerate(sights):
        if sight.trouble and (index not in ignored or sight.choice):
            raise sight.trouble
        if (
            sight.relation
            and sight.follows_mention
            and sight.relates("VALUE", "EQUALS")
            and index not in ignored
        ):
            raise reply.misplaced(sight.relation)
    doubts: dict[int, BoundPhrase] = {}
    doubt_sources = [
        _placed(reply, sights, naming),
        _listed(reply, sights),
        _related(reply, sights, ignored, naming),
    ]
    if naming.number_target == "move":
        doubt_sources.append(_valued(sights))
    if naming.asks_for_pruned and not (
        naming.accepts_labels or any(getattr(item, "type", "") == "EXCEPT" for item in items)
    ):
        doubt_sources.append(_within(reply, sights))
    for index, why in chain(*doubt_sources):
        doubts.setdefault(index, why)
    rest = [index for index in range(len(sights)) if index not in ignored]
    if any(not sights[index].remark and index not in doubts for index in rest):
        for index in rest:
            if sights[index].remark and not sights[index].choice:
                doubts.setdefault(index, BoundPhrase(_REMARKED))
    resolved: list[Mention | None] = []
    paid = _payoffs_at_places(reply.tree, sights, ignored)
    for index, sight in enumerate(sights):
        mention = paid.get(index, sight.mention)
        if index in doubts:
            mention = Mention((*mention.readings[:2], ()), mention.place, mention.doubt or doubts[index])
        elif naming.accepts_labels and sight.relates("OF", "BELOW") and len(sight.tokens) == 1:
            mention = _branches(reply.tree, sight)
        resolved.append(None if index in ignored else mention)
    return resolved


def _values(tree: Tree, naming: MentionRules, sights: Sequence[_Sight]) -> set[int]:
    """Return the numbers that are the value of the move or leaf before them: `B (3)`, `leaf 1 with 3`.

    Next to a move, that is any number if all moves have names.
    """
    values = set[int]()
    moves = {reading for sight in sights if not sight.number for reading in sight.mention.readings}
    if naming.number_target == "move":
        moves = {
            reading for reading in moves if tree.children[0] and {*reading} <= {*tree.children[0]}
        } or moves
    for index, sight in enumerate(sights):
        if naming.number_target == "move":
            nodes = [node for reading in sight.mention.readings for node in reading]
            unnamed = any(tree.given[node] is None and tree.players[node] is None for node in nodes)
            is_value = len(moves) == 1 and (sight.trouble is not None or (sight.is_aside and not unnamed))
        else:
            is_adjacent = index and sight.is_aside and (naming.wants_one or not sight.relates("COLON"))
            before = sights[index - 1].mention.readings if is_adjacent else ()
            value = parse_value(str(sight.tokens[0])) if len(before) == 1 else None
            is_value = value is not None and [tree.payoffs[leaf] for leaf in before[0]] == [value]
        if sight.number and is_value:
            values.add(index)
    return values


def _places(tree: Tree, naming: MentionRules, sights: Sequence[_Sight]) -> set[int]:
    """Return nodes that only locate the leaves next to them: `5 and 6 of C`, `C: 5 6`, the edge `(C, 6)`."""
    if naming.number_target == "move":
        return {index for index, (one, _) in enumerate(pairwise(sights), 1) if one.is_counted}
    places = set[int]()
    heads = [
        index for index, sight in enumerate(sights[1:]) if sight.follows_mention and sight.relates("COLON")
    ]
    for head, after in pairwise((*heads, len(sights))):
        if all(_is_above(tree, sights[head], sight) for sight in sights[head + 1 : after]):
            places.add(head)
    groups = [sight.group for sight in sights]
    for index, (one, two) in enumerate(pairwise(sights)):
        if (two.follows_mention or one.is_counted) and two.relates(*_WHERE) and _is_above(tree, two, one):
            places.add(index + 1)
        pair = one.group and one.group == two.group and groups.count(one.group) == 2
        if naming.accepts_labels and pair and _is_above(tree, one, two, parent=True):
            places.add(index)
    return places


def _payoffs_at_places(tree: Tree, sights: Sequence[_Sight], ignored: Set[int]) -> dict[int, Mention]:
    """Return the numbers that may be payoffs of leaves below a node: `the 4 and the 6 under C`."""
    mentions: dict[int, Mention] = {}
    for place in sorted(index for index in ignored if index and sights[index].relates(*_WHERE)):
        if not sights[place].mention.readings:  # the number does not name a move
            continue
        first = place
        while first and sights[first - 1].number and first - 1 not in ignored:
            first -= 1
        below = tree.leaves_below(sights[place].mention.readings[0][0])
        readings = {}
        for index in range(first, place):
            value = parse_value(str(sights[index].tokens[0]))
            paid = [leaf for leaf in below if tree.payoffs[leaf] == value]
            if len(paid) == 1:
                readings[index] = (*sights[index].mention.readings[:1], (paid[0],))
        if len(readings) == place - first and any(reading[0] != reading[1] for reading in readings.values()):
            why = BoundPhrase(_PAID)
            mentions |= {
                i: Mention(reading, sights[i].mention.place, why, place) for i, reading in readings.items()
            }
    return mentions


def _is_above(tree: Tree, above: _Sight, below: _Sight, parent: bool = False) -> bool:
    """Return whether a mention means one node that is above every possible node of another.

    With `parent`, whether it is the parent of each.
    """
    nodes = {node for reading in above.mention.readings for node in reading}
    others = {node for reading in below.mention.readings for node in reading}
    if len(nodes) != 1 or not others:
        return False
    (node,) = nodes
    if parent:
        return all(tree.parents[other] == node for other in others)
    return all(node < other < tree.ends[node] for other in others)


def _counts(reply: Reply, sights: Sequence[_Sight], naming: MentionRules) -> set[int]:
    """Return the count before as many mentions: `2 leaves: 5, 6`. Raises `UnreadableError` for one alone."""
    if not sights or not sights[0].number or sights[0].behind in ("", "."):
        return set()
    number, rest = sights[0].tokens[0], sights[1:]
    if not rest and sights[0].counts:
        raise _unclear(reply, "{word} is a count; it does not say which ones", number, naming)
    nodes = {node for sight in rest for reading in sight.mention.readings[:1] for node in reading}
    return {0} if rest and rest[0].relates("COLON") and number == str(len(nodes)) else set()


def _unclear(reply: Reply, message: str | BoundPhrase, token: Token, naming: MentionRules) -> UnreadableError:
    """Return the error of a token that makes a reply unclear, with a hint on what to write."""
    hint = BoundPhrase("write only the answer")
    if not naming.wants_one:
        hint = BoundPhrase(
            "write only the labels and leaf numbers: {example}",
            example="C F" if naming.accepts_labels else "5 6",
        )
    return reply.misplaced(token, message, hint)


def _placed(reply: Reply, sights: Sequence[_Sight], naming: MentionRules) -> _Doubts:
    """Doubt `first` next to others, and numbers before a noun. Raises `UnreadableError` for `last of C`."""
    others = any(sight.kind != "DIRECTION" for sight in sights)
    for index, sight in enumerate(sights):
        if sight.is_counted:
            continue
        after = sights[index + 1 : index + 2]
        if sight.kind in ("DIRECTION", "ORDINAL") and after and after[0].relates(*_WHERE):
            message = Phrase("{word} could refer to the whole tree or to one node")
            raise _unclear(reply, message, sight.tokens[0], naming)
        if sight.kind == "DIRECTION" and others:
            yield index, BoundPhrase(_PLACED)
        if sight.counts:
            yield index, BoundPhrase(_COUNTED)


def _listed(reply: Reply, sights: Sequence[_Sight]) -> _Doubts:
    """The numbers of a list, `1. 5` and `2. 6` on the next line; in `5. 6.` the dots only separate."""
    dotted = [index for index, sight in enumerate(sights) if sight.number and sight.behind == "."]
    if dotted and ("\n" in reply.text or dotted[-1] < len(sights) - 1) and _LIST.search(reply.text):
        yield from ((index, BoundPhrase(_LISTED)) for index in dotted)


def _related(reply: Reply, sights: Sequence[_Sight], ignored: Iterable[int], naming: MentionRules) -> _Doubts:
    """Doubt headings, and mentions related to others. Raises `UnreadableError` for `5: 4, 6: 6`."""
    heads = [
        index - 1 for index, sight in enumerate(sights) if sight.follows_mention and sight.relates("COLON")
    ]
    heads = [index for index in heads if index not in ignored and index + 1 not in ignored]
    numbers = [sights[index].tokens[0] for index in heads if sights[index].number]
    if len(numbers) > 1:
        raise _unclear(reply, "the meaning of the numbers before the colons is unclear", numbers[0], naming)
    yield from ((index, BoundPhrase(_HEADED)) for index in heads)
    for index, sight in enumerate(sights):
        if sight.relation is None:
            continue
        word = quote(str(sight.relation))
        if sight.relates("WITH", "VALUE") and not sight.follows_mention and sight.number:
            raise _unclear(
                reply,
                BoundPhrase("the number after {word} could be a payoff", word=word),
                sight.tokens[0],
                naming,
            )
        if sight.follows_mention and index not in ignored and sight.relates(*_WHERE, "WITH"):
            yield index, BoundPhrase(_RELATED, word=word)


def _valued(sights: Sequence[_Sight]) -> _Doubts:
    """Doubt numbers next to the name of a move."""
    if any(not sight.number and sight.kind != "DIRECTION" for sight in sights):
        yield from ((index, BoundPhrase(_VALUED)) for index, sight in enumerate(sights) if sight.number)


def _within(reply: Reply, sights: Sequence[_Sight]) -> _Doubts:
    """Doubt inner nodes that are listed together with nodes below them: `C 5 6`.

    Raises `UnreadableError` for the root among others: everything is below it.
    """
    tree = reply.tree
    named_nodes = {node for sight in sights for reading in sight.mention.readings for node in reading}
    for index, sight in enumerate(sights):
        nodes = [node for reading in sight.mention.readings for node in reading if not tree.paths[node]]
        if nodes == [0] and len(sights) > 1:
            raise reply.misplaced(sight.tokens[0])
        if any(node < other < tree.ends[node] for node in nodes for other in named_nodes):
            yield index, BoundPhrase(_WITHIN)


def _branches(tree: Tree, sight: _Sight) -> Mention:
    """`below C` and `children of C` as the branch to C, or those below it; `the branch of C` is the first."""
    mention = sight.mention
    if (
        len(mention.readings) != 1
        or len(mention.readings[0]) != 1
        or (sight.relates("OF") and sight.noun == "branch")
    ):
        return mention
    node = mention.readings[0][0]
    below = tree.leaves_below(node) if sight.noun in _LEAVES else tree.children[node]
    return (
        Mention((*mention.readings, tuple(below)), mention.place, BoundPhrase(_ABOVE)) if below else mention
    )
