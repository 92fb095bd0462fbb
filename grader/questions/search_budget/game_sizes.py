"""How large is a game?"""

from collections.abc import Mapping
from math import comb, factorial, perm, prod
from typing import Any

from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.number_questions import (
    Answer,
    number_of,
    treeless_question,
    whole_number_objection,
)
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import asks
from grader.solvers.budget import scientific
from grader.solvers.budget_by_logarithms import exponent_in_digits, natural_exponent

# What students read -------------------------------------------------------------------------------

QUESTIONS: Mapping[str, Phrase] = {
    "positions": Phrase("What is the maximum number of positions?"),
    "sequences": Phrase("What is the maximum number of sequences of moves if all squares are filled?"),
}
QUESTIONS_AFTER_MOVES: Mapping[str, tuple[Phrase, Phrase]] = {
    "positions": plural_phrase(
        "How many different positions are there after {count} move from the empty board, with X first, if "
        "no game ends earlier?",
        "How many different positions are there after {count} moves from the empty board, with X first, if "
        "no game ends earlier?",
    ),
    "sequences": plural_phrase(
        "How many sequences of {count} move are there from the empty board, if no game ends earlier?",
        "How many sequences of {count} moves are there from the empty board, if no game ends earlier?",
    ),
}
"""The questions for a given number of moves."""

EVERY_FILLING_COUNTS = Phrase(
    "Count every way to fill the squares, including those that cannot occur in a game."
)
BOARD = plural_phrase(
    "The board of a game has {count} square.",
    "The board of a game has {count} squares.",
)
MARKS = Phrase("Players X and O take turns placing marks on empty squares; X moves first. Marks never move.")
SQUARE_STATES = Phrase("So each square is empty, contains an X, or contains an O.")
STATES_MULTIPLIED = Phrase("Every square is in one of 3 states: 3^{squares} = {number}.")
MOVES_TO_THE_END = Phrase("With each move, there is one fewer square to choose from: {squares}! = {number}.")
MOVES_MADE = Phrase("With each move, there is one fewer square to choose from: {product} = {number}.")
SQUARES_CHOSEN = plural_phrase(
    "The squares for X ({x} of them) can be chosen in {ways} ways, and then those for O ({o} of them) in "
    "{others} way: {ways} · {others} = {number}.",
    "The squares for X ({x} of them) can be chosen in {ways} ways, and then those for O ({o} of them) in "
    "{others} ways: {ways} · {others} = {number}.",
)
SIZE_QUESTION = Phrase("What is n if the number of leaves is written as m · 10^n with 1 ≤ m < 10?")
FACTORIAL_SIZE = Phrase("The game tree of a game has about {number}! leaves.")
POWER_SIZE = Phrase("A game has about {base} legal moves in every position and lasts about {power} plies.")
FACTORIAL_EXPONENT = Phrase("{factorial}! is about {mantissa} · 10^{exponent}, so n = {exponent}.")
POWER_EXPONENT = Phrase("{base}^{power} is about {mantissa} · 10^{exponent}, so n = {exponent}.")

# How many positions are there? -------------------------------------------------------------------


def _board_objection(given: Given) -> str | None:
    """Return why no number of squares, valid number of moves, or quantity to count is given, or None."""
    reason = whole_number_objection(given, {"squares": 400})
    if reason is None and "moves" in given:
        reason = whole_number_objection(given, {"moves": given["squares"]})
    return reason or (None if given.text("counted") in QUESTIONS else "what is counted is not given")


def _ask_states(case: Case, language: Language) -> str:
    quantity = case.given["counted"]
    if "moves" in case.given:
        return language.say(*QUESTIONS_AFTER_MOVES[quantity], case.given["moves"])
    return language.say(QUESTIONS[quantity])


def _board(case: Case, language: Language) -> str:
    return language.say(*BOARD, case.given["squares"])


def _every_filling_counts(case: Case, language: Language) -> str:
    """Demand that all positions of a full board are counted, if the question is about these."""
    is_whole = case.given["counted"] == "positions" and "moves" not in case.given
    return language.say(EVERY_FILLING_COUNTS) if is_whole else ""


def _signs(given: Given) -> tuple[int, int]:
    """Return the numbers of X and of O on the board after the given moves."""
    moves: int = given["moves"]
    return moves - moves // 2, moves // 2


def _states(given: Given) -> Number:
    """Return the number of sequences of moves, or of positions: all of them, or those after some moves."""
    squares: int = given["squares"]
    if given["counted"] == "sequences":
        return perm(squares, _move_count(given))
    if "moves" not in given:
        filled: int = 3**squares
        return filled
    x, o = _signs(given)
    return comb(squares, x) * comb(squares - x, o)


def _states_again(given: Given) -> Number:
    """Square by square, or move by move."""
    squares: int = given["squares"]
    if given["counted"] == "positions" and "moves" not in given:
        return prod([3] * squares)
    found = prod(range(squares, squares - given.get("moves", squares), -1))
    if given["counted"] == "positions":
        x, o = _signs(given)
        found //= factorial(x) * factorial(o)
    return found


def _states_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Say the product that counts the sequences or the positions: one sentence."""
    given, say, number = solved.given, solved.language.say, solved.value_text(solved.key.value)
    squares, quantity = given["squares"], given["counted"]
    if "moves" not in given:
        formula = {
            "positions": STATES_MULTIPLIED,
            "sequences": MOVES_TO_THE_END,
        }[quantity]
        return (say(formula, squares=squares, number=number),)
    left = [str(squares - move) for move in range(given["moves"])]
    if quantity == "sequences":
        return (say(MOVES_MADE, product=" · ".join(left), number=number),)
    x, o = _signs(given)
    return (
        say(
            *SQUARES_CHOSEN,
            comb(squares - x, o),
            x=x,
            o=o,
            ways=solved.value_text(comb(squares, x)),
            others=solved.value_text(comb(squares - x, o)),
            number=number,
        ),
    )


def _if_counted(quantity: str, answer: Answer) -> Answer:
    """Restrict a mistake to questions about this quantity."""
    return lambda given: answer(given) if given["counted"] == quantity else None


def _draw_board(draw: Draw) -> Mapping[str, Any]:
    """Draw a number of moves, in a quarter of the questions a whole board; positions or sequences alike."""
    quantity = draw.choose(tuple(QUESTIONS))
    if draw.below(4) == 0:
        return {"squares": draw.between(4, 24 if quantity == "positions" else 16), "counted": quantity}
    return {"squares": draw.between(6, 36), "moves": draw.between(3, 5), "counted": quantity}


def _move_count(given: Given) -> int:
    """Return the number of moves; by default all squares are filled."""
    return int(given.get("moves", given["squares"]))


STATES = treeless_question(
    "states",
    "What is the maximum number of positions, or of sequences of moves, in a game?",
    _board_objection,
    asks(_ask_states, _board, MARKS, SQUARE_STATES, demands=(_every_filling_counts,)),
    (_states, _states_again),
    {
        "sequences-for-positions": _if_counted(
            "positions", lambda given: perm(given["squares"], _move_count(given))
        ),
        "squares-to-the-signs": _if_counted(
            "positions", lambda given: None if "moves" in given else given["squares"] ** 3
        ),
        "positions-for-sequences": _if_counted(
            "sequences", lambda given: _states(Given({**given, "counted": "positions"}))
        ),
        "squares-used-again": _if_counted("sequences", lambda given: given["squares"] ** _move_count(given)),
    },
    _states_steps,
    _draw_board,
    form=number_of("position sequence", Phrase("positions or sequences")),
    given_names=("counted", "moves", "squares"),
)

# How large is a number? --------------------------------------------------------------------------


def _number_objection(given: Given) -> str | None:
    if "factorial" in given:
        return whole_number_objection(given, {"factorial": 1000}, minimum=2)
    return whole_number_objection(given, {"base": 1000, "power": 1000}, minimum=2)


def _large(given: Given) -> int:
    """The number itself."""
    number: int = factorial(given["factorial"]) if "factorial" in given else given["base"] ** given["power"]
    return number


def _size_sentence(case: Case, language: Language) -> str:
    if "factorial" in case.given:
        return language.say(FACTORIAL_SIZE, number=case.given["factorial"])
    return language.say(POWER_SIZE, **case.given)


def _size_steps(solved: SolvedExercise) -> tuple[str, ...]:
    given = solved.given
    mantissa, exponent = scientific(_large(given), 2)
    formula = FACTORIAL_EXPONENT if "factorial" in given else POWER_EXPONENT
    return (solved.language.say(formula, mantissa=solved.value_text(mantissa), exponent=exponent, **given),)


EXPONENT_RANGE = (60, 150)
"""The least and the greatest exponent of a number that is drawn."""


def _draw_size(draw: Draw) -> Mapping[str, Any]:
    """Powers and factorials of like lengths: none is a matter of seconds, and none of hours."""
    low, high = EXPONENT_RANGE
    while True:
        if draw.below(3):
            given = {"base": draw.between(6, 60), "power": draw.between(40, 120)}
        else:
            given = {"factorial": draw.between(50, 95)}
        if low <= exponent_in_digits(_large(Given(given))) <= high:
            return given


SIZE = treeless_question(
    "size",
    "How large is a game tree, as a power of ten?",
    _number_objection,
    asks(
        SIZE_QUESTION,
        _size_sentence,
    ),
    (lambda given: scientific(_large(given), 30)[1], lambda given: exponent_in_digits(_large(given))),
    {
        "digits-for-exponent": lambda given: exponent_in_digits(_large(given)) + 1,
        "exponent-itself": lambda given: given.get("factorial", given.get("power")),
        "natural-exponent": lambda given: natural_exponent(_large(given)),
        "power-for-factorial": lambda given: (
            exponent_in_digits(given["factorial"] ** given["factorial"]) if "factorial" in given else None
        ),
    },
    _size_steps,
    _draw_size,
    given_names=("base", "factorial", "power"),
)
