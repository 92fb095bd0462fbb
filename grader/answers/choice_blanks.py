"""Options to choose or to tick in place of a reply, what each is worth, and which of them were chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from grader.answers.blank import NONE, OPTION_SEPARATOR, Blank, Blanks, Option, child_label
from grader.answers.box_blanks import unreadable_blank
from grader.answers.form import ONLY_COMPLETE_COUNTS, BlankCodec, Item, Policy, Terms
from grader.answers.paper_boxes import BEST_BOXES, ONE_BOX, ONE_LEAF_BOX
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.trees.tree import Tree

OptionSet = frozenset[int]
"""Chosen or correct options: moves, leaves or nodes, as the form numbers them."""

OptionSetWriter: TypeAlias = Callable[[OptionSet, Tree], str]
"""(members, tree) -> the reply that names them."""

_CHOOSE_ONE = Phrase("Choose one.")
_TICK_BEST = Phrase("Select all of the best options.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice of one option, of all best options, or of any number of options.

    - `choices`: all members, in order; `option`: (member, tree, terms) -> its option.
    - `write`: the reply for a set of members.
    - `write_ask`: the instruction if a box replaces options that are strict (`Blank.is_strict`).
    - `tick_ask`: the instruction if any number may be correct; then the last option is for none of them.
    - `is_single`: whether only one is chosen even if the terms ask for all best ones.
    - `is_silent`: (member, key, tree) -> whether choosing it neither earns nor costs anything.
    - `place`, `paper_ask`: where the boxes are on paper, and a special instruction for them.
    """

    choices: Callable[[Tree], Sequence[int]]
    option: Callable[[int, Tree, Terms], Option]
    write: OptionSetWriter
    write_ask: Phrase
    tick_ask: Phrase | None = None
    is_single: bool = False
    is_silent: Callable[[int, OptionSet, Tree], bool] = lambda _choice, _key, _tree: False
    place: Literal["leaf", "branch", "row"] = "row"
    paper_ask: Phrase | None = None

    def lay_out(self, tree: Tree, terms: Terms) -> Blanks:
        """Return one choice; with `tick_ask` it has an option for none, so that no tick means no answer."""
        language, is_set = terms.language, self.tick_ask is not None
        options = [self.option(member, tree, terms) for member in self.choices(tree)]
        if is_set:
            options.append(Option(language.term("none of them"), reply=vocabulary(tree).empty_text))
        several = is_set or (terms.every and not self.is_single)
        strict = several and (not is_set or terms.policy.name == "exact")
        choice = Blank(
            options=number_duplicates(options),
            allows_several=several,
            has_none_option=is_set,
            place=self.place,
            is_strict=strict,
            kept_share=Fraction(terms.policy.amount) if is_set and terms.policy.name == "keep" else None,
        )
        write_ask = language.say(self.write_ask, none=NONE)
        if not is_set:
            order = language.say("If there are several, write them from left to right, separated by spaces.")
            write_ask = paragraph(write_ask, order)
        one_box = ONE_LEAF_BOX if self.place == "leaf" else ONE_BOX
        counts = _tick_rule(terms.policy, language) if several else ""
        return Blanks(
            language.say(self.tick_ask or (_TICK_BEST if several else _CHOOSE_ONE)),
            (choice,),
            write_ask if strict else "",
            language.say(ONLY_COMPLETE_COUNTS) if strict else counts,
            self.paper_ask or (BEST_BOXES if several else one_box),
        )

    def solve(self, blanks: Sequence[Blank], key: OptionSet, tree: Tree, terms: Terms) -> Sequence[Blank]:
        """Add the share of every option, and to a strict choice the spellings for a box in its place."""
        (choice,), members = blanks, self.choices(tree)
        right = [Fraction(member in key) for member in members]
        if choice.has_none_option:
            right.append(Fraction(not any(right)))
        policy = Policy("exact") if choice.is_strict else terms.policy
        shares = _set_shares(right, policy, terms.points) if choice.allows_several else right
        for place, member in enumerate(members):
            if self.is_silent(member, key, tree):
                shares[place] = Fraction(0)
        names = [self.write(frozenset((member,)), tree) for member in sorted(key)] or [NONE]
        spellings = list_spellings(names) if choice.is_strict else ()
        return (replace(choice.with_shares(shares, terms.points), spellings=spellings),)

    def read(self, blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, _terms: Terms) -> str:
        """Return the reply that names the chosen options, or the text of a box that replaced them.

        Raises `BlankError` if the option for none is chosen together with another one.
        """
        (blank,), (text,) = blanks, filled
        if not blank.options:
            return text
        members, chosen = self.choices(tree), chosen_options(blank, text)
        if len(members) in chosen and len(chosen) > 1:
            raise unreadable_blank(blank, text, '{text} selects both "none" and something else')
        return self.write(frozenset(members[place] for place in chosen if place < len(members)), tree)

    @property
    def codec(self) -> BlankCodec[OptionSet]:
        """The blanks of a form that is answered with these things."""
        return BlankCodec(self.lay_out, self.solve, self.read)


def leaf_option(path: int, tree: Tree, _terms: Terms) -> Option:
    """Return the option of a leaf: its number, and its name if it has one, in all languages."""
    leaf = tree.leaves[path - 1]
    return Option(child_label(tree, leaf), reply=vocabulary(tree).write_path(path), node=leaf)


def node_option(node: int, tree: Tree, _terms: Terms) -> Option:
    """Return the option of a node: its name, and its number if it is a leaf, in all languages."""
    return Option(child_label(tree, node), reply=vocabulary(tree).write_guarded(node), node=node)


def _tick_rule(policy: Policy, language: Language) -> str:
    """Say what a wrong tick costs on a platform that adds up ticks."""
    if policy.name == "keep":
        if policy.amount == Fraction(1, 2):
            return language.say(
                "Each correct selection earns an equal share of the points. "
                "Each incorrect selection costs at least half of the points; the score is never negative. "
                "Selecting everything earns nothing."
            )
        return language.say(
            "Each correct selection earns an equal share of the points. "
            "Each incorrect selection costs at least {share} of the points; the score is never negative. "
            "Selecting everything earns nothing.",
            share=str(1 - Fraction(policy.amount)),
        )
    if policy.name == "deduct":
        return language.say(
            "Each incorrect selection costs at least {lost} point; the score is never negative. "
            "Selecting everything earns nothing.",
            "Each incorrect selection costs at least {lost} points; the score is never negative. "
            "Selecting everything earns nothing.",
            1 if policy.amount == 1 else 2,
            lost=language.number(policy.amount),
        )
    return language.say(
        "Each incorrect selection cancels at least one correct selection; the score is never negative. "
        "Selecting everything earns nothing."
    )


def compare_best(
    node: Callable[[int, Tree], int],
    write: OptionSetWriter,
    reply: OptionSet,
    key: OptionSet,
    tree: Tree,
    terms: Terms,
    texts: bool,
) -> tuple[Item, ...]:
    """Compare a reply whose members must all be best; with the missing ones if all are requested.

    `node` and `write` return the node of an option and the canonical text of options for the items.
    """
    items = []

    def written(options: OptionSet) -> str:
        return write(options, tree) if texts else ""

    for member in sorted(reply | key if terms.every else reply):
        place, text = node(member, tree), written(frozenset((member,)))
        if member not in reply:
            items.append(Item(place, "", text, "missing"))
        elif member in key:
            items.append(Item(place, text, text, "right"))
        else:
            items.append(Item(place, text, "" if terms.every else written(key), "wrong"))
    return tuple(items)


def single_options(answer: OptionSet) -> Sequence[OptionSet]:
    """The options of an answer that has two, one by one; who names more than two only guesses."""
    return [frozenset((option,)) for option in sorted(answer)] if len(answer) == 2 else []


def chosen_options(choice: Blank, text: str) -> tuple[int, ...]:
    """Return the places of the chosen options. Raises `BlankError`."""
    readings = option_readings(choice, text) or _matching_options(choice, text)
    if not readings:
        raise unreadable_blank(choice, text, "{text} is not one of the choices")
    if len(readings) > 1:
        raise unreadable_blank(choice, text, "{text} could refer to more than one option")
    return readings[0]


def option_readings(choice: Blank, text: str) -> tuple[tuple[int, ...], ...]:
    """Return at most two readings of a text as chosen options: their places in ascending order.

    The options are joined by `; `, which may also occur in an option.
    """
    offered = [" ".join(option.text.split()) for option in choice.options]
    if not choice.allows_several:
        return tuple((place,) for place, option in enumerate(offered) if option == text)[:2]
    # The readings of the text up to each place, by the options so far.
    partial_readings: dict[int, list[tuple[int, ...]]] = {0: [()]}
    complete_readings: list[tuple[int, ...]] = []
    for place, option in enumerate(offered):
        for start, chosen in tuple(partial_readings.items()):
            if option and text.startswith(option, start):
                longer = [(*each, place) for each in chosen]
                end = start + len(option)
                if end == len(text):
                    complete_readings += longer
                elif text.startswith(OPTION_SEPARATOR, end):
                    partial_readings[end + len(OPTION_SEPARATOR)] = (
                        partial_readings.get(end + len(OPTION_SEPARATOR), []) + longer
                    )[:2]
    return tuple(complete_readings[:2])


def _matching_options(choice: Blank, text: str) -> tuple[tuple[int], ...]:
    """Return the options that match a text from a box, which some platforms have in place of a choice.

    Compare the text of every option first, then its reply, and ignore case. None match where several may be
    chosen, since such a choice is a choice everywhere.
    """
    if choice.allows_several:
        return ()
    entry = text.casefold()
    by_text = tuple(
        (place,) for place, option in enumerate(choice.options) if option.text.casefold() == entry
    )
    replies = (option.reply.replace('"', "").casefold() for option in choice.options)
    return by_text or tuple((place,) for place, reply in enumerate(replies) if entry and reply == entry)


def _set_shares(right: Sequence[Fraction], policy: Policy, points: Number) -> list[Fraction]:
    """Return the share of every option: the right ones make 1 together, all together at most 0.

    As long as no more than half of the options are right, that is the policy `net`, and `each` as well:
    right minus wrong, over the size of the key. `deduct` takes its deduction for a wrong option, and `keep`
    what one mistake costs.
    """
    size = int(sum(right))
    wrong = max(len(right) - 1 - size, 1)  # without the option that none is right
    match policy.name:
        case "keep":
            mistake = 1 - Fraction(policy.amount)
        case "deduct":
            mistake = Fraction(policy.amount) / Fraction(points)
        case _:
            mistake = Fraction(1, size)
    cost = min(max(Fraction(1, wrong), mistake), Fraction(1))
    return [Fraction(1, size) if each else -cost for each in right]


def list_spellings(names: Sequence[str]) -> tuple[str, ...]:
    """Some names in a row, with the separators that people use."""
    return tuple(dict.fromkeys(separator.join(names) for separator in (" ", ", ", ",", "; ", ";")))


def number_duplicates(options: Sequence[Option]) -> tuple[Option, ...]:
    """Add numbers to options with equal texts: shortened names can coincide."""
    numbered: dict[str, Option] = {}
    for option in options:
        count, text = 2, option.text
        while text in numbered:
            text, count = f"{option.text} ({count})", count + 1
        numbered[text] = option if text == option.text else replace(option, text=text)
    return tuple(numbered.values())
