"""What commands promise whatever they are asked: exit codes, streams, encodings, what they load."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.cli import COMMANDS
from grader.cli.files import bank_names
from tests.cli.running import gametree, shell

PROGRAM = [sys.executable, "-m", "grader"]

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


def program(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    return subprocess.run(
        [*PROGRAM, *arguments], input=typed, capture_output=True, env=os.environ | environment, check=False
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_the_help_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example in a command's help that needs no file of the reader's runs without an error."""
    monkeypatch.chdir(tmp_path)
    shown = gametree(name, "--help")
    assert shown.code == 0
    examples = re.findall(r"^ +((?:echo .*\| )?gametree .*)$", shown.out.split("Examples:")[1], re.MULTILINE)
    assert examples
    own = [line for line in examples if not re.search(r"(?<!bank:)\b\w+\.(?:tree|efg|json|toml|csv)\b", line)]
    assert own or name == "draw"
    for line in own:
        assert shell(line).code == 0, line


@pytest.mark.parametrize("name", bank_names())
def test_every_tree_of_the_bank_goes_through_every_command(name: str, tmp_path: Path) -> None:
    """Solving, drawing, converting and explaining a tree of the bank works, or says why it cannot."""
    tree = f"bank:{name}"
    solved = json.loads(gametree("solve", tree, "--json").out)
    assert solved["schema"] == 1
    assert gametree("draw", tree, "--windows", "-o", str(tmp_path / "tree.svg")).code == 0
    assert gametree("convert", tree, "--to", "outline").code == 0
    explained = gametree("explain", tree)
    assert explained.code == 0 or "unknown" in explained.err


@pytest.mark.parametrize("form", ["text", "outline", "json", "efg"])
def test_converting_changes_nothing(form: str) -> None:
    """A converted tree has the same solution, read from a file's text on standard input."""
    before = gametree("solve", "bank:aima-fig-5-12-chance", "--json")
    text = gametree("convert", "bank:aima-fig-5-12-chance", "--to", form).out
    assert gametree("solve", "-", "--json", typed=text) == before


def test_rules_on_the_command_line_override_the_file() -> None:
    """Header lines set the rules, options override them, and both show in the JSON."""
    text = f"@ties keep\n@order right-to-left\n{TEXTBOOK}"
    rules = json.loads(gametree("solve", "-", "--json", typed=text).out)["rules"]
    assert (rules["ties"], rules["order"]) == ("keep", "right-to-left")
    rules = json.loads(gametree("solve", "-", "--json", "--ties", "cut", typed=text).out)["rules"]
    assert (rules["ties"], rules["order"]) == ("cut", "right-to-left")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("solve", "-"), 0),
        (("check", "-"), 2),
        (("check", "-", "--pruning"), 1),
        (("solve", "nowhere.tree"), 2),
        (("solve", "-", "--ties", "perhaps"), 2),
        (("nonsense",), 2),
        ((), 2),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int) -> None:
    """0 is fine, 1 is a wrong answer, 2 is unusable input or usage."""
    assert gametree(*arguments, typed=TEXTBOOK).code == code


def test_data_goes_to_stdout_and_messages_to_stderr() -> None:
    """A refusal leaves stdout empty, a success leaves stderr empty."""
    refused, solved = gametree("solve", "-", typed="MAX (3"), gametree("solve", "-", typed=TEXTBOOK)
    assert (refused.out, solved.err) == ("", "")
    assert refused.err
    assert solved.out


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=80) | st.text("()[]MAXINCHE =<>~0123456789.,:{}@#\n ", max_size=80).map(str.encode))
def test_no_text_makes_a_command_crash(data: bytes) -> None:
    """Whatever is typed is solved and judged, or refused with exit code 2: never an exception."""
    for command in ("solve", "check", "explain"):
        assert gametree(command, "-", typed=data).code in (0, 1, 2)


def test_a_closed_pipe_is_no_error() -> None:
    """When the reader of a pipe stops reading, the program ends quietly."""
    line = f"{' '.join(PROGRAM)} help notation | head -n 1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0"
    assert ran.stderr == ""


def test_an_interrupt_ends_with_130() -> None:
    """Ctrl-C ends the program with exit code 130 and without a traceback."""
    process = subprocess.Popen(
        [*PROGRAM, "solve", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stderr is not None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=2)  # by then it waits for its input
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert "Traceback" not in process.stderr.read()
    process.stdin.close()
    process.stderr.close()


@pytest.mark.parametrize("arguments", [("solve",), ("check", "--pruning"), ("explain",), ("solve", "--json")])
def test_any_terminal_is_good_enough(arguments: tuple[str, ...]) -> None:
    """On a terminal that knows ASCII only, the output is ASCII and says the same."""
    ran = program(*arguments, "-", typed=TEXTBOOK.encode(), PYTHONIOENCODING="ascii")
    assert ran.returncode in (0, 1)
    assert ran.stdout.isascii()
    assert b"?" not in ran.stdout
    assert ran.stderr == b""


def test_no_colour_without_a_terminal() -> None:
    """Nothing but a terminal ever gets colours."""
    assert b"\x1b" not in program("check", "bank:student-sheet").stdout


def test_the_version_loads_next_to_nothing() -> None:
    """`--version` loads neither the grammar, nor arrays, nor templates, nor the PDF maker."""
    code = (
        "import sys; from grader.cli import app; app(['--version'], standalone_mode=False);"
        "names = ('lark', 'numpy', 'jinja2', 'typst', 'grader.solvers');"
        "print([name for name in names if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_solving_a_small_tree_loads_no_arrays() -> None:
    """`solve` on a textbook tree needs neither NumPy nor templates nor the PDF maker."""
    code = (
        "import sys; from grader.cli import app; app(['solve', 'bank:aima-fig-5-2'], standalone_mode=False);"
        "print([name for name in ('numpy', 'jinja2', 'typst', 'json') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "jinja2", "typst"} & set(json.loads(ran.stdout.splitlines()[-1].replace("'", '"')))


def test_the_shell_completes_commands_options_and_the_bank() -> None:
    """Completion offers commands, options, the words of an option, and the trees of the bank."""

    def completed(line: str) -> list[str]:
        words = line.split(" ")
        environment = {
            "_GAMETREE_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        }
        return program(**environment).stdout.decode().split()

    assert set(completed("gametree so")) == {"solve"}
    assert "--order" in completed("gametree solve --o")
    assert set(completed("gametree solve --ties ")) == {"cut", "keep"}
    assert "bank:aima-fig-5-2" in completed("gametree solve bank:aima")


def test_places_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    """Directories, missing folders and unknown endings are refused with a hint, and nothing is written."""
    for arguments in (
        ("solve", str(tmp_path)),
        ("draw", "bank:aima-fig-5-2", "-o", str(tmp_path / "no" / "tree.svg")),
        ("draw", "bank:aima-fig-5-2", "-o", str(tmp_path / "tree.gif")),
        ("explain", "bank:aima-fig-5-2", "--html", str(tmp_path)),
        ("solve", "a\0b"),
    ):
        ran = gametree(*arguments)
        assert ran.code == 2
        assert ran.err.startswith("Error:")
    assert list(tmp_path.iterdir()) == []
