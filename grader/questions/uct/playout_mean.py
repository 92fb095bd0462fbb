"""Questions about the mean result of the playouts from a position."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from grader.answers.number import NUMBER
from grader.base.numbers import Number, normalize_number, read_number
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.number_questions import treeless_question
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import asks
from grader.solvers.explaining.node_wording import bracket_factor
from grader.solvers.uct_search import mean_of_playouts

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("According to these playouts, what is the position worth to MAX?")
PLAYOUTS = plural_phrase(
    "From a position, {count} game is played to the end with random moves.",
    "From a position, {count} games are played to the end with random moves.",
)
RESULTS = Phrase("MAX wins {won} of these playouts, {drawn} end in a draw, and MIN wins {lost}.")
WORTH = Phrase("For MAX, a win is worth {win}, a draw is worth {draw}, and a loss is worth {loss}.")

WHY_MEAN = Phrase("The mean is ({won}·{win} + {drawn}·{draw} + {lost}·{loss}) / {games} = {mean}.")

MAX_PLAYOUTS = 1000
"""The maximum number of playouts, which are counted one by one."""


def _playouts_objection(given: Given) -> str | None:
    """Return why the playouts cannot be asked about, or None.

    At least one and at most `MAX_PLAYOUTS` must be given, and what a loss is worth, as text: "0" or "-1".
    """
    numbers: list[Any] = [given.get(name) for name in ("won", "drawn", "lost")]
    if any(type(number) is not int or number < 0 for number in numbers) or not any(numbers):
        return "the numbers of won, drawn and lost playouts are not given"
    if sum(numbers) > MAX_PLAYOUTS:
        return f"these are more than {MAX_PLAYOUTS} playouts"
    return None if given.get("loss") in ("0", "-1") else "what a loss is worth, 0 or -1, is not given"


def _worths(given: Given) -> tuple[Number, Number, Number]:
    """Return the values of a win, a draw and a loss."""
    loss = read_number(given["loss"])
    return 1, normalize_number(Fraction(1 + loss) / 2), loss


def _playouts_sentence(case: Case, language: Language) -> str:
    return language.say(*PLAYOUTS, sum(case.given[name] for name in ("won", "drawn", "lost")))


def _worths_sentence(case: Case, language: Language) -> str:
    win, draw, loss = map(language.number, _worths(case.given))
    return language.say(WORTH, win=win, draw=draw, loss=loss)


def _mean(given: Given) -> Number:
    """Return the mean of all playouts."""
    results = [
        worth
        for name, worth in zip(("won", "drawn", "lost"), _worths(given), strict=True)
        for _ in range(given[name])
    ]
    return mean_of_playouts(results)


def _mean_again(given: Given) -> Number:
    wins, draws, losses = (Fraction(given[name]) for name in ("won", "drawn", "lost"))
    share = (wins + draws * Fraction(1, 2)) / (wins + draws + losses)
    return normalize_number(share if given["loss"] == "0" else 2 * share - 1)


def _mean_believed(name: str, given: Given) -> Number | None:
    """Return the mean that a student with a misconception computes; None where it does not apply."""
    wins, draws, losses = (Fraction(given[each]) for each in ("won", "drawn", "lost"))
    loss = Fraction(read_number(given["loss"]))
    games = wins + draws + losses
    match name:
        case "draws-left-out":
            found = (wins + losses * loss) / (wins + losses) if wins + losses else None
        case "draws-as-losses":
            found = (wins + (draws + losses) * loss) / games
        case "sum-for-mean":
            found = wins + draws * (1 + loss) * Fraction(1, 2) + losses * loss
        case _:
            found = wins / games if loss else None
    return None if found is None else normalize_number(found)


def _mean_steps(solved: SolvedExercise) -> tuple[str, ...]:
    given, language = solved.given, solved.language
    win, draw, loss = map(language.number, _worths(given))
    return (
        language.say(
            WHY_MEAN,
            won=given["won"],
            drawn=given["drawn"],
            lost=given["lost"],
            win=win,
            draw=draw,
            loss=bracket_factor(loss),
            games=sum(given[name] for name in ("won", "drawn", "lost")),
            mean=solved.value_text(solved.key.value),
        ),
    )


def _draw_playouts(draw: Draw) -> Mapping[str, Any]:
    games = draw.choose((10, 16, 20, 25, 40, 50))
    wins = draw.between(1, games - 2)
    draws = draw.between(1, games - wins - 1)
    return {"won": wins, "drawn": draws, "lost": games - wins - draws, "loss": draw.choose(("0", "-1"))}


MEAN = treeless_question(
    "mean",
    "What is a position worth according to its playouts?",
    _playouts_objection,
    asks(QUESTION, _playouts_sentence, RESULTS, _worths_sentence),
    (_mean, _mean_again),
    {
        name: partial(_mean_believed, name)
        for name in ("draws-left-out", "draws-as-losses", "sum-for-mean", "wins-alone")
    },
    _mean_steps,
    _draw_playouts,
    form=replace(NUMBER, from_drawing=None),
    given_names=("drawn", "loss", "lost", "won"),
)
