"""What stands around a mention and may make it a count, a heading, a value or a remark."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from grader.answers.mention import Mention, Naming
from grader.answers.numeral import numeral
from grader.answers.reply import Reply, UnreadableError, quote
from grader.answers.vocabulary import Vocabulary
from grader.base.numbers import NumeralError
from grader.base.phrases import Phrase, Saying
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Token

Items: TypeAlias = "Sequence[Token | list[Token]]"
"""The tokens of a reply in order, those of one mention in a list."""

_OPENING = ("LBRACE", "LBRACKET", "LPAREN")
_CLOSING = ("RBRACE", "RBRACKET", "RPAREN")
_RELATIONS = ("OF", "BELOW", "WITH", "COLON")
_PASSED = ("NOUN", "PATH", "CUT")

_SEVERAL = ("leaves", "leafs", "nodes", "branches", "subtrees", "edges", "cuts", "children", "moves", "ones")
_WHOLE = ("branch", "subtree", "edge", "node")
_LEAVES = ("leaf", "leaves", "leafs", "terminal", "terminals")

_PLACED = Phrase("a word such as first may name something, or only tell an order")
_COUNTED = Phrase("a number before a noun may say how many, or which")
_LISTED = Phrase("a number before a dot may be that of a list")
_VALUED = Phrase("a number beside a name may be a move, or a value")
_REMARKED = Phrase("what stands in brackets may be meant, or only remarked")
_HEADED = Phrase("what stands before a colon may be meant, or only head the rest")
_RELATED = Phrase("what stands behind {word} may be meant, or only say which")
_WITHIN = Phrase("a node is named together with something below it")
_ABOVE = Phrase("this may be the branch to a node, or those below it")


@dataclass(frozen=True, slots=True)
class _Sight:
    """One mention with what stands around it.

    - `tokens`: its own tokens; `before`: the token before it, None after another mention.
    - `named`: whether something in the tree is called like its first token.
    - `relation`: a word or colon that relates it to what is before; `joined` says that this is a mention,
      and `noun` is the noun before the relation.
    - `counting`: the noun directly behind it; `dotted`: whether a dot stands there.
    - `group`: in which brackets it stands, counted from 1; 0 outside of all.
    """

    mention: Mention
    tokens: "Sequence[Token]"
    before: "Token | None"
    named: bool
    relation: "Token | None"
    joined: bool
    noun: str
    counting: str
    dotted: bool
    group: int

    @property
    def kind(self) -> str:
        """The kind of its only token, empty when there are several."""
        return self.tokens[0].type if len(self.tokens) == 1 else ""

    @property
    def is_number(self) -> bool:
        """Whether it is a bare number and no name, and nothing before it says what it counts."""
        said = self.before is not None and self.before.type in ("NOUN", "PATH", "NO")
        return self.kind == "NUMERAL" and not (self.named or said)

    @property
    def is_aside(self) -> bool:
        """Whether it stands in brackets, or behind a colon or `with` that follows another mention."""
        return self.group > 0 or (self.relates("COLON", "WITH") and self.joined)

    @property
    def is_choice(self) -> bool:
        """Whether an "or" stands before it."""
        return self.before is not None and self.before.type == "OR"

    def relates(self, *kinds: str) -> bool:
        """Whether a relation of these kinds stands before it."""
        return self.relation is not None and self.relation.type in kinds


def _sights(items: Items, mentions: Sequence[Mention], names: Vocabulary) -> Iterator[_Sight]:
    rest = iter(mentions)
    relation: Token | None = None
    joined = False
    noun = ""
    depth = group = 0
    for index, item in enumerate(items):
        if isinstance(item, list):
            before, behind = items[index - 1] if index else [], [*items[index + 1 : index + 2], []][0]
            follows = None if isinstance(behind, list) else behind
            yield _Sight(
                next(rest),
                item,
                None if isinstance(before, list) else before,
                item[0] in names.exact or item[0] in names.labels,
                relation,
                joined and relation is not None,
                noun,
                follows.lower() if follows is not None and follows.type == "NOUN" else "",
                follows == ".",
                group if depth else 0,
            )
            relation, joined, noun = None, True, ""
        elif item.type in _OPENING:
            group += depth == 0
            depth += 1
        elif item.type in _CLOSING:
            depth -= 1
        elif item.type in _RELATIONS:
            relation = relation or item
        elif item.type in _PASSED:
            noun = item.lower() if relation is None else noun
        else:
            relation, joined, noun = None, False, ""


def weighed(
    reply: Reply,
    naming: Naming,
    items: Items,
    mentions: Sequence[Mention],
    strange: dict[int, UnreadableError],
) -> list[Mention | None]:
    """The mentions, None for counts and values, and with one more way that means nothing where in doubt.

    `mentions` has one for each list among the items; `strange` has the complaints about numbers that name
    nothing, by mention: these must be values. Raises `UnreadableError` for one that is none, and where no
    reading is likely.
    """
    sights = list(_sights(items, mentions, reply.vocabulary))
    aside = _values(reply, naming, sights, strange) | _counts(sights, naming)
    for index, trouble in strange.items():
        if index not in aside or sights[index].is_choice:
            raise trouble
    doubts: dict[int, Saying] = {}
    numbers = [index for index, sight in enumerate(sights) if sight.is_number]
    _doubt_lists(reply, sights, doubts)
    _doubt_words(sights, naming, doubts)
    _doubt_relations(sights, aside, naming, doubts)
    if naming.counted == "move" and any(
        not sight.is_number and sight.kind != "DIRECTION" for sight in sights
    ):
        doubts.update((index, Saying(_VALUED)) for index in numbers if index not in doubts)
    if naming.crossed and not (naming.labels or any(getattr(item, "type", "") == "EXCEPT" for item in items)):
        _doubt_nodes(reply.tree, sights, doubts)
    bare = any(
        not sight.group and index not in aside and index not in doubts for index, sight in enumerate(sights)
    )
    kept: list[Mention | None] = []
    for index, sight in enumerate(sights):
        mention = sight.mention
        if index in aside:
            kept.append(None)
            continue
        if bare and sight.group and not sight.is_choice:
            doubts.setdefault(index, Saying(_REMARKED))
        if index in doubts:
            mention = Mention((*mention.ways[:2], ()), mention.place, mention.why or doubts[index])
        elif naming.labels and sight.relates("OF", "BELOW"):
            mention = _branches(reply.tree, sight)
        kept.append(mention)
    return kept


def _values(
    reply: Reply, naming: Naming, sights: Sequence[_Sight], strange: dict[int, UnreadableError]
) -> set[int]:
    """The numbers that are the value of the one move or leaf before them: `B (3)`, `leaf 1 with 3`."""
    tree = reply.tree
    numbers = {index for index, sight in enumerate(sights) if sight.is_number}
    if naming.counted == "move":
        named = {
            way for index, sight in enumerate(sights) if index not in numbers for way in sight.mention.ways
        }
        if len(named) != 1:
            return set()
        return {
            index
            for index in numbers
            if index in strange
            or (
                sights[index].is_aside
                and all(_has_name(tree, node) for way in sights[index].mention.ways for node in way)
            )
        }
    if not naming.one:
        return set()
    found: set[int] = set()
    for index in numbers:
        if index and sights[index].is_aside and len(sights[index - 1].mention.ways) == 1:
            leaves = sights[index - 1].mention.ways[0]
            try:
                value = numeral(str(sights[index].tokens[0])).value
            except NumeralError:
                continue
            if len(leaves) == 1 and tree.payoffs[leaves[0]] == value:
                found.add(index)
    return found


def _has_name(tree: Tree, node: int) -> bool:
    return tree.given[node] is not None or tree.players[node] is not None


def _counts(sights: Sequence[_Sight], naming: Naming) -> set[int]:
    """The counts that head as many mentions: `2 leaves: 5, 6`. Raises `UnreadableError` for one alone."""
    if not sights or not sights[0].is_number or not sights[0].counting:
        return set()
    number, rest = sights[0].tokens[0], sights[1:]
    if not rest and sights[0].counting in _SEVERAL:
        message = Phrase("{number} says how many, not which")
        raise UnreadableError(message, number.start_pos or 0, _hint(naming), number=quote(number))
    named = {node for sight in rest for way in sight.mention.ways[:1] for node in way}
    return {0} if rest and rest[0].relates("COLON") and number == str(len(named)) else set()


def _hint(naming: Naming) -> Saying:
    if naming.one:
        return Saying("write the answer alone")
    return Saying(
        "write only the names and path numbers: {example}", example="C F" if naming.labels else "5 6"
    )


def _doubt_lists(reply: Reply, sights: Sequence[_Sight], doubts: dict[int, Saying]) -> None:
    """Doubt the numbers of a list, `1. 5` and `2. 6` on the next line; in `5. 6.` the dots only separate."""
    dotted = [index for index, sight in enumerate(sights) if sight.dotted and sight.is_number]
    if not dotted or (dotted[-1] == len(sights) - 1 and "\n" not in reply.text):
        return
    text = reply.text
    for index in dotted:
        line = text.rfind("\n", 0, sights[index].mention.place) + 1
        begins = not text[line : sights[index].mention.place].strip()
        if begins and index + 1 < len(sights) and "\n" not in text[line : sights[index + 1].mention.place]:
            doubts.update(dict.fromkeys(dotted, Saying(_LISTED)))
            return


def _doubt_words(sights: Sequence[_Sight], naming: Naming, doubts: dict[int, Saying]) -> None:
    """Doubt `first` beside others, and numbers before a noun. Raises `UnreadableError` for `last of C`."""
    others = any(sight.kind != "DIRECTION" for sight in sights)
    for index, sight in enumerate(sights):
        word = sight.tokens[0]
        if sight.kind in ("DIRECTION", "ORDINAL") and sights[index + 1 : index + 2]:
            after = sights[index + 1]
            if after.relates("OF", "BELOW"):
                message = Phrase("{word} may count in the whole tree, or below one node")
                raise UnreadableError(message, word.start_pos or 0, _hint(naming), word=quote(word))
        if sight.kind == "DIRECTION" and others:
            doubts[index] = Saying(_PLACED)
        if sight.is_number and sight.counting in _SEVERAL:
            doubts[index] = Saying(_COUNTED)


def _doubt_relations(
    sights: Sequence[_Sight], aside: set[int], naming: Naming, doubts: dict[int, Saying]
) -> None:
    """Doubt what heads the rest, and what is related to it. Raises `UnreadableError` for `5: 4, 6: 6`."""
    heads = [index - 1 for index, sight in enumerate(sights) if sight.joined and sight.relates("COLON")]
    heads = [index for index in heads if index not in aside and index + 1 not in aside]
    numbers = [index for index in heads if sights[index].is_number]
    if len(numbers) > 1:
        place = sights[numbers[0]].mention.place
        raise UnreadableError("of numbers before colons it is unclear what they say", place, _hint(naming))
    doubts.update((index, Saying(_HEADED)) for index in heads if index not in doubts)
    for index, sight in enumerate(sights):
        if sight.relates("WITH") and not sight.joined and sight.is_number:
            message, before = Phrase("the number behind {word} may be a payoff"), quote(str(sight.relation))
            raise UnreadableError(message, sight.mention.place, _hint(naming), word=before)
        if sight.joined and sight.relates("OF", "BELOW", "WITH"):
            doubts.setdefault(index, Saying(_RELATED, word=quote(str(sight.relation))))


def _doubt_nodes(tree: Tree, sights: Sequence[_Sight], doubts: dict[int, Saying]) -> None:
    """Doubt inner nodes that are named together with something below them: `C 5 6`."""
    named = {node for sight in sights for way in sight.mention.ways for node in way}
    for index, sight in enumerate(sights):
        nodes = [node for way in sight.mention.ways for node in way if not tree.paths[node]]
        if any(node < other < tree.ends[node] for node in nodes for other in named):
            doubts.setdefault(index, Saying(_WITHIN))


def _branches(tree: Tree, sight: _Sight) -> Mention:
    """`below C` and `children of C` as the branch to C, or those below it; `the branch of C` is the first."""
    mention = sight.mention
    if len(mention.ways) != 1 or len(mention.ways[0]) != 1 or (sight.relates("OF") and sight.noun in _WHOLE):
        return mention
    node = mention.ways[0][0]
    below = tree.leaves_below(node) if sight.noun in _LEAVES else tree.children[node]
    return Mention((*mention.ways, tuple(below)), mention.place, Saying(_ABOVE)) if below else mention
