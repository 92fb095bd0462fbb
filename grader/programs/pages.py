"""The page of verdicts: each program with the smallest tree on which it differs, searched in both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from grader.base.phrases import ENGLISH, Language, Phrase
from grader.base.templating import html_environment, raw_template
from grader.pictures.svg import svg
from grader.pictures.view import CrossMark, View
from grader.programs.sentences import (
    comparison_sentences,
    counterexample_title,
    note_sentences,
    sentence_of,
    solve_counterexample,
)
from grader.programs.verdict import Comparison, Verdict
from grader.solvers.solution import Solution
from grader.trees.notation.writing import write_tree

_RULINGS: Mapping[str, Phrase] = {
    "right": Phrase("Correct"),
    "wrong": Phrase("Incorrect"),
    "unfinished": Phrase("No verdict"),
}


def verdict_page(verdicts: Sequence[Verdict], language: Language = ENGLISH) -> str:
    """Return a page in HTML that needs nothing else, with a section for each program."""
    template = html_environment().get_template("programs/page.html.j2")
    return template.render(
        language=language.code,
        title=language.say("Search programs"),
        style=raw_template("programs/page.css"),
        programs=[_section(verdict, language) for verdict in verdicts],
    )


def _section(verdict: Verdict, language: Language) -> dict[str, Any]:
    section: dict[str, Any] = {
        "name": verdict.name,
        "ruling": verdict.ruling,
        "verdict": language.term(_RULINGS[verdict.ruling]),
        "sentence": sentence_of(verdict, language),
        "notes": list(note_sentences(verdict, language)),
        "tree": "",
        "smallest": counterexample_title(verdict, language),
        "pictures": [
            {"svg": Markup(picture), "caption": caption}
            for picture, caption in counterexample_pictures(verdict, language)
        ],
        "difference": [],
    }
    if verdict.counterexample is None:
        return section
    section["tree"] = write_tree(verdict.counterexample.whole)
    comparison = verdict.counterexample_comparison
    if comparison is not None:
        section["difference"] = list(comparison_sentences(verdict, comparison, language))
    return section


def counterexample_pictures(verdict: Verdict, language: Language = ENGLISH) -> tuple[tuple[str, str], ...]:
    """Return the search of the reference and that of the program, each as SVG with a caption."""
    comparison = verdict.counterexample_comparison
    if comparison is None:
        return ()
    solution = solve_counterexample(verdict, comparison)
    reference = View.solution(solution, pruning=verdict.run.algorithm == "alpha-beta", language=language)
    program = _program_view(comparison, solution, language)
    return (
        (svg(solution.tree, view=reference, names="all"), language.say("The reference")),
        (
            svg(solution.tree, view=program, names="all"),
            language.say("The program; incorrect crosses and missing ones are marked"),
        ),
    )


def _program_view(comparison: Comparison, solution: Solution, language: Language) -> View:
    """Return the view with the program's value and move, and a cross on everything that it did not visit."""
    tree, attempt, visits = solution.tree, comparison.attempt, set(comparison.attempt.visits)
    pruned = set(solution.pruned_paths or ()) if solution.search is not None else set[int]()
    skipped = {tree.paths[leaf] for leaf in tree.leaves if leaf not in visits}
    marks: list[CrossMark | None] = [None] * len(tree)
    groups: tuple[tuple[CrossMark, set[int]], ...] = (
        ("right", skipped & pruned),
        ("extra", skipped - pruned),
        ("missing", pruned - skipped),
    )
    for mark, paths in groups:
        for node in tree.covering(paths):
            marks[node] = mark
    crossed = tuple(mark in ("right", "extra") for mark in marks)
    return replace(
        View.question(tree.bare(), language),
        values=(attempt.value, *[None] * (len(tree) - 1)),
        chosen=tuple(node == attempt.move for node in range(len(tree))),
        pruned=crossed,
        cross_marks=tuple(marks),
    )
