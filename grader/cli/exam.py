"""`gametree exam`: whole exams, from a page of TOML and a class list to a folder that is ready to print."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base.numbers import format_count, write_number
from grader.cli.shared.amended_exam import amended_parts, read_blueprint_file, refuse_earlier_rules
from grader.cli.shared.exam_builds import build_preview, example_blueprint, minutes_notes, student_seconds
from grader.cli.shared.exam_folders import (
    ExamFolder,
    Jobs,
    refuse_unfinished,
    reporting_interrupt,
)
from grader.cli.shared.exercises import minutes_text
from grader.cli.shared.fairness_reports import (
    certificate_fields,
    certificate_lines,
    certify_folder,
    expected_fields,
    expected_line,
)
from grader.cli.shared.languages import LanguageCode
from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import stage_bars
from grader.cli.shared.refusals import REBUILD_HINT, refusing
from grader.cli.shared.sources import read_input_bytes, require_parsed, source_label, write_result
from grader.cli.shared.statistics_files import StatisticsFile
from grader.cli.shared.terminal import (
    CommandApp,
    note,
    paint,
    printable,
    refuse,
    report,
    say,
    say_json,
)
from grader.exam.folders import BUILD_PLAN_FILE, EXAM_FILE, FAIRNESS_PLOT_FILE, FAIRNESS_TABLE_FILE, LOCK_FILE

if TYPE_CHECKING:
    from grader.exam.roster import Roster

app = CommandApp(no_args_is_help=True)

RosterFile = Annotated[
    Path | None,
    option(
        "The class list, CSV or XLSX: from Moodle, from Canvas, or your own.",
        "--roster",
        "-r",
        metavar="TABLE",
    ),
]

FORMS_NOTE = "dealt by row:    another class list deals the forms again; `gametree exam add` keeps them"


@app.callback()
def exam() -> None:
    """Build whole exams, a different paper for every student.

    All papers are equally difficult, and the keys are verified.

    Examples:
      gametree exam new midterm.toml
      gametree exam build midterm.toml --roster class.csv -o midterm/
      gametree exam verify midterm/
      gametree exam add midterm/ --roster late.csv --blueprint midterm.toml
    """


@app.command()
def new(
    file: Annotated[str, argument("FILE", "The blueprint to write, or - for stdout.")],
    quiz: Annotated[bool, option("A short quiz, open to anyone without a class list.", "--open")] = False,
    language: LanguageCode = None,
    force: Annotated[bool, option("Replace the file if it exists.")] = False,
) -> None:
    """Write a commented example of a blueprint.

    It builds without changes and has its own secret. The examples that come with the program
    share a public one: they say `example = true`, and so does every page.

    Examples:
      gametree exam new midterm.toml
      gametree exam new quiz.toml --open
      gametree exam new klausur.toml --language de
      gametree exam new -
    """
    if file != "-" and Path(file).exists() and not force:
        refuse(f"{file} already exists.", "Name another file, or add --force to replace it.")
    write_result(file, example_blueprint(Path(file).name if file != "-" else "", language, quiz=quiz))
    if file != "-" and Path(file).is_file() and not Path(file).is_symlink():
        Path(file).chmod(0o600)  # it holds the secret


@app.command()
def build(
    blueprint: Annotated[Path, argument("BLUEPRINT", "The plan of the exam, in TOML.")],
    out: Annotated[Path, option("The folder of the exam.", "-o", "--output", metavar="DIR")],
    roster: RosterFile = None,
    formats: Annotated[
        list[str] | None,
        option("{papers}. Can be repeated. Default: pdf and html.", "--format", metavar="FORMAT"),
    ] = None,
    exports: Annotated[
        list[str] | None,
        option(
            "Write files only for this platform: {platforms}; `none` for no platform. Default: all.",
            "--lms",
            metavar="NAME",
        ),
    ] = None,
    jobs: Jobs = None,
    force: Annotated[bool, option("Replace the exam that is in DIR.")] = False,
    preview: Annotated[bool, option("Write one variant and its key only; no class list is needed.")] = False,
    json: Json = False,
) -> None:
    """Build an exam: papers, keys, and files for learning platforms.

    Without a class list it is a quiz with `forms = 1`, open to anyone. A build that was stopped
    continues where it stopped. The same blueprint and class list give the same bytes.

    Examples:
      gametree exam build midterm.toml --roster class.csv -o midterm/
      gametree exam build midterm.toml -r class.csv -o papers/ --format pdf --format latex
      gametree exam build midterm.toml -o look/ --preview
      gametree exam build quiz.toml -o quiz/     # one form for anybody; `exam new quiz.toml --open` writes it

    The files in the folder:
      publish/print.pdf        everything for the printer: a cover sheet and a paper for every student,
                               with the name on every page
      publish/papers/          one paper per student or form, in every format that was asked for
      instructor/keys/         the key of every variant, with the drawn solution and a marking guide
      instructor/keys.pdf      all keys in the order of print.pdf
      instructor/fairness.csv  the points that students are expected to earn on every paper
      instructor/exam.json     everything needed to grade
      instructor/exam.lock     what `gametree exam verify` checks
      instructor/assignment.csv  who has which variant
      instructor/entry.xlsx    to type replies on paper into: a column for each printed box; `gametree grade`
                               reads it
    """
    from grader.exercises.minutes import to_minutes
    from grader.publishing.exam_build import FORCE_BUILD_HINT, build_exam
    from grader.publishing.missing_fonts import font_warnings
    from grader.publishing.paper_formats import PAPER_FORMATS
    from grader.publishing.platforms import PLATFORM_EXPORTS

    for form in formats or ():
        lookup_name(PAPER_FORMATS, form, "format")
    if set(exports or ()) == {"none"}:
        exports = []
    for name in exports or ():
        lookup_name(PLATFORM_EXPORTS, name, "platform")
    plan, students = read_blueprint_file(blueprint), None if roster is None else _read_roster(roster)
    if not (out / BUILD_PLAN_FILE).exists():  # a build that was begun keeps its policies
        refuse_earlier_rules(plan)
    formats = formats or ["pdf", "html"]
    # Before anything is built, because a missing font means building again.
    names = () if students is None or "pdf" not in formats else students.students
    font_notes = list(font_warnings(plan, names, "run it again" if preview else FORCE_BUILD_HINT))
    if not json:
        for warning in font_notes:
            note(f"{warning}.")
    if preview:
        build_preview(plan, out, formats, font_notes, json=json)
        return
    resume_hint = "Everything finished is kept; run the same command again, and it continues from there."
    try:
        with reporting_interrupt(resume_hint), stage_bars() as progress:
            result = build_exam(
                plan,
                students,
                out,
                formats=formats,
                exports=exports,
                jobs=jobs,
                force=force,
                progress=progress,
            )
    except OSError as error:
        refuse(f"{error.filename or out} cannot be written: {error.strerror or error}.")
    certificate = certify_folder(out, jobs)
    seconds = student_seconds(out)
    notes = [*font_notes, *(each for each in result.notes if each not in font_notes)]
    notes += minutes_notes(plan, seconds)
    if json:
        say_json(
            {
                "schema": 1,
                "folder": str(out),
                "minutes": write_number(to_minutes(seconds)),
                "expected": expected_fields(certificate),
                "variants": result.variants,
                "students": result.students,
                "files": result.files,
                "pages": result.pages,
                "notes": notes,
            }
        )
        return
    audience = "open to anybody" if students is None else format_count(result.students, "student")
    say(f"{audience}, {format_count(result.variants, 'variant')}, {result.files} files in {out}")
    if result.pages:
        say(f"for the printer: {out / 'publish' / 'print.pdf'}, {format_count(result.pages, 'page')}")
    say(f"for you alone:   {out / 'instructor'}")
    say(f"for a student:   {minutes_text(seconds)}")
    say(f"expected score:  {expected_line(certificate)}; `gametree exam fairness` says more")
    if plan.forms is not None and plan.forms > 1:
        say(FORMS_NOTE)
    for warning in notes[len(font_notes) :]:
        note(f"{warning}.")


@app.command()
def fairness(
    folder: ExamFolder, statistics: StatisticsFile = None, jobs: Jobs = None, json: Json = False
) -> None:
    """Compare the papers of an exam by the points that students are expected to earn.

    The expectation is for a stated population: a share of students has one misconception each, and
    any answer may be a slip or blank; `[students]` in the blueprint changes it. No student was
    observed, unless --statistics names earlier exams. A table and a plot are written.

    Examples:
      gametree exam fairness midterm/
      gametree exam fairness midterm/ --json
    """
    certificate = certify_folder(folder, jobs, statistics)
    if json:
        say_json({"schema": 1, **certificate_fields(certificate)})
        return
    for line in certificate_lines(certificate):
        say(line)
    say(f"all papers:      {folder / FAIRNESS_TABLE_FILE}, {folder / FAIRNESS_PLOT_FILE}")


@app.command()
def verify(
    folder: ExamFolder,
    blueprint: Annotated[
        Path | None, option("Also check the seal with the secret of this blueprint.", metavar="TOML")
    ] = None,
    roster: RosterFile = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Solve every variant again, and check every file.

    Variants are solved in a second way; every file is compared with what it must contain, and with the
    class list if one is given.
    Exit code 0 if the exam can be handed out, 1 if something is wrong with it, 2 if its record cannot
    be read.

    Examples:
      gametree exam verify midterm/
      gametree exam verify midterm/ --blueprint midterm.toml --roster class.csv
    """
    from grader.exam.manifest import open_whole_exam
    from grader.publishing.verification import verify_exam

    if not folder.is_dir():
        refuse(f"There is no folder {folder}.")
    refuse_unfinished(folder)
    if not (folder / LOCK_FILE).exists() and not (folder / EXAM_FILE).exists():
        refuse(f"There is no exam in {folder}.", "DIR is what `gametree exam build` made.")
    if (folder / EXAM_FILE).is_file():  # a missing one is a finding of the verification
        with refusing(f"{folder / EXAM_FILE} cannot be read", OSError, hint=REBUILD_HINT):
            require_parsed(str(folder / EXAM_FILE), open_whole_exam(folder))
    plan = None if blueprint is None else read_blueprint_file(blueprint)
    students = None if roster is None else _read_roster(roster)
    with stage_bars() as progress:
        verdict = verify_exam(folder, blueprint=plan, roster=students, jobs=jobs, progress=progress)
    ok = not verdict.findings
    if json:
        findings = [{"place": each.place, "message": each.message} for each in verdict.findings]
        say_json(
            {
                "schema": 1,
                "ok": ok,
                "findings": findings,
                "variants": verdict.variants,
                "answers": verdict.answers,
                "files": verdict.files,
                "unchecked": verdict.unchecked,
                "notes": verdict.notes,
            }
        )
        raise typer.Exit(0 if ok else 1)
    for finding in verdict.findings:
        say(f"{paint('wrong', 'red')}  {finding.place}: {finding.message}")
    checked = format_count(verdict.variants, "variant"), format_count(verdict.answers, "answer")
    say(f"{', '.join(checked)} and {verdict.files} files checked.")
    for remainder in verdict.unchecked:
        say(f"Not checked: {remainder}.")
    for warning in verdict.notes:
        say(f"{paint('Note:', 'yellow')} {warning}.")
    summary = f"{format_count(len(verdict.findings), 'thing')} wrong."
    is_correct = "Everything that was checked is correct." if verdict.unchecked else "Everything is correct."
    say(paint(is_correct, "green") if ok else summary)
    if verdict.has_damage:
        report(f"Hint: {REBUILD_HINT}")
    raise typer.Exit(0 if ok else 1)


@app.command()
def add(
    folder: ExamFolder,
    roster: Annotated[
        Path,
        option("The new students, or the whole class list with them.", "--roster", "-r", metavar="TABLE"),
    ],
    blueprint: Annotated[
        Path, option("The blueprint that the exam was built from; it has the secret.", metavar="TOML")
    ],
    amended: Annotated[
        Path | None,
        option(
            "After `gradebook regrade --apply`: the changed blueprint that decides the marks.", metavar="TOML"
        ),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Add students to an exam that was built, handed out or graded.

    Their papers, keys, workbook and a file for the printer are new; no paper of anybody else changes.
    Students who are in the exam already are left as they are.
    After a regrade by a changed blueprint name it with --amended: the new papers are printed like all
    others, with the points and rules of before, and a note lists the differences.

    Examples:
      gametree exam add midterm/ --roster late.csv --blueprint midterm.toml
    """
    from grader.publishing.exam_addition import add_students

    refuse_unfinished(folder)
    students, plan = _read_roster(roster), read_blueprint_file(blueprint)
    changed = None if amended is None else read_blueprint_file(amended, may_drop=True)
    with (
        refusing(f"{folder} cannot be written", OSError),
        reporting_interrupt("Run the same command again."),
        stage_bars() as progress,
    ):
        added = add_students(folder, plan, students, amended=changed, jobs=jobs, progress=progress)
    certify_folder(folder, jobs)  # its table has the new papers too
    differences = amended_parts(folder, [student.identifier for student in added.students])
    if differences:
        note(
            f"the new papers say what {blueprint} says, but marks are made by {amended}. "
            f"Tell the new students: {'; '.join(differences)}."
        )
    if json:
        say_json(
            {
                "schema": 1,
                "folder": str(folder),
                "students": [student.identifier for student in added.students],
                "pages": added.pages,
                "files": list(added.files),
            }
        )
        return
    say(f"{format_count(len(added.students), 'student')} added to {folder}")
    for name in added.files:
        say(str(folder / name))
    if added.by_row:
        note(
            "the papers of this exam were drawn by row: they stay, and the new students come after them; "
            "another build from a changed class list would change papers."
        )


@app.command()
def assign(
    folder: ExamFolder,
    assignments: Annotated[
        list[str] | None, argument("VARIANT=STUDENT...", "The code on a spare paper, and its student.")
    ] = None,
    table: Annotated[
        Path | None,
        option("A table with the columns variant, id and name in place of these.", metavar="TABLE"),
    ] = None,
    roster: RosterFile = None,
    json: Json = False,
) -> None:
    """Assign the spare papers that `spare = N` in the blueprint has printed to students.

    A student is one of the class list, by identifier; with --roster one of a newer list, who may be new.
    `VARIANT=` takes a paper back. A student with a spare paper has it in place of the own one.
    A workbook in DIR/grades, entry-assigned-1.xlsx, has rows to enter the replies on the assigned papers.
    Without an assignment the command lists the spare papers.

    Examples:
      gametree exam assign midterm/
      gametree exam assign midterm/ K7QM3D=9001 --roster late.csv
      gametree exam assign midterm/ --table late.csv
    """
    from grader.cli.shared.spare_papers import (
        open_spares,
        read_assignments,
        refuse_graded,
        write_assigned_entries,
    )

    spares, files = open_spares(folder), []
    students = () if roster is None else _read_roster(roster).students
    wanted = read_assignments(spares, assignments or (), table, students)
    if wanted:
        refuse_graded(folder, wanted)
        with refusing(f"{folder} cannot be written", OSError):
            spares.assign(wanted)
            files += write_assigned_entries(spares, [code for code, owner in wanted.items() if owner])
    owners = spares.owners()
    papers = [(spare, owners.get(spare.code)) for spare in spares.exam.spares]
    if json:
        records = [{**spare.to_json(), "student": owner and owner.identifier} for spare, owner in papers]
        say_json({"schema": 1, "folder": str(folder), "spares": records, "files": files})
        return
    for spare, owner in papers:
        label = "not assigned" if owner is None else printable(f"{owner.name}, {owner.identifier}", 120)
        say(f"{spare.code}  {label}")
    for name in files:
        say(str(folder / name))
        note("enter the replies on these papers there: in entry.xlsx the students have other boxes.")


def _read_roster(path: Path) -> "Roster":
    """Read a class list and note its warnings. Exit with an error if it has faults."""
    from grader.exam.roster import MAX_ROSTER_BYTES, read_roster

    data = read_input_bytes(str(path), "a class list", max_bytes=MAX_ROSTER_BYTES)
    students = require_parsed(str(path), read_roster(data, source_label(str(path))))
    for warning in students.warnings:
        note(f"{warning}.")
    return students
