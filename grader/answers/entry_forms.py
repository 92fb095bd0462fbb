"""Forms that ask for an entry at each of some nodes: what tables, windows, orders and strategies share."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from grader.answers.blank import NONE, Blank, Blanks
from grader.answers.boxes import APART
from grader.answers.canonical import only_if_written
from grader.answers.form import Asking, Credit, Earned, Form, Item, Tally, Terms, Verdict
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number, exact
from grader.base.phrases import Phrase
from grader.tree import Tree

V = TypeVar("V")

_RIGHT = Phrase("{right} of {count} entries right: {points} of {maximum}.")


def credit_entries(
    reply: Sequence[tuple[int, V]],
    key: Sequence[tuple[int, V]],
    implied: Sequence[tuple[int, V]] | None,
    same: Callable[[V, V], bool],
    write: Callable[[int, V], str],
    *,
    extras_cost: bool = False,
) -> Credit:
    """Credit each entry of the key alike; `same` compares what was said with what is right.

    A wrong entry that follows from the student's own entries counts.
    An entry for a node that is not in the key is reported and earns nothing. With `extras_cost` it
    counts as one more wrong entry, for where it is part of the question which nodes have one.
    """
    said, follows = dict(reply), dict(implied or ())
    items: list[Item] = []
    earned = 0
    for node, right in key:
        verdict: Verdict = "missing"
        if node in said:
            verdict = "right" if same(said[node], right) else "wrong"
            if verdict == "wrong" and node in follows and same(said[node], follows[node]):
                verdict = "follows"
        earned += verdict in ("right", "follows")
        items.append(Item(node, write(node, said[node]) if node in said else "", write(node, right), verdict))
    asked = {node for node, _ in key}
    extras = [Item(node, write(node, value), "", "extra") for node, value in reply if node not in asked]
    entries = len(key) + len(extras) * extras_cost
    return Credit(Fraction(earned, entries) if key else Fraction(int(not reply)), (*items, *extras))


def tally_entries(account: Earned[Any], *, extras_cost: bool = False) -> Tally:
    """Entries count alike; with `extras_cost` one where none belongs is one more."""
    say, points = account.terms.language.say, account.points
    total = sum(extras_cost or item.verdict != "extra" for item in account.items)
    right = sum(item.verdict == "right" for item in account.items)
    why = say(_RIGHT, _RIGHT, total, right=right, **points)
    hidden = say("No entry right: {points} of {maximum}.", **points)
    return Tally(Fraction(right, total) if total else Fraction(0), why, hidden)


@dataclass(frozen=True, slots=True)
class Entries(Generic[V]):
    """What is said at nodes, and how it is spelled, compared and asked for; an answer is sorted by node.

    - `spell`: (name, node, value) -> the canonical text of an entry, in which `name` writes a node;
      `between` stands between entries.
    - `parse_all`: (text, tree) -> the entries that are written as this text, which is not `none`.
    - `same`: (said, right, digits) -> whether an entry is right.
    - `alike`: whether two entries are as good as one, in the measure of nearness.
    - `boxes`: (node, value, points, tree, terms) -> the blanks of a node, as many at every node; the value
      is None where nothing belongs into them.
    - `heard`: (blanks of a node, what is in them, node, tree, terms) -> the value, None for none.
    - `fill`: how to fill in all blanks; `{none}` is what stands where nothing belongs.
    - `extras_cost`: whether an entry where none belongs counts as one more wrong entry.
    """

    spell: Callable[[Callable[[int], str], int, V], str]
    between: str
    parse_all: Callable[[str, Tree], Iterable[tuple[int, V]]]
    same: Callable[[V, V, int], bool]
    alike: Callable[[V, V], bool]
    boxes: Callable[[int, V | None, Number, Tree, Terms], Sequence[Blank]]
    heard: Callable[[Sequence[Blank], Sequence[str], int, Tree, Terms], V | None]
    fill: Phrase
    extras_cost: bool = False

    def write(self, answer: Sequence[tuple[int, V]], tree: Tree) -> str:
        """The entries in the order in which people list nodes, level by level from the left; or `none`."""
        entries = sorted(answer, key=lambda entry: (tree.depths[entry[0]], entry[0]))
        names = vocabulary(tree)
        text = names.guarded(
            lambda name: self.between.join(self.spell(name, node, value) for node, value in entries)
        )
        return text or names.nothing

    def parse(self, text: str, tree: Tree) -> tuple[tuple[int, V], ...]:
        """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
        found = () if text == vocabulary(tree).nothing else self.parse_all(text, tree)
        return only_if_written(text, tuple(sorted(dict(found).items())), tree, self.write)

    def credit(
        self,
        reply: Sequence[tuple[int, V]],
        key: Sequence[tuple[int, V]],
        tree: Tree,
        terms: Terms,
        implied: Sequence[tuple[int, V]] | None,
    ) -> Credit:
        """Credit entry by entry."""
        return credit_entries(
            reply,
            key,
            implied,
            lambda said, right: self.same(said, right, terms.digits),
            lambda node, value: self.write(((node, value),), tree),
            extras_cost=self.extras_cost,
        )

    def distance(self, reply: Sequence[tuple[int, V]], other: Sequence[tuple[int, V]]) -> int:
        """At how many nodes two answers differ; an entry that only one of them has is a difference."""
        one, two = dict(reply), dict(other)
        both = one.keys() & two.keys()
        return len(one.keys() ^ two.keys()) + sum(not self.alike(one[node], two[node]) for node in both)

    def blanks(self, key: Sequence[tuple[int, V]], tree: Tree, terms: Terms) -> Blanks:
        """Blanks at every inner node: to ask for those of the key only would say which these are."""
        values, language = dict(key), terms.language
        points = exact(Fraction(terms.points) / max(len(values), 1))
        made = [
            blank
            for node in tree.by_level
            for blank in self.boxes(node, values.get(node), points, tree, terms)
        ]
        return Blanks(language.say(self.fill, none=NONE), tuple(made), counts=language.say(APART))

    def filled_in(self, asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
        """The entries of all nodes of whose blanks something is said."""
        each, found = len(asked) // max(len(tree.by_level), 1), dict[int, V]()
        for place, node in enumerate(tree.by_level):
            there = slice(each * place, each * place + each)
            value = self.heard(asked[there], filled[there], node, tree, terms)
            if value is not None:
                found[node] = value
        return self.write(tuple(sorted(found.items())), tree)

    def form(self, **own: Any) -> Form[tuple[tuple[int, V], ...]]:
        """The form of a reply with such entries."""
        return Form(
            write=self.write,
            parse=self.parse,
            credit=self.credit,
            distance=self.distance,
            tally=lambda account: tally_entries(account, extras_cost=self.extras_cost),
            blanks=Asking(self.blanks, self.filled_in),
            names_nodes=True,
            **own,
        )
