"""Questions about evaluation functions: how to evaluate a category of positions, which function is valid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from grader.answers.count import count_form
from grader.answers.number import NUMBER
from grader.answers.numeral import parse_value
from grader.base.numbers import Number, normalize_number, read_number, write_number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.given_table import GivenColumn, GivenTable
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import asks
from grader.solvers.explaining.node_wording import bracket_factor
from grader.solvers.limited_decisions import (
    EvaluatedPosition,
    IllegalEvaluation,
    expected_utility,
    illegal_evaluations,
)

# What students read ----------------------------------------------------------------------------------

QUESTION_CATEGORY = Phrase("What is a reasonable evaluation of a position in this category?")
CATEGORY_UTILITIES = Phrase("A win is worth {win}, a loss is worth {loss}, and a draw is worth {draw}.")
CATEGORY_OUTCOMES = Phrase(
    "Experience shows that, in a certain category of positions, {won}% lead to a win, {lost}% to a loss, "
    "and {drawn}% to a draw."
)
EXPECTED_UTILITY = Phrase("The expected utility is {sum} = {value}.")

QUESTION_LEGAL = Phrase("Which function is a valid evaluation function for a depth-limited search?")
FUNCTION_NUMBER = Phrase("Write the number of the function.")
TERMINAL_UTILITIES = Phrase("The utilities are {loss} for a loss, {draw} for a draw, and {win} for a win.")
EVALUATION_DEFINITION = Phrase(
    "A valid evaluation function equals the utility in terminal positions. "
    "In all other positions, it lies between the utilities of a loss and a win, inclusive."
)
FUNCTION_VALUES = Phrase(
    "Function {number} returns {loss} for a loss, {draw} for a draw, and {win} for a win. "
    "For three nonterminal positions, it returns {others}."
)
FUNCTIONS_TABLE = Phrase("The table shows what each function returns in terminal and nonterminal positions.")
POSITION = Phrase("Position")
TERMINAL_POSITIONS = (Phrase("loss"), Phrase("draw"), Phrase("win"))
NONTERMINAL_POSITION = Phrase("nonterminal {number}")
FUNCTION_COLUMN = Phrase("Function {number}")
WHY_VALID = Phrase(
    "Function {number} is valid: "
    "it equals the utility in terminal positions and lies between the utilities of a loss and a win "
    "elsewhere."
)
WHY_INVALID = {
    IllegalEvaluation.BEYOND: Phrase(
        "Function {number} returns {value} for a nonterminal position, which is less than the utility of a "
        "loss or greater than that of a win."
    ),
    IllegalEvaluation.NOT_UTILITY: Phrase(
        "Function {number} returns {value} for a terminal position whose utility is {utility}."
    ),
}

# A category: 82 % won, 2 % lost, 16 % drawn ----------------------------------------------------------

_UTILITIES: Sequence[tuple[Number, Number, Number]] = (
    (1, 0, Fraction(1, 2)),
    (1, -1, 0),
    (2, 0, 1),
    (10, -10, 0),
)
"""Utilities of a win, a loss and a draw; chess counts 1, 0 and 1/2."""


def _outcomes(given: Given) -> list[tuple[Number, Number]]:
    """Return the share and the utility of a win, a loss and a draw."""
    shares, utilities = given["percent"], given["utilities"]
    return [
        (Fraction(share, 100), read_number(utility)) for share, utility in zip(shares, utilities, strict=True)
    ]


def _category_objection(given: Given) -> str | None:
    """Return why no category of positions is described, or None."""
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


def _draw_category(draw: Draw) -> Mapping[str, Any]:
    """Draw the utilities, and three different shares, each large enough to show in a rounded answer."""
    smallest = draw.between(2, 14)
    middle = smallest + draw.between(1, 19)
    percent = list(draw.shuffle((smallest, middle, 100 - smallest - middle)))
    utilities = [write_number(utility) for utility in draw.choose(_UTILITIES)]
    return {"percent": percent, "utilities": utilities}


def _utilities_sentence(case: Case, language: Language) -> str:
    win, loss, draw = (language.number(read_number(utility)) for utility in case.given["utilities"])
    return language.say(CATEGORY_UTILITIES, win=win, loss=loss, draw=draw)


def _outcomes_sentence(case: Case, language: Language) -> str:
    percent = dict(zip(("won", "lost", "drawn"), case.given["percent"], strict=True))
    return language.say(CATEGORY_OUTCOMES, **percent)


def _category(given: Given) -> Number:
    """Return the expected utility (Russell and Norvig, section 5.3.1)."""
    return expected_utility(_outcomes(given))


def _independent_category(given: Given) -> Number:
    """Return the mean over a hundred positions, one by one."""
    utilities = [Fraction(read_number(utility)) for utility in given["utilities"]]
    games = [
        utility for utility, share in zip(utilities, given["percent"], strict=True) for _ in range(share)
    ]
    return normalize_number(sum(games, Fraction(0)) / len(games))


def _draws_as_losses(given: Given) -> Number:
    (won, win), (_, loss), _ = _outcomes(given)
    return normalize_number(Fraction(won) * win + (1 - Fraction(won)) * loss)


def _plain_average(given: Given) -> Number:
    return normalize_number(Fraction(sum(Fraction(utility) for _, utility in _outcomes(given)), 3))


def _category_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Show the sum over the outcomes."""
    language = solved.language
    terms = " + ".join(
        f"{language.number(normalize_number(Fraction(share)))} × {bracket_factor(language.number(utility))}"
        for share, utility in _outcomes(solved.given)
    )
    value = language.number(solved.key.value)
    return (language.say(EXPECTED_UTILITY, sum=terms, value=value),)


CATEGORY = treeless_question(
    "category",
    "What is a reasonable evaluation of a category of positions?",
    _category_objection,
    asks(QUESTION_CATEGORY, _utilities_sentence, _outcomes_sentence),
    (_category, _independent_category),
    {
        "draws-as-losses": _draws_as_losses,
        "share-for-value": lambda given: normalize_number(Fraction(_outcomes(given)[0][0])),
        "most-likely": lambda given: normalize_number(Fraction(max(_outcomes(given))[1])),
        "plain-average": _plain_average,
    },
    _category_steps,
    _draw_category,
    form=NUMBER,
    given_names=("percent", "utilities"),
)

# Valid functions --------------------------------------------------------------------------------------

FUNCTIONS = 4
"""How many functions there are; one of them is valid."""

FUNCTION = replace(
    count_form(one="function", many=Phrase("functions"), among=lambda _tree: FUNCTIONS, least=1),
    ask=FUNCTION_NUMBER,
)

_SCALES: Sequence[tuple[int, int, int]] = ((-1, 0, 1), (0, 5, 10), (-10, 0, 10), (0, 50, 100))
"""Utilities of a loss, a draw and a win."""


def _positions(given: Given, function: Sequence[int]) -> list[EvaluatedPosition]:
    """Return a loss, a draw, a win and three nonterminal positions with their evaluations."""
    over = zip(function, given["utilities"], strict=False)
    return [
        *(EvaluatedPosition(value, utility) for value, utility in over),
        *map(EvaluatedPosition, function[3:]),
    ]


def _faults(given: Given, function: Sequence[int]) -> list[tuple[int, IllegalEvaluation]]:
    loss, _, win = given["utilities"]
    return list(illegal_evaluations(_positions(given, function), loss, win))


def _legal_objection(given: Given) -> str | None:
    """Return why not exactly one of the given functions is valid, or None."""
    utilities, functions = given.get("utilities"), given.get("functions")
    if not isinstance(utilities, list) or len(utilities) != 3 or not all(type(x) is int for x in utilities):
        return "utilities are three whole numbers: of a loss, a draw and a win"
    if not isinstance(functions, list) or len(functions) != FUNCTIONS:
        return f"functions are {FUNCTIONS} lists of numbers"
    for function in functions:
        if not isinstance(function, list) or len(function) != 6 or not all(type(x) is int for x in function):
            return "a function has six whole numbers: for a loss, a draw, a win, and three other positions"
    legal = sum(not _faults(given, function) for function in functions)
    return None if legal == 1 else f"{legal} of the functions are legal"


def _draw_legal(draw: Draw) -> Mapping[str, Any]:
    """Draw one valid function, and three that fail in terminal or nonterminal positions, or in both."""
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


def _terminal_utilities(case: Case, language: Language) -> str:
    loss, draw, win = map(language.number, case.given["utilities"])
    return language.say(TERMINAL_UTILITIES, loss=loss, draw=draw, win=win)


def _functions_table(case: Case, language: Language) -> GivenTable:
    """Return what the functions return: a row for each position, a column for each function."""
    positions = [language.term(position) for position in TERMINAL_POSITIONS]
    positions += [language.term(NONTERMINAL_POSITION, number=number) for number in (1, 2, 3)]
    columns = [GivenColumn(language.term(POSITION), tuple(positions))]
    for number, function in enumerate(case.given["functions"], 1):
        returned = tuple(map(language.number, function))
        sentence = language.say(
            FUNCTION_VALUES,
            number=number,
            loss=returned[0],
            draw=returned[1],
            win=returned[2],
            others=language.join_and(returned[3:]),
        )
        columns.append(GivenColumn(language.term(FUNCTION_COLUMN, number=number), returned, (sentence,)))
    return GivenTable(language.say(FUNCTIONS_TABLE), tuple(columns))


def _legal(given: Given) -> Number:
    """Return the number of the valid function (Russell and Norvig, section 5.3)."""
    wrongs = [_faults(given, function) for function in given["functions"]]
    return wrongs.index([]) + 1


def _independent_legal(given: Given) -> Number:
    """Return the function with correct utilities whose other numbers, when sorted, are between them."""
    loss, _, win = utilities = given["utilities"]
    fits = [
        function[:3] == utilities and sorted([loss, win, *function[3:]])[:: len(function) - 2] == [loss, win]
        for function in given["functions"]
    ]
    return fits.index(True) + 1


def _overlooking(overlooked: IllegalEvaluation, given: Given) -> Number | None:
    """Return the first function whose only fault is the one that is overlooked, or None."""
    for number, function in enumerate(given["functions"], 1):
        if {wrong for _, wrong in _faults(given, function)} == {overlooked}:
            return number
    return None


def _legal_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Say why each invalid function is invalid, and which one is valid."""
    verdicts, language = [], solved.language
    for number, function in enumerate(solved.given["functions"], 1):
        wrongs = _faults(solved.given, function)
        if not wrongs:
            verdicts.append(language.say(WHY_VALID, number=number))
            continue
        place, wrong = wrongs[0]
        fields = {"number": number, "value": language.number(function[place])}
        if wrong is IllegalEvaluation.NOT_UTILITY:
            fields["utility"] = language.number(solved.given["utilities"][place])
        verdicts.append(language.say(WHY_INVALID[wrong], **fields))
    return tuple(verdicts)


LEGAL = treeless_question(
    "legal",
    "Which function is a valid evaluation function?",
    _legal_objection,
    asks(
        QUESTION_LEGAL,
        _terminal_utilities,
        EVALUATION_DEFINITION,
        lambda case, language: _functions_table(case, language).sentences,
        table=_functions_table,
    ),
    (_legal, _independent_legal),
    {
        "beyond-win": partial(_overlooking, IllegalEvaluation.BEYOND),
        "end-misvalued": partial(_overlooking, IllegalEvaluation.NOT_UTILITY),
    },
    _legal_steps,
    _draw_legal,
    form=FUNCTION,
    given_names=("functions", "utilities"),
)
