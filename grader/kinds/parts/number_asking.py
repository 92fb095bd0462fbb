"""Questions without a tree whose answer is a number: what they share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.answers.count import counting
from grader.answers.form import Form
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.kinds.given import Given
from grader.kinds.kind import BeliefKey, Kind
from grader.kinds.randomness import Draw
from grader.kinds.why import Solved, Worked
from grader.kinds.wording import Prompt
from grader.rules import Rules
from grader.tree import Tree

COUNT = replace(NUMBER, example="8", guide=Phrase("The exact number counts."), drawn=None)
"""A whole number, which nothing is drawn for."""


def number_of(one: str, many: Phrase) -> Form[Numeral]:
    """The form of a whole number of things of which no tree has any."""
    return counting(one=one, many=many, among=lambda _tree: 0)


Answer = Callable[[Given], Number | None]
"""The number that somebody comes to; None where a mistake cannot be made."""


def whole(given: Given, most: Mapping[str, int], least: int = 1) -> str | None:
    """Why these numbers are not given as whole ones, or are too small or too large to reckon with."""
    for name, limit in most.items():
        number = given.get(name)
        if type(number) is not int or not least <= number <= limit:
            return f"{name} is not given as a whole number from {least} to {limit}"
    return None


def _key(answer: Answer, places: int | None) -> Callable[[Tree, Rules, Given], Numeral]:
    def key(tree: Tree, rules: Rules, given: Given) -> Numeral:
        return Numeral(answer(given) or 0, places)

    return key


def _believing(beliefs: Mapping[str, Answer], places: int | None) -> Mapping[str, BeliefKey[Numeral]]:
    def key(answer: Answer) -> BeliefKey[Numeral]:
        def believed(tree: Tree, rules: Rules, given: Given) -> Numeral | None:
            found = answer(given)
            return None if found is None else Numeral(found, places)

        return believed

    return {name: key(answer) for name, answer in beliefs.items()}


def asking(
    ask: str,
    question: str,
    suits: Callable[[Given], str | None],
    prompt: Callable[[Given, Language], Prompt],
    answers: tuple[Answer, Answer],
    beliefs: Mapping[str, Answer],
    steps: Callable[[Solved], tuple[str, ...]],
    draw: Callable[[Draw], Mapping[str, Any]],
    form: Form[Numeral] = COUNT,
    places: int | None = None,
    gives: Sequence[str] = (),
    letter: str = "",
) -> Kind[Numeral]:
    """A question about numbers without a tree, whose answer is worked out in two ways.

    `places` are the decimals to which it is rounded, None where it is exact; `letter` is what the number that
    is asked for may be called.
    """
    return Kind(
        ask=ask,
        question=question,
        form=form,
        suits=lambda _tree, _rules, given: suits(given),
        prompt=lambda _tree, _rules, given, language: prompt(given, language),
        key=_key(answers[0], places),
        second_way=_key(answers[1], places),
        beliefs=_believing(beliefs, places),
        worked=Worked(steps, steps),
        draw=lambda stream, tree, _rules: (tree, Given(draw(stream))),
        needs_tree=False,
        gives=gives,
        calls=lambda _given: (letter,) if letter else (),
    )


def printed(solved: Solved, *names: str) -> dict[str, str]:
    """Given numbers as they are printed."""
    return {name: solved.language.number(solved.given[name]) for name in names}
