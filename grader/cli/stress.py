"""`gametree stress`: how good the exercises of a recipe are."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base.numbers import Number, format_count, write_number
from grader.cli.generate import refuse_exhausted, survey_with_progress
from grader.cli.shared.exercises import KindName, minutes_text, require_kind
from grader.cli.shared.options import Json, takes
from grader.cli.shared.parameters import option
from grader.cli.shared.progress_bar import count_bar
from grader.cli.shared.recipes import RecipeOptions
from grader.cli.shared.statistics_files import StatisticsFile, open_statistics
from grader.cli.shared.terminal import CommandApp, paint, say, say_json
from grader.cli.shared.text_layout import wrap_text

if TYPE_CHECKING:
    from grader.exam.answer_statistics import QuestionType
    from grader.generation.earnings import ShareSummary
    from grader.generation.recipe import Recipe
    from grader.generation.recipe_stress import Evenness, StressResult

app = CommandApp()

UNEVEN_P_VALUE = 0.01
"""Counts with a smaller p-value are called uneven."""


@app.command()
@takes(RecipeOptions)
def stress(
    kind: KindName,
    options: RecipeOptions,
    seeds: Annotated[
        int, option("The number of seeds to grow from: 0, 1, 2, ...", metavar="N", min=1, max=100_000)
    ] = 100,
    statistics: StatisticsFile = None,
    json: Json = False,
) -> None:
    """Report the quality of the exercises of a recipe.

    One exercise is grown from each of many seeds. The report tells how many candidates were rejected
    and why, whether every known mistake leads to a different answer, what guesses earn, how the answers
    are distributed, and how long it takes.

    Examples:
      gametree stress best-move --seeds 20
      gametree stress visited-count --seeds 30 --json
      gametree stress windows --recipe mine.toml

    Exit code 1 when an exercise does not tell a known mistake from the right answer,
    or when a reply that takes no thought earns the full mark.
    """
    from grader.generation.recipe_stress import stress_recipe
    from grader.generation.selection import ExhaustedError

    require_kind(kind)
    recipe = options.recipe_of(kind)
    frequencies = (
        None if statistics is None else open_statistics(statistics).shares((_question_type(recipe),))
    )
    try:
        survey_with_progress(recipe)
        with count_bar("Growing", 2 * seeds) as tell:
            result = stress_recipe(recipe, seeds, tell=tell, frequencies=frequencies)
    except ExhaustedError as error:
        refuse_exhausted(error, recipe, 0, seeds)
    if json:
        say_json({"schema": 1, **result.to_json()})
    else:
        for line in _report_lines(result, recipe):
            say(line)
    is_good = result.separated == 1 and all(highest < 1 for _, highest in result.thoughtless)
    raise typer.Exit(0 if is_good else 1)


def _question_type(recipe: "Recipe") -> "QuestionType":
    """Return the type that statistics count the exercises of a recipe under."""
    from grader.exam.answer_statistics import QuestionType, number_range

    shape = recipe.shape
    leaves = number_range({shape.min_leaves(), shape.max_leaves()})
    return QuestionType(recipe.kind, recipe.kind, str(shape.plies), leaves)


def _report_lines(result: "StressResult", recipe: "Recipe") -> list[str]:
    """Return the report as lines: candidates, time, separation of mistakes, thoughtless replies, answers."""
    report, separated = result.report, result.separated
    refused = sorted(report.refused.items(), key=lambda entry: (-entry[1], entry[0]))
    unseen = report.candidates - report.exercises - sum(count for _, count in refused)
    lines = [
        f"{report.kind}: {format_count(report.exercises, 'exercise')} "
        f"from {format_count(result.seeds, 'seed')}",
        "",
        f"{format_count(report.candidates, 'candidate')}, {_share(result.acceptance)} accepted; refused:",
        *(f"  {count:>8}  {reason}" for reason, count in refused if count),
        *([f"  {unseen:>8}  not looked at: a good one came before"] if unseen else ()),
        f"{1000 * result.seconds[0]:.1f} ms an exercise (median), {1000 * result.seconds[1]:.0f} ms at most",
        f"A student takes {minutes_text(result.student_seconds)} for one.",
        "",
        f"{paint(_share(separated), 'green' if separated == 1 else 'red')} of the exercises tell "
        "every mistake from the correct answer. Each mistake separately: of the exercises",
        "where it leads to an answer, and of all (in the others it gives the correct answer, or none):",
    ]
    moot, separation = dict(result.moot), dict(result.beliefs)
    for name, overall in result.overall_separation:
        share = "-" if name in moot or name not in separation else _share(separation[name])
        reason = f" ({moot[name]})" if name in moot else ""
        lines.append(f"  {share:>8}{_share(overall):>8}  {name}{reason}")
    if result.thoughtless:
        lines += ["", "The most that thoughtless replies earned in any exercise:"]
        for name, highest in result.thoughtless:
            worth = f"{_share(highest):>8}"
            lines.append(f"  {worth if highest < 1 else paint(worth, 'red')}  {name}")
    lines += _earnings(result, recipe)
    count, commonest = result.answers
    lines += ["", f"{format_count(count, 'different answer')}; the commonest has {_share(commonest)}"]
    if result.best_moves is not None:
        lines += wrap_text(f"Best moves from the left: {_format_evenness(result.best_moves)}")
    if result.pruned:
        shares = "  ".join(f"{path}: {_share(share)}" for path, share in enumerate(result.pruned, 1))
        lines += ["How often each leaf is pruned:", *wrap_text(shares, "  ")]
    if result.best_bet is not None:
        lines += wrap_text(
            "The best fixed reply, all leaves that are pruned more often than not, earns "
            f"{_share(result.best_bet)} on average."
        )
    return lines


def _earnings(result: "StressResult", recipe: "Recipe") -> list[str]:
    """List what mistakes and guesses earn in a run; red is more than the recipe lets a mistake earn."""
    earnings = result.earnings

    def share(part: Fraction, limit: Number) -> str:
        text = f"{_share(part):>8}"
        return paint(text, "red") if part > limit else text

    def row(name: str, shares: "ShareSummary") -> str:
        average, maximum = share(shares.average, recipe.max_average), share(shares.maximum, recipe.max_share)
        return f"  {average}{maximum}  {name}"

    def mistake_row(name: str, shares: "ShareSummary") -> str:
        spread = _share(shares.spread)
        if shares.spread > recipe.separate.spread:
            spread = paint(spread, "red")
        return f"{row(name, shares)}, {spread} between variants"

    moot = dict(result.moot)
    lines = [
        "",
        f"In a run of {format_count(result.seeds, 'variant')} replies earn, on average and at most:",
        *(mistake_row(name, shares) for name, shares in earnings.mistakes if name not in moot),
        *(row(f"{name}, without thought", shares) for name, shares in earnings.guesses),
        row("one text under every variant", earnings.fixed_text),
    ]
    if earnings.guess is not None:
        lines.append(f"  {_share(earnings.guess):>8}  is what one of the possible answers earns")
    lines.append(row("the key of a neighbour", earnings.neighbour))
    mean_spread = share(earnings.mixture.spread, recipe.separate.mean_spread)
    lines.append(f"  {mean_spread}  is how far variants differ in what all mistakes earn on average")
    lines.append(f"  {_share(earnings.same_key_pairs):>8}  of the pairs of variants have the same key")
    lines.append(f"  {_share(earnings.tempting_keys):>8}  of the variants give some other key three quarters")
    if recipe.question_kind.form.has_entries:
        similar = _share(earnings.similar_tables)
        lines.append(f"  {similar:>8}  of the pairs of tables share more than a third of their entries")
    if earnings.half_correlation is not None:
        lines += [
            f"  {earnings.half_correlation:>8.2f}  is how far two halves of a simulated class agree "
            "on which variants",
            f"  {'':>8}  are hard (rank correlation; near 0 all are equally hard)",
        ]
    return lines


def _format_evenness(evenness: "Evenness") -> str:
    """Return the counts and the chi-squared test for even counts, as a line."""
    counts = "  ".join(f"{name}: {count}" for name, count in evenness.counts)
    verdict = "even" if evenness.probability >= UNEVEN_P_VALUE else "uneven"
    return f"{counts}; chi-squared {evenness.statistic:.2f}, p = {evenness.probability:.3f} ({verdict})"


def _share(share: Fraction) -> str:
    """A share as a percentage with at most two decimals; only a share of 1 is shown as 100%."""
    percent = Fraction(round(share * 10_000), 100)
    if percent == 100 and share != 1:
        percent = Fraction(9999, 100)
    return f"{write_number(percent)}%"
