"""The pages of verdicts: each program with the smallest tree on which it differs, searched in both ways."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.base.templating import html_environment, raw_template
from grader.pictures.svg import svg
from grader.pictures.view import CrossMark, View
from grader.programs.checking import file_name
from grader.programs.mistake_sentences import MISTAKES
from grader.programs.records import program_points, rubric
from grader.programs.sentences import (
    comparison_sentences,
    counterexample_title,
    note_sentences,
    sentence_of,
    solve_counterexample,
)
from grader.programs.verdict import PARTS, Comparison, Verdict
from grader.solvers.solution import Solution
from grader.trees.notation.writing import write_tree

_RULINGS: Mapping[str, Phrase] = {
    "right": Phrase("Correct"),
    "wrong": Phrase("Incorrect"),
    "unfinished": Phrase("No verdict"),
}

NO_POINTS_YET = Phrase(
    "There are no points for this program yet; your instructor decides. "
    "Correct it, run it on a small tree of your own, and ask whether you may hand it in again."
)


def verdict_page(
    verdicts: Sequence[Verdict], full: Number, language: Language = ENGLISH, title: str = ""
) -> str:
    """Return a page in HTML that needs nothing else, with a section for each program."""
    return _render(
        title, language, programs=[_section(verdict, full, language) for verdict in verdicts], rows=[]
    )


def class_pages(verdicts: Sequence[Verdict], full: Number, language: Language = ENGLISH) -> dict[str, bytes]:
    """Return the pages of a class by their paths: one for each student, and the teacher's overview of all."""
    from grader.programs.submissions import (  # a page in the browser does without tables
        hand_in_of,
        student_of,
    )

    groups: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups[hand_in_of(verdict.name)].append(verdict)
    pages, rows = dict[str, bytes](), list[dict[str, Any]]()
    for hand_in, programs in groups.items():
        stem = file_name(hand_in).removesuffix(".py")
        path = f"students/{stem}.html"
        if path in pages:  # two names that are the same as names of files
            path = f"students/{stem}-{len(pages)}.html"
        student = student_of(programs[0].name)
        pages[path] = verdict_page(programs, full, language, student).encode()
        rows += [{"student": student, "page": path, **_section(each, full, language)} for each in programs]
    pages["overview.html"] = _render("", language, programs=[], rows=rows).encode()
    return pages


def _render(title: str, language: Language, **content: object) -> str:
    """Return a page with its style; without a title, it has the usual one."""
    return (
        html_environment()
        .get_template("programs/page.html.j2")
        .render(
            language=language.code,
            title=title or language.say("Search programs"),
            style=raw_template("programs/page.css"),
            **content,
        )
    )


def _section(verdict: Verdict, full: Number, language: Language) -> dict[str, Any]:
    """Return the section about one program; without a counterexample its tree and difference are empty."""
    points = program_points(verdict, full)
    notes = list(note_sentences(verdict, language))
    if verdict.ruling == "unfinished":
        notes.append(language.say(NO_POINTS_YET))
    section: dict[str, Any] = {
        "name": verdict.name,
        "ruling": verdict.ruling,
        "verdict": language.term(_RULINGS[verdict.ruling]),
        "mistakes": paragraph(*(language.say(MISTAKES[name].symptom) for name in verdict.mistakes)),
        "points": "" if points is None else _points(points, full, language),
        "rubric": "" if points is None else _rubric(verdict, full, language),
        "sentence": sentence_of(verdict, language),
        "notes": notes,
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


def _rubric(verdict: Verdict, full: Number, language: Language) -> str:
    """Return the points of each part as a note in brackets."""
    parts = (
        language.with_label(language.term(PARTS[part]), _points(points, maximum, language))
        for part, points, maximum in rubric(verdict, full)
    )
    return language.with_note("", language.join_notes(parts))


def _points(points: Number, full: Number, language: Language) -> str:
    return language.term(
        "{points} of {maximum}", points=language.points(points), maximum=language.points(full)
    )


def counterexample_pictures(verdict: Verdict, language: Language = ENGLISH) -> tuple[tuple[str, str], ...]:
    """Return the search of the reference and that of the program, each as SVG with a caption.

    Empty if no tree shows a difference.
    """
    comparison = verdict.counterexample_comparison
    if comparison is None:
        return ()
    solution = solve_counterexample(verdict, comparison)
    reference = View.solution(solution, pruning=verdict.run.algorithm == "alpha-beta", language=language)
    program = _program_view(comparison, solution, language)
    return (
        (svg(solution.tree, view=reference, names="all"), language.say("The correct search.")),
        (svg(solution.tree, view=program, names="all"), paragraph(*_caption(program, language))),
    )


def _caption(program: View, language: Language) -> Iterator[str]:
    """Yield what the marks in the picture of a program's search mean."""
    yield language.say("The program.")
    if "extra" in program.cross_marks:
        yield language.say("✗ at a double line: the program leaves out leaves that must be visited.")
    if "missing" in program.cross_marks:
        yield language.say("✗ at a dotted double line: the program visits leaves that alpha-beta prunes.")


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
