"""Evaluation functions beside a tree: what a category of positions is worth, and which function is legal."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from grader.answers.count import count_form
from grader.answers.number import NUMBER
from grader.answers.numeral import parse_value
from grader.base.numbers import Number, normalize_number, read_number, write_number
from grader.base.phrases import Language, Phrase
from grader.questions.given import Given
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import Prompt
from grader.solvers.explaining.node_wording import bracket_factor
from grader.solvers.limited_decisions import (
    EvaluatedPosition,
    IllegalEvaluation,
    expected_utility,
    illegal_evaluations,
)

# A category: 82 % won, 2 % lost, 16 % drawn ----------------------------------------------------------

_UTILITIES: Sequence[tuple[Number, Number, Number]] = (
    (1, 0, Fraction(1, 2)),
    (1, -1, 0),
    (2, 0, 1),
    (10, -10, 0),
)
"""What a win, a loss and a draw are worth; chess counts 1, 0 and 1/2."""


def _outcomes(given: Given) -> list[tuple[Number, Number]]:
    """The share and the utility of a win, a loss and a draw."""
    shares, utilities = given["percent"], given["utilities"]
    return [
        (Fraction(share, 100), read_number(utility)) for share, utility in zip(shares, utilities, strict=True)
    ]


def _a_category(given: Given) -> str | None:
    """Why no category of positions is described, or None."""
    percent, utilities = given.get("percent"), given.get("utilities")
    if not isinstance(percent, list) or len(percent) != 3 or not all(type(each) is int for each in percent):
        return "percent are three whole numbers: won, lost and drawn"
    if sum(percent) != 100 or min(percent) < 0:
        return "the percentages do not sum to 100"
    if not isinstance(utilities, list) or len(utilities) != 3 or not all(map(_is_number, utilities)):
        return "utilities are three numbers as text: of a win, a loss and a draw"
    return None


def _is_number(text: object) -> bool:
    return isinstance(text, str) and parse_value(text) is not None


def _drawn_category(draw: Draw) -> Mapping[str, Any]:
    """Shares that are all there, and different; of draws so many that rounding does not hide them."""
    few = draw.between(2, 14)
    some = few + draw.between(1, 19)
    percent = list(draw.shuffle((few, some, 100 - few - some)))
    utilities = [write_number(utility) for utility in draw.choose(_UTILITIES)]
    return {"percent": percent, "utilities": utilities}


def _asks_category(given: Given, language: Language) -> Prompt:
    """What is known of the category, and what is asked."""
    percent = dict(zip(("won", "lost", "drawn"), given["percent"], strict=True))
    worth = {
        name: language.number(read_number(utility))
        for name, utility in zip(("win", "loss", "draw"), given["utilities"], strict=True)
    }
    states = (
        language.say("A win is worth {win}, a loss {loss} and a draw {draw}.", **worth),
        language.say(
            "Experience shows that, in a category of positions, {won} % are won, {lost} % lost and {drawn} "
            "% drawn.",
            **percent,
        ),
    )
    return Prompt(states, language.say("What is a reasonable evaluation of a position in this category?"))


def _category(given: Given) -> Number:
    """The expected utility (Russell and Norvig, section 5.3.1)."""
    return expected_utility(_outcomes(given))


def _category_again(given: Given) -> Number:
    """The mean over a hundred positions, one by one."""
    worth = [Fraction(read_number(utility)) for utility in given["utilities"]]
    games = [utility for utility, share in zip(worth, given["percent"], strict=True) for _ in range(share)]
    return normalize_number(sum(games, Fraction(0)) / len(games))


def _draws_as_losses(given: Given) -> Number:
    (won, win), (_, loss), _ = _outcomes(given)
    return normalize_number(Fraction(won) * win + (1 - Fraction(won)) * loss)


def _equally(given: Given) -> Number:
    return normalize_number(Fraction(sum(Fraction(utility) for _, utility in _outcomes(given)), 3))


def _category_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """The sum over the outcomes."""
    language = solved.language
    terms = " + ".join(
        f"{language.number(normalize_number(Fraction(share)))} × {bracket_factor(language.number(utility))}"
        for share, utility in _outcomes(solved.given)
    )
    value = language.number(solved.key.value)
    return (language.say("The expected utility is {sum} = {value}.", sum=terms, value=value),)


CATEGORY = treeless_question(
    "category",
    "What is a reasonable evaluation of a category of positions?",
    _a_category,
    _asks_category,
    (_category, _category_again),
    {
        "draws-as-losses": _draws_as_losses,
        "share-for-value": lambda given: normalize_number(Fraction(_outcomes(given)[0][0])),
        "most-likely": lambda given: normalize_number(Fraction(max(_outcomes(given))[1])),
        "plain-average": _equally,
    },
    _category_steps,
    _drawn_category,
    form=NUMBER,
    given_names=("percent", "utilities"),
)

# Legal functions --------------------------------------------------------------------------------------

FUNCTIONS = 4
"""Out of how many functions one is legal."""

FUNCTION = count_form(one="function", many=Phrase("functions"), among=lambda _tree: FUNCTIONS, least=1)

_SCALES: Sequence[tuple[int, int, int]] = ((-1, 0, 1), (0, 5, 10), (-10, 0, 10), (0, 50, 100))
"""The utilities of a loss, a draw and a win."""


def _positions(given: Given, function: Sequence[int]) -> list[EvaluatedPosition]:
    """A loss, a draw, a win, and three positions in which the game goes on."""
    over = zip(function, given["utilities"], strict=False)
    return [
        *(EvaluatedPosition(value, utility) for value, utility in over),
        *map(EvaluatedPosition, function[3:]),
    ]


def _wrongs(given: Given, function: Sequence[int]) -> list[tuple[int, IllegalEvaluation]]:
    loss, _, win = given["utilities"]
    return list(illegal_evaluations(_positions(given, function), loss, win))


def _one_is_legal(given: Given) -> str | None:
    """Why there is not exactly one legal function among those given, or None."""
    utilities, functions = given.get("utilities"), given.get("functions")
    if not isinstance(utilities, list) or len(utilities) != 3 or not all(type(x) is int for x in utilities):
        return "utilities are three whole numbers: of a loss, a draw and a win"
    if not isinstance(functions, list) or len(functions) != FUNCTIONS:
        return f"functions are {FUNCTIONS} lists of numbers"
    for function in functions:
        if not isinstance(function, list) or len(function) != 6 or not all(type(x) is int for x in function):
            return "a function has six whole numbers: for a loss, a draw, a win, and three other positions"
    legal = sum(not _wrongs(given, function) for function in functions)
    return None if legal == 1 else f"{legal} of the functions are legal"


def _drawn_legal(draw: Draw) -> Mapping[str, Any]:
    """One legal function, and three that fail at the end of the game, between, or at both."""
    scale = draw.choose(_SCALES)
    low, middle, high = (10 * number for number in scale)
    inner = [sorted(draw.between(low + 1, high - 1) for _ in range(3)) for _ in range(FUNCTIONS)]
    beyond, off = high + draw.between(1, high - low), draw.between(1, (high - low) // 4)
    functions = [
        [low, middle, high, *draw.shuffle(inner[0])],
        [low, middle, high, *draw.shuffle((*inner[1][:2], beyond))],
        [low + off, middle, high, *draw.shuffle(inner[2])],
        [low, middle - off, high, *draw.shuffle((*inner[3][:2], low - off))],
    ]
    return {"utilities": [low, middle, high], "functions": list(draw.shuffle(functions))}


def _asks_legal(given: Given, language: Language) -> Prompt:
    """The functions, and what is asked."""
    loss, draw, win = map(language.number, given["utilities"])
    states = [
        language.say(
            "The utility of a loss is {loss}, of a draw {draw} and of a win {win}.",
            loss=loss,
            draw=draw,
            win=win,
        ),
        language.say(
            "An evaluation function equals the utility in terminal positions. "
            "In other positions it is not below a loss and not above a win."
        ),
    ]
    for number, function in enumerate(given["functions"], 1):
        ends = list(map(language.number, function))
        states.append(
            language.say(
                "Function {number} gives {loss} for a loss, {draw} for a draw and {win} for a win; "
                "for three nonterminal positions it gives {others}.",
                number=number,
                loss=ends[0],
                draw=ends[1],
                win=ends[2],
                others=language.join_and(ends[3:], language.number_separator),
            )
        )
    asks = language.say(
        "Which function is a valid evaluation function for a depth-limited search? Give its number."
    )
    return Prompt(tuple(states), asks)


def _legal(given: Given) -> Number:
    """The number of the legal function (Russell and Norvig, section 5.3)."""
    wrongs = [_wrongs(given, function) for function in given["functions"]]
    return wrongs.index([]) + 1


def _legal_again(given: Given) -> Number:
    """The function that is right at the end and whose other numbers, sorted in, keep loss and win outside."""
    loss, _, win = utilities = given["utilities"]
    fits = [
        function[:3] == utilities and sorted([loss, win, *function[3:]])[:: len(function) - 2] == [loss, win]
        for function in given["functions"]
    ]
    return fits.index(True) + 1


def _overlooking(overlooked: IllegalEvaluation, given: Given) -> Number | None:
    """The first function of which only what is overlooked is wrong."""
    for number, function in enumerate(given["functions"], 1):
        if {wrong for _, wrong in _wrongs(given, function)} == {overlooked}:
            return number
    return None


def _legal_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """What is wrong with each function, and that nothing is with one."""
    said, language = [], solved.language
    for number, function in enumerate(solved.given["functions"], 1):
        wrongs = _wrongs(solved.given, function)
        if not wrongs:
            said.append(
                language.say(
                    "Function {number} is valid: "
                    "it equals the utility in terminal positions, and elsewhere it is between a loss and a "
                    "win.",
                    number=number,
                )
            )
            continue
        place, wrong = wrongs[0]
        told = {"number": number, "value": language.number(function[place])}
        if wrong is IllegalEvaluation.NOT_UTILITY:
            told["utility"] = language.number(solved.given["utilities"][place])
        said.append(language.say(_WRONG[wrong], **told))
    return tuple(said)


_WRONG = {
    IllegalEvaluation.BEYOND: Phrase(
        "Function {number} gives {value} to a nonterminal position: "
        "this is less than a loss or more than a win."
    ),
    IllegalEvaluation.NOT_UTILITY: Phrase(
        "Function {number} gives {value} to a terminal position with utility {utility}."
    ),
}


LEGAL = treeless_question(
    "legal",
    "Which function is a valid evaluation function?",
    _one_is_legal,
    _asks_legal,
    (_legal, _legal_again),
    {
        "beyond-win": partial(_overlooking, IllegalEvaluation.BEYOND),
        "end-misvalued": partial(_overlooking, IllegalEvaluation.NOT_UTILITY),
    },
    _legal_steps,
    _drawn_legal,
    form=FUNCTION,
    given_names=("functions", "utilities"),
)
