"""`gametree code`: a student's search program, judged by what it visits."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base.files import write_file
from grader.base.numbers import format_count
from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.options import Json
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import count_bar
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import write_result
from grader.cli.shared.terminal import (
    Colour,
    CommandApp,
    paint,
    printable,
    refuse,
    report,
    say,
    say_json,
    say_note,
)
from grader.trees.rules import Ties

if TYPE_CHECKING:
    from grader.programs.checking import CheckOptions, ProgramSubmission
    from grader.programs.verdict import Verdict

app = CommandApp(no_args_is_help=True)

InterfaceName = Annotated[
    str | None,
    option("How the course calls a search, or your own FILE.py; else by the program.", metavar="NAME"),
]
TiesOption = Annotated[
    Ties | None, option("The tie rule of the course; the other one is then a mistake, not a note.")
]

_INTERFACES_HINT = "`gametree code interfaces` lists them."
MAX_NAME_LENGTH = 200
"""The most characters of a file's name that are printed."""

_COLOURS: dict[str, Colour] = {"right": "green", "wrong": "red", "unfinished": "yellow"}
_NOT_A_SANDBOX = (
    "Programs run with limits on time, memory and output in a separate process. This is not a sandbox: "
    "check files of strangers in a container (gametree code export) or on the practice page."
)


@app.callback()
def code() -> None:
    """Judge a student's search program by the leaves that it visits.

    Minimax, alpha-beta and expectimax behind the interface that a course hands out.

    Examples:
      gametree code check search.py
      gametree code check submissions/ --interface pacman --ties keep
      gametree code interfaces
    """


@app.command()
def check(
    file: Annotated[str, argument("FILE", "A Python file, or a folder or zip with the files of a class.")],
    interface: InterfaceName = None,
    function: Annotated[
        str | None, option("The function to call: name or Class.method.", metavar="NAME")
    ] = None,
    ties: TiesOption = None,
    depth: Annotated[
        int | None, option("Only trees that are searched to this depth in plies.", metavar="D", min=1)
    ] = None,
    html: Annotated[
        Path | None,
        option(
            "Also write a page with pictures; for a class, name a folder for a page for each student.",
            metavar="PAGE",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        option("Also write the points for `gametree gradebook override --table`.", metavar="FILE"),
    ] = None,
    question: Annotated[str, option("The question in that table.", metavar="LABEL")] = "1",
    points: Annotated[
        int, option("The points for a correct program, in pages and in that table.", min=1)
    ] = 10,
    weights: Annotated[
        str, option("How much value, move and visited leaves count in the points.", metavar="V,M,L")
    ] = "1,1,1",
    in_order: Annotated[
        bool, option("The course prescribes the order of children; another one is then a mistake.")
    ] = False,
    json: Json = False,
) -> None:
    """Run a program on small trees, and compare value, move and visited leaves with the reference.

    A mistake is named if it explains everything that the program does on every tree.
    The smallest tree on which it differs is shown, with the first step at which it goes another way.

    Exit code 0 if every program is right, 1 if one is not, 2 for unusable input.

    Examples:
      gametree code check search.py --ties cut
      gametree code check submissions.zip --html feedback/ --table points.csv --question 4
    """
    from grader.programs.checking import CheckOptions
    from grader.programs.interface import InterfaceError

    path = Path(file)
    submissions = _read(path)
    parts = _read_weights(weights)
    _warn_once()
    with refusing("The program cannot be checked", InterfaceError, hint=_INTERFACES_HINT):
        options = CheckOptions(interface, function, ties, depth, in_order=in_order, weights=parts)
        verdicts = _verdicts(submissions, options)
    if html is not None:
        _write_pages(html, verdicts, points)
    if table is not None:
        _write_table(table, verdicts, question, points)
    if html is not None or table is not None:
        if ties is None:
            _warn_about_ties(verdicts)
        _warn_about_order(verdicts)
    if json:
        from grader.programs.records import verdict_record

        say_json({"schema": 1, "programs": [verdict_record(verdict) for verdict in verdicts]})
    elif len(verdicts) == 1:
        _say_verdict(verdicts[0])
    else:
        _say_class(verdicts)
    raise typer.Exit(0 if all(verdict.ruling == "right" for verdict in verdicts) else 1)


def _write_pages(path: Path, verdicts: "Sequence[Verdict]", points: int) -> None:
    """Write one page with everything, or into a folder a page for each student and an overview."""
    from grader.programs.pages import class_pages, verdict_page

    if path.suffix == ".html" or str(path) == "-":
        write_result(str(path), verdict_page(verdicts, points))
    else:
        write_folder(path, class_pages(verdicts, points), force=True)


def _write_table(path: Path, verdicts: "Sequence[Verdict]", question: str, points: int) -> None:
    """Write the points as a table for `gametree gradebook override`, and name programs without a verdict."""
    from grader.programs.points_table import points_table

    write_file(path, points_table(verdicts, question, points).encode())
    undecided = [printable(each.name, MAX_NAME_LENGTH) for each in verdicts if each.ruling == "unfinished"]
    if undecided:
        count = format_count(len(undecided), "program")
        report(f"{count} without a verdict, not in {path}: {', '.join(undecided)}.")
        report("Add a row with the points that you give, or let the student correct it and hand it in again.")


def _warn_about_ties(verdicts: "Sequence[Verdict]") -> None:
    """Say that points depend on the tie rule, if the programs follow different ones."""
    followed = Counter(verdict.followed_ties for verdict in verdicts if verdict.followed_ties is not None)
    if len(followed) > 1:
        report(
            f"When alpha equals beta, {followed['cut']} of the programs prune and {followed['keep']} do not; "
            "both earn full points. With --ties cut or --ties keep, the other rule loses points."
        )


def _warn_about_order(verdicts: "Sequence[Verdict]") -> None:
    """Say how many programs earn full points with an order of their own."""
    names = [printable(each.name, MAX_NAME_LENGTH) for each in verdicts if "order" in each.notes]
    if names:
        count = format_count(len(names), "program")
        report(
            f"{count} with full points, and an order of children of its own: {', '.join(names)}. "
            "With --in-order, another order than the given one loses points."
        )


def _read_weights(text: str) -> tuple[int, ...]:
    """Return the weights of value, move and visited leaves. Exit with an error if they are not three numbers.

    Every program has visited leaves, so they count at least a little.
    """
    weights = re.fullmatch(r"(\d{1,4}),(\d{1,4}),(\d{1,4})", text.replace(" ", ""), re.ASCII)
    if weights is None or not int(weights[3]):
        refuse(
            f"'{printable(text, 40)}' does not say how value, move and visited leaves count.",
            hint="Write three whole numbers up to 9999, such as 1,1,2; that of visited leaves is at least 1.",
        )
    return tuple(map(int, weights.groups()))


def _read(path: Path) -> "tuple[ProgramSubmission, ...]":
    """Read the programs of a file, folder or zip. Exit with an error if it is something else or missing."""
    from grader.programs.submissions import read_programs

    if path.suffix not in ("", ".py", ".zip") and not path.is_dir():
        refuse(f"{path} is not a Python file, a folder or a zip.")
    with refusing(f"{path} cannot be read", OSError):
        if not path.exists():
            raise FileNotFoundError(2, "There is no such file")
        return tuple(read_programs(path))


def _verdicts(submissions: "Sequence[ProgramSubmission]", options: "CheckOptions") -> "tuple[Verdict, ...]":
    """Check one program in this process, or several side by side with a progress bar."""
    from grader.programs.checking import check_class, check_program

    if len(submissions) == 1:
        return (check_program(submissions[0], options),)
    verdicts = []
    with count_bar("Checking", len(submissions)) as advance:
        for verdict in check_class(submissions, options):
            verdicts.append(verdict)
            advance(1)
    return tuple(verdicts)


def _warn_once() -> None:
    """Say on the first use that limits are not a sandbox; a file in the user's state folder remembers it."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    mark = Path(state) / "gametree" / "code-check"
    try:
        if mark.exists():
            return
        write_file(mark, b"")
    except OSError:
        pass  # say it again next time
    report(_NOT_A_SANDBOX)


def _say_verdict(verdict: "Verdict") -> None:
    """Print a verdict with its reasons and, if the program differs, the smallest tree on which it does."""
    from grader.programs.sentences import comparison_sentences, note_sentences, verdict_sentences
    from grader.trees.notation.writing import write_tree

    function = f", function {printable(verdict.run.choice)}" if verdict.run.choice else ""
    ruling = paint(verdict.ruling, _COLOURS[verdict.ruling])
    say(f"{printable(verdict.name)}: {ruling} (interface {verdict.interface}{function})\n")
    for sentence in verdict_sentences(verdict):
        say(f"  {printable(sentence, 400)}")
    if verdict.cause == "several":
        say("  Choose it with --function NAME or --function Class.method.")
    if verdict.counterexample is not None:
        leaves = format_count(len(verdict.counterexample.whole.leaves), "leaf", "leaves")
        if verdict.ruling == "unfinished":
            say(f"\nThe first tree on which it does not finish has {leaves}:\n")
        else:
            wrong = sum(not each.is_right for each in verdict.comparisons)
            share = f" on {wrong} of {len(verdict.comparisons)} trees" if wrong else ""
            say(f"\nIt differs from the correct search{share}. The smallest tree has {leaves}:\n")
        say("\n".join(f"  {line}" for line in write_tree(verdict.counterexample.whole).splitlines()))
    comparison = verdict.counterexample_comparison
    if comparison is not None:
        say("")
        for sentence in comparison_sentences(verdict, comparison):
            say(f"  {sentence}")
    for sentence in note_sentences(verdict):
        say_note(printable(sentence, 400))


def _say_class(verdicts: "Sequence[Verdict]") -> None:
    """Print a line for each file, the number of each verdict, and the files with the same mistake."""
    from grader.programs.sentences import sentence_of

    names = [printable(verdict.name, MAX_NAME_LENGTH) for verdict in verdicts]
    width = max(map(len, names))
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name, verdict in zip(names, verdicts, strict=True):
        reason = ", ".join(verdict.mistakes) or ("" if verdict.ruling == "right" else sentence_of(verdict))
        line = f"{name:<{width}}  {verdict.ruling:<10}  {printable(reason, 100)}"
        say(line.rstrip())
        if verdict.ruling == "wrong":
            groups[", ".join(verdict.mistakes) or "no known mistake"].append(name)
    say("")
    for ruling, count in Counter(verdict.ruling for verdict in verdicts).most_common():
        say(f"{count:>5} {ruling}")
    for mistake, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        if len(members) > 1:
            say(f"\n{mistake}: {', '.join(members)}")


@app.command()
def interfaces(
    name: Annotated[str | None, argument("[NAME]", "Print only the stub of this interface.")] = None,
) -> None:
    """List the interfaces, each with a stub to hand out.

    Examples:
      gametree code interfaces
      gametree code interfaces lists > search.py
    """
    from grader.programs.interface import load_interface
    from grader.programs.interfaces import INTERFACES

    known = [load_interface(each) for each in INTERFACES]
    if name is not None:
        say(lookup_name(known, name, "interface").stub.rstrip())
        return
    for interface in known:
        say(f"{interface.name}: {interface.title}\n")
        say("\n".join(f"    {line}".rstrip() for line in interface.stub.splitlines()) + "\n")


@app.command()
def export(
    interface: Annotated[str, option("The interface of the course.", metavar="NAME")],
    output: Annotated[Path, option("Folder to write into.", "-o", "--output", metavar="DIR")],
    ties: TiesOption = None,
    points: Annotated[int, option("The points for a correct program.", min=1)] = 10,
    force: Annotated[bool, option("Replace existing files.")] = False,
) -> None:
    """Write tests for a course: a pytest file, a Gradescope autograder, a PrairieLearn question.

    Examples:
      gametree code export --interface lists --ties cut -o tests/
    """
    from grader.programs.export import export_files
    from grader.programs.interface import InterfaceError, load_interface

    with refusing("There is no such interface", InterfaceError, hint=_INTERFACES_HINT):
        load_interface(interface)
    write_folder(output, export_files(interface, ties, points), force=force)
    say(str(output))
