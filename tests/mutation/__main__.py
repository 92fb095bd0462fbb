"""Plant mutants into modules and print those that no test kills.

python -m tests.mutation [--sample COUNT] [--seed SEED] [FILE ...]
"""

import argparse
import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.mutation.covered import COVERED
from tests.mutation.mutants import ROOT, Mutant, mutants
from tests.mutation.survivors import known_survivors

MAX_TEST_SECONDS = 5.0
"""Processor time of the setup and of the call of a traced test; tests that take longer are left out."""

MAX_SURVEY_SECONDS = 3_600
"""Processor time of the survey of all tests of a group."""

MAX_MEMORY_BYTES = 4 << 30
"""Address space of a fork, for mutants that never stop allocating."""

CACHED_FUNCTION = type(cache(len))
"""The type of functions decorated with `functools.cache` or `lru_cache`."""


class LineTracer:
    """A trace function that records which of some lines are executed.

    Code without such lines, or whose lines are all recorded, runs on at almost full speed.
    """

    def __init__(self, lines: Mapping[str, set[int]]) -> None:
        self.lines = lines
        self.executed: dict[str, set[int]] = {}
        self._lines_of_code: dict[tuple[str, CodeType], set[int]] = {}
        self._pending: dict[tuple[str, CodeType], set[int]] = {}

    def clear(self) -> None:
        """Forget which lines were executed."""
        self.executed.clear()
        self._pending.clear()

    def __call__(self, frame: FrameType, *_: object) -> Any:
        """Record the line of the frame, and ask for its next lines while some of them are missing."""
        code, line = frame.f_code, frame.f_lineno
        path = code.co_filename
        if path not in self.lines:
            return None
        pending = self._pending.get((path, code))
        if pending is None:
            pending = self._pending[path, code] = self._lines_to_record(code)
        if line in pending:
            pending.remove(line)
            self.executed.setdefault(path, set()).add(line)
        frame.f_trace_lines = bool(pending)
        return self if pending else None

    def _lines_to_record(self, code: CodeType) -> set[int]:
        key = code.co_filename, code
        if key not in self._lines_of_code:
            self._lines_of_code[key] = self.lines[code.co_filename] & {line for *_, line in code.co_lines()}
        return set(self._lines_of_code[key])


@dataclass(frozen=True, slots=True)
class Measurement:
    """The processor time of a test, and the lines of the mutated files that it executes."""

    seconds: float
    lines: dict[str, list[int]]


class Campaign:
    """A pytest plugin: collect the tests once, then fork for every mutant and run the tests that reach it."""

    def __init__(self, files: list[str], sample: int | None, seed: int) -> None:
        self.mutants = {file: _draw(file, sample, seed) for file in files}
        self.unlisted_survivors = 0
        self.tracer = LineTracer(
            {
                str(ROOT / file): {line for mutant in drawn for line in mutant.lines}
                for file, drawn in self.mutants.items()
            }
        )
        self.import_lines: dict[str, set[int]] = {}
        self.caches: list[Any] = []
        self.phase_seconds = 0.0

    def pytest_sessionstart(self) -> None:
        """Start to record the lines that are executed at import, when all kinds and forms are made."""
        sys.settrace(self.tracer)

    def pytest_collection_finish(self) -> None:
        """Stop recording: all modules are imported now."""
        sys.settrace(None)
        self.import_lines = {path: set(lines) for path, lines in self.tracer.executed.items()}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Let Hypothesis try the same few examples every time, without shrinking them."""
        # Imported here, because pytest has to rewrite the assertions of its plugins before they are imported.
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        fast = settings.get_profile("fast")
        settings.register_profile("mutants", fast, max_examples=15, phases=phases, database=None)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Reduce the number of examples also for laws that set their own."""
        from hypothesis import settings

        name = "_hypothesis_internal_use_settings"
        for item in items:
            law = getattr(item, "obj", None)
            if getattr(law, name, None) is not None:
                # A method has the settings of its function, and Hypothesis offers no other way.
                max_examples = min(getattr(law, name).max_examples, settings().max_examples)
                setattr(
                    law,
                    name,
                    settings(getattr(law, name), max_examples=max_examples, phases=settings().phases),
                )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        """Stop a setup that takes too long."""
        with self._time_limit():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """Stop a test that takes too long."""
        with self._time_limit():
            return (yield)

    @contextmanager
    def _time_limit(self) -> Iterator[None]:
        """Limit a phase of a test in the survey; elsewhere in pytest an alarm would end the survey."""
        signal.setitimer(signal.ITIMER_PROF, self.phase_seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the campaign in place of the tests."""
        live_functions = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
        self.caches = [
            thing for thing in gc.get_objects() if type(thing) is CACHED_FUNCTION and self._is_mutated(thing)
        ]
        status, survey = self._in_fork(lambda: self._survey(session), MAX_SURVEY_SECONDS)
        if status:
            raise RuntimeError("the survey of the tests did not finish")
        measurements = [Measurement(seconds, lines) for seconds, lines in json.loads(survey)]
        usable = sum(bool(measurement.lines) for measurement in measurements)
        spent = sum(measurement.seconds for measurement in measurements)
        print(f"# {usable} of {len(measurements)} tests reach these files, {spent:.0f} s", flush=True)
        listed = known_survivors()
        total = unlisted = known = import_time = 0
        for file, drawn in self.mutants.items():
            path = str(ROOT / file)
            functions = [function for function in live_functions if function.__code__.co_filename == path]
            for mutant in drawn:
                total += 1
                tests = [
                    (measurement.seconds, item)
                    for item, measurement in zip(session.items, measurements, strict=True)
                    if not set(mutant.lines).isdisjoint(measurement.lines.get(path, ()))
                ]
                tests.sort(key=lambda test: test[0])
                if not self._survives(session, mutant, tests, functions):
                    continue
                if mutant.key in listed:
                    known += 1
                elif not set(mutant.lines).isdisjoint(self.import_lines.get(path, ())):
                    import_time += 1  # whatever was made at import has no fault
                else:
                    unlisted += 1
                    print(f"\n{mutant}" if tests else f"\n{mutant}\n  (no test reaches this)", flush=True)
            counts = f"{unlisted} unlisted survivors, {known} listed, {import_time} at import"
            print(f"# {file}: {total} mutants in all, {counts}", flush=True)
        self.unlisted_survivors = unlisted
        return True

    def _survey(self, session: pytest.Session) -> str:
        """Return the fields of a `Measurement` for every test, as JSON."""
        survey: list[tuple[float, dict[str, list[int]]]] = []

        def stop(*_: object) -> None:
            raise TimeoutError("this test takes too long")

        signal.signal(signal.SIGPROF, stop)
        self.phase_seconds = MAX_TEST_SECONDS
        for place, item in enumerate(session.items):
            self.tracer.clear()
            if place and item.path != session.items[place - 1].path:
                self._clear_caches()
            failures, start = session.testsfailed, time.process_time()
            sys.settrace(self.tracer)
            self._run(item, session.items[place + 1 :])
            sys.settrace(None)
            # A test that was stopped, or that fails without any mutant, cannot judge mutants.
            has_passed = session.testsfailed == failures
            executed = self.tracer.executed if has_passed else {}
            lines = {path: sorted(numbers) for path, numbers in executed.items()}
            survey.append((time.process_time() - start, lines))
        return json.dumps(survey)

    def _survives(
        self,
        session: pytest.Session,
        mutant: Mutant,
        tests: list[tuple[float, pytest.Item]],
        functions: list[FunctionType],
    ) -> bool:
        """Return whether all tests pass while the module's functions run the code of the mutant."""
        codes = {(code.co_qualname, code.co_firstlineno): code for code in _nested_codes(mutant.code)}
        items = [item for _, item in tests]

        def judge() -> str:
            for function in functions:
                code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
                if code is not None and code.co_freevars == function.__code__.co_freevars:
                    function.__code__ = code
            self._clear_caches()
            for place, item in enumerate(items):
                self._run(item, items[place + 1 :])
                if session.testsfailed:
                    return "killed"
            return "alive"

        status, verdict = self._in_fork(judge, 10 + 3 * int(sum(seconds for seconds, _ in tests)))
        return status == 0 and verdict == "alive"

    def _is_mutated(self, cached_function: Any) -> bool:
        """Return whether a cached function is of a file that mutants are planted into."""
        code = getattr(cached_function.__wrapped__, "__code__", None)
        return code is not None and code.co_filename in self.tracer.lines

    def _clear_caches(self) -> None:
        """Clear what the cached functions of the files computed without a mutant."""
        for function in self.caches:
            function.cache_clear()

    def _run(self, item: pytest.Item, later: list[pytest.Item]) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=later[0] if later else None)

    def _in_fork(self, work: Callable[[], str], cpu_seconds: int) -> tuple[int, str]:
        """Run the work in a process of its own, with limited time and memory.

        Return the status of the process and the text that the work returns.
        """
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            status, result = 1, b""
            try:
                status, result = 0, work().encode()
            finally:
                with open(writing, "wb") as pipe:
                    pipe.write(result)
                os._exit(status)
        os.close(writing)
        with open(reading, encoding="utf-8") as pipe:
            text = pipe.read()
        return os.waitpid(child, 0)[1], text


def _draw(file: str, sample: int | None, seed: int) -> list[Mutant]:
    """Draw a sample of the mutants of a file, or return all of them."""
    candidates = mutants(file)
    if sample is None or sample >= len(candidates):
        return candidates
    return Random(f"{seed} {file}").sample(candidates, sample)


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_codes(constant)


def main() -> int:
    """Run a campaign for each group of files with the same tests, in a process of its own.

    Return 1 if an unlisted mutant survives or tests could not be run.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--sample", type=int, help="draw this many mutants of each file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.files) - {file for files in COVERED for file in files}:
        parser.error(f"no tests are listed for {', '.join(sorted(unknown))}")
    failed_status = 0
    for files, tests in COVERED.items():
        chosen = [file for file in files if not options.files or file in options.files]
        if not chosen:
            continue
        child = os.fork()
        if child == 0:
            os.chdir(ROOT)
            campaign = Campaign(chosen, options.sample, options.seed)
            status = pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], [campaign])
            os._exit(1 if status or campaign.unlisted_survivors else 0)
        failed_status |= os.waitpid(child, 0)[1]
    return 1 if failed_status else 0


if __name__ == "__main__":
    sys.exit(main())
