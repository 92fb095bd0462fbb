"""`gametree gradebook`: look at marks, export them, decide by hand, mark everything again."""

from dataclasses import replace
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base.numbers import format_count
from grader.cli.shared.amended_exam import read_amended_exam, write_amended_exam
from grader.cli.shared.exam_folders import (
    ExamFolder,
    ExecutorName,
    Jobs,
    OutFolder,
    class_results,
    open_book,
    open_exam_keys,
    read_hand_marks,
    refuse_unknown_student,
    reporting_interrupt,
    scans_of,
    state_lines,
    working_side_by_side,
)
from grader.cli.shared.exportable_results import exportable_results
from grader.cli.shared.feedback_delivery import deliver_feedback
from grader.cli.shared.grade_table import grade_table_lines
from grader.cli.shared.gradebook_messages import (
    entry_record,
    odd_record,
    regrade_record,
    report_absent,
    say_feedback,
    say_history,
    say_regrade,
    submission_record,
)
from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.options import BlankOption, Json, MissingOption, OutputOption
from grader.cli.shared.parameters import option
from grader.cli.shared.progress_bar import count_bar
from grader.cli.shared.refusals import refusing
from grader.cli.shared.resolving import override, read, todo
from grader.cli.shared.rounding import read_scale_option, read_step
from grader.cli.shared.sources import write_result
from grader.cli.shared.terminal import CommandApp, printable, refuse, report, say, say_json
from grader.cli.shared.worklist_messages import (
    group_records,
    report_todo,
    say_groups,
    say_other_unresolved,
)
from grader.exam.folders import GRADES_FOLDER

if TYPE_CHECKING:
    from grader.grading.records import Entry, Submission

app = CommandApp(no_args_is_help=True)


@app.callback()
def gradebook() -> None:
    """Show marks, export them, set one by hand, or mark all again.

    The gradebook is one SQLite file in DIR/grades; marks are appended to it and never changed.

    Examples:
      gametree gradebook show midterm/
      gametree gradebook todo midterm/ -o todo.xlsx
      gametree gradebook history midterm/ 004201
      gametree gradebook export midterm/ --format moodle -o grades.csv
      gametree gradebook override midterm/ 004201 1a 1.5 --reason 'said so aloud'
      gametree gradebook read midterm/ 004201 1b 4 --alike
      gametree gradebook regrade midterm/
      gametree gradebook feedback midterm/ --release
    """


@app.command()
def show(
    folder: ExamFolder,
    student: Annotated[str | None, typer.Argument(help="Only this student.")] = None,
    rows: Annotated[bool, option("List the rows that need attention or do not count.")] = False,
    unresolved: Annotated[
        bool, option("Only unresolved parts, like replies in one group, as `todo` lists them.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the points of all students, and everything that is still unresolved.

    The table is as wide as the terminal; if the points do not fit, a question is shown as codes, one for
    each part. Exit code 1 if something is unresolved; a student without any row is not.

    Examples:
      gametree gradebook show midterm/
      gametree gradebook show midterm/ --unresolved
    """
    from grader.grading.doubtful_replies import doubtful_replies, group_replies
    from grader.grading.gradebook_exports import Rounding, json_export
    from grader.grading.results import state_counts

    exam_keys = open_exam_keys(folder)
    rounding = Rounding(missing=exam_keys.missing)
    if not json:
        # The exam's numbers, in English sentences.
        rounding = replace(rounding, language=replace(exam_keys.language, code="en", own=None))
    with open_book(folder, exam_keys) as book:
        all_results = tuple(class_results(book, exam_keys, folder))
        odd = book.odd_rows() if rows else ()
        if student is not None:
            refuse_unknown_student(book, exam_keys, student)
        selected = [each for each in all_results if student in (None, each.student.identifier)]
        is_listed = unresolved or student is not None
        replies = doubtful_replies(book, exam_keys, selected) if is_listed else []
    groups = group_replies(replies, exam_keys)
    counts = state_counts(all_results, exam_keys)
    if unresolved:
        selected = [each for each in selected if each.unresolved(rounding.blank)]
    if json:
        record = loads(json_export(exam_keys, selected, rounding))
        record["states"], record["resolved"] = dict(counts.states), counts.is_resolved
        record["rows"] = list(map(odd_record, odd))
        if unresolved:
            record["todo"] = group_records(groups)
        say_json(record)
    else:
        if not unresolved:
            say("\n".join(grade_table_lines(selected, exam_keys, rounding)))
        if is_listed:
            doubtful = {(each.student, each.standing.question) for each in replies}
            cells = [
                (each.student.identifier, standing)
                for each in selected
                for standing in each.unresolved(rounding.blank)
            ]
            say_groups(groups, exam_keys.language)
            say_other_unresolved(cell for cell in cells if (cell[0], cell[1].question) not in doubtful)
        for row in odd:
            owner = printable(row.as_written, 60)
            say(f"{row.fate}: {printable(row.place)}: {owner!r} {printable(row.why, 300)}")
        say("\n".join(state_lines(counts)))
        say(rounding.rule_sentences)
        if not counts.is_resolved:
            report_todo(folder, groups, counts, is_listed=is_listed)
            report(
                f"Hint: gametree gradebook read {folder} STUDENT QUESTION REPLY decides what a reply means, "
                "and override STUDENT QUESTION POINTS --reason WHY sets a mark."
            )
    raise typer.Exit(0 if counts.is_resolved else 1)


app.command()(todo)


@app.command()
def history(
    folder: ExamFolder,
    student: Annotated[str, typer.Argument(help="As in the class list.")],
    json: Json = False,
) -> None:
    """Show every reply and every mark of a student, question by question, oldest first.

    Examples:
      gametree gradebook history midterm/ 004201
    """
    exam_keys = open_exam_keys(folder)
    with open_book(folder, exam_keys) as book:
        refuse_unknown_student(book, exam_keys, student)
        positions = {part: position for position, part in enumerate(exam_keys.labels)}

        def position(record: "Submission | Entry") -> int:
            return positions.get(record.question, len(positions))  # questions that are gone come last

        submissions = sorted(book.all_submissions_of(student), key=position)
        entries = sorted(book.history(student), key=position)
    if json:
        record = {"schema": 1, "student": student, "submissions": list(map(submission_record, submissions))}
        say_json({**record, "marks": list(map(entry_record, entries))})
        return
    say_history(submissions, entries, exam_keys.language)


@app.command()
def export(
    folder: ExamFolder,
    out: OutputOption,
    form: Annotated[
        str, option("The program that will read it: {gradebooks}.", "--format", metavar="FORMAT")
    ] = "csv",
    leave_empty: Annotated[
        bool, option("Export even if something is unresolved; those cells stay empty.")
    ] = False,
    allow_stale: Annotated[
        bool, option("Export even if marks were made with a different key or policy.")
    ] = False,
    blank: BlankOption = "zero",
    missing: MissingOption = None,
    decimals: Annotated[int, option("Decimals that points are rounded to.", min=0, max=10)] = 2,
    step: Annotated[
        str | None, option("Round to multiples of this instead, such as 0.5 or 1/4.", metavar="POINTS")
    ] = None,
    scale: Annotated[
        Path | None,
        option(
            "A grading scale: a table with the columns points and grade. "
            "A grade applies from that number of points (18, or 90% of the full mark).",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Write the points of all students for another program.

    The program can be a platform, a spreadsheet or a script. Refused with exit code 1 if something is
    unresolved, or if marks were made with a different key or policy than the exam has now. A student who
    handed in nothing is not unresolved: --missing says what the cells are. Points are rounded here, once.

    Examples:
      gametree gradebook export midterm/ --format moodle -o grades.csv
      gametree gradebook export midterm/ --format json -o - --leave-empty
      gametree gradebook export midterm/ -o grades.csv --step 0.5 --scale scale.csv
    """
    from grader.grading.gradebook_exports import GRADEBOOK_FORMATS, Rounding

    chosen = lookup_name(GRADEBOOK_FORMATS, form, "format")
    exam_keys = open_exam_keys(folder)
    if scale is not None and not chosen.has_grades:
        places = " and ".join(each.name for each in GRADEBOOK_FORMATS if each.has_grades)
        refuse(f"--scale: {chosen.name} takes points only.", f"Grades are written as {places}.")
    rounding = Rounding(
        decimals,
        blank,
        step=read_step(step),
        scale=read_scale_option(scale, exam_keys),
        missing=missing or exam_keys.missing,
    )
    complete = exportable_results(folder, exam_keys, blank, leave_empty=leave_empty, allow_stale=allow_stale)
    write_result(out, chosen.write(exam_keys, complete.results, rounding), lasting=True)
    report(rounding.rule_sentences)
    report_absent(sum(each.is_known_absent for each in complete.results), rounding.missing)
    if chosen.hint:
        report(f"Hint: {chosen.hint}")
    if complete.warning:
        report(f"Warning: {complete.warning}.")


app.command(context_settings={"ignore_unknown_options": True})(override)  # so that -1 is refused as points


@app.command()
def overrides(folder: ExamFolder, out: OutputOption) -> None:
    """Write the marks that were set by hand, as a table that `override --table` takes.

    Gradebooks of older versions are read as well.
    """
    from grader.grading.hand_marks import hand_marks_table

    marks = read_hand_marks(folder)
    write_result(out, hand_marks_table(marks), lasting=True)
    report(f"{format_count(len(marks), 'mark was', 'marks were')} set by hand.")


app.command(context_settings={"ignore_unknown_options": True})(read)  # so that -1 is a reply


@app.command()
def feedback(
    folder: ExamFolder,
    out: OutFolder = None,
    release: Annotated[bool, option("Include the answers and explanations.")] = False,
    forms: Annotated[
        list[str] | None,
        option("{feedback}. Can be repeated. Default: the first two.", "--format", metavar="FORMAT"),
    ] = None,
    student: Annotated[
        list[str] | None,
        option("Only this student, as in the class list. Can be repeated.", metavar="STUDENT"),
    ] = None,
    blank: BlankOption = "zero",
    moodle: Annotated[
        Path | None,
        option(
            "Also write the pages as a zip for a Moodle assignment; the file is its grading worksheet.",
            metavar="WORKSHEET",
        ),
    ] = None,
    practice: Annotated[
        str | None,
        option(
            "The address of a page of gametree site: each misconception gets a link to practise it.",
            metavar="ADDRESS",
        ),
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Write a feedback page for every student, without data of other students.

    Without --release no page contains the key; with it, students who submitted nothing get no page. All
    earlier pages of a student in OUT are replaced, in every format.

    Examples:
      gametree gradebook feedback midterm/              # points, and what of an answer is right
      gametree gradebook feedback midterm/ --release    # with the answers, and why
      gametree gradebook feedback midterm/ --release --format pdf --student 004201
    """
    from grader.publishing.feedback_formats import FEEDBACK_FORMATS, PAGE_SECONDS, write_feedback

    for form in forms or ():
        lookup_name(FEEDBACK_FORMATS, form, "format")
    if practice is not None and not practice.startswith(("https://", "http://")):
        refuse(f"--practice {printable(practice, 60)!r} is not a web address.", "It begins with https://.")
    exam_keys = open_exam_keys(folder)
    target = out or folder / GRADES_FOLDER / "feedback"
    formats = tuple(forms or ("html", "markdown"))
    chosen = frozenset(student) if student else None
    hint = "Run the same command again when this is fixed, or write elsewhere with -o."
    resume_hint = f"Every page in {target} is whole, but not all are new; run the same command again."
    with (
        reporting_interrupt(resume_hint),
        open_book(folder, exam_keys) as book,
        refusing("Writing stopped", OSError, hint=hint),
    ):
        for each in student or ():
            refuse_unknown_student(book, exam_keys, each)
        student_count = len(chosen or exam_keys.roster or book.students())
        seconds = student_count * len(formats) * PAGE_SECONDS
        with count_bar("writing", student_count) as tell, working_side_by_side(jobs, seconds) as run:
            written = write_feedback(
                book,
                exam_keys,
                target,
                formats=formats,
                students=chosen,
                released=release,
                blank=blank,
                scans=scans_of(folder),
                practice=practice or "",
                run=run,
                tell=tell,
            )
        deliver_feedback(book, exam_keys, target, moodle)
    if not written.count:
        refuse("No student has handed anything in.", f"gametree grade {folder} SUBMISSIONS takes it in.")
    say_feedback(written, target, folder)


@app.command()
def regrade(
    folder: ExamFolder,
    apply: Annotated[bool, option("Append the new marks; without it nothing changes.")] = False,
    never_lower: Annotated[
        bool, option("No student loses points, unless the full mark is lower now.")
    ] = False,
    lower_kept: Annotated[bool, option("Also lower points that an earlier --never-lower kept.")] = False,
    why: Annotated[str, option("The reason, kept with the new marks.", "--reason")] = "",
    blueprint: Annotated[
        Path | None,
        option(
            "Mark by this blueprint: different points, policies or rules for the same papers.", metavar="TOML"
        ),
    ] = None,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    json: Json = False,
) -> None:
    """Mark everything again and report whose points would change, and why.

    The last replies of all students are marked with the current key and policies. The report tells
    whose points change, from what to what, and why. Marks set by hand stay, and so do points that
    --never-lower has kept.
    With --blueprint the papers stay as they were handed out but are marked by the changed blueprint.
    With --apply this holds until another blueprint is applied. There, points = 0 drops a question or a
    part: it has 0 points of 0 for everybody.

    Examples:
      gametree gradebook regrade midterm/                 # what would change
      gametree gradebook regrade midterm/ --blueprint changed.toml
      gametree gradebook regrade midterm/ --apply --never-lower --reason 'key of 1c'
    """
    from grader.grading import regrading
    from grader.grading.class_marking import marking_jobs
    from grader.grading.executors import executor_named

    if never_lower and lower_kept:
        refuse("--never-lower and --lower-kept contradict each other.", "Use only one of them.")
    exam_keys = earlier_keys = open_exam_keys(folder)
    exam = None
    if blueprint is not None:
        exam, exam_keys = read_amended_exam(folder, blueprint)
    appended = 0
    hint = "Run the same command again when this is fixed; no mark was changed."
    resume_hint = "The marks were changed all together or not at all; run the same command again."
    with (
        reporting_interrupt(resume_hint if apply else "No mark was changed; run the same command again."),
        open_book(folder, exam_keys) as book,
        refusing("Marking stopped", OSError, hint=hint),
    ):
        replies = book.submission_count()
        jobs = marking_jobs(jobs, replies)
        with count_bar("marking", replies) as tell:
            start = executor_named(executor, jobs)
            result = regrading.regrade(
                book, exam_keys, start, jobs=jobs, never_lower=never_lower, lower_kept=lower_kept, tell=tell
            )
        if apply and exam is not None:
            write_amended_exam(folder, exam)
        if apply:
            appended = regrading.append_changes(book, result.changes, why)
    moves = [change for change in result.changes if change.is_visible]
    if json:
        say_json(regrade_record(result, moves, exam_keys, apply, appended))
    else:
        say_regrade(result, moves, earlier_keys, exam_keys, apply, appended)
