"""Plants mutants into modules and tells which of them no test kills.

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
from collections.abc import Iterator
from functools import cache
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.mutation.covered import COVERED
from tests.mutation.mutants import ROOT, Mutant, mutants
from tests.mutation.survivors import known_survivors

LONGEST = 5.0
"""Seconds of processor time under the eyes of the survey; tests that take longer are left out."""

LONGEST_SURVEY = 3_600
"""Seconds of processor time in which the survey of all tests of a group ends."""

CACHED = type(cache(len))
"""What a function becomes that remembers what it gave."""


class Lines:
    """What is traced by: the lines of some files that are run."""

    def __init__(self, files: set[str]) -> None:
        self.files = files
        self.seen: dict[str, set[int]] = {}

    def __call__(self, frame: FrameType, *_: object) -> Any:
        """Called for every frame, and in those of the files for every line."""
        name = frame.f_code.co_filename
        if name not in self.files:
            return None
        self.seen.setdefault(name, set()).add(frame.f_lineno)
        return self


class Campaign:
    """A pytest plugin: collects tests once, then runs those that reach a mutant in a fork of its own."""

    def __init__(self, files: list[str], sample: int | None, seed: int) -> None:
        self.files, self.sample, self.seed, self.unlisted = files, sample, seed, 0
        self.remembering: list[Any] = []
        self.lines = Lines({str(ROOT / file) for file in files})
        self.loading: dict[str, set[int]] = {}

    def pytest_sessionstart(self) -> None:
        """What runs while modules are loaded, which all kinds are made by, is told from what tests run."""
        sys.settrace(self.lines)

    def pytest_collection_finish(self) -> None:
        """All modules are loaded."""
        sys.settrace(None)
        self.loading = {name: set(numbers) for name, numbers in self.lines.seen.items()}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """The same few examples every time, and no search for smaller ones."""
        # Imported here, for pytest wants to be the first to see it.
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        fast = settings.get_profile("fast")
        settings.register_profile("mutants", fast, max_examples=15, phases=phases, database=None)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Few examples also for laws that ask for many; cases that are as slow as they are many go."""
        from hypothesis import settings

        name = "_hypothesis_internal_use_settings"
        for item in items:
            law = getattr(item, "obj", None)
            if getattr(law, name, None) is not None:
                # A method has the settings of its function, and Hypothesis offers no other way.
                few = min(getattr(law, name).max_examples, settings().max_examples)
                setattr(law, name, settings(getattr(law, name), max_examples=few, phases=settings().phases))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the campaign in place of the tests."""
        functions = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
        self.remembering = [
            thing for thing in gc.get_objects() if type(thing) is CACHED and self._is_here(thing)
        ]
        reached = json.loads(self._in_fork(lambda: self._survey(session), LONGEST_SURVEY)[1])
        usable = sum(bool(lines) for _, lines in reached)
        spent = sum(seconds for seconds, _ in reached)
        print(f"# {usable} of {len(reached)} tests come here, {spent:.0f} s", flush=True)
        listed = known_survivors()
        known = alive = early = total = 0
        for file in self.files:
            here = [thing for thing in functions if thing.__code__.co_filename == str(ROOT / file)]
            found = mutants(file)
            if self.sample is not None and self.sample < len(found):
                found = Random(f"{self.seed} {file}").sample(found, self.sample)
            for mutant in found:
                total += 1
                tests = [
                    (seconds, item)
                    for item, (seconds, lines) in zip(session.items, reached, strict=True)
                    if not set(mutant.numbers).isdisjoint(lines.get(str(ROOT / file), ()))
                ]
                if self._survives(session, mutant, sorted(tests, key=lambda test: test[0]), here):
                    if mutant.key in listed:
                        known += 1
                        continue
                    if not set(mutant.numbers).isdisjoint(self.loading.get(str(ROOT / file), ())):
                        early += 1  # what was made before the mutant was planted is what it was
                        continue
                    alive += 1
                    print(f"\n{mutant}" if tests else f"\n{mutant}\n  (no test comes here)", flush=True)
            rest = f"{known} listed, {early} too late"
            print(f"# {file}: {total} mutants so far, {alive} alive, {rest}", flush=True)
        self.unlisted = alive
        return True

    def _survey(self, session: pytest.Session) -> str:
        """The seconds every test takes and the lines of the files that it comes to, as JSON."""
        found: list[tuple[float, dict[str, list[int]]]] = []
        lines = self.lines.seen

        def stop(*_: object) -> None:
            raise TimeoutError("this test takes too long")

        signal.signal(signal.SIGPROF, stop)
        for place, item in enumerate(session.items):
            lines.clear()
            if place and item.path != session.items[place - 1].path:
                self._forget()
            failed, start = session.testsfailed, time.process_time()
            signal.setitimer(signal.ITIMER_PROF, LONGEST)
            sys.settrace(self.lines)
            self._run(item, session.items[place + 1 :])
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            # A test that was stopped, or that fails anyway, says nothing about mutants.
            passed = session.testsfailed == failed
            seen = {name: sorted(numbers) for name, numbers in lines.items()} if passed else {}
            found.append((time.process_time() - start, seen))
        return json.dumps(found)

    def _survives(
        self,
        session: pytest.Session,
        mutant: Mutant,
        tests: list[tuple[float, pytest.Item]],
        functions: list[FunctionType],
    ) -> bool:
        """Whether all tests pass with the mutant in place of the module's functions."""
        codes = {(code.co_qualname, code.co_firstlineno): code for code in _codes(mutant.code)}
        items = [item for _, item in tests]

        def judge() -> str:
            for function in functions:
                code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
                if code is not None and code.co_freevars == function.__code__.co_freevars:
                    function.__code__ = code
            self._forget()
            for place, item in enumerate(items):
                self._run(item, items[place + 1 :])
                if session.testsfailed:
                    return "killed"
            return "alive"

        status, verdict = self._in_fork(judge, 10 + 3 * int(sum(seconds for seconds, _ in tests)))
        return status == 0 and verdict == "alive"

    def _is_here(self, function: Any) -> bool:
        """Whether a function that remembers what it gave is of the files that mutants are planted into."""
        code = getattr(function.__wrapped__, "__code__", None)
        return code is not None and code.co_filename in {str(ROOT / file) for file in self.files}

    def _forget(self) -> None:
        """Let the functions of the files work anew: what they remember is of a program without faults."""
        for function in self.remembering:
            function.cache_clear()

    def _run(self, item: pytest.Item, later: list[pytest.Item]) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=later[0] if later else None)

    def _in_fork(self, work: Any, seconds: int) -> tuple[int, str]:
        """What the work says in a process of its own, which endless loops and their memory do not outlive."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            said = b""
            try:
                said = work().encode()
            finally:
                with open(writing, "wb") as pipe:
                    pipe.write(said)
                os._exit(0)
        os.close(writing)
        with open(reading, encoding="utf-8") as pipe:
            said = pipe.read()
        return os.waitpid(child, 0)[1], said


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def main() -> int:
    """Run the campaigns, a process per group of files that share tests.

    Return 1 when an unlisted mutant lives or tests could not be run.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--sample", type=int, help="as many mutants per file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.files) - {file for files in COVERED for file in files}:
        parser.error(f"no tests are listed for {', '.join(sorted(unknown))}")
    wrong = 0
    for files, tests in COVERED.items():
        chosen = [file for file in files if not options.files or file in options.files]
        if not chosen:
            continue
        child = os.fork()
        if child == 0:
            os.chdir(ROOT)
            campaign = Campaign(chosen, options.sample, options.seed)
            status = pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], [campaign])
            os._exit(1 if status or campaign.unlisted else 0)
        wrong |= os.waitpid(child, 0)[1]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
