"""What commands promise whatever they are asked: exit codes, streams, encodings, what they load."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import get_args, get_type_hints
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grader
from grader.answers.form import Policy
from grader.base.shipped import bank_files
from grader.cli.draw import MAX_DRAWN_NODES, MAX_UNWARNED_PLIES
from grader.cli.shared.refusals import REFUSALS
from grader.grading.gradebook_exports import GRADEBOOK_FORMATS
from grader.pictures import typesetting
from grader.pictures.outputs import OUTPUTS
from grader.publishing.feedback_formats import FEEDBACK_FORMATS as FEEDBACK_FORMATS
from grader.publishing.paper_formats import PAPER_FORMATS as PAPER_FORMATS
from grader.publishing.platforms import PLATFORM_EXPORTS
from grader.solvers.solution import solve
from grader.trees.notation.reading import tree_of
from grader.trees.rules import CHOICES, Rules
from grader.web.messages.documents import record_text, solution_record
from tests.cli.running import gametree

PROGRAM = [sys.executable, "-m", "grader"]

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


def program(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    return subprocess.run(
        [*PROGRAM, *arguments], input=typed, capture_output=True, env=os.environ | environment, check=False
    )


@pytest.mark.usefixtures("desk")
def test_the_example_class_is_plausible() -> None:
    """In the class of the example who does well in a question does well in the others; all of it is read."""
    ran = gametree("grade", "midterm", "responses.csv", "--executor", "here")
    assert "91 GRADED + 9 BLANK" in ran.out, f"`python -m tests.example_class` writes it anew: {ran.out}"
    report = json.loads(gametree("report", "midterm", "--json").out)
    assert all(float(row["discrimination"]) > 0.2 for row in report["tables"]["questions"])
    assert [Path(file).name for file in report["files"]].count("figure-1.svg") == 1
    wrong = report["tables"]["wrong-answers"]
    assert sum(int(row["students"]) == 1 for row in wrong) < len(wrong)
    assert len({(row["question"], row["misconceptions"]) for row in wrong if row["misconceptions"]}) == sum(
        bool(row["misconceptions"]) for row in wrong
    )
    # The summary counts every student once for each question, whatever explains the answer.
    line = re.compile(r"^(\w+): misconception ([\w-]+(?: or [\w-]+)*): (\d+) students?$", re.MULTILINE)
    summary = line.findall(gametree("report", "midterm").out)
    most = Counter[str]()
    for row in wrong:
        most[row["question"]] += int(row["students"])
    assert 1 < len(summary) <= 5
    for question, _, students in summary:
        most[question] -= int(students)
    assert min(most.values()) >= 0
    assert any(" or " in names for _, names, _ in summary)


def test_ranges_in_a_picture_are_explained() -> None:
    """`solve` says what `1 … 4` at a node is where a picture has one, and only there."""
    ranges = gametree("solve", "-", typed="@bounds [1, 4]\nMAX A (MIN B (3 x 2) MIN C (1 4))").out
    assert "1 … 4 at a node: its value is from 1 to 4" in ranges
    assert "at a node" not in gametree("solve", "-", typed="MAX A (MIN B (3 x) MIN C (y 4))").out


@pytest.mark.parametrize(
    ("tree", "bounds", "pruned"),
    [
        ("MAX A (MIN B (10 10) MIN C (5 9))", "0,10", ["3", "4"]),
        ("MAX A (5 2 4)", "0,5", ["2", "3"]),
        ("MAX A (MIN B (0 3) MIN C (4 2))", "0,6", ["2"]),
    ],
)
def test_known_bounds_prune(tree: str, bounds: str, pruned: list[str]) -> None:
    """Limits of all payoffs prune in `solve` and `check`, as an option and as a line of the file."""
    low, high = bounds.split(",")
    headed = f"@bounds [{low}, {high}]\n{tree}"
    for said in (
        gametree("solve", "-", "--bounds", bounds, "--json", typed=tree),
        gametree("solve", "-", "--json", typed=headed),
    ):
        solved = json.loads(said.out)
        assert list(map(str, solved["pruned_paths"])) == pruned
        assert solved["variants"]["value"] == solved["variants"]["window"] == solved["pruned_paths"]
        assert solved["nodes"][0]["alpha"] == low
        assert solved["nodes"][0]["beta"] == high
    judged = json.loads(gametree("check", "-", "--pruning", "--json", typed=headed).out)
    assert list(map(str, judged["crosses"]["missing"])) == pruned
    explained = " ".join(gametree("explain", "-", typed=headed).out.split())
    assert "All payoffs are within these bounds." in explained


def test_a_first_window_shows_a_bound_or_the_value() -> None:
    """`--window` is where the search starts; a value outside X."""
    tree = "MAX A (MIN B (0 3) MIN C (4 2))"
    low = gametree("solve", "-", "--window", "3,5", typed=tree).out
    assert "only that the value is at most 2" in low
    assert (
        "Search result:             the value is 2"
        in gametree("solve", "-", "--window", "1,5", typed=tree).out
    )
    explained = " ".join(gametree("explain", "-", typed=f"@window [3, 5]\n{tree}").out.split())
    assert (
        "The search is given alpha = 3 (0 ≤ alpha = 3), so a lower value of MIN B does not matter."
        in explained
    )
    assert "Only a search with a wider window shows the exact value." in explained
    for window in ("5,3", "6,9"):
        refused = gametree("solve", "-", "--bounds", "0,6", "--window", window, typed=tree)
        assert (refused.code, "window" in refused.err) == (2, True)
    asked = gametree("generate", "pruned-paths", "--window", "2,9", "--seed", "1").out
    assert "The search starts at the root with alpha = 2 and beta = 9." in " ".join(asked.split())
    other = gametree("generate", "visiting-order", "--window", "2,9")
    assert other.code == 2
    assert "cannot be asked so" in other.err


def test_a_hint_names_the_option_of_the_command() -> None:
    """Where payoffs are given as options, the hint names the option that lets them repeat."""
    few = gametree("generate", "pruned-paths", "--payoffs", "1,3")
    assert few.code == 2
    assert "add --repeats" in few.err


LISTED = [
    ("draw", [output.suffix[1:] for output in OUTPUTS]),
    ("check", [output.suffix[1:] for output in OUTPUTS]),
    ("exam build", [form.name for form in PAPER_FORMATS]),
    ("exam build", [export.name for export in PLATFORM_EXPORTS]),
    ("gradebook export", [export.name for export in GRADEBOOK_FORMATS]),
    ("gradebook feedback", [form.name for form in FEEDBACK_FORMATS]),
    ("generate", list(get_args(get_type_hints(Policy)["name"]))),
    ("help notation", [word for words in CHOICES.values() for word in words]),
]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("exam", "build", "plan.toml", "--language", "de"), '`language = "de"`'),
        (("report", "exam", "--decimal-comma"), "`decimal_comma = true`"),
        (("gradebook", "show", "exam", "--lms", "moodle"), "`gametree exam build`"),
        (("solve", "-", "--language", "de"), "`gametree check`, `gametree draw`, `gametree explain`"),
        (("exam", "new", "-", "--preview"), "`gametree exam build`"),
    ],
)
def test_the_option_of_another_command_is_refused_with_its_place(
    arguments: tuple[str, ...], hint: str
) -> None:
    """An option that the blueprint has as a field, or another command has, is refused with where it is."""
    ran = gametree(*arguments)
    assert ran.code == 2
    assert "has no option --" in ran.err
    assert hint in ran.err.partition("Hint: ")[2]


@pytest.mark.parametrize(("command", "names"), LISTED)
def test_help_lists_what_there_is(command: str, names: list[str]) -> None:
    """Help names everything that a registry holds, so that nothing new is left out of it."""
    words = command.split()
    shown = gametree(*words) if words[0] == "help" else gametree(*words, "--help")
    assert shown.code == 0
    assert set(names) <= set(re.findall(r"[\w-]+", shown.out))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", bank_files())
def test_every_tree_of_the_bank_goes_through_every_command(name: str, tmp_path: Path) -> None:
    """Solving, drawing, converting and explaining a tree of the bank works, or says why it cannot."""
    tree = f"bank:{name}"
    solved = json.loads(gametree("solve", tree, "--json").out)
    assert solved["schema"] == 1
    assert gametree("draw", tree, "--windows", "-o", str(tmp_path / "tree.svg")).code == 0
    assert gametree("convert", tree, "--to", "outline").code == 0
    explained = gametree("explain", tree)
    assert explained.code == 0 or "unknown" in explained.err


def test_an_explanation_fits_the_terminal() -> None:
    """No line is wider than 80 columns, and a step that takes several hangs behind its number."""
    lines = gametree("explain", "bank:mit-deep-cut").out.splitlines()
    assert max(map(len, lines)) < 80
    numbered = [re.match(r" *\d+\. +", line) for line in lines]
    hanging = zip(numbered, lines[1:], numbered[1:], strict=False)
    below = [(len(head[0]), re.match(" *", line)) for head, line, number in hanging if head and not number]
    assert below
    assert all(blanks and blanks.end() == width for width, blanks in below)


def test_names_that_the_program_gives_stand_in_its_pictures(tmp_path: Path) -> None:
    """What `solve`, `check` and `explain` call `Min1` has that name in the picture beside it."""
    assert "Min1 = 3" in gametree("solve", "-", typed="((3 12) (2 4))").out
    for options in (("check", "--draw"), ("explain", "--html")):
        drawn = tmp_path / "drawn.svg"
        gametree(options[0], "-", options[1], str(drawn), typed="(MIN=3 (3 12) (2 4))")
        assert re.search(r"<text[^>]*>Min1<", drawn.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", ['MAX A (MIN B (3 12 8) MIN "ü" (2 4 6))', "MAX (x 2)", "7"])
def test_a_document_that_is_written_in_pieces_is_the_whole_one(text: str) -> None:
    """The entries that `solve --json` writes one by one make the text of the record, also where none are."""
    record = solution_record(solve(tree_of(text), Rules()))
    assert gametree("solve", "-", "--json", typed=text).out == record_text(record) + "\n"


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


@given(st.binary(max_size=80) | st.text("()[]MAXINCHE =<>~0123456789.,:{}@#\n ", max_size=80).map(str.encode))
def test_no_text_makes_a_command_crash(data: bytes) -> None:
    """Whatever is typed is solved and judged, or refused with exit code 2: never an exception."""
    for command in ("solve", "check", "explain"):
        assert gametree(command, "-", typed=data).code in (0, 1, 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "arguments", ["--help", "help notation", "solve bank:aima-fig-5-2", "convert bank:aima-fig-5-2 --to efg"]
)
def test_a_closed_pipe_is_no_error(arguments: str) -> None:
    """When the reader of a pipe stops reading, the program ends quietly."""
    line = f"{' '.join(PROGRAM)} {arguments} | true; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0"
    assert ran.stderr == ""


@pytest.mark.sampled(2)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
@pytest.mark.parametrize(
    "arguments",
    ["solve bank:aima-fig-5-2", "--help", "solve --help", "draw bank:aima-fig-5-2 -o - --format svg"],
)
def test_output_that_cannot_be_written_is_said(arguments: str) -> None:
    """On a full disk, or without a stdout at all, one line says so and the exit code is 2."""
    for place in ("> /dev/full", ">&-"):
        line = f"{' '.join(PROGRAM)} {arguments} {place}"
        ran = subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE, text=True, check=False)
        assert ran.returncode == 2
        assert re.fullmatch(r"Error: the output cannot be written: .*\.\n", ran.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
def test_a_message_that_cannot_be_written_leaves_the_exit_code() -> None:
    """Code 1 would say that an answer is wrong."""
    line = f"{' '.join(PROGRAM)} solve nope.tree 2>/dev/full"
    assert subprocess.run(["bash", "-c", line], check=False).returncode == 2


def test_nothing_to_print_needs_no_stdout(tmp_path: Path) -> None:
    """A command that writes a file and prints nothing works without a stdout."""
    target = tmp_path / "tree.svg"
    line = f"{' '.join(PROGRAM)} draw bank:aima-fig-5-2 -o {target} >&- 2>&-"
    assert subprocess.run(["bash", "-c", line], check=False).returncode == 0
    assert target.exists()


@pytest.mark.parametrize("arguments", ["solve -", "mark - 3", "practice best-move"])
def test_a_closed_stdin_is_an_empty_one(arguments: str) -> None:
    """As under a timer of the system; 1 would say that an answer was wrong."""
    line = f"{' '.join(PROGRAM)} {arguments} <&-"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert ran.returncode == (0 if "practice" in arguments else 2)
    assert "Traceback" not in ran.stderr


def test_an_interrupt_ends_with_130() -> None:
    """Ctrl-C ends the program with exit code 130 and without a traceback."""
    with subprocess.Popen(
        [*PROGRAM, "solve", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(
            signal.signal, signal.SIGINT, signal.SIG_DFL
        ),  # ignored when tests run behind a shell
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(" " * (1 << 20))  # more than a pipe holds: once it is written, the program reads
        process.stdin.flush()
        for _ in range(200):  # Python overlooks a signal between two reads until the next one comes
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.5)
                break
        assert process.returncode == 130
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    "error",
    [
        "MemoryError",
        'RuntimeError("can\'t start new thread")',
        'ImportError("a.so: failed to map segment from shared object")',
        'OSError(12, "Cannot allocate memory")',
    ],
)
def test_too_little_memory(error: str) -> None:
    """Where memory runs out, or no thread can be started, one message says so, with exit code 2."""
    script = f"from grader import cli\ndef app(**_): raise {error}\ncli.app = app\ncli.main()"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("Error: there is not enough memory")
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory hold on Linux only")
@pytest.mark.parametrize("kilobytes", [20_000, 25_000, 30_000, 40_000, 60_000, 100_000])
def test_too_little_memory_to_start(kilobytes: int) -> None:
    """Whatever cannot be loaded any more, it is said that memory is the reason, and there is no traceback."""
    line = f"ulimit -v {kilobytes}; {' '.join(PROGRAM)} solve bank:aima-fig-5-2"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr
    assert ran.returncode == 0 or "not enough memory" in ran.stderr


@pytest.mark.parametrize("arguments", [("solve",), ("check", "--pruning"), ("explain",), ("solve", "--json")])
def test_any_terminal_is_good_enough(arguments: tuple[str, ...]) -> None:
    """On a terminal that knows ASCII only, the output is ASCII and says the same."""
    ran = program(*arguments, "-", typed=TEXTBOOK.encode(), PYTHONIOENCODING="ascii")
    assert ran.returncode in (0, 1)
    assert ran.stdout.isascii()
    assert b"?" not in ran.stdout
    assert ran.stderr == b""


def test_names_are_the_same_everywhere_on_any_terminal() -> None:
    """A name that a terminal cannot show is escaped alike in the picture and in the text."""
    typed = 'MAX A (MIN "é" (3 12) MIN "ü" (2 4))'.encode()
    out = program("solve", "-", typed=typed, PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "?" not in out
    assert out.count("\\xe9") > 2


def test_the_notation_is_told_in_words_where_signs_cannot_be_shown() -> None:
    """The help on the notation has no question mark for a sign on a terminal that knows ASCII only."""
    told = program("help", "notation", PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "triangle up, triangle down, circle" in told
    assert "? ?" not in told


def test_a_picture_too_deep_to_read_is_warned_of(tmp_path: Path) -> None:
    """More plies than a page can hold are drawn with a note; as many as it can hold without one."""
    for plies, warned in ((MAX_UNWARNED_PLIES, False), (MAX_UNWARNED_PLIES + 1, True)):
        ran = gametree("draw", "-", "-o", str(tmp_path / "t.svg"), typed="MAX (" * plies + "3" + ")" * plies)
        assert ran.code == 0
        assert bool(ran.err) == warned


def test_boxes_in_a_picture_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture in print tells which script has no font on this machine, and in other pictures nothing is."""
    compiler = typesetting._compiler
    monkeypatch.setattr(typesetting, "_compiler", lambda _machine_fonts: compiler(False))
    told = (
        "Note: no font on this machine has all Chinese characters of the tree, which print as boxes; "
        "install fonts-noto-cjk (the name in Debian and Ubuntu; elsewhere Noto Sans for that script), "
        "and draw it again."
    )
    for options in (("draw", "-", "-o"), ("check", "-", "--draw")):
        for form in ("png", "pdf", "svg", "tex", "txt"):
            for name in ("甲", "Łódź ≤ α"):
                ran = gametree(*options, str(tmp_path / f"t.{form}"), typed=f'MAX "{name}"=3 (3 1)')
                assert ran.code == 0
                noted = [line for line in ran.err.splitlines() if line.startswith("Note:")]
                assert noted == [told] * (name == "甲" and form in ("png", "pdf"))


@pytest.mark.parametrize(
    ("text", "solution", "windows"),
    [
        ("(3 4)", "", ""),
        (
            "((3 x) (2 4))",
            "pruning is not shown: the search comes to leaf 2",
            "pruning and windows are not shown",
        ),
        ("P1 (<3, 1> <2, 4>)", "", "windows are not shown: alpha-beta does not search"),
    ],
    ids=["searched", "unknown", "several-players"],
)
def test_a_picture_says_what_it_leaves_out(text: str, solution: str, windows: str) -> None:
    """Where nothing of the search can be drawn there is a note on stderr, and none where all of it is."""
    for option, wanted in (("--solution", solution), ("--windows", windows)):
        ran = gametree("draw", "-", "-o", "-", "--format", "txt", option, typed=text)
        assert ran.code == 0
        assert wanted in ran.err
        assert ("Note:" in ran.err) is bool(wanted)


def test_a_tree_too_large_to_draw_is_refused(tmp_path: Path) -> None:
    """More nodes than a page can show are refused before anything is drawn."""
    ran = gametree("draw", "-", "-o", str(tmp_path / "t.png"), typed=f"({'3 ' * MAX_DRAWN_NODES})")
    assert ran.code == 2
    assert "too large to draw" in ran.err
    assert not list(tmp_path.iterdir())


def test_what_is_committed_stands_alone(tmp_path: Path) -> None:
    """Every module of the last commit loads, and every command explains itself, without any other file."""
    root = Path(grader.__file__).parent.parent
    if not (root / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no checkout")
    packing = ["git", "archive", "--format=zip", "HEAD"]
    packed = subprocess.run(packing, cwd=root, capture_output=True, check=True).stdout
    with ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(tmp_path)
    code = """
import pkgutil, sys
from importlib import import_module
sys.path.insert(0, '.')
import grader
for module in pkgutil.walk_packages(grader.__path__, 'grader.'):
    if module.name != 'grader.__main__':
        import_module(module.name)
from grader.cli import COMMANDS, app
for command in COMMANDS:
    try:
        app([command, '--help'], standalone_mode=False)
    except SystemExit as end:
        assert not end.code, command
print(grader.__file__)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert Path(ran.stdout.splitlines()[-1]).is_relative_to(tmp_path)


def test_a_decimal_comma_is_noted_beside_the_answer() -> None:
    """A tree with `3,5` in it is solved as it stands, and stderr says how one leaf of that is written."""
    ran = gametree("solve", "-", typed="MAX (3,5 2)")
    assert ran.code == 0
    assert ran.out == gametree("solve", "-", typed="MAX (3 5 2)").out
    assert "Note: 3,5 in line 1 is read as two leaves" in ran.err
    assert "Note" not in gametree("solve", "-", typed="MAX (3, 5, 2)").err


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
        told = program(
            _GAMETREE_COMPLETE="complete_bash", COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1)
        ).stdout
        return told.decode().split()

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
        ("draw", "bank:aima-fig-5-2", "-o", str(tmp_path)),
        ("explain", "bank:aima-fig-5-2", "--html", str(tmp_path)),
        ("solve", "a\0b"),
    ):
        ran = gametree(*arguments)
        assert ran.code == 2
        assert ran.err.startswith("Error:")
    assert list(tmp_path.iterdir()) == []


def test_every_row_of_the_refusals_is_reached() -> None:
    """Every row names a class of errors, and none comes after a base class that takes its errors."""
    classes = [getattr(import_module(module), name) for module, name in REFUSALS]
    assert all(issubclass(each, Exception) for each in classes)
    hidden = [(base, each) for base, each in combinations(classes, 2) if issubclass(each, base)]
    assert hidden == []
