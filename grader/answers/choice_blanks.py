"""Options to choose or to tick in place of a reply, what each is worth, and which of them were chosen."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from grader.answers.blank import NONE, OPTION_SEPARATOR, Blank, Blanks, Box, Choice, Option
from grader.answers.box_blanks import unreadable_blank
from grader.answers.form import ONLY_COMPLETE_COUNTS, BlankCodec, Item, Policy, Terms
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.trees.tree import Tree

OptionSet = frozenset[int]
"""What was chosen or is right: moves, leaves or nodes, as the form counts them."""

OptionSetWriter: TypeAlias = Callable[[OptionSet, Tree], str]
"""What writes such things as a reply names them."""


def single_choice_blanks(
    texts: Sequence[str], right: Sequence[bool], names: Sequence[str], asked: str, terms: Terms
) -> Blanks:
    """Options of which one is to be chosen, or all that are right where all are asked for.

    `names` are the right ones as replies name them, and `asked` is how a reply is asked for.
    """
    language = terms.language
    shares = [Fraction(int(each)) for each in right]
    if not terms.every:
        options = tuple(map(Option, number_duplicates(texts), shares))
        return Blanks(language.say("Choose one."), (Choice("", options, terms.points),))
    choice = _ticked(texts, _set_shares(shares, Policy("exact"), terms.points), terms, names)
    several = language.say("If there are several, write them from left to right, separated by spaces.")
    return Blanks(
        language.say("Tick all that are best."),
        (choice,),
        paragraph(asked, several),
        language.say(ONLY_COMPLETE_COUNTS),
    )


def single_choice_codec(
    things: Callable[[Tree], Sequence[int]],
    text: Callable[[int, Tree, Terms], str],
    write: OptionSetWriter,
    ask: Phrase,
) -> BlankCodec[OptionSet]:
    """One thing to choose, or all that are right where all are asked for.

    - `things`: all that may be chosen, in this order; `text`: what each is called on its option.
    - `write`: how replies name things; `ask`: how a reply is asked for.
    """

    def blanks(key: OptionSet, tree: Tree, terms: Terms) -> Blanks:
        texts = [text(thing, tree, terms) for thing in things(tree)]
        right = [thing in key for thing in things(tree)]
        return single_choice_blanks(texts, right, _named(key, tree, write), terms.language.say(ask), terms)

    return BlankCodec(blanks, _picked(things, write))


def multiple_choice_codec(
    things: Callable[[Tree], Sequence[int]],
    text: Callable[[int, Tree, Terms], str],
    write: OptionSetWriter,
    asks: tuple[Phrase, Phrase],
    silent: Callable[[int, OptionSet, Tree], bool] = lambda _thing, _key, _tree: False,
) -> BlankCodec[OptionSet]:
    """Boxes to tick, and one more for none of them, so that nothing ticked is no answer.

    `asks` says what to tick, and what to write where a box takes the place of the ticks. What is `silent`
    earns and costs nothing.
    """

    def blanks(key: OptionSet, tree: Tree, terms: Terms) -> Blanks:
        language, policy, offered = terms.language, terms.policy, things(tree)
        right = [Fraction(thing in key) for thing in offered]
        shares = _set_shares([*right, Fraction(not any(right))], policy, terms.points)
        for place, thing in enumerate(offered):
            if silent(thing, key, tree):
                shares[place] = Fraction(0)
        texts = [*(text(thing, tree, terms) for thing in offered), language.term("none of them")]
        choice = _ticked(texts, shares, terms, _named(key, tree, write) or [NONE])
        tick, named = (language.say(ask, none=NONE) for ask in asks)
        if policy.name == "exact":
            return Blanks(tick, (choice,), named, language.say(ONLY_COMPLETE_COUNTS))
        return Blanks(
            tick,
            (replace(choice, is_strict=False, box_instead=None),),
            counting_rule=_costs(policy, language),
        )

    return BlankCodec(blanks, _picked(things, write))


def _costs(policy: Policy, language: Language) -> str:
    """What a wrong tick costs, where not only the complete answer counts."""
    if policy.name == "deduct":
        return language.say(
            "Each incorrect tick costs at least {lost} point; the score is never negative. "
            "Ticking everything earns nothing.",
            "Each incorrect tick costs at least {lost} points; the score is never negative. "
            "Ticking everything earns nothing.",
            1 if policy.deduction == 1 else 2,
            lost=language.number(policy.deduction),
        )
    return language.say(
        "Each incorrect tick cancels at least one correct tick; the score is never negative. "
        "Ticking everything earns nothing."
    )


def _named(key: OptionSet, tree: Tree, write: OptionSetWriter) -> list[str]:
    """The right things, each as a reply names it alone."""
    return [write(frozenset((thing,)), tree) for thing in sorted(key)]


def _ticked(texts: Sequence[str], shares: Sequence[Fraction], terms: Terms, names: Sequence[str]) -> Choice:
    """Options of which all that are right are to be ticked, and no others."""
    options = tuple(map(Option, number_duplicates(texts), shares))
    box = Box("", list_spellings(names), terms.points)
    return Choice("", options, terms.points, allows_several=True, is_strict=True, box_instead=box)


def compare_best(
    node: Callable[[int, Tree], int],
    write: OptionSetWriter,
    reply: OptionSet,
    key: OptionSet,
    tree: Tree,
    terms: Terms,
) -> tuple[Item, ...]:
    """What is named, of which each must be a best thing; with what is left out where all are asked for.

    `node` and `write` give the node of a thing and the canonical text of things, for the items.
    """
    items = []
    for thing in sorted(reply | key if terms.every else reply):
        place, said = node(thing, tree), write(frozenset((thing,)), tree)
        if thing not in reply:
            items.append(Item(place, "", said, "missing"))
        elif thing in key:
            items.append(Item(place, said, said, "right"))
        else:
            items.append(Item(place, said, "" if terms.every else write(key, tree), "wrong"))
    return tuple(items)


def _picked(
    things: Callable[[Tree], Sequence[int]], write: OptionSetWriter
) -> Callable[[Sequence[Blank], Sequence[str], Tree, Terms], str]:
    """The reply that names what is chosen of these things, which the options stand for in this order.

    One more option is for none of them.
    """

    def reply(asked: Sequence[Blank], filled: Sequence[str], tree: Tree, _terms: Terms) -> str:
        # what was chosen is plain on all terms
        (blank,), (text,) = asked, filled
        if isinstance(blank, Box):
            return text
        offered, chosen = things(tree), chosen_options(blank, text)
        if len(offered) in chosen and len(chosen) > 1:
            raise unreadable_blank(blank, text, "{text} says both none and some")
        return write(frozenset(offered[place] for place in chosen if place < len(offered)), tree)

    return reply


def chosen_options(choice: Choice, text: str) -> tuple[int, ...]:
    """The places of the options that were chosen. Raises `BlankError`."""
    ways = option_readings(choice, text)
    if not ways:
        raise unreadable_blank(choice, text, "{text} is not one of the choices")
    if len(ways) > 1:
        raise unreadable_blank(choice, text, "{text} could mean different choices")
    return ways[0]


def option_readings(choice: Choice, text: str) -> tuple[tuple[int, ...], ...]:
    """The ways in which a text may come of chosen options: their places, from the first to the last.

    Options that may themselves hold a `; ` stand joined by it, in their order. At most two ways are given.
    """
    offered = [" ".join(option.text.split()) for option in choice.options]
    if not choice.allows_several:
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
                elif text.startswith(OPTION_SEPARATOR, end):
                    ways[end + len(OPTION_SEPARATOR)] = (ways.get(end + len(OPTION_SEPARATOR), []) + longer)[
                        :2
                    ]
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


def list_spellings(names: Sequence[str]) -> tuple[str, ...]:
    """Some names in a row, with the separators that people use."""
    return tuple(dict.fromkeys(separator.join(names) for separator in (" ", ", ", ",", "; ", ";")))


def number_duplicates(texts: Sequence[str]) -> list[str]:
    """The texts, with a number behind any that is there before: shortened names can coincide."""
    found: dict[str, None] = {}
    for text in texts:
        count, different = 2, text
        while different in found:
            different, count = f"{text} ({count})", count + 1
        found[different] = None
    return list(found)
