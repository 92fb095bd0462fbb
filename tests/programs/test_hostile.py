"""Hostile and broken programs end within their limits, each with a sentence, and change nothing."""

import json
import os
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from grader.programs.answer_encoding import encode_answer
from grader.programs.example_trees import examples_for
from grader.programs.interface import load_interface
from grader.programs.position import TreePosition
from grader.programs.run_reports import collect_run, is_report, read_reports
from grader.programs.sentences import sentence_of
from tests.programs.checks import check
from tests.programs.hostile_programs import HOSTILE_PROGRAMS
from tests.programs.sabotage import SABOTAGE

MARK = Path("/tmp/gametree-hostile-mark")
SLOW_SECONDS = 2


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", HOSTILE_PROGRAMS)
def test_every_ending_is_a_verdict(name: str) -> None:
    """Whatever a program does, there is a verdict with a sentence, and nothing is left behind."""
    text, cause = HOSTILE_PROGRAMS[name]
    verdict = check(text, "lists", seconds=SLOW_SECONDS if cause in ("time", "") else 30)
    assert verdict.ruling != "right"
    assert cause in ("", verdict.cause)
    assert sentence_of(verdict).endswith(".")
    assert "{" not in sentence_of(verdict)
    assert not MARK.exists()


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", SABOTAGE)
def test_sabotage_is_a_verdict_too(name: str) -> None:
    """A program that attacks the grader or answers nonsense gets a sentence, and is never right."""
    verdict = check(SABOTAGE[name], "lists", seconds=SLOW_SECONDS)
    assert verdict.ruling != "right"
    assert sentence_of(verdict).endswith(".")
    assert "{" not in sentence_of(verdict)
    is_answer_alone = "answer" in name or "error" in name
    assert not (is_answer_alone and "events" in verdict.notes), "nothing was refused"


def test_there_are_thirty() -> None:
    """The programs are as many as promised, and so is the sabotage."""
    assert min(len(HOSTILE_PROGRAMS), len(SABOTAGE)) >= 30


def test_a_refused_file_is_reported() -> None:
    """A program that swallows the error of a refused file is reported all the same."""
    verdict = check(HOSTILE_PROGRAMS["swallows a refused file"][0], "lists")
    assert "events" in verdict.notes
    assert verdict.run.events == ("open",)


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted by their environment")
def test_processes_of_a_program_end_with_it() -> None:
    """A process that a program starts behind the back of the watch does not outlive it."""
    program = """
import _posixsubprocess, os, time
pid = os.getpid()
def minimax(node, depth, maximizing):
    read, write = os.pipe()
    _posixsubprocess.fork_exec(
        [b"/bin/sleep"], [b"/bin/sleep"], True, (write,), None, None, -1, -1, -1, -1, -1, -1, read, write,
        True, True, -1, None, None, None, -1, None, True)
    while True:
        time.sleep(1)
"""
    before = set(os.listdir("/proc"))
    check(program.replace('[b"/bin/sleep"], [', '[b"sleep", b"98765"], ['), "lists", seconds=2)
    for _ in range(50):  # the system takes a moment to end what was killed
        lines = [
            (Path("/proc") / entry / "cmdline").read_bytes()
            for entry in set(os.listdir("/proc")) - before
            if entry.isdigit() and (Path("/proc") / entry / "cmdline").exists()
        ]
        if not any(b"98765" in line for line in lines):
            return
        sleep(0.1)
    raise AssertionError("the process lives on")


def test_forged_reports_are_ignored() -> None:
    """Lines that are no records of this program's process are dropped and never stop the reader."""
    output = b'{"tree": "x"}\n[1]\n\xff\n{"tree": 1, "visits": 7}\n{"end": 5}\n' + b"[" * 10_000
    run = collect_run(read_reports(output), "exit", 1)
    assert run.trees == {}
    assert run.choice == ""


@pytest.mark.parametrize(
    "forged",
    [
        '{"tree": 0}',
        '{"tree": -99, "visits": []}',
        '{"tree": 0, "visits": [], "generated": [[]]}',
        '{"tree": 0, "visits": [], "repeats": "many"}',
        '{"tree": 0, "visits": [], "answer": {"number": "1e999999999"}}',
        '{"tree": 0, "visits": [], "answer": ' + 500 * "[" + 500 * "]" + "}",
        '{"end": "finished", "missing": 5}',
        '{"choice": "minimax", "algorithm": [], "lines": {"ties-cut": 3}}',
        '{"event": "open", "another": 1}',
    ],
)
def test_no_forged_report_counts(forged: str) -> None:
    """A record that a program writes itself, of another shape than ours, is as good as none."""
    assert collect_run(read_reports(forged.encode()), "exit", 1) == collect_run([], "exit", 1)


class Rounded(float):
    """A number that is written in another way."""

    def __repr__(self) -> str:
        return f"about {round(self)}"


LOOP: list[Any] = [1, 2, 3]
LOOP[0] = LOOP


@pytest.mark.parametrize(
    "answer",
    [
        *[None, True, 10**999, 10**1000, 1e300, -1e-300, 0.00012345678901234567, float("-inf"), float("nan")],
        *["x", b"x", 1j, object(), [], (1, 2, 3), (1, 2.5, True), ((1, 2, 3), 0, 1), [(1, 2, 3)] * 3],
        *[[[(1, 2, 3)] * 3] * 3, [[[(1, 2, 3)] * 3] * 3] * 3, {"a": (1, 2, 3)}, LOOP, Rounded(2.5), {1, 2}],
    ],
)
@pytest.mark.parametrize("interface", ["lists", "multiplayer"])
def test_no_answer_is_taken_for_a_forgery(interface: str, answer: object) -> None:
    """Whatever a program answers, the record that is made of it counts."""
    position = TreePosition(examples_for(load_interface(interface))[0].to_job())
    record = {"tree": 0, "visits": [], "answer": encode_answer(answer, position)}
    assert is_report(json.loads(json.dumps(record)))


def test_a_program_that_forges_its_reports_gets_a_sentence() -> None:
    """Whoever writes into the pipe of the reports does not stop the marking of the class."""
    program = """
import os
for place in range(3, 20):
    try:
        os.write(place, b'\\n{"tree": 0}\\n{"tree": -99, "visits": [0]}\\n{"end": "", "missing": 5}\\n')
    except OSError:
        pass
def minimax(node, depth=9, maximizing=True):
    if not isinstance(node, list):
        return node
    values = [minimax(child, depth - 1, not maximizing) for child in node]
    return max(values) if maximizing else min(values)
"""
    assert check(program, "lists", seconds=SLOW_SECONDS).ruling == "right"
