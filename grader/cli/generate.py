"""`gametree generate`: exercises with their answer keys, grown from a recipe or made from a given tree."""

import json as jsonlib
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from grader.cli.shared.exercises import KindName, require_kind
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import RuleOptions
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import option
from grader.cli.shared.progress_bar import iterate_with_bar, open_ended_bar
from grader.cli.shared.recipes import RULES, TERMS, RecipeOptions, takes_recipe
from grader.cli.shared.sources import read_tree_source
from grader.cli.shared.terminal import (
    format_count,
    note,
    printable,
    program,
    refuse,
    refusing_about,
    report,
    say,
    sentence,
)

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.exercises.exercise import Exercise
    from grader.generation.recipe import Recipe
    from grader.generation.selection import ExhaustedError
    from grader.questions.given import Given
    from grader.questions.kind import AnyKind

app = program()

MAX_EXERCISES = 100_000
"""The most exercises of one run."""

REPEATED_ANSWER_THRESHOLD = 4
"""So many exercises with one answer are no accident."""

MAX_SEED_LENGTH = 200
"""The most characters of a seed."""

Seed = Annotated[
    str | None, option("The same seed grows the same exercises; without one it is drawn.", metavar="S")
]


@app.command()
@takes_recipe
def generate(
    kind: KindName,
    options: RecipeOptions,
    number: Annotated[
        int, option("How many exercises.", "-n", "--number", metavar="N", min=1, max=MAX_EXERCISES)
    ] = 1,
    seed: Seed = None,
    language: LanguageCode = None,
    out: Annotated[
        Path | None, option("Write files into a directory.", "-o", "--output", metavar="DIR")
    ] = None,
    tree: Annotated[
        str | None, option("Ask about this tree: a file, -, or bank:NAME; nothing is grown.", metavar="FILE")
    ] = None,
    given: Annotated[
        str | None, option("What the question gives beside the tree, as a JSON object.", metavar="JSON")
    ] = None,
    force: Annotated[bool, option("Replace exercises of this kind that are in DIR already.")] = False,
) -> None:
    """Grow exercises of one kind with their answer keys.

    Each separates the right answer from the known mistakes, is solved in two independent ways,
    and its key is marked before it is written.

    Examples:
      gametree generate pruned-paths -n 30 --seed midterm -o out/
      gametree generate node-values --plies 2 --branching 3 --payoffs 0,20 --seed 7
      gametree generate windows --tree bank:aima-fig-5-2 --ties keep

    With -o every exercise gives three files, named by number, kind and content:
      001-pruned-paths-1f0c9a2e.json         for the instructor, with the key
      001-pruned-paths-1f0c9a2e.public.json  for students, without it
      001-pruned-paths-1f0c9a2e.svg          the tree, if there is one
    Without -o the instructor's records are printed, one a line.
    """
    asked, spoken = require_kind(kind), require_language(language)
    if tree is not None or given is not None:
        if number != 1 or seed is not None:
            refuse("A given tree makes one exercise, and no seed is needed.", "Leave out -n and --seed.")
        exercises = iter((_about(asked, tree, given, options, spoken),))
    else:
        recipe = options.recipe_of(kind).in_language(spoken)
        exercises = grow_or_refuse(recipe, number, choose_seed(seed))
    if out is None:
        keys = []
        # A bar has no place among the records.
        for exercise in exercises if sys.stdout.isatty() else iterate_with_bar(exercises, number, "Growing"):
            say(jsonlib.dumps(exercise.to_json()))
            keys.append(exercise.key)
    else:
        finished = list(iterate_with_bar(exercises, number, "Growing"))
        _write(asked, out, finished, force=force)
        keys = [exercise.key for exercise in finished]
    _warn_of_one(keys)


def _warn_of_one(keys: list[str]) -> None:
    """Say so when a neighbour's answer is always the right one."""
    if len(keys) >= REPEATED_ANSWER_THRESHOLD and len(set(keys)) == 1:
        note(
            f"all {len(keys)} exercises have the same answer. "
            "A larger tree gives more; so do fewer demands, such as --set separate.key=none."
        )


def choose_seed(seed: str | None) -> str:
    """The seed as given, or a new one, which is told."""
    if seed is None:
        seed = secrets.token_hex(4)
        report(f"Seed: {seed} (--seed {seed} gives the same exercises again)")
    if len(seed) > MAX_SEED_LENGTH:
        refuse(f"The seed has more than {MAX_SEED_LENGTH} characters.")
    return seed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def grow_or_refuse(recipe: "Recipe", number: int, seed: str) -> "Iterator[Exercise]":
    """Exercises of a recipe, one by one as they are grown; refuses a recipe that yields too few."""
    from grader.generation.selection import ExhaustedError

    try:
        build_pool_with_progress(recipe)
    except ExhaustedError as error:
        refuse_exhausted(error, recipe, 0, number)
    return _one_by_one(recipe, number, seed)


def _one_by_one(recipe: "Recipe", number: int, seed: str) -> "Iterator[Exercise]":
    from grader.exercises.exercise import ExerciseError
    from grader.generation.candidate_pool import load_candidate_pool
    from grader.generation.grower import grow_many
    from grader.generation.selection import ExhaustedError

    done = 0
    try:
        for exercise in grow_many(recipe, seed, number):
            yield exercise
            done += 1
            if done == 1 and load_candidate_pool(recipe).slack:
                _note_what_pays(recipe, exercise)
    except ExhaustedError as error:
        refuse_exhausted(error, recipe, done, number)
    except ExerciseError as error:
        refuse(f"{recipe.kind} cannot be asked: {error}.")


def build_pool_with_progress(recipe: "Recipe") -> None:
    """Find the trees that exercises of a recipe come from, which may take long where none come with it."""
    from grader.generation.candidate_pool import load_candidate_pool
    from grader.generation.candidate_pool_file import shipped_pool

    if shipped_pool(recipe) is None:
        with open_ended_bar("Breeding", "candidates") as tell:
            load_candidate_pool(recipe, tell)


def _note_what_pays(recipe: "Recipe", exercise: "Exercise") -> None:
    """Say which mistakes earn more than the recipe wants, where no better trees were found."""
    from grader.answers.form import all_or_nothing
    from grader.generation.earnings import overpaid_beliefs

    most = recipe.separate.most
    in_parts = recipe.question_kind.form.share is not all_or_nothing
    wanted = f"{round(100 * most)} %" if most < 1 and in_parts else "less than the full mark"
    told = ", ".join(f"{name} {round(100 * share)} %" for name, share in overpaid_beliefs(recipe, exercise))
    note(f"too few trees were found on which every mistake earns {wanted} at most.")
    report(f"In the first exercise: {told or 'none earns more'}.")


def refuse_exhausted(error: "ExhaustedError", recipe: "Recipe", done: int, number: int) -> NoReturn:
    """Say what refused how many candidates, and refuse the recipe."""
    from grader.generation.remedies import find_remedy

    found = f"after {done} of {number} exercises no other" if done else "no exercise"
    report(str(error.report))
    message = f"The recipe demands too much: {found} was found among {error.report.candidates} candidates."
    changes = None
    if not done:
        with open_ended_bar("Trying changes", "candidates") as tell:
            changes = find_remedy(recipe, error.report, tell)
    if changes:
        told = " ".join(f"--set '{name}={jsonlib.dumps(value)}'" for name, value in changes.items())
        refuse(message, f"With {told} there are such trees: that was tried.")
    refuse(
        message,
        "The counts above say what refused how many. Relax a demand with --set, take a larger tree, "
        "or try longer with --set cap=1000000.",
    )


def _about(
    kind: "AnyKind", source: str | None, given: str | None, options: RecipeOptions, language: "Language"
) -> "Exercise":
    """The exercise about a given tree and what is given beside it; refuses what the kind does not suit."""
    from grader.exercises.exercise import ExerciseError
    from grader.generation.grower import exercise_on_tree
    from grader.questions.given import find_unknown_field
    from grader.trees.tree import EMPTY

    stray = options.other_options((*RULES, *TERMS))
    if stray:
        refuse(
            f"{', '.join(stray)}: that does not go with {'--given' if source is None else '--tree'}.",
            "A recipe is for trees that are grown; a given tree stays as it is.",
        )
    if source is None and kind.needs_tree:
        refuse(f"{kind.code} asks about a tree, and --given alone gives none.", "Give it with --tree.")
    tree = EMPTY if source is None else read_tree_source(source)
    rules = RuleOptions(**{name: getattr(options, name) for name in RULES}).override_rules(tree)
    given_beside = _object(given)
    strange = find_unknown_field(given_beside, kind.given_names)
    if strange is not None:
        name, message, hint = strange
        refuse(f"--given {name}: {message}.", sentence(hint))
    terms = replace(options, recipe=None, **dict.fromkeys(RULES)).recipe_of(kind.code).question
    terms = terms.in_language(language)
    with refusing_about(f"{kind.code} cannot be asked of this tree", ExerciseError):
        return exercise_on_tree(tree, kind, rules, terms, given_beside)


def _object(text: str | None) -> "Given":
    """What is given beside a tree; refuses what is no JSON object."""
    from grader.questions.given import Given

    given, why = None, "this is no JSON object"
    with suppress(ValueError, RecursionError):
        content = jsonlib.loads("{}" if text is None else text)
        jsonlib.dumps(content, ensure_ascii=False).encode()  # half a character is JSON, but no file holds it
        if isinstance(content, dict):
            why = "a number in it is too large, or none"
            given = Given(content)
    if given is None:
        refuse(f"--given {printable(text or '', 200)}: {why}.", """Write --given '{"name": 1}'.""")
    return given


def _write(kind: "AnyKind", folder: Path, exercises: "list[Exercise]", *, force: bool) -> None:
    """Write all exercises, or none when there are other exercises of the kind with their numbers."""
    from grader.pictures.label_options import label_options
    from grader.pictures.svg import svg
    from grader.pictures.view import View

    files: dict[str, bytes] = {}
    digits = max(3, len(str(len(exercises))))
    for number, exercise in enumerate(exercises, 1):
        public = exercise.public
        stem = f"{number:0{digits}d}-{public.id}"
        files[f"{stem}.json"] = _file(exercise.to_json())
        files[f"{stem}.public.json"] = _file(public.to_json())
        if not len(public.tree):
            continue
        picture = svg(
            public.tree,
            view=View.question(public.tree, public.terms.language),
            identity=public.id,
            **label_options(public),
        )
        files[f"{stem}.svg"] = picture.encode()
    older = _older(kind, folder, len(exercises)) - set(files)
    write_folder(folder, files, older, force=force)
    last = "the last is " if len(exercises) > 1 else ""
    report(f"Wrote {format_count(len(exercises), 'exercise')} into {folder}: {last}{stem}.json")


def _older(kind: "AnyKind", folder: Path, count: int) -> set[str]:
    """The files of earlier runs that have the kind and one of the numbers of this run."""
    name = re.compile(rf"(\d{{3,6}})-{re.escape(kind.code)}-[0-9a-f]{{8}}(\.public)?\.(json|svg)")
    try:
        entries = [entry.name for entry in folder.iterdir()]
    except OSError:
        return set()
    return {entry for entry in entries if (match := name.fullmatch(entry)) and 0 < int(match[1]) <= count}


def _file(record: object) -> bytes:
    return (jsonlib.dumps(record, ensure_ascii=False, indent=2) + "\n").encode()
