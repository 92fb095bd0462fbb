"""Run a student's program on trees and report value, move and visits; the code of a process of its own."""

import builtins
import importlib.machinery
import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import CodeType, ModuleType
from typing import Any, cast

from grader.programs.calling import CallError, Program
from grader.programs.candidates import (
    choose_function,
    function_names,
    intended_algorithm,
    is_likely,
)
from grader.programs.guard import CountedOutput, OutputLimit, limit_process, watch_events
from grader.programs.interface import Interface, load_interface
from grader.programs.position import TreePosition, move_name
from grader.programs.probable_lines import probable_lines

Report = Callable[[dict[str, Any]], None]

_LARGEST = 10**1000
"""No number is longer in a report."""

MAX_ANSWER_DEPTH = 3
"""The most lists inside each other in an answer; a list may contain itself."""

PROBE_COUNT = 3
"""The trees on which a function is tried before it is chosen."""

MAX_MESSAGE_LENGTH = 200


class _Dummy(type):
    """The metaclass of a class that has every attribute; its objects can be called and iterated over."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _dummy_class(name)


def _dummy_class(name: str) -> Any:
    """Return such a class; programs may derive their own classes from it."""
    return _Dummy(
        name,
        (),
        {
            "__init__": lambda *_, **__: None,
            "__getattr__": lambda self, name: getattr(type(self), name),
            "__call__": lambda *_, **__: _dummy_class("result")(),
            "__iter__": lambda _: iter(()),
        },
    )


class _StandIn(ModuleType):
    """A missing module: it has every name."""

    __path__: list[str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, _dummy_class(name))
        return self.__dict__[name]


class _StandInFinder:
    """Gives a stand-in for every module that the files of a folder import in vain, and remembers its name."""

    def __init__(self, modules: Mapping[str, Mapping[str, Any]], folder: str) -> None:
        self.modules, self.folder, self.missing = modules, folder, list[str]()

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        """Return a specification for a module that is not installed."""
        top = name.partition(".")[0]
        importer = inspect.currentframe()
        while importer is not None and (
            importer.f_code.co_filename == __file__ or "importlib" in importer.f_code.co_filename
        ):
            importer = importer.f_back
        if importer is None or not importer.f_code.co_filename.startswith(self.folder):
            return None  # a library that can do without it
        if top not in self.missing:
            self.missing.append(top)
        return importlib.machinery.ModuleSpec(name, cast(Any, self), is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return a module with the course's contents, and every other name."""
        module = _StandIn(spec.name)
        module.__dict__.update(self.modules.get(spec.name, {}))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module is complete."""


class Loader:
    """Loads a program afresh for every tree, so that no search sees what another one has stored."""

    def __init__(self, file: str, source: str, interface: Interface) -> None:
        self.file, self.source, self.interface = file, source, interface
        self.finder = _StandInFinder(interface.stand_ins(), os.path.dirname(file))
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

    The records: `choice` or `choices`, one `tree` each with its result or error, `returns`, and `end`.
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
    """Return the function and the algorithm it means to be; report why there is none or more than one."""
    module = loader.module()

    def probe(name: str) -> list[dict[str, Any]]:
        runs = (_run(loader, name, tree) for tree in job["trees"] if tree["plies"] > 1)
        return list(islice((result for result in runs if result is not None), PROBE_COUNT))

    def works(name: str) -> bool:
        results = probe(name)
        return any(
            result.get("error") not in ("call", "unwritten")
            and (result.get("visits") or result.get("error") or _is_usable(result["answer"]))
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


def _is_usable(answer: Any) -> bool:
    """Return whether an encoded answer has a number, a node or a move in it."""
    items = answer if isinstance(answer, list) else [answer]
    return any(
        _is_usable(item)
        if isinstance(item, list)
        else item is not None and any(item.get(key) is not None for key in ("number", "node", "move"))
        for item in items
    )


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
        result: dict[str, Any] = {"answer": _encode(answer, position)}
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
    """Return `hard` if a value outside of the window comes back as the bound, `soft` if as it is."""
    answers = []
    payoffs = [payoff for payoff in tree["payoffs"] if payoff is not None]
    for window in ((min(payoffs) - 9, min(payoffs) - 5), (max(payoffs) + 5, max(payoffs) + 9)):
        position = TreePosition(tree)
        try:
            answer = loader.interface.call(loader.program(name), position, tree["plies"], window)
            encoded = _encode(answer, position)
        except BaseException:  # a student's program may end in any way
            return None
        items = encoded if isinstance(encoded, list) else [encoded]
        answers.append([item.get("number") for item in items if isinstance(item, dict)])
    is_hard = [min(payoffs) - 5 in answers[0], max(payoffs) + 5 in answers[1]]
    return "hard" if any(is_hard) else "soft" if all(answers) else None


def _encode(answer: Any, position: TreePosition, depth: int = 0) -> Any:
    """Return an answer as JSON: `number`, `node` and `move` of each item; a list for several.

    An object that is nothing of that has no key.
    """
    node = position.record.node_of(answer)
    if getattr(answer, "shape", None) and hasattr(answer, "tolist"):
        answer = answer.tolist()  # an array of NumPy
    number = _number(answer)
    if node is not None:
        item: dict[str, Any] = {"node": node}
        return item if number is None else item | {"number": number}
    if number is not None:
        return {"number": number}
    if isinstance(answer, str):
        names = list(map(move_name, range(len(position.children))))
        return {"move": names.index(answer) if answer in names else None}
    inner = getattr(answer, "_position", None)
    if isinstance(inner, TreePosition):
        return {"node": inner.node}
    if isinstance(answer, dict):
        answer = list(answer.values())
    elif hasattr(answer, "__dict__") and not callable(answer):
        answer = list(vars(answer).values())  # a record of the program's own
    if isinstance(answer, tuple | list) and depth < MAX_ANSWER_DEPTH:
        items = [_encode(item, position, depth + 1) for item in answer[:4]]
        return {"number": [item["number"] for item in items]} if _is_vector(items, position) else items
    return None if answer is None else {}


def _is_vector(items: Sequence[Any], position: TreePosition) -> bool:
    """Return whether the items of an answer are a payoff for each of several players."""
    seats = position.tree["seats"]
    return len(items) == seats > 0 and all(isinstance(item, dict) and "number" in item for item in items)


def _number(answer: Any) -> int | str | None:
    """Return a number as JSON that loses nothing: a whole number, or the text of another one."""
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return int(answer) if abs(answer) < _LARGEST else None
    if hasattr(answer, "dtype") and not getattr(answer, "shape", None):
        answer = answer.item()  # a number of NumPy
    if isinstance(answer, int):
        return int(answer)
    return repr(answer) if isinstance(answer, float) else None


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
