"""Forms that ask for an entry at each of some nodes: what tables, windows, orders and strategies share."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby, starmap
from math import lcm
from typing import Any, Generic, TypeAlias, TypeVar

from grader.answers.blank import NONE, Blank, Blanks, node_label
from grader.answers.box_blanks import BOXES_COUNT_SEPARATELY
from grader.answers.form import (
    ONLY_COMPLETE_COUNTS,
    BlankCodec,
    CreditBasis,
    Form,
    Item,
    ItemVerdict,
    Policy,
    PolicyName,
    Tally,
    Terms,
    all_or_nothing,
)
from grader.answers.policies import COMPLETE_TALLY, net_tally
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Phrase, paragraph, plural_phrase
from grader.trees.tree import Player, Tree

V = TypeVar("V")

NodeEntries: TypeAlias = Sequence[tuple[int, V]]
"""Nodes, each with its entry."""

POLICIES: tuple[PolicyName, ...] = ("entries", "players", "exact")
"""The policies of entries, the usual one first."""

_HALVES: Mapping[ItemVerdict, int] = {"right": 2, "partly": 1}
"""How many halves of its worth an entry earns."""

_MISSING: ItemVerdict = "missing"

_SHOWN_SHARE = Fraction(1, 4)
"""The share of the points for all blanks that keep the shown entry, if a platform marks each blank alone:
an answer that changes all of them loses it."""

_ALIKE = Phrase("All entries are worth the same number of points.")
_NET = Phrase("Each incorrect entry cancels one correct entry; the score is never negative.")
_SHARED: Mapping[frozenset[Player | None], Phrase] = {
    frozenset((Player.MAX, Player.MIN)): Phrase(
        "Half the points are for the MAX nodes and half for the MIN nodes."
    ),
    frozenset((Player.MAX, Player.CHANCE)): Phrase(
        "Half the points are for the MAX nodes and half for the chance nodes."
    ),
    frozenset((Player.MIN, Player.CHANCE)): Phrase(
        "Half the points are for the MIN nodes and half for the chance nodes."
    ),
    frozenset((Player.MAX, Player.MIN, Player.CHANCE)): Phrase(
        "Half the points are for the chance nodes, a quarter are for the MAX nodes, and a quarter are for "
        "the MIN nodes."
    ),
    frozenset((Player.MAX, None)): Phrase("Half the points are for the MAX nodes and half for the leaves."),
    frozenset((Player.MIN, None)): Phrase("Half the points are for the MIN nodes and half for the leaves."),
    frozenset((Player.MAX, Player.MIN, None)): Phrase(
        "One third of the points are for the MAX nodes, one third for the MIN nodes, and one third for the "
        "leaves."
    ),
}
"""How points are shared among the players of the requested nodes; None stands for leaves.

For nodes of one player, and for leaves alone, all entries count alike.
"""

_ONE_PLAYER_VISITED = Phrase(
    "If the search visits none of the MAX nodes, or none of the MIN nodes, all points are for the other "
    "nodes."
)

_RIGHT = plural_phrase("Correct entries: {right} of {count}. Score: {points} of {maximum}.")
_PARTLY = plural_phrase(
    "Correct entries: {right} of {count}. Partially correct entries: {partly}. Score: {points} of {maximum}."
)
_OF_PLAYER = plural_phrase("{right} of {count} at {player} nodes (worth {share} of the points)")
_OF_CHANCE = plural_phrase("{right} of {count} at chance nodes (worth {share} of the points)")
_OF_LEAVES = plural_phrase("{right} of {count} at leaves (worth {share} of the points)")


def compare_entries(
    reply: NodeEntries[V],
    key: NodeEntries[V],
    part: Callable[[V, V], Fraction | bool],
    write: Callable[[int, V], str],
    shown_entry: Callable[[int], V | None] = lambda _node: None,
) -> tuple[Item, ...]:
    """Compare every entry of the key, then those for other nodes; `part` is the correct share of an entry.

    `shown_entry` returns the entry that the question shows at a node without an entry in the key: repeating
    it is ignored, and another entry there is wrong.
    """
    entries = dict(reply)
    items: list[Item] = []
    for node, right in key:
        text, verdict = "", _MISSING
        if node in entries:
            value = entries.pop(node)
            share, text = part(value, right), write(node, value)
            verdict = "right" if share == 1 else "partly" if share else "wrong"
        items.append(Item(node, text, write(node, right), verdict))
    for node, value in entries.items():
        shown_value = shown_entry(node)
        if shown_value is None:
            items.append(Item(node, write(node, value), "", "extra"))
        elif part(value, shown_value) != 1:
            items.append(Item(node, write(node, value), write(node, shown_value), "wrong"))
    return tuple(items)


def entry_shares(nodes: Sequence[int], tree: Tree, policy: Policy) -> list[Fraction]:
    """The share of the full mark that the entry of each of these nodes carries."""
    players = [tree.players[node] for node in nodes]
    weights, whole = _weights(tuple(players), policy.name)
    return [Fraction(weights[player], whole) for player in players]


@lru_cache(maxsize=1_000)
def _weights(
    players: tuple[Player | None, ...], policy: PolicyName
) -> tuple[Mapping[Player | None, int], int]:
    """Return the weight of an entry at a node of each player, and the sum of all weights.

    `players` has the player of every node with an entry.
    """
    counts = Counter(players)
    if policy != "players":
        return dict.fromkeys(counts, 1), len(players)
    movers = len(counts.keys() - {Player.CHANCE})
    chance = Fraction(Player.CHANCE in counts, 2 if movers else 1)
    shares = {
        player: (chance if player is Player.CHANCE else (1 - chance) / movers) / count
        for player, count in counts.items()
    }
    whole = lcm(*(share.denominator for share in shares.values()))
    return {player: int(share * whole) for player, share in shares.items()}, whole


def _counting(items: Sequence[Item], terms: Terms, extras_cost: bool) -> list[Item]:
    """Return the items that count: those of the key, or with `extras_cost` all that are asked for."""
    return [item for item in items if item.verdict != "extra" or (extras_cost and terms.asks_for(item.node))]


def share_entries(
    items: Sequence[Item], key: Sized, tree: Tree, terms: Terms, *, extras_cost: bool = False
) -> Fraction:
    """Each entry of the key counts by the policy, half where it is half right, and nothing else is asked for.

    With `extras_cost` an entry for another node that is asked about counts as one more wrong entry, for where
    it is part of the question which nodes have one.
    """
    counting = _counting(items, terms, extras_cost)
    if not key or terms.policy.name == "exact":
        return all_or_nothing(counting or items, key, tree, terms)
    if terms.policy.name == "minus":
        right, wrong = _right_and_wrong(counting)
        return max(Fraction(0), Fraction(right - wrong, len(key)))
    players = tuple([tree.players[item.node or 0] for item in counting])
    weights, whole = _weights(players, terms.policy.name)
    pairs = zip(counting, players, strict=True)
    halves = sum([weights[player] * _HALVES.get(item.verdict, 0) for item, player in pairs])
    return Fraction(halves, 2 * whole)


def _right_and_wrong(items: Sequence[Item]) -> tuple[int, int]:
    """Count the correct and the incorrect entries; a missing one is neither."""
    verdicts = Counter(item.verdict for item in items)
    return verdicts["right"], verdicts["wrong"]


def tally_entries(account: CreditBasis[Any], *, extras_cost: bool = False) -> Tally:
    """Say how many entries are correct, for each player if players have shares."""
    language, tree, policy = account.terms.language, account.tree, account.terms.policy
    hidden = language.say("No entry is correct. Score: {points} of {maximum}.", **account.points)
    if policy.name == "exact":
        return Tally(language.say(COMPLETE_TALLY, **account.points))
    counting = _counting(account.items, account.terms, extras_cost)
    if policy.name == "minus":
        return net_tally(*_right_and_wrong(counting), len(account.key), account)
    nodes = [item.node or 0 for item in counting]
    groups: dict[Player | None, list[tuple[ItemVerdict, Fraction]]] = {}
    for item, node, worth in zip(counting, nodes, entry_shares(nodes, tree, policy), strict=True):
        player = tree.players[node] if policy.name == "players" else None
        groups.setdefault(player, []).append((item.verdict, worth))
    if len(groups) == 1:
        verdicts = [item.verdict for item in counting]
        phrase = _PARTLY if "partly" in verdicts else _RIGHT
        counts = {str(verdict): verdicts.count(verdict) for verdict in _HALVES}
        return Tally(language.say(*phrase, len(verdicts), **counts, **account.points), hidden)
    parts = []
    for player, group in groups.items():
        phrase = _OF_LEAVES if player is None else _OF_CHANCE if player is Player.CHANCE else _OF_PLAYER
        values = {
            "player": player.value if player else "",
            "right": language.number(
                normalize_number(Fraction(sum(_HALVES.get(verdict, 0) for verdict, _ in group), 2))
            ),
            "share": language.percent(sum(worth for _, worth in group)),
        }
        parts.append(language.term(*phrase, len(group), **values))
    by_player = Phrase("Correct entries: {entries}. Score: {points} of {maximum}.")
    return Tally(language.say(by_player, entries=language.join_and(parts), **account.points), hidden)


def node_box(
    node: int, tree: Tree, terms: Terms, numbers: tuple[Number, ...] | None = None
) -> Sequence[Blank]:
    """One box for the entry of a node; with `numbers` it is for one of these, or if empty for any number."""
    return (Blank(node_label(tree, node, terms.language), node, numbers=numbers),)


def by_level(tree: Tree) -> Sequence[int]:
    """The inner nodes, level by level."""
    return tree.by_level


@dataclass(frozen=True, slots=True)
class EntryFormat(Generic[V]):
    """Entries at nodes, and how they are written, compared and requested; an answer is sorted by node.

    - `spell`: (name, node, value) -> the canonical text of an entry, in which `name` writes a node;
      `separator` is between entries.
    - `parse_all`: (text, tree) -> the entries of a canonical text, which is not `none`.
    - `entry_share`: (entry, right, digits) -> the correct share of an entry: 1, 0 or a half.
    - `is_equivalent`: whether two entries count as equal in the measure of nearness.
    - `solve_blanks`: (blanks of a node, value, points, tree, terms) -> the blanks with the correct answer.
    - `read_blanks`: (blanks of a node, their texts, tree, terms) -> the value, or None for no entry; not all
      of the blanks are empty.
    - `lay_out_blanks`: (node, tree, terms) -> the blanks of a node.
    - `link`: the text between a node and its value, if paper has boxes for the value.
    - `paper_ask`: how to write into them.
    - `fill_instruction`: how to fill in all blanks; `{none}` is the text for no entry.
    - `extras_cost`: whether an entry for another node counts as one more incorrect entry.
    - `may_lack_entries`: whether requested nodes have no entry if the search never visits them.
    - `half_credit_sentence`: the rule for partly correct entries, if there can be any.
    - `shown_entry`: (node, tree) -> the entry that the question shows at a node without one in the key:
      repeating it is ignored, and another entry there is incorrect.
    - `other_nodes_sentence`: the rule for entries at nodes without one in the key, if they can be incorrect.
    - `blank_nodes`: the nodes with blanks if the question does not list its nodes, since blanks for those of
      the key alone would reveal them.
    """

    spell: Callable[[Callable[[int], str], int, V], str]
    separator: str
    parse_all: Callable[[str, Tree], Iterable[tuple[int, V]]]
    entry_share: Callable[[V, V, int], Fraction | bool]
    is_equivalent: Callable[[V, V], bool]
    solve_blanks: Callable[[Sequence[Blank], V, Number, Tree, Terms], Sequence[Blank]]
    read_blanks: Callable[[Sequence[Blank], Sequence[str], Tree, Terms], V | None]
    fill_instruction: Phrase
    lay_out_blanks: Callable[[int, Tree, Terms], Sequence[Blank]] = node_box
    link: str = ""
    paper_ask: Phrase | None = None
    extras_cost: bool = False
    may_lack_entries: bool = False
    half_credit_sentence: Phrase | None = None
    shown_entry: Callable[[int, Tree], V | None] = lambda _node, _tree: None
    other_nodes_sentence: Phrase | None = None
    blank_nodes: Callable[[Tree], Sequence[int]] = by_level

    def write(self, answer: NodeEntries[V], tree: Tree) -> str:
        """The entries in the order in which people list nodes, level by level from the left; or `none`."""
        entries = sorted(answer, key=lambda entry: (tree.depths[entry[0]], entry[0]))
        names = vocabulary(tree)
        text = names.write_guarded_text(
            lambda name: self.separator.join(self.spell(name, node, value) for node, value in entries)
        )
        return text or names.empty_text

    def parse_canonical(self, text: str, tree: Tree) -> tuple[tuple[int, V], ...]:
        """The entries that are written as this text; raises `grader.answers.canonical.CanonicalError`."""
        found = () if text == vocabulary(tree).empty_text else self.parse_all(text, tree)
        return tuple(sorted(dict(found).items()))

    def compare(
        self, reply: NodeEntries[V], key: NodeEntries[V], tree: Tree, terms: Terms, texts: bool
    ) -> tuple[Item, ...]:
        """Compare entry by entry."""
        names = vocabulary(tree)

        def text(node: int, value: V) -> str:
            return names.write_guarded_text(lambda name: self.spell(name, node, value))

        return compare_entries(
            reply,
            key,
            lambda value, right: self.entry_share(value, right, terms.digits),
            text if texts else lambda _node, _value: "",
            lambda node: self.shown_entry(node, tree),
        )

    def credit_sentence(self, terms: Terms, tree: Tree) -> str:
        """Return the marking rule for a partly correct reply."""
        policy = terms.policy.name
        rules: list[Phrase | None]
        if policy == "exact":
            rules = [ONLY_COMPLETE_COUNTS]
        elif policy == "minus":
            rules = [_ALIKE, _NET]
        else:
            nodes = self.blank_nodes(tree) if terms.nodes is None else terms.nodes
            movers = frozenset(tree.players[node] for node in nodes)
            shared = _SHARED.get(movers, _ALIKE) if policy == "players" else _ALIKE
            rules = [shared, self.half_credit_sentence]
            # The search visits nodes of both players, but perhaps not among those that are asked about.
            if self.may_lack_entries and terms.nodes is not None and shared is not _ALIKE:
                rules.insert(1, _ONE_PLAYER_VISITED)
        return paragraph(*(terms.language.say(each) for each in (*rules, self.other_nodes_sentence) if each))

    def distance(self, reply: NodeEntries[V], other: NodeEntries[V]) -> int:
        """Count the nodes at which two answers differ, or only one of them has an entry."""
        other_values = dict(other)
        both = [(value, other_values[node]) for node, value in reply if node in other_values]
        return len(reply) + len(other) - len(both) - sum(starmap(self.is_equivalent, both))

    def lay_out(self, tree: Tree, terms: Terms) -> Blanks:
        """Blanks at every node for which an entry is asked."""
        language = terms.language
        nodes = self.blank_nodes(tree) if terms.nodes is None else terms.nodes
        return Blanks(
            language.say(self.fill_instruction, none=NONE),
            tuple(blank for node in nodes for blank in self.lay_out_blanks(node, tree, terms)),
            counting_rule=language.say(BOXES_COUNT_SEPARATELY),
            paper_ask=self.paper_ask,
            link=self.link,
            separator=self.separator,
        )

    def solve(
        self, blanks: Sequence[Blank], key: NodeEntries[V], tree: Tree, terms: Terms
    ) -> Sequence[Blank]:
        """Return the blanks with the entries of the key, and with those that the question shows elsewhere.

        The latter share the part `_SHOWN_SHARE` of the points, if there are any; the policy shares out the
        rest among the entries of the key.
        """
        values = dict(key)
        shown = {blank.node: self.shown_entry(blank.node, tree) for blank in blanks}
        others = {node: value for node, value in shown.items() if value is not None and node not in values}
        whole = Fraction(terms.points)
        key_points = whole * (1 - _SHOWN_SHARE) if others else whole
        shares = entry_shares(list(values), tree, terms.policy)
        points = [normalize_number(share * key_points) for share in shares]
        worth = dict(zip(values, points, strict=True))
        worth |= {node: normalize_number((whole - key_points) * Fraction(1, len(others))) for node in others}
        values |= others
        solved: list[Blank] = []
        for node, row in groupby(blanks, lambda blank: blank.node):
            if node in values:
                solved += self.solve_blanks(list(row), values[node], worth[node], tree, terms)
            else:
                solved += (blank.without_entry() for blank in row)
        return solved

    def read(self, blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
        """Return the reply with the entries of all nodes whose blanks are filled in."""
        found = dict[int, V]()
        for node, row in groupby(zip(blanks, filled, strict=True), lambda pair: pair[0].node):
            own, texts = zip(*row, strict=True)
            value = self.read_blanks(own, texts, tree, terms) if any(texts) else None
            if value is not None:
                found[node] = value
        return self.write(tuple(sorted(found.items())), tree)

    def form(self, **own: Any) -> Form[tuple[tuple[int, V], ...]]:
        """The form of a reply with such entries."""
        return Form(
            write=self.write,
            parse_canonical=self.parse_canonical,
            compare=self.compare,
            share=partial(share_entries, extras_cost=self.extras_cost),
            distance=self.distance,
            credit_sentence=self.credit_sentence,
            tally=partial(tally_entries, extras_cost=self.extras_cost),
            blank_codec=BlankCodec(self.lay_out, self.solve, self.read),
            names_nodes=True,
            has_entries=True,
            **{"policies": POLICIES, **own},
        )
