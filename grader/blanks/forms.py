"""How each answer form is asked in blanks, and which reply the blanks hold when they are filled in."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from grader.answers import ORDER, TABLE
from grader.answers.form import Policy
from grader.answers.numeral import Numeral
from grader.answers.reading import quote
from grader.answers.reply_words import kinds
from grader.answers.vocabulary import fold, vocabulary
from grader.answers.windows import Window
from grader.base.numbers import INFINITY, Bound, Number, exact, plain, write_number
from grader.base.phrases import Language
from grader.base.safe_text import readable
from grader.blanks.blank import Blank, BlankError, Blanks, Box, Choice, Option
from grader.exercise import Exercise
from grader.tree import Tree

NONE = "none"
"""What is written or chosen where there is nothing to name."""

FURTHER = 4
"""So many more decimals than asked for are accepted in a rounded number."""

LONGEST = 120
"""The most characters of a label or an option."""

JOINED = "; "
"""What stands between options that were chosen together."""


APART = "Each box counts by itself."
WHOLE = "Only the complete answer earns points."
EVERYTHING = "ticking everything earns nothing."
RIGHT_MINUS_WRONG = (
    f"A wrong tick takes away at least as much as a right one earns (never below 0); {EVERYTHING}"
)


Answering: TypeAlias = Callable[[Exercise, Sequence[Blank], Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a form is asked.

    - `ask`: (part, key) -> its blanks.
    - `reply`: (part, blanks, what is in each) -> the reply that this is, as text which the form reads; raises
      `BlankError`. Not all of the blanks are empty.
    """

    ask: Callable[[Exercise, Any], Blanks]
    reply: Answering


def blanks(part: Exercise) -> Blanks:
    """The blanks of a part; their points add up to the points of the part."""
    return BY_FORM[part.kind.form.name].ask(part, part.answer(part.key))


def reply_in(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
    """The reply that filled blanks of a part stand for: what a student would have written on paper.

    `filled` is aligned with the blanks: the text in a box, the texts of the chosen options joined by `; `.
    The reply is empty when all of them are. Raises `BlankError` for what cannot be read.
    """
    texts = [" ".join(text.split()) for text in filled]
    if not any(texts):
        return ""
    return BY_FORM[part.kind.form.name].reply(part, asked, texts)


# Numbers ------------------------------------------------------------------------------------------


def spellings(value: Number, digits: int, language: Language) -> tuple[str, ...]:
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
    if language.comma:
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
        spellings(value, terms.digits, terms.language),
        points,
        whole=value if whole and isinstance(value, int) else None,
    )


def _bound_spellings(bound: Bound, part: Exercise) -> tuple[str, ...]:
    if not isinstance(bound, float):
        return spellings(bound, part.public.terms.digits, part.public.terms.language)
    words = ("inf", "infinity", "∞", "oo")
    if bound > 0:
        return (*words, *(f"+{word}" for word in words))
    return tuple(f"{sign}{word}" for sign in "-−" for word in words)


# The forms ----------------------------------------------------------------------------------------


def _number(part: Exercise, key: Any) -> Blanks:
    return Blanks("Write one number.", (_number_box(part, "", key.value, part.public.terms.points),))


def _as_it_is(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
    """What stands in a box that takes a whole reply."""
    del part, asked
    return filled[0]


def _table(part: Exercise, key: Any) -> Blanks:
    values = dict(key)
    points = exact(Fraction(part.public.terms.points) / max(len(values), 1))
    tree = part.public.tree
    boxes = [_number_box(part, _name(tree, node), values[node].value, points) for node in tree.by_level]
    return Blanks("Write a number into every box.", tuple(boxes), counts=APART)


def _table_reply(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
    tree = part.public.tree
    found = []
    for node, blank, text in zip(tree.by_level, asked, filled, strict=True):
        value = _value(part, node, blank, text) if text else None
        if value is not None:
            found.append((node, value))
    return TABLE.write(tuple(sorted(found, key=lambda entry: entry[0])), tree)


def _value(part: Exercise, node: int, blank: Blank, text: str) -> Numeral | None:
    """The number in the box of a node, as a table would have it; None for signs that there is none."""
    tree = part.public.tree
    said = TABLE.read(f"{vocabulary(tree).write_guarded(node)} = {text}", tree, part.public.terms)
    if said == ():
        return None
    if isinstance(said, tuple) and len(said) == 1 and said[0][0] == node:
        return said[0][1]
    raise _unread(blank, text, "is no number")


def _unread(blank: Blank, text: str, why: str) -> BlankError:
    """The complaint about what a blank holds, which names the blank unless it is the only one."""
    place = f"box {quote(blank.label)}: " if blank.label else ""
    return BlankError(f"{place}{quote(text)} {why}")


_FIELDS = ("alpha", "beta", "value returned")


def _windows(part: Exercise, key: Any) -> Blanks:
    """Three boxes for every inner node: to ask for the entered nodes only would say which these are."""
    tree, entered = part.public.tree, dict(key)
    points = exact(Fraction(part.public.terms.points) / max(3 * len(entered), 1))
    boxes = []
    for node in tree.by_level:
        window: Window | None = entered.get(node)
        for field in _FIELDS:
            label = f"{_name(tree, node)}, {field}"
            if window is None:
                boxes.append(Box(label, _NOTHING, 0))
            elif field == "value returned":
                value = window.returned.value if window.returned else 0
                boxes.append(Box(label, _bound_spellings(value, part), points if window.returned else 0))
            else:
                boxes.append(Box(label, _bound_spellings(getattr(window, field), part), points))
    ask = (
        "Write alpha, beta and the value returned for every node that the search enters. "
        f"Write inf and -inf for the infinities, and {NONE} into the boxes of a node that is never entered."
    )
    return Blanks(ask, tuple(boxes), counts=APART)


_NOTHING = (NONE, "-", "never", "not entered")


def _is_nothing(text: str) -> bool:
    """Whether a text is one of the ways to write that there is nothing."""
    return plain(text).casefold() in _NOTHING


def _windows_reply(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
    """The windows of all nodes of whose boxes something is said; a window lacks nothing but the value."""
    tree = part.public.tree
    found = []
    for place, node in enumerate(tree.by_level):
        boxes, texts = asked[3 * place : 3 * place + 3], filled[3 * place : 3 * place + 3]
        if all(not text or _is_nothing(text) for text in texts):
            continue
        for box, text in zip(boxes[:2], texts[:2], strict=True):
            if not text or _is_nothing(text):
                raise _unread(box, text, "stands beside boxes of this node that are filled in")
        alpha, beta = (_bound(part, node, box, text) for box, text in zip(boxes[:2], texts[:2], strict=True))
        returned = None
        if texts[2] and not _is_nothing(texts[2]):
            returned = _value(part, node, boxes[2], texts[2])
        found.append((node, Window(alpha, beta, returned)))
    return part.kind.form.write(tuple(sorted(found, key=lambda entry: entry[0])), tree)


def _bound(part: Exercise, node: int, box: Blank, text: str) -> Bound:
    """Alpha or beta: a number, or an infinity with or without a sign."""
    word = plain(text)
    if "INF" in kinds(word.lstrip("-+ ")):
        return -INFINITY if word.startswith("-") else INFINITY
    value = _value(part, node, box, text)
    if value is None:
        raise _unread(box, text, "is no number")
    return value.value


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
    return Blanks(ask, tuple(boxes), counts=APART)


def _order_reply(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
    """The leaves up to the first box that is empty or says none; behind it nothing may follow."""
    tree, found, end = part.public.tree, list[int](), ""
    for blank, text in zip(asked, filled, strict=True):
        if text and _is_nothing(text) and fold(text) in vocabulary(tree).loose:
            raise _unread(blank, text, "may be a leaf, or say that there is none")
        if not text or _is_nothing(text):
            end = end or blank.label
            continue
        if end:
            raise _unread(blank, text, f"stands behind box {quote(end)}, in which there is no leaf")
        leaf = ORDER.read(text, tree, part.public.terms)
        if not (isinstance(leaf, tuple) and len(leaf) == 1):
            raise _unread(blank, text, "is not one leaf")
        found += leaf
    return ORDER.write(tuple(dict.fromkeys(found)), tree)


def _move(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    texts = []
    for index, child in enumerate(tree.children[0]):
        label = tree.moves[child]
        number = f"move {index + 1} from the left"
        name = _name(tree, child) if tree.given[child] or tree.players[child] else ""
        texts.append(f"{readable(label, LONGEST)}: {name or number}" if label else name or number)
    return _chosen(part, texts, [index in key for index in _moves(tree)])


def _moves(tree: Tree) -> Sequence[int]:
    return range(len(tree.children[0]))


def _path(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    return _chosen(part, [_leaf(tree, leaf) for leaf in tree.leaves], [path in key for path in _leaves(tree)])


def _leaves(tree: Tree) -> Sequence[int]:
    return range(1, len(tree.leaves) + 1)


def _chosen(part: Exercise, texts: Sequence[str], right: Sequence[bool]) -> Blanks:
    terms = part.public.terms
    shares = [Fraction(int(each)) for each in right]
    if not terms.every:
        options = tuple(map(Option, _distinct(texts), shares))
        return Blanks("Choose one.", (Choice("", options, terms.points),))
    options = tuple(map(Option, _distinct(texts), _set_shares(shares, Policy("exact"), terms.points)))
    box = Box("", _listed(part), terms.points)
    ask = part.kind.form.asked(terms.language)
    written = f"{ask} If there are several, write them from left to right with blanks between."
    choice = Choice("", options, terms.points, several=True, strict=True, box=box)
    return Blanks("Tick all that are best.", (choice,), written, WHOLE)


def _paths(part: Exercise, key: Any) -> Blanks:
    tree = part.public.tree
    texts = [_leaf(tree, leaf) for leaf in tree.leaves]
    ask = "Tick every such leaf, by its path number; tick the last box if there is none."
    written = (
        "Write path numbers (leaves counted from 1 at the left) in ascending order with blanks between, "
        f"or {NONE}."
    )
    shares = [Fraction(int(path in key)) for path in _leaves(tree)]
    return _ticked(part, texts, shares, (ask, written))


def _branches(part: Exercise, key: Any) -> Blanks:
    """Every branch by the node below it; what is below a branch of the key says nothing new."""
    tree = part.public.tree
    nodes = _below(tree)
    texts = [_leaf(tree, node) if tree.paths[node] else _name(tree, node) for node in nodes]
    shares = [Fraction(int(node in key)) for node in nodes]
    silent = [node not in key and not key.isdisjoint(tree.ancestors(node)) for node in nodes]
    ask = "Tick the node below each such branch; tick the last box if there is none."
    written = (
        "Write the name of the node below each branch, a path number for a leaf without a name, "
        f"from left to right with blanks between, or {NONE}."
    )
    return _ticked(part, texts, shares, (ask, written), silent)


def _below(tree: Tree) -> Sequence[int]:
    return [node for node in tree.breadth_first if node]


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
    if policy.name == "exact":
        box = Box("", _listed(part), terms.points)
        choice = Choice("", options, terms.points, several=True, strict=True, box=box)
        return Blanks(asks[0], (choice,), asks[1], WHOLE)
    counts = RIGHT_MINUS_WRONG
    if policy.name == "deduct":
        lost = terms.language.number(policy.deduction)
        points = "point" if policy.deduction == 1 else "points"
        counts = f"A wrong tick costs at least {lost} {points} (never below 0); {EVERYTHING}"
    return Blanks(asks[0], (Choice("", options, terms.points, several=True),), counts=counts)


def _picked(things: Callable[[Tree], Sequence[int]]) -> Answering:
    """The reply that names what is chosen of these things, which the options stand for in this order.

    One more option is for none of them.
    """

    def reply(part: Exercise, asked: Sequence[Blank], filled: Sequence[str]) -> str:
        (blank,), (text,), tree = asked, filled, part.public.tree
        if isinstance(blank, Box):
            return text
        ways = ticks(blank, text)
        if not ways:
            raise _unread(blank, text, "is not what could be chosen")
        if len(ways) > 1:
            raise _unread(blank, text, "may be a choice of these options or of those")
        offered = things(tree)
        if len(offered) in ways[0] and len(ways[0]) > 1:
            raise _unread(blank, text, "says that there are none, and some")
        chosen = frozenset(offered[place] for place in ways[0] if place < len(offered))
        return part.kind.form.write(chosen, tree)

    return reply


def ticks(choice: Choice, text: str) -> tuple[tuple[int, ...], ...]:
    """The ways in which a text may come of chosen options: their places, from the first to the last.

    Options that may themselves hold a `; ` stand joined by it, in their order. At most two ways are given.
    """
    offered = [" ".join(option.text.split()) for option in choice.options]
    if not choice.several:
        return tuple((place,) for place, option in enumerate(offered) if option == text)[:2]
    # The ways to get to a place in the text with the options seen so far.
    ways: dict[int, list[tuple[int, ...]]] = {0: [()]}
    whole: list[tuple[int, ...]] = []
    for place, option in enumerate(offered):
        for start, chosen in tuple(ways.items()):
            if option and text.startswith(option, start):
                longer = [(*each, place) for each in chosen]
                end = start + len(option)
                if end == len(text):
                    whole += longer
                elif text.startswith(JOINED, end):
                    ways[end + len(JOINED)] = (ways.get(end + len(JOINED), []) + longer)[:2]
    return tuple(whole[:2])


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
    form, language = part.kind.form, part.public.terms.language
    found = [language.reply(part.key), part.key]
    found += [re.sub("([,;]) ", r"\1", text) for text in found]
    found += [re.sub(r" ([<>]=?) ", r"\1", text) for text in found]
    found += [text.replace("<=", "≤").replace(">=", "≥") for text in found]
    return Blanks(form.asked(language), (Box("", tuple(dict.fromkeys(found)), part.public.terms.points),))


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


BY_FORM: dict[str, Asking] = {
    "number": Asking(_number, _as_it_is),
    "count": Asking(_number, _as_it_is),
    "move": Asking(_move, _picked(_moves)),
    "path": Asking(_path, _picked(_leaves)),
    "paths": Asking(_paths, _picked(_leaves)),
    "branches": Asking(_branches, _picked(_below)),
    "table": Asking(_table, _table_reply),
    "windows": Asking(_windows, _windows_reply),
    "order": Asking(_order, _order_reply),
    "interval": Asking(_text, _as_it_is),
    "vector": Asking(_text, _as_it_is),
}
"""How each form is asked."""
