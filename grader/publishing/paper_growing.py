"""Grow the questions of an exam into its journal, several in parallel."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from grader.exam.assignment import PaperOwner
from grader.exam.blueprint import Blueprint, QuestionPlan
from grader.exam.composition import compose, compose_for, sharing_warning
from grader.exam.folders import BUILD_FOLDER
from grader.exam.manifest import write_question, write_variant
from grader.publishing.exam_folder import open_exam_file
from grader.publishing.parallel import OnStageProgress, ParallelMap, report_stage
from grader.trees.tree import Tree

Papers = int | Sequence[PaperOwner]
"""The papers to grow: how many forms, or whose papers."""


def grow_questions(
    blueprint: Blueprint, folder: Path, papers: Papers, run: ParallelMap, progress: OnStageProgress
) -> list[str]:
    """Grow every question of these papers into the journal, except those that an earlier build has finished.

    Return what the author of the blueprint has to know about them.
    """
    work = partial(_grow, blueprint.secret, papers, folder)
    composed = run(work, enumerate(blueprint.questions))
    steps = report_stage(progress, "growing questions", len(blueprint.questions), zip(composed, strict=True))
    return [note for (note,) in steps if note]


def variant_lines(folder: Path, codes: Iterable[str], questions: int) -> Iterator[str]:
    """Read every variant from the journal, as the line that `write_variant` makes."""
    with ExitStack() as stack:
        columns = [
            stack.enter_context((folder / _variants_path(number)).open(encoding="utf-8", newline="\n"))
            for number in range(questions)
        ]
        for code, *row in zip(codes, *columns, strict=True):
            yield write_variant(code, (line.removesuffix("\n") for line in row))


def _grow(secret: str, papers: Papers, folder: Path, question: tuple[int, QuestionPlan]) -> str:
    """Write one question of all papers into the journal, one per line, unless all are there.

    Return what its author has to know about it; empty for nothing.
    """
    number, plan = question
    journal, count = folder / _variants_path(number), papers if isinstance(papers, int) else len(papers)
    if not journal.is_file() or len(journal.read_bytes().splitlines()) != count:
        _write_variants(secret, papers, folder, question)
    if isinstance(plan.source, Tree):
        return ""
    return sharing_warning(number, Counter(journal.read_bytes().splitlines()).values())


def _write_variants(secret: str, papers: Papers, folder: Path, question: tuple[int, QuestionPlan]) -> None:
    number, plan = question
    if isinstance(papers, int):
        composed = compose(plan, number, secret, papers)
    else:
        composed = (compose_for(plan, number, secret, owner) for owner in papers)
    with open_exam_file(folder, _variants_path(number)) as file:
        for each in composed:
            file.write(f"{write_question(each)}\n".encode())


def _variants_path(number: int) -> str:
    """Return the path of a question in the journal."""
    return f"{BUILD_FOLDER}/question-{number + 1}"
