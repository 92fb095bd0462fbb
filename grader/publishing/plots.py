"""Plots of a class report as SVG, by Matplotlib: the same bytes for the same numbers."""

import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from grader.base.phrases import ENGLISH, Language
from grader.grading.analysis import Analysis

Axes: TypeAlias = Any
"""What Matplotlib draws on."""

INK, QUIET, FILL, SECOND = "#1f1f1f", "#595959", "#3f6fa8", "#c98a2b"

BINS = 10
"""Bars in the picture of the totals."""

EDGE = {"edgecolor": INK, "linewidth": 0.6}
"""How bars are drawn."""

GROUPS = 26
"""The most variants in one picture."""


def available() -> bool:
    """Whether Matplotlib is there to make plots."""
    return find_spec("matplotlib") is not None


def binned(totals: Sequence[Fraction]) -> tuple[int, ...]:
    """How many totals lie in each tenth of the full mark; the full mark itself is in the last."""
    counts = [0] * BINS
    for total in totals:
        counts[min(BINS - 1, int(total * BINS))] += 1
    return tuple(counts)


def distribution(analysis: Analysis) -> bytes:
    """How many students have which share of the points."""

    def draw(axes: Axes) -> None:
        counts = binned(analysis.totals)
        bars = axes.bar(range(BINS), counts, width=0.92, align="edge", color=FILL, **EDGE)
        axes.bar_label(bars, [str(count) if count else "" for count in counts], color=INK, fontsize=9)
        axes.set_xticks(range(BINS + 1), [f"{10 * step}%" for step in range(BINS + 1)])
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.set_xlabel(analysis.language.term("share of all points"))
        axes.set_ylabel(analysis.language.term("students"))

    return _svg(draw, 6.6, 3.0)


def difficulty(analysis: Analysis) -> bytes:
    """For every part the mean share of its points, and how well it goes with the rest of the exam."""
    parts = [part for part in analysis.parts if part.difficulty is not None]

    def draw(axes: Axes) -> None:
        places = range(len(parts))
        means = [float(part.difficulty or 0) for part in parts]
        others = [part.discrimination or 0.0 for part in parts]
        axes.bar([place - 0.2 for place in places], means, 0.38, color=FILL, **EDGE,
                 label=analysis.language.term("mean share of the points"))  # fmt: skip
        axes.bar([place + 0.2 for place in places], others, 0.38, color=SECOND, **EDGE,
                 hatch="///", label=analysis.language.term("discrimination"))  # fmt: skip
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xticks(places, [part.part.name for part in parts])
        axes.set_ylim(min(0.0, *others) - 0.05 if others else 0, 1.05)
        axes.yaxis.set_major_formatter(lambda value, _place: _spelled(value, analysis.language))
        axes.set_xlabel(analysis.language.term("question"))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncol=2, frameon=False, fontsize=9)

    return _svg(draw, max(4.0, min(12.0, 1.6 + 0.7 * len(parts))), 3.2)


def variants(analysis: Analysis) -> bytes | None:
    """The mean total of every variant; None when every student had a variant of his or her own."""
    groups = analysis.comparisons[0].groups if analysis.comparisons else ()
    if not 2 <= len(groups) <= GROUPS or max(count for _, count, _ in groups) < 2:
        return None

    def draw(axes: Axes) -> None:
        means = [float(mean) for _, _, mean in groups]
        bars = axes.bar(range(len(groups)), means, 0.7, color=FILL, **EDGE)
        labels = [f"{ENGLISH.points(100 * mean, 0)}%\nn = {count}" for _, count, mean in groups]
        axes.bar_label(bars, labels, color=INK, fontsize=8)
        axes.set_xticks(range(len(groups)), [code for code, _, _ in groups])
        axes.set_yticks([step / 5 for step in range(6)], [f"{20 * step}%" for step in range(6)])
        axes.set_ylim(0, 1.2)
        axes.set_xlabel(analysis.language.term("variant"))
        axes.set_ylabel(analysis.language.term("mean share of all points"))

    return _svg(draw, max(3.4, min(11.0, 1.6 + 0.5 * len(groups))), 3.0)


def _spelled(value: float, language: Language) -> str:
    """A number on an axis as the report writes its numbers."""
    return language.reply(f"{round(value, 2) + 0.0:g}").replace("-", "−")


def _svg(draw: Callable[[Axes], None], width: float, height: float) -> bytes:
    """A figure without anything that depends on the machine: letters are drawn, ids are hashes of content."""
    library = import_module("matplotlib")
    canvas, figures = import_module("matplotlib.backends.backend_svg"), import_module("matplotlib.figure")
    settings: dict[str, Any] = {
        "svg.hashsalt": "gametree",
        "svg.fonttype": "path",
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "axes.edgecolor": QUIET,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "hatch.linewidth": 0.6,
    }
    with library.rc_context():
        library.rcdefaults()
        library.rcParams.update(settings)
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        file = io.BytesIO()
        canvas.FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None, "Creator": None})
    return file.getvalue()
