"""Forms that ask for an entry at each of some nodes: what tables, windows, orders and strategies share."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeVar

from grader.answers.blank import NONE, Blank, Blanks
from grader.answers.boxes import APART
from grader.answers.canonical import only_if_written
from grader.answers.form import Asking, Earned, Form, Item, Tally, Terms, Verdict
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number, exact
from grader.base.phrases import Phrase
from grader.tree import Tree

V = TypeVar("V")

_RIGHT = Phrase("{right} of {count} entries right: {points} of {maximum}.")
_PARTLY = Phrase(
    "{right} of {count} entries right and {partly} half right, which count half: {points} of {maximum}."
)


def compare_entries(
    reply: Sequence[tuple[int, V]],
    key: Sequence[tuple[int, V]],
    part: Callable[[V, V], Fraction | bool],
    write: Callable[[int, V], str],
) -> tuple[Item, ...]:
    """Every entry of the key, then those for other nodes; `part` says how much of what was said is right."""
    said, asked = dict(reply), {node for node, _ in key}
    items: list[Item] = []
    for node, right in key:
        verdict: Verdict = "missing"
        if node in said:
            earned = part(said[node], right)
            verdict = "right" if earned == 1 else "partly" if earned else "wrong"
        items.append(Item(node, write(node, said[node]) if node in said else "", write(node, right), verdict))
    extras = [Item(node, write(node, value), "", "extra") for node, value in reply if node not in asked]
    return (*items, *extras)


def share_entries(
    items: Sequence[Item], key: object, tree: Tree, terms: Terms, *, extras_cost: bool = False
) -> Fraction:
    """Each entry of the key counts alike, half where it is partly right, and nothing else is asked for.

    With `extras_cost` an entry for another node counts as one more wrong entry, for where it is part of the
    question which nodes have one.
    """
    del key, tree, terms  # the items say it
    right, partly, total = _counted(items, extras_cost)
    return (right + Fraction(partly, 2)) / total if total else Fraction(int(not items))


def _counted(items: Sequence[Item], extras_cost: bool) -> tuple[int, int, int]:
    """How many entries are right, how many partly, and out of how many."""
    verdicts = [item.verdict for item in items]
    total = len(items) - (0 if extras_cost else verdicts.count("extra"))
    return verdicts.count("right"), verdicts.count("partly"), total


def tally_entries(account: Earned[Any], *, extras_cost: bool = False) -> Tally:
    """Entries count alike; with `extras_cost` one where none belongs is one more."""
    say, points = account.terms.language.say, account.points
    right, partly, total = _counted(account.items, extras_cost)
    told = _PARTLY if partly else _RIGHT
    why = say(told, told, total, right=right, partly=partly, **points)
    return Tally(why, say("No entry right: {points} of {maximum}.", **points))


@dataclass(frozen=True, slots=True)
class Entries(Generic[V]):
    """What is said at nodes, and how it is spelled, compared and asked for; an answer is sorted by node.

    - `spell`: (name, node, value) -> the canonical text of an entry, in which `name` writes a node;
      `between` stands between entries.
    - `parse_all`: (text, tree) -> the entries that are written as this text, which is not `none`.
    - `part`: (said, right, digits) -> how much of an entry is right: all, nothing or half of it.
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
    part: Callable[[V, V, int], Fraction | bool]
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

    def compare(
        self, reply: Sequence[tuple[int, V]], key: Sequence[tuple[int, V]], tree: Tree, terms: Terms
    ) -> tuple[Item, ...]:
        """Entry by entry."""
        return compare_entries(
            reply,
            key,
            lambda said, right: self.part(said, right, terms.digits),
            lambda node, value: self.write(((node, value),), tree),
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
            compare=self.compare,
            share=partial(share_entries, extras_cost=self.extras_cost),
            distance=self.distance,
            tally=partial(tally_entries, extras_cost=self.extras_cost),
            blanks=Asking(self.blanks, self.filled_in),
            names_nodes=True,
            **own,
        )
