"""Check one program, or those of a class side by side."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from grader.base.processes import usable_cores
from grader.programs.example_trees import examples_for
from grader.programs.interface import InterfaceError, load_interface, recognised_interfaces
from grader.programs.running import MAX_SECONDS, run_program
from grader.programs.verdict import EQUAL_WEIGHTS, Verdict, judge_run
from grader.trees.rules import Ties


@dataclass(frozen=True, slots=True)
class ProgramSubmission:
    """A file to check, with the texts of the other files of the same student."""

    name: str
    source: str
    helpers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How programs are checked; an interface is recognised by the program if there is none.

    `in_order`: another order of the children than the given one is a mistake. `weights`: see `Verdict`.
    """

    interface: str | None = None
    function: str | None = None
    ties: Ties | None = None
    depth: int | None = None
    seconds: int = MAX_SECONDS
    in_order: bool = False
    weights: tuple[int, ...] = EQUAL_WEIGHTS


def check_program(submission: ProgramSubmission, options: CheckOptions = CheckOptions()) -> Verdict:
    """Run a program in a process of its own and judge it. Raises `InterfaceError`.

    Without an interface those that the program may be written for are tried, until one suits it.
    """
    names = (options.interface,) if options.interface else recognised_interfaces(submission.source)
    return first_suited(_check_by(name, submission, options) for name in names)


def first_suited(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the first verdict of a program that suits its interface, or else the very first one."""
    first: Verdict | None = None
    for verdict in verdicts:
        first = first or verdict
        if verdict.suits_interface:
            return verdict
    assert first is not None
    return first


def _check_by(name: str, submission: ProgramSubmission, options: CheckOptions) -> Verdict:
    """Run a program by one interface and judge it. Raises `InterfaceError` if no tree has this depth."""
    interface = load_interface(name)
    examples = examples_for(interface, options.depth)
    if not examples:
        raise InterfaceError(f"{interface.name} is not tried on trees of depth {options.depth}")
    run = run_program(
        file_name(submission.name),
        submission.source,
        name,
        [example.to_job() for example in examples],
        function=options.function,
        helpers=submission.helpers,
        seconds=options.seconds,
    )
    course_interface = replace(interface, is_ordered=interface.is_ordered or options.in_order)
    return replace(
        judge_run(submission.name, run, course_interface, examples, options.ties), weights=options.weights
    )


def check_class(submissions: Iterable[ProgramSubmission], options: CheckOptions) -> Iterator[Verdict]:
    """Check programs side by side and yield the verdicts in order; each runs in a process of its own."""
    with ThreadPoolExecutor(usable_cores()) as executor:
        yield from executor.map(lambda submission: check_program(submission, options), submissions)


def file_name(path: str) -> str:
    """Return the last part of a path, as a name of a Python file that is safe in an empty folder."""
    stem = path.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    safe = "".join(sign if sign.isalnum() or sign == "_" else "_" for sign in stem)[:60]
    return f"{safe or 'program'}.py"
