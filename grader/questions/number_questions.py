"""Questions without a tree, whose answer is mostly a number: what they share."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from grader.answers.count import count_form
from grader.answers.form import Form
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt

COUNT = replace(NUMBER, example="8", marking_rule=Phrase("The number must be exact."), from_drawing=None)
"""A whole number, which nothing is drawn for."""


def number_of(one: str, many: Phrase) -> Form[Numeral]:
    """Return the form of a count of things that are not in a tree."""
    return count_form(one=one, many=many, among=lambda _tree: 0)


Answer = Callable[[Given], Number | None]
"""The number that somebody comes to; None where a mistake cannot be made."""


def whole_number_objection(given: Given, limits: Mapping[str, int], minimum: int = 1) -> str | None:
    """Return which of these fields is not a whole number from `minimum` to its limit, or None."""
    for name, limit in limits.items():
        number = given.get(name)
        if type(number) is not int or not minimum <= number <= limit:
            return f"{name} is not given as a whole number from {minimum} to {limit}"
    return None


def treeless_question(
    ask: str,
    question: str,
    suits: Callable[[Given], str | None],
    prompt: Callable[[Case, Language], Prompt],
    answers: tuple[Callable[[Given], Any], Callable[[Given], Any]],
    beliefs: Mapping[str, Callable[[Given], Any]],
    steps: Callable[[SolvedExercise], tuple[str, ...]],
    draw: Callable[[Draw], Mapping[str, Any] | None],
    form: Form[Any] = COUNT,
    of: Callable[[Any], Any] = Numeral,
    letter: str = "",
    **more: Any,
) -> AnyKind:
    """Make a question without a tree, whose answer is computed in two ways; a number, unless `form` differs.

    `of` converts the result to an answer; `letter` is a name for the number that a reply may use.
    A belief returns None if its mistake is impossible.
    """

    def keyed(answer: Callable[[Given], Any]) -> Callable[[Case], Any]:
        """Return the key of a case, in the form's type, from a function of its given fields."""

        def key(case: Case) -> Any:
            found = answer(case.given)
            return None if found is None else of(found)

        return key

    def draw_case(stream: Draw, case: Case) -> Case | None:
        found = draw(stream)
        return None if found is None else replace(case, given=Given(found))

    return Kind(
        ask=ask,
        question=question,
        form=form,
        objection=lambda case: suits(case.given),
        prompt=prompt,
        key=keyed(answers[0]),
        independent_key=keyed(answers[1]),
        beliefs={name: keyed(belief) for name, belief in beliefs.items()},
        worked_solution=WorkedSolution(steps),
        draw=draw_case,
        needs_tree=False,
        answer_labels=lambda _given: (letter,) if letter else (),
        **more,
    )


def format_given(solved: SolvedExercise, *names: str) -> dict[str, str]:
    """Given numbers as they are printed."""
    return {name: solved.language.number(solved.given[name]) for name in names}
