"""`gametree review`: decide in the browser what the program could not read."""

import typer

from grader.base.numbers import format_count
from grader.cli.shared.exam_folders import GRADEBOOK_FILE, ExamFolder, open_book, open_exam_keys
from grader.cli.shared.languages import ReviewLanguage
from grader.cli.shared.page_serving import OpenBrowser, Port
from grader.cli.shared.refusals import refusing
from grader.cli.shared.reviewing import append_replies, find_scans, serve_review
from grader.cli.shared.terminal import CommandApp, refuse, report, say

app = CommandApp()


@app.command()
def review(
    folder: ExamFolder,
    language: ReviewLanguage = None,
    port: Port = 0,
    open_browser: OpenBrowser = True,
) -> None:
    """Decide in the browser what the program could not read.

    The page asks about scans, and about typed replies that wait for a person. Like replies are on one screen,
    with a key for each possible reading, and one decision holds for all of them. Points and correct answers
    are shown only when you ask for them. Every decision is kept at once and can be taken back; the page is on
    this machine only.
    Exit code 0 if nothing is left to decide, 1 otherwise.

    Examples:
      gametree review midterm/
      gametree review midterm/ --language de
    """
    from grader.grading.doubtful_replies import doubtful_replies

    exam_keys = open_exam_keys(folder)
    hint = "Every decision was kept; run the same command again."
    with refusing("Reviewing stopped", OSError, hint=hint):
        scanned = find_scans(folder)
        if scanned is None and not (folder / GRADEBOOK_FILE).is_file():
            refuse(
                f"There is nothing to decide in {folder}.",
                f"gametree grade {folder} SUBMISSIONS takes replies in, gametree scan reads scanned papers.",
            )
        serve_review(folder, exam_keys, scanned, language, port, open_browser)
        left = 0
        if scanned is not None:
            state = scanned.state()
            left = state.undecided_count
            say(f"{format_count(left, 'question')} about scans left")
            append_replies(folder, scanned, state.sheets)
            exam_keys = open_exam_keys(folder, again=True)  # decisions may have assigned spare papers
        if (folder / GRADEBOOK_FILE).is_file():
            with open_book(folder, exam_keys) as book:
                waiting, unmarked = len(doubtful_replies(book, exam_keys)), book.pending_count()
            say(f"{format_count(waiting, 'reply waits', 'replies wait')} for a person")
            left += waiting
            if unmarked:
                report(f"Next: gametree grade {folder}")
    raise typer.Exit(int(left > 0))
