"""Grow the questions of an exam into its journal, several in parallel."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from grader.exam.assignment import PaperOwner, form_codes
from grader.exam.blueprint import Blueprint
from grader.exam.composition import compose, compose_for, shared_key_warnings, sharing_warning
from grader.exam.folders import BUILD_FOLDER
from grader.exam.manifest import read_paper, write_question, write_variant
from grader.exam.pools import draw_questions, pooled_numbers
from grader.generation.earnings import MAX_COMPARED_EXERCISES
from grader.publishing.exam_folder import journal_lines, read_journal, write_journal
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
    work = partial(_grow, blueprint, papers, folder)
    numbers = [draw_questions(blueprint, owner) for owner in paper_owners(papers)]
    composed = run(work, enumerate(zip(*numbers, strict=True)))
    steps = report_stage(progress, "growing questions", blueprint.length, zip(composed, strict=True))
    return [note for (notes,) in steps for note in notes]


def paper_owners(papers: Papers) -> Sequence[PaperOwner]:
    """Return whose the papers are; a form is its own owner."""
    if isinstance(papers, int):
        return [PaperOwner("form", code) for code in form_codes(papers)]
    return papers


def variant_lines(folder: Path, codes: Iterable[str], questions: int) -> Iterator[str]:
    """Read every variant from the journal, as the line that `write_variant` makes."""
    columns = [journal_lines(folder / _variants_path(number)) for number in range(questions)]
    for code, *row in zip(codes, *columns, strict=True):
        yield write_variant(code, (line.decode().removesuffix("\n") for line in row))


def _grow(blueprint: Blueprint, papers: Papers, folder: Path, place: tuple[int, Sequence[int]]) -> list[str]:
    """Write the questions in one place of all papers into the journal, one per line, unless all are there.

    `place` is the place, counted from 0, with the number in the blueprint of each paper's question there.
    Return what its author has to know about them.
    """
    label, numbers = place
    journal = folder / _variants_path(label)
    if len(read_journal(journal)) != len(numbers):
        _write_variants(blueprint, papers, folder, place)
    lines_by_number: dict[int, list[str]] = {}
    for line, number in zip(read_journal(journal), numbers, strict=True):
        if not isinstance(blueprint.questions[number].source, Tree):
            lines_by_number.setdefault(number, []).append(line.decode().removesuffix("\n"))
    notes = [sharing_warning(label, Counter(chain.from_iterable(lines_by_number.values())).values())]
    for lines in lines_by_number.values():  # the alternatives of a pool ask for different answers
        variants = [
            read_paper(write_variant("", (line,)), blueprint.heading).questions[0]
            for line in lines[:MAX_COMPARED_EXERCISES]
        ]
        notes += shared_key_warnings(variants, label)
    return [note for note in notes if note]


def _write_variants(
    blueprint: Blueprint, papers: Papers, folder: Path, place: tuple[int, Sequence[int]]
) -> None:
    """Compose a question for all papers, or for all forms, and write it line by line.

    `place` has the index of the question and, for each paper, the number of its plan.
    """
    label, numbers = place
    plans, secret, pooled = blueprint.questions, blueprint.secret, pooled_numbers(blueprint)
    if isinstance(papers, int):
        by_number = {each: list(compose(plans[each], each, secret, papers)) for each in set(numbers)}
        composed = (by_number[number][form] for form, number in enumerate(numbers))
    else:
        owned = zip(numbers, papers, strict=True)
        composed = (compose_for(plans[each], each, secret, owner) for each, owner in owned)
    questions = (
        replace(question, label=f"{label + 1}", plan=number if number in pooled else None)
        for number, question in zip(numbers, composed, strict=True)
    )
    lines = (f"{write_question(question)}\n".encode() for question in questions)
    write_journal(folder, _variants_path(label), lines)


def _variants_path(number: int) -> str:
    """Return the path of a question in the journal."""
    return f"{BUILD_FOLDER}/question-{number + 1}"
