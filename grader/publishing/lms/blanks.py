"""What a platform that marks by itself asks in place of a reply: boxes to fill in, and options to choose."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from grader.answers.form import Policy
from grader.answers.vocabulary import vocabulary
from grader.answers.windows import Window
from grader.exercise import Exercise
from grader.numerals import Bound, Number, Spelling, exact, write_number
from grader.tree import Tree
from grader.view import readable

NONE = "none"
"""What is written or chosen where there is nothing to name."""

FURTHER = 4
"""So many more decimals than asked for are accepted in a rounded number."""

LONGEST = 120
"""The most characters of a label or an option."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in.

    - `label`: what belongs into it; empty when the question says so.
    - `spellings`: everything that counts as right, the plainest first; case does not matter.
    - `whole`: the whole number that is right, where only numbers are wanted; else None.
    - `points`: what it is worth; 0 for a box that must be there so that its absence gives nothing away.
    """

    label: str
    spellings: tuple[str, ...]
    points: Number
    whole: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One option and the share of the points that choosing it earns or costs, from -1 to 1."""

    text: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of several, or any number of them with `several`; the shares add up, never below 0.

    With `strict` only all the right options and no other earn anything. `box` asks for the same in
    writing, for platforms that cannot be strict about options.
    """

    label: str
    options: tuple[Option, ...]
    points: Number
    several: bool = False
    strict: bool = False
    box: Box | None = None


Blank: TypeAlias = Box | Choice


@dataclass(frozen=True, slots=True)
class Blanks:
    """All blanks of one part, and the sentence that says how to fill them in.

    `written` is that sentence where strict choices become boxes.
    """

    ask: str
    blanks: tuple[Blank, ...]
    written: str = ""

    @property
    def boxed(self) -> "Blanks":
        """The same with a box for every strict choice."""
        if not self.written:
            return self
        boxes = tuple(
            blank.box if isinstance(blank, Choice) and blank.strict and blank.box else blank
            for blank in self.blanks
        )
        return Blanks(self.written, boxes)


def blanks(part: Exercise) -> Blanks:
    """The blanks of a part; their points add up to the points of the part."""
    return BY_FORM[part.kind.form.name](part, part.answer(part.key))


# Numbers ------------------------------------------------------------------------------------------


def spellings(value: Number, digits: int, spelling: Spelling) -> tuple[str, ...]:
    """How a right number may be written, the plainest way first: it is the one that platforms show.

    A number that is not whole may be a fraction, a mixed number or a decimal; a decimal may be rounded
    to `digits` places or up to `FURTHER` more, halves away from zero or to the even digit. Where the
    decimal sign is a comma, a point counts as well: people type what their keyboard or calculator has.
    """
    found = [write_number(value)]
    top, below = abs(Fraction(value).numerator), Fraction(value).denominator
    sign = "-" if value < 0 else ""
    if below > 1:
        found.append(f"{sign}{top}/{below}")
        if top > below:
            found.append(f"{sign}{top // below} {top % below}/{below}")
        for places in range(max(digits, 1), digits + FURTHER + 1):
            found += [_decimal(sign, each, places) for each in _rounded(Fraction(top, below), places)]
    else:
        found += [_decimal(sign, top * 10**places, places) for places in (1, 2, 3)]
    found += [text.replace("0.", ".", 1) for text in found if text.lstrip("-").startswith("0.")]
    if spelling.comma:
        found = [text.replace(".", ",") for text in found] + found
    if sign:
        found += [text.replace("-", "−", 1) for text in found]
    return tuple(dict.fromkeys(found))


def _rounded(value: Fraction, places: int) -> Iterable[int]:
    """A number that is not negative in units of its last place, rounded in both ways."""
    scaled = value * 10**places
    return dict.fromkeys((int(scaled + Fraction(1, 2)), round(scaled)))


def _decimal(sign: str, scaled: int, places: int) -> str:
    if not places:
        return f"{sign}{scaled}"
    digits = str(scaled).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _number_box(part: Exercise, label: str, value: Number, points: Number) -> Box:
    """A box for a number: where nothing but whole numbers can come out, no other spelling is needed."""
    terms, tree = part.public.terms, part.public.tree
    whole = not tree.has_chance and all(
        isinstance(payoff, int) for payoff in tree.payoffs if payoff is not None
    )
    return Box(
        label,
        spellings(value, terms.digits, terms.spelling),
        points,
        whole=value if whole and isinstance(value, int) else None,
    )


def _bound_spellings(bound: Bound, part: Exercise) -> tuple[str, ...]:
    if not isinstance(bound, float):
        return spellings(bound, part.public.terms.digits, part.public.terms.spelling)
    words = ("inf", "infinity", "∞", "oo")
    if bound > 0:
        return (*words, *(f"+{word}" for word in words))
    return tuple(f"{sign}{word}" for sign in "-−" for word in words)


# The forms ----------------------------------------------------------------------------------------


def _number(part: Exercise, key: Any) -> Blanks:
    return Blanks("Write one number.", (_number_box(part, "", key.value, part.public.terms.points),))


def _table(part: Exercise, key: Any) -> Blanks:
    points = exact(Fraction(part.public.terms.points) / max(len(key), 1))
    tree = part.public.tree
    boxes = (_number_box(part, _name(tree, node), numeral.value, points) for node, numeral in key)
    return Blanks("Write a number into every box.", tuple(boxes))


def _windows(part: Exercise, key: Any) -> Blanks:
    """Three boxes for every inner node: to ask for the entered nodes only would say which these are."""
    tree, entered = part.public.tree, dict(key)
    points = exact(Fraction(part.public.terms.points) / max(3 * len(entered), 1))
    boxes = []
    for node in tree.internal:
        window: Window | None = entered.get(node)
        for field in ("alpha", "beta", "returned"):
            label = f"{_name(tree, node)}, {'value returned' if field == 'returned' else field}"
            if window is None:
                boxes.append(Box(label, _NOTHING, 0))
            elif field == "returned":
                value = window.returned.value if window.returned else 0
                boxes.append(Box(label, _bound_spellings(value, part), points if window.returned else 0))
            else:
                boxes.append(Box(label, _bound_spellings(getattr(window, field), part), points))
    ask = (
        "Write alpha, beta and the value returned for every node that the search enters. "
        f"Write inf and -inf for the infinities, and {NONE} into the boxes of a node that is never entered."
    )
    return Blanks(ask, tuple(boxes))


_NOTHING = (NONE, "-", "never", "not entered")


def _order(part: Exercise, key: Any) -> Blanks:
    """One box for every leaf, so that their number says nothing; the first after the end counts as well."""
    tree, points = part.public.tree, part.public.terms.points
    names, size = vocabulary(tree), len(tree.leaves)
    asked = min(len(key) + 1, size)
    each = exact(Fraction(points) / asked)
    boxes = []
    for place in range(size):
        if place < len(key):
            leaf = tree.leaves[key[place] - 1]
            said = (str(key[place]), names.write_path(key[place]), names.write(leaf), _name(tree, leaf))
            boxes.append(Box(str(place + 1), tuple(dict.fromkeys(said)), each))
        else:
            boxes.append(Box(str(place + 1), _NOTHING, each if place < asked else 0))
    ask = (
        "Write the path numbers of the leaves in the order in which they are visited, one into each box, "
        f"and {NONE} into the boxes that are left."
    )
    return Blanks(ask, tuple(boxes))


def _move(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    texts = []
    for index, child in enumerate(tree.children[0]):
        label = tree.moves[child]
        number = f"move {index + 1} from the left"
        name = _name(tree, child) if tree.given[child] or tree.players[child] else ""
        texts.append(f"{readable(label, LONGEST)}: {name or number}" if label else name or number)
    return _chosen(part, texts, [index in key for index in range(len(texts))])


def _path(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    texts = [_leaf(tree, leaf) for leaf in tree.leaves]
    return _chosen(part, texts, [path in key for path in range(1, len(texts) + 1)])


def _chosen(part: Exercise, texts: Sequence[str], right: Sequence[bool]) -> Blanks:
    terms = part.public.terms
    shares = [Fraction(int(each)) for each in right]
    if not terms.every:
        options = tuple(map(Option, _distinct(texts), shares))
        return Blanks("Choose one.", (Choice("", options, terms.points),))
    options = tuple(map(Option, _distinct(texts), _set_shares(shares, Policy("exact"), terms.points)))
    box = Box("", _listed(part), terms.points)
    ask = part.kind.form.asked(terms.spelling)
    written = f"{ask} If there are several, write them from left to right with blanks between."
    choice = Choice("", options, terms.points, several=True, strict=True, box=box)
    return Blanks("Tick all that are best.", (choice,), written)


def _paths(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    texts = [_leaf(tree, leaf) for leaf in tree.leaves]
    ask = "Tick every such leaf, by its path number; tick the last box if there is none."
    written = (
        "Write path numbers (leaves counted from 1 at the left) in ascending order with blanks between, "
        f"or {NONE}."
    )
    shares = [Fraction(int(path in key)) for path in range(1, len(texts) + 1)]
    return _ticked(part, texts, shares, (ask, written))


def _branches(part: Exercise, key: Any) -> Blanks:
    """Every branch by the node below it; what is below a branch of the key says nothing new."""
    tree = part.public.tree
    nodes = [node for node in tree.breadth_first if node]
    texts = [_leaf(tree, node) if tree.paths[node] else _name(tree, node) for node in nodes]
    shares = [Fraction(int(node in key)) for node in nodes]
    silent = [node not in key and not key.isdisjoint(tree.ancestors(node)) for node in nodes]
    ask = "Tick the node below each such branch; tick the last box if there is none."
    written = (
        "Write the name of the node below each branch, a path number for a leaf without a name, "
        f"from left to right with blanks between, or {NONE}."
    )
    return _ticked(part, texts, shares, (ask, written), silent)


def _ticked(
    part: Exercise,
    texts: Sequence[str],
    right: Sequence[Fraction],
    asks: tuple[str, str],
    silent: Sequence[bool] = (),
) -> Blanks:
    """Boxes to tick, and one more for none of them, so that nothing ticked is no answer."""
    terms = part.public.terms
    policy = terms.policy
    shares = _set_shares((*right, Fraction(int(not any(right)))), policy, terms.points)
    for place, idle in enumerate(silent):
        if idle:
            shares[place] = Fraction(0)
    options = tuple(map(Option, _distinct((*texts, f"{NONE} of them")), shares))
    strict = policy.name == "exact"
    box = Box("", _listed(part), terms.points) if strict else None
    choice = Choice("", options, terms.points, several=True, strict=strict, box=box)
    return Blanks(asks[0], (choice,), asks[1] if strict else "")


def _set_shares(right: Sequence[Fraction], policy: Policy, points: Number) -> list[Fraction]:
    """The share of every option: the right ones make 1 together, and to tick everything makes 0 at most.

    As long as no more than half of the options are right, that is the policy `net`, and `each` as well:
    right minus wrong, over the size of the key. `deduct` takes its deduction for a wrong option.
    """
    size = int(sum(right))
    wrong = max(len(right) - 1 - size, 1)  # without the option that none is right
    cost = max(Fraction(1, size), Fraction(1, wrong))
    if policy.name == "deduct":
        cost = min(max(Fraction(1, wrong), Fraction(policy.deduction) / Fraction(points)), Fraction(1))
    return [Fraction(1, size) if each else -cost for each in right]


def _text(part: Exercise, key: Any) -> Blanks:
    """A box for the canonical reply, with and without blanks."""
    del key  # only its text counts here
    form, spelling = part.kind.form, part.public.terms.spelling
    found = [spelling.reply(part.key), part.key]
    found += [re.sub("([,;]) ", r"\1", text) for text in found]
    found += [re.sub(r" ([<>]=?) ", r"\1", text) for text in found]
    found += [text.replace("<=", "≤").replace(">=", "≥") for text in found]
    return Blanks(form.asked(spelling), (Box("", tuple(dict.fromkeys(found)), part.public.terms.points),))


def _listed(part: Exercise) -> tuple[str, ...]:
    """The things of a key in a row, with the separators that people use."""
    form, tree = part.kind.form, part.public.tree
    key = sorted(part.answer(part.key))
    names = [form.write(frozenset((thing,)), tree) for thing in key] or [NONE]
    return tuple(dict.fromkeys(separator.join(names) for separator in (" ", ", ", ",", "; ", ";")))


def _distinct(texts: Sequence[str]) -> list[str]:
    """The texts, with a number behind any that is there before: shortened names can coincide."""
    found: dict[str, None] = {}
    for text in texts:
        count, different = 2, text
        while different in found:
            different, count = f"{text} ({count})", count + 1
        found[different] = None
    return list(found)


def _name(tree: Tree, node: int) -> str:
    return readable(tree.names[node], LONGEST)


def _leaf(tree: Tree, leaf: int) -> str:
    """A leaf by its path number, and by its name if it has one."""
    path = str(tree.paths[leaf])
    return path if tree.given[leaf] is None else f"{path}: {_name(tree, leaf)}"


BY_FORM: dict[str, Callable[[Exercise, Any], Blanks]] = {
    "number": _number,
    "count": _number,
    "move": _move,
    "path": _path,
    "paths": _paths,
    "branches": _branches,
    "table": _table,
    "windows": _windows,
    "order": _order,
    "interval": _text,
    "vector": _text,
}
"""How each form is asked."""
