"""`gametree generate`: exercises with their answer keys, grown from a recipe or made from a given tree."""

import json
import re
import secrets
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from grader.base.numbers import format_count
from grader.base.phrases import ENGLISH
from grader.cli.shared.exercises import KindName, minutes_text, require_kind
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import RuleOptions, takes
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import option
from grader.cli.shared.progress_bar import iterate_with_bar, open_ended_bar
from grader.cli.shared.recipes import RULES, TERMS, RecipeOptions
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import read_tree_source
from grader.cli.shared.terminal import CommandApp, note, printable, refuse, report, say, sentence
from grader.trees.tree import EMPTY

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.exercises.exercise import Exercise
    from grader.generation.recipe import Recipe
    from grader.generation.selection import ExhaustedError
    from grader.questions.given import Given
    from grader.questions.kind import AnyKind

app = CommandApp()

MAX_EXERCISES = 100_000
"""The most exercises of one run."""

MAX_SEED_LENGTH = 200
"""The most characters of a seed."""

SeedOption = Annotated[
    str | None, option("The same seed grows the same exercises. Default: a random seed.", metavar="S")
]


@app.command()
@takes(RecipeOptions)
def generate(
    kind: KindName,
    options: RecipeOptions,
    number: Annotated[
        int, option("How many exercises.", "-n", "--number", metavar="N", min=1, max=MAX_EXERCISES)
    ] = 1,
    seed: SeedOption = None,
    language: LanguageCode = None,
    out: Annotated[
        Path | None, option("Write files into a directory.", "-o", "--output", metavar="DIR")
    ] = None,
    tree: Annotated[
        str | None, option("Ask about this tree: a file, -, or bank:NAME; nothing is grown.", metavar="FILE")
    ] = None,
    given: Annotated[
        str | None,
        option("What the question states in addition to the tree, as a JSON object.", metavar="JSON"),
    ] = None,
    force: Annotated[bool, option("Replace exercises of this kind that are already in DIR.")] = False,
) -> None:
    """Grow exercises of one kind with their answer keys.

    In each, the known mistakes lead to other answers than the correct one. Each is solved in two
    independent ways, and its key is marked before it is written.

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
    from grader.exercises.minutes import estimate_seconds
    from grader.generation.earnings import shared_keys_note

    chosen_kind, chosen_language = require_kind(kind), require_language(language)
    if tree is not None or given is not None:
        if number != 1 or seed is not None:
            refuse("A given tree makes one exercise, and no seed is needed.", "Leave out -n and --seed.")
        exercises = iter((_exercise_on_given_tree(chosen_kind, tree, given, options, chosen_language),))
    else:
        recipe = options.recipe_of(kind).in_language(chosen_language)
        exercises = _grow_or_refuse(recipe, number, choose_seed(seed))
    if out is None:
        finished: list[Exercise] = []
        # On a terminal a bar would stand among the records.
        for exercise in exercises if sys.stdout.isatty() else iterate_with_bar(exercises, number, "Growing"):
            say(json.dumps(exercise.to_json()))
            finished.append(exercise)
    else:
        finished = list(iterate_with_bar(exercises, number, "Growing"))
        _write(chosen_kind, out, finished, force=force)
    estimate = minutes_text(sum(estimate_seconds([exercise]) for exercise in finished) // len(finished))
    report(f"A student takes {estimate}{' for each' if len(finished) > 1 else ''}.")
    shared_keys = shared_keys_note(finished)
    if shared_keys:
        note(
            f"{shared_keys}. A larger tree gives more answers; so do fewer demands, "
            "such as --set separate.key=none or --set 'variants.same=[]'."
        )


def choose_seed(seed: str | None) -> str:
    """The seed as given, or a new one, which is reported."""
    if seed is None:
        seed = secrets.token_hex(4)
        report(f"Seed: {seed} (--seed {seed} gives the same exercises again)")
    if len(seed) > MAX_SEED_LENGTH:
        refuse(f"The seed has more than {MAX_SEED_LENGTH} characters.")
    return seed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _grow_or_refuse(recipe: "Recipe", number: int, seed: str) -> "Iterator[Exercise]":
    """Grow exercises of a recipe one by one; refuse a recipe that yields too few."""
    from grader.generation.selection import ExhaustedError

    try:
        survey_with_progress(recipe)
    except ExhaustedError as error:
        refuse_exhausted(error, recipe, 0, number)
    return _grow_with_notes(recipe, number, seed)


def _grow_with_notes(recipe: "Recipe", number: int, seed: str) -> "Iterator[Exercise]":
    """Yield the exercises; after the first, note the mistakes that may earn more than the recipe allows.

    Exit with an error if the recipe yields too few, or if its question cannot be asked.
    """
    from grader.exercises.exercise import ExerciseError
    from grader.generation.grower import grow_many
    from grader.generation.selection import ExhaustedError
    from grader.generation.survey import take_survey

    done = 0
    try:
        for exercise in grow_many(recipe, seed, number):
            yield exercise
            done += 1
            if done == 1 and take_survey(recipe).slack:
                _note_generous_mistakes(recipe, exercise)
    except ExhaustedError as error:
        refuse_exhausted(error, recipe, done, number)
    except ExerciseError as error:
        refuse(f"{recipe.kind} cannot be asked: {error}.")


def survey_with_progress(recipe: "Recipe") -> None:
    """Take the survey of a recipe, which is cached for the growers that follow, with a bar while it lasts."""
    from grader.generation.survey import take_survey

    with open_ended_bar("Searching", "candidates") as tell:
        take_survey(recipe, tell)


def _note_generous_mistakes(recipe: "Recipe", exercise: "Exercise") -> None:
    """Note which mistakes earn more than the recipe allows, for lack of better trees."""
    from grader.answers.form import all_or_nothing
    from grader.generation.earnings import overpaid_beliefs

    limit = recipe.max_share
    has_partial_credit = recipe.question_kind.form.share is not all_or_nothing
    demand = f"{round(100 * limit)}%" if limit < 1 and has_partial_credit else "less than the full mark"
    shares = ", ".join(f"{name} {round(100 * share)}%" for name, share in overpaid_beliefs(recipe, exercise))
    note(f"too few trees were found on which every mistake earns {demand} at most.")
    report(f"In the first exercise: {shares or 'none earns more'}.")


def refuse_exhausted(error: "ExhaustedError", recipe: "Recipe", done: int, number: int) -> NoReturn:
    """Report the reasons that refused candidates, and refuse the recipe with a change that helps, if any."""
    from grader.generation.grower import REPEATED_QUESTION
    from grader.generation.remedies import find_remedy, is_refused_by_given, objection_to_given

    outcome = f"after {done} of {number} exercises no other" if done else "no exercise"
    report(str(error.report))
    if done and REPEATED_QUESTION in error.report.refused:
        different = format_count(done, "different exercise")
        refuse(
            f"{recipe.kind} has only {different} with this recipe, not {number}.",
            "Other conventions, another size or a larger tree give more; an exam lets students share them.",
        )
    if not done and is_refused_by_given(recipe, error.report):
        fields = ENGLISH.join_and([f"given.{name}" for name in recipe.given])
        message, objection = (
            f"No {recipe.kind} question was drawn with {fields} as set",
            objection_to_given(recipe),
        )
        refuse(
            f"{message}: {objection}." if objection else f"{message}.",
            f"Write another value, or leave {fields} out; --given asks about a tree of your own.",
        )
    candidates = format_count(error.report.candidates, "candidate")
    message = f"The recipe demands too much: {outcome} was found among {candidates}."
    changes = None
    if not done:
        with open_ended_bar("Trying changes", "candidates") as tell:
            changes = find_remedy(recipe, error.report, tell)
    if changes:
        settings = " ".join(f"--set '{name}={json.dumps(value)}'" for name, value in changes.items())
        refuse(message, f"There are such trees with {settings}; this was tried.")
    refuse(
        message,
        "The counts above show why candidates were refused. Relax a demand with --set, take a larger tree, "
        "or try longer with --set cap=1000000.",
    )


def _exercise_on_given_tree(
    kind: "AnyKind", source: str | None, given: str | None, options: RecipeOptions, language: "Language"
) -> "Exercise":
    """The exercise about a given tree and other given facts; refuse those that the kind cannot ask about."""
    from grader.exercises.exercise import ExerciseError
    from grader.generation.grower import exercise_on_tree
    from grader.questions.given import find_unknown_field

    unsuitable = options.other_options((*RULES, *TERMS))
    if unsuitable:
        refuse(
            f"{', '.join(unsuitable)} cannot be combined with {'--given' if source is None else '--tree'}.",
            "A recipe is for trees that are grown; a given tree stays as it is.",
        )
    if source is None and kind.needs_tree:
        refuse(f"{kind.code} asks about a tree, and --given alone gives none.", "Give it with --tree.")
    tree = EMPTY if source is None else read_tree_source(source)
    rules = RuleOptions(**{name: getattr(options, name) for name in RULES}).override_rules(tree)
    given_fields = _read_given(given)
    fault = find_unknown_field(given_fields, kind.given_names)
    if fault is not None:
        name, message, hint = fault
        refuse(f"--given {name}: {message}.", sentence(hint))
    terms = replace(options, recipe=None, **dict.fromkeys(RULES)).recipe_of(kind.code).question
    terms = terms.in_language(language)
    with refusing(f"{kind.code} cannot be asked of this tree", ExerciseError):
        return exercise_on_tree(tree, kind, rules, terms, given_fields)


def _read_given(text: str | None) -> "Given":
    """The facts given in addition to a tree; refuse anything but a JSON object."""
    from grader.base.canonical_json import parse_json
    from grader.questions.given import Given

    reason = ""
    try:
        content = parse_json("{}" if text is None else text)
    except ValueError as error:
        content, reason = None, f": {error}"
    if not isinstance(content, dict):
        subject = f"--given {printable(text or '', 200)}: this is not a JSON object"
        refuse(f"{subject}{reason}.", """Write --given '{"name": 1}'.""")
    return Given(content)


def _write(kind: "AnyKind", folder: Path, exercises: "list[Exercise]", *, force: bool) -> None:
    """Write all exercises, or none if other exercises of the kind have their numbers."""
    from grader.pictures.label_options import label_options
    from grader.pictures.svg import svg
    from grader.pictures.view import View

    files: dict[str, bytes] = {}
    digits = max(3, len(str(len(exercises))))
    for number, exercise in enumerate(exercises, 1):
        public = exercise.public
        stem = f"{number:0{digits}d}-{public.id}"
        files[f"{stem}.json"] = _json_file(exercise.to_json())
        files[f"{stem}.public.json"] = _json_file(public.to_json())
        if not len(public.tree):
            continue
        picture = svg(
            public.tree,
            view=View.question(public.tree, public.terms.language),
            identity=public.id,
            **label_options(public),
        )
        files[f"{stem}.svg"] = picture.encode()
    older = _older_files(kind, folder, len(exercises)) - set(files)
    write_folder(folder, files, force=force, replaces=older)
    last = "the last is " if len(exercises) > 1 else ""
    report(f"Wrote {format_count(len(exercises), 'exercise')} into {folder}: {last}{stem}.json")


def _older_files(kind: "AnyKind", folder: Path, count: int) -> set[str]:
    """The files in the folder with this kind and a number of this run."""
    name = re.compile(rf"(\d{{3,6}})-{re.escape(kind.code)}-[0-9a-f]{{8}}(\.public)?\.(json|svg)")
    try:
        entries = [entry.name for entry in folder.iterdir()]
    except OSError:
        return set()
    return {entry for entry in entries if (match := name.fullmatch(entry)) and 0 < int(match[1]) <= count}


def _json_file(record: object) -> bytes:
    return (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode()
