"""Run a student's program on trees and report value, move and visits; the code of a process of its own."""

import builtins
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import CodeType, ModuleType
from typing import Any, cast

from grader.programs.answer_encoding import encode_answer, is_usable
from grader.programs.calling import CallError, Program
from grader.programs.candidates import (
    choose_function,
    function_names,
    intended_algorithm,
    is_likely,
)
from grader.programs.guard import CountedOutput, OutputLimit, limit_process, watch_events
from grader.programs.interface import Interface, load_interface
from grader.programs.missing_modules import StandInFinder
from grader.programs.position import TreePosition
from grader.programs.probable_lines import probable_lines

Report = Callable[[dict[str, Any]], None]

PROBE_COUNT = 3
"""The trees on which a function is tried before it is chosen."""

MAX_MESSAGE_LENGTH = 200


class Loader:
    """Loads a program afresh for every tree, so that no search sees what another one has stored."""

    def __init__(self, file: str, source: str, interface: Interface) -> None:
        self.file, self.source, self.interface = file, source, interface
        self.finder = StandInFinder(interface.stand_ins(), os.path.dirname(file))
        self._code: CodeType | None = None
        self._kept = set(sys.modules)
        sys.meta_path.append(cast(Any, self.finder))

    def module(self) -> ModuleType:
        """Return the program as a new module; modules of the student's folder are loaded again too."""
        folder = os.path.dirname(self.file)
        for name in set(sys.modules) - self._kept:
            place = getattr(sys.modules[name], "__file__", None) or ""
            if place.startswith(folder):
                del sys.modules[name]
        if self._code is None:
            self._code = compile(self.source, self.file, "exec")
        name = os.path.basename(self.file).removesuffix(".py")
        module = ModuleType("submission" if name in self._kept else name)
        module.__file__ = self.file
        module.__dict__["__builtins__"] = {**vars(builtins), **self.interface.builtins}
        sys.modules[module.__name__] = module
        exec(self._code, module.__dict__)
        return module

    def program(self, name: str) -> Program:
        """Return the program with the function that is called."""
        return Program(self.module(), self.source, name)


def run_job(job: Mapping[str, Any], report: Report) -> None:
    """Load a program, choose its function and run it on every tree; report each step as a record.

    The records: `choice` with the function, one `tree` each with its result or error, `returns`, and `end`.
    If no function is chosen there is only `end`, with the `names` that it might have been.
    """
    interface = load_interface(job["interface"])
    loader = Loader(job["file"], job["source"], interface)
    try:
        name, algorithm = _choose(loader, job, report)
    except BaseException as error:  # a student's module may end in any way
        report({"end": _ending(error), **_describe(error, loader.file)})
        return
    if not name:
        return
    lines = probable_lines(job["source"])
    report({"choice": name, "algorithm": algorithm, "missing": loader.finder.missing, "lines": lines})
    for index, tree in enumerate(job["trees"]):
        record = _run(loader, name, tree)
        if record is not None:
            report({"tree": index, **record})
            if record.get("error") == "output":
                report({"end": "output"})
                return
    if interface.has_window:
        report({"returns": _returns(loader, name, job["trees"][0])})
    report({"end": "finished", "missing": loader.finder.missing})


def _choose(loader: Loader, job: Mapping[str, Any], report: Report) -> tuple[str, str]:
    """Return the function and the algorithm it means to be.

    If no function or more than one can be meant, report why and return two empty texts.
    """
    module = loader.module()

    def probe(name: str) -> list[dict[str, Any]]:
        """Return the results of the first trees of more than one ply on which the program gives a result."""
        runs = (_run(loader, name, tree) for tree in job["trees"] if tree["plies"] > 1)
        return list(islice((result for result in runs if result is not None), PROBE_COUNT))

    def works(name: str) -> bool:
        """Return whether a function can be a search: on some tree it visits nodes, fails or returns a result.

        Calls that do not fit the function, and functions that are not written, do not count as failures.
        """
        results = probe(name)
        return any(
            result.get("error") not in ("call", "unwritten")
            and (result.get("visits") or result.get("error") or is_usable(result["answer"]))
            for result in results
        )

    if job.get("function"):
        names = [job["function"]] if job["function"] in set(function_names(module)) else []
        rejected: list[str] = []
    else:
        names, rejected = choose_function(module, loader.interface.functions, works)
    if not names:  # a function that is named like a search, and returns something that nothing can be made of
        names = [
            each
            for each in rejected
            if is_likely(each, loader.interface.functions) and all(map(_returns_something, probe(each)))
        ]
    if len(names) != 1:
        likely = [each for each in rejected if is_likely(each, loader.interface.functions)]
        unwritten = [each for each in likely if _is_unwritten(probe(each))]
        end = "several" if names else "unwritten" if unwritten else "no-function"
        report({"end": end, "names": names or unwritten or list(function_names(module))[:20]})
        return "", ""
    interface = loader.interface
    return names[0], intended_algorithm(module, names[0], interface.algorithm, interface.window_names)


def _returns_something(result: Mapping[str, Any]) -> bool:
    return "error" not in result and result["answer"] is not None


def _is_unwritten(results: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a function does nothing on any tree, or says itself that it is not written."""
    return all(
        result.get("error") == "unwritten"
        or ("error" not in result and result["answer"] is None and not result["visits"])
        for result in results
    )


def _run(loader: Loader, name: str, tree: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer and the visits on one tree, or the error; None if the tree does not suit."""
    position = TreePosition(tree)
    try:
        program = loader.program(name)
        if not loader.interface.suits(program, tree):
            return None
        answer = loader.interface.call(program, position, tree["plies"])
        result: dict[str, Any] = {"answer": encode_answer(answer, position)}
    except BaseException as error:  # a student's program may end in any way
        details = _describe(error, loader.file)
        # An ordinary error outside of the program comes from a call that it does not take.
        is_outside = details["line"] is None and _ending(error) == "exception"
        result = {"error": "call" if is_outside else _ending(error), **details}
    record = position.record
    return result | {
        "visits": record.visits[:],
        "repeats": record.repeats,
        "generated": sorted(record.generated),
    }


def _returns(loader: Loader, name: str, tree: dict[str, Any]) -> str | None:
    """Return `hard` if a value outside of the window comes back as the bound, `soft` if as it is.

    None if the program fails with a window, or returns no number.
    """
    answers = []
    payoffs = [payoff for payoff in tree["payoffs"] if payoff is not None]
    for window in ((min(payoffs) - 9, min(payoffs) - 5), (max(payoffs) + 5, max(payoffs) + 9)):
        position = TreePosition(tree)
        try:
            answer = loader.interface.call(loader.program(name), position, tree["plies"], window)
            encoded = encode_answer(answer, position)
        except BaseException:  # a student's program may end in any way
            return None
        items = encoded if isinstance(encoded, list) else [encoded]
        answers.append([item.get("number") for item in items if isinstance(item, dict)])
    is_hard = [min(payoffs) - 5 in answers[0], max(payoffs) + 5 in answers[1]]
    return "hard" if any(is_hard) else "soft" if all(answers) else None


def _ending(error: BaseException) -> str:
    """Return the code for the way in which a call ended."""
    match error:
        case CallError():
            return "call"
        case NotImplementedError():
            return "unwritten"
        case OutputLimit():
            return "output"
        case MemoryError():
            return "memory"
        case RecursionError():
            return "recursion"
        case SyntaxError():
            return "python-2" if "print" in str(error) and "parentheses" in str(error) else "syntax"
        case SystemExit() | KeyboardInterrupt() | GeneratorExit():
            return "exit"
        case EOFError() | OSError() if "stdin" in str(error) or isinstance(error, EOFError):
            return "input"
        case _:
            return "exception"


def _describe(error: BaseException, file: str) -> dict[str, Any]:
    """Return the message of an error, and the last line of the student's file that it came from."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == file else None
    trace = error.__traceback__
    for _ in range(100_000):
        if trace is None:
            break
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # its own `__str__` may fail
        text = ""
    if isinstance(error, RecursionError):
        line = None  # it depends on the depth of the stack where the limit is met
    message = ": ".join(filter(None, (type(error).__name__, text)))
    return {"message": message[:MAX_MESSAGE_LENGTH], "line": line}


def _refuse_input(*_: object) -> str:
    raise EOFError("there is no input")


def main(descriptor: int) -> None:
    """Read a job from a descriptor, cut this process off from its surroundings, and run it.

    Records go to the standard output of the process; the program's own output is discarded and counted.
    """
    with os.fdopen(descriptor, "rb", closefd=False) as pipe:
        job = json.loads(pipe.read())
    output = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for name in ("stdout", "stderr"):
        setattr(sys, name, CountedOutput())
    vars(sys)["argv"] = [job["file"]]
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(job["file"]))
    write, dump, leave = os.write, json.dumps, os._exit

    def report(record: dict[str, Any]) -> None:
        data = (dump(record) + "\n").encode()
        while data:
            data = data[write(output, data) :]

    load_interface(job["interface"])  # before the watch: it may read files of the package
    vars(builtins)["input"] = _refuse_input
    watch_events(os.path.dirname(job["file"]), lambda event: report({"event": event}))
    limit_process(job["seconds"])
    run_job(job, report)
    leave(0)
