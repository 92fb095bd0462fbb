"""`gametree code` and `gametree game FILE.py` as a teacher runs them."""

import csv
import json
import re
import zipfile
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.base.phrases import Language
from grader.programs.checking import ProgramSubmission, check_program
from grader.programs.codings import mistaken_codings
from grader.programs.interface import load_interface
from grader.programs.interfaces import INTERFACES
from grader.programs.mistake_sentences import MISTAKES
from grader.programs.pages import counterexample_pictures, verdict_page
from grader.programs.submissions import student_of
from tests.cli.running import gametree, shell
from tests.programs.checks import check
from tests.programs.hostile_programs import HOSTILE_PROGRAMS
from tests.programs.odd_programs import ODD_PROGRAMS
from tests.programs.planting import program
from tests.publishing.test_pseudo_language import Shown
from tests.publishing.test_typography import faults

DOCS = Path(__file__).parents[2] / "docs"
RIGHT = program("lists", "flag")
WRONG = program("lists", "flag", "only-at-min")
KEYS = [
    "file",
    "interface",
    "function",
    "verdict",
    "ties",
    "returns",
    "mistakes",
    "differs",
    "tree",
    "leaves",
]


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give every test its own folder and its own memory of the first use."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_the_record_has_every_field() -> None:
    """One file gives a list of one record, with the fields that scripts rely on."""
    Path("search.py").write_text(WRONG)
    ran = gametree("code", "check", "search.py", "--json")
    document = json.loads(ran.out)
    (record,) = document["programs"]
    assert (ran.code, document["schema"]) == (1, 1)
    assert list(record) == [*KEYS, "sentence", "notes"]
    assert record["mistakes"] == ["only-at-min"]
    assert record["differs"] == {"value": False, "move": None, "visits": True}
    assert record["leaves"] <= 9
    assert shell(f"echo '{record['tree']}' | gametree solve - --json").code == 0


def test_the_warning_is_given_once() -> None:
    """That limits are not a sandbox is said on the first use and never again."""
    Path("search.py").write_text(RIGHT)
    first, second = (gametree("code", "check", "search.py") for _ in range(2))
    assert (first.code, second.code) == (0, 0)
    assert "not a sandbox" in first.err
    assert second.err == ""


def test_a_class_is_a_folder_or_a_zip() -> None:
    """A class gives a line for each file and groups like mistakes; a zip gives the same as its folder."""
    folder = Path("class")
    folder.mkdir()
    for name, text in (("ada", RIGHT), ("bob", WRONG), ("cyd", WRONG), ("dan", "x = ")):
        (folder / f"{name}.py").write_text(text)
    (folder / "eve").mkdir()
    (folder / "eve" / "search.py").write_text("from helpers import INF\n" + RIGHT.replace("INF =", "OTHER ="))
    (folder / "eve" / "helpers.py").write_text('INF = float("inf")\n')
    with zipfile.ZipFile("class.zip", "w") as packed:
        for path in sorted(folder.rglob("*.py")):
            packed.write(path, path.relative_to(folder).as_posix())
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = gametree("code", "check", "class")
    assert ran.code == 1
    assert re.findall(r"^(\S+) +(right|wrong|unfinished)", ran.out, re.MULTILINE) == [
        ("ada.py", "right"),
        ("bob.py", "wrong"),
        ("cyd.py", "wrong"),
        ("dan.py", "unfinished"),
        ("eve/search.py", "right"),
    ]
    assert "only-at-min: bob.py, cyd.py" in ran.out
    assert gametree("code", "check", "class.zip").out == ran.out
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_files_of_a_class_never_see_each_other() -> None:
    """A program that imports the file of another student gets an empty module, not that file."""
    folder = Path("class")
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT)
    (folder / "bob.py").write_text("from ada import *\nimport ada\nalphabeta = ada.alphabeta\n")
    records = json.loads(gametree("code", "check", "class", "--json").out)["programs"]
    assert [record["verdict"] for record in records] == ["right", "unfinished"]


def test_points_go_into_a_table() -> None:
    """The table has a row for every program with a verdict; a right one has all points."""
    folder = Path("class")
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT)
    (folder / "Bob Berg_77_assignsubmission_file_").mkdir()
    (folder / "Bob Berg_77_assignsubmission_file_" / "search.py").write_text(WRONG)
    (folder / "dan.py").write_text("x = ")
    ran = gametree("code", "check", "class", "--table", "points.csv", "--question", "4", "--points", "6")
    assert "1 program without a verdict, not in points.csv: dan.py." in ran.err
    assert "--ties" not in ran.err, "one program prunes on equality, and no other rule is followed"
    rows = list(csv.DictReader(Path("points.csv").read_text().splitlines()))
    assert [(row["student"], row["question"]) for row in rows] == [("ada", "4"), ("Bob Berg", "4")]
    assert rows[0]["points"] == "6"
    assert 3 < float(rows[1]["points"]) < 6
    assert "only at MIN nodes" in rows[1]["reason"]
    assert student_of("gsnow_LATE_12_345_search.py") == "12"


def test_a_program_without_a_verdict_says_what_is_next() -> None:
    """The student's page says who decides and what to do; the teacher is told how to set the points."""
    Path("class").mkdir()
    Path("class", "dan.py").write_text("x = ")
    Path("class", "eve.py").write_text(RIGHT)
    ran = gametree("code", "check", "class", "--html", "feedback", "--table", "points.csv")
    assert "Add a row with the points that you give" in ran.err
    assert "ask whether you may hand it in again" in Path("feedback/students/dan.html").read_text()
    assert "hand it in again" not in Path("feedback/students/eve.html").read_text()


def points_of(text: str, *arguments: str) -> tuple[Fraction, str]:
    """Return the points of a program, of 10, and their reason."""
    Path("ada.py").write_text(text)
    gametree("code", "check", "ada.py", "--table", "points.csv", *arguments)
    (row,) = csv.DictReader(Path("points.csv").read_text().splitlines())
    return Fraction(row["points"]), row["reason"]


def test_minimax_in_place_of_alpha_beta_earns_nothing_for_visits() -> None:
    """A program that never prunes has the points of its values alone, as many as the weights say."""
    text = program("lists", "flag", "never-prunes")
    assert points_of(text)[0] == points_of(text, "--ties", "cut")[0] == 5
    assert points_of(text, "--weights", "1,1,4")[0] == 2
    assert points_of(text, "--weights", "0,0,1")[0] == 0
    assert points_of(RIGHT, "--weights", "1,1,4")[0] == points_of(RIGHT, "--weights", "0,0,1")[0] == 10
    assert 5 < points_of(WRONG)[0] < 10


@pytest.mark.parametrize("weights", ["1,1", "1,1,0", "1,1,x", "1,1,-1", f"1,1,{'9' * 5_000}"])
def test_weights_that_are_none_are_refused(weights: str) -> None:
    """Three whole numbers, and something for visited leaves, which every program has."""
    Path("ada.py").write_text(RIGHT)
    ran = gametree("code", "check", "ada.py", "--weights", weights)
    assert (ran.code, "three whole numbers" in ran.err) == (2, True)


def test_a_course_may_prescribe_the_order_of_children() -> None:
    """The table says that another order earned full points; with a prescribed one it is a mistake."""
    text = program("lists", "flag", "right-to-left")
    points, reason = points_of(text)
    assert (points, "visits children in its own order" in reason) == (10, True)
    assert "--in-order" in gametree("code", "check", "ada.py", "--table", "points.csv").err
    points, reason = points_of(text, "--in-order")
    assert (points < 10, "in the opposite order" in reason) == (True, True)
    assert points_of(RIGHT, "--in-order")[0] == 10


def test_points_are_taken_by_the_gradebook() -> None:
    """`gradebook override --table` sets the points of the table."""
    Path("exam.toml").write_text(
        'title = "Quiz"\nsecret = "kept in a safe place"\n[[question]]\nkind = "root-value"\npoints = 10\n'
    )
    Path("class.csv").write_text("id,name\nada,Ada\nbob,Bob\n")
    built = gametree("exam", "build", "exam.toml", "--roster", "class.csv", "-o", "quiz", "--format", "text")
    assert built.code == 0, built.err
    Path("replies.csv").write_text("id,1\nada,3\nbob,3\n")
    assert gametree("grade", "quiz", "replies.csv", "--executor", "here").code in (0, 1)
    folder = Path("programs")
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT)
    (folder / "bob.py").write_text(WRONG)
    gametree("code", "check", "programs", "--table", "points.csv")
    ran = gametree("gradebook", "override", "quiz", "--table", "points.csv")
    assert ran.code == 0, ran.err
    assert "10" in gametree("gradebook", "history", "quiz", "ada").out


def test_the_page_draws_both_searches() -> None:
    """The page is whole, escapes what students wrote, and draws the tree of every wrong program twice."""
    Path("a<b>.py").write_text(WRONG)
    ran = gametree("code", "check", "a<b>.py", "--html", "page.html")
    page = Path("page.html").read_text()
    assert ran.code == 1
    assert "a&lt;b&gt;.py" in page
    assert page.count("<svg") == 2
    assert "not marked as pruned" in page
    for picture, _ in counterexample_pictures(check(WRONG)):
        ElementTree.fromstring(picture)
    german = verdict_page([check(WRONG), check(RIGHT), check("x = ")], 10, Language.of("de"))
    assert "Suchprogramme" in german
    chinese = verdict_page([check(WRONG)], 10, Language.of("zh"))
    shown = [text for text in Shown(chinese).texts if not text.startswith("MAX")]  # the tree is in notation
    assert [fault for text in shown for fault in faults(text, "zh")] == []


def test_every_student_has_a_page() -> None:
    """A folder gets a page for each student with nobody else's name, and an overview with all points."""
    folder = Path("class")
    for name, text in (
        ("Bob Berg_77_assignsubmission_file_", WRONG),
        ("Ada_78_assignsubmission_file_", RIGHT),
    ):
        (folder / name).mkdir(parents=True)
        (folder / name / "search.py").write_text(text)
    (folder / "a very long name of a file that somebody has handed in twice.py").write_text(
        program("lists", "flag", ties="keep")
    )
    (folder / "dan.py").write_text("x = ")
    for _ in range(2):  # the second time, the pages are written again
        ran = gametree("code", "check", "class", "--html", "out", "--points", "6")
        assert ran.code == 1
    assert "1 of the programs prune and 1 do not" in ran.err
    assert "somebody has handed in twice.py " in ran.out
    names = ["Bob Berg", "Ada", "dan", "a very long name"]
    pages = {path.stem: path.read_text() for path in Path("out/students").iterdir()}
    assert len(pages) == 4
    for page in pages.values():
        assert sum(name in page for name in names) == 1
    (bob,) = (page for page in pages.values() if "Bob Berg" in page)
    assert re.search(r"[45](\.\d+)? of 6.*Value: 3 of 3; Visited leaves: [12](\.\d+)? of 3", bob)
    assert bob.count("<svg") == 2
    overview = Path("out/overview.html").read_text()
    assert all(name in overview for name in names)
    assert "<td>Cutoffs were made only at MIN nodes.</td>" in overview
    assert "<svg" not in overview
    linked = re.findall(r'href="(.*?)"', overview)
    assert all((Path("out") / link).exists() for link in linked)
    assert len(linked) == 4


def test_unusable_input_is_refused() -> None:
    """A missing file, another kind of file and an unknown interface are refused with exit code 2."""
    Path("search.txt").write_text(RIGHT)
    Path("search.py").write_text(RIGHT)
    Path("mine.py").write_text("x = 1\n")
    for arguments in (
        ("nothing.py",),
        ("search.txt",),
        ("search.py", "--interface", "lisp"),
        ("search.py", "--interface", "mine.py"),
        ("search.py", "--depth", "50"),
    ):
        ran = gametree("code", "check", *arguments)
        assert ran.code == 2, arguments
        assert ran.err.startswith(("Error", "Programs run")), ran.err
    Path("mine.py").write_text("raise SystemExit(3)\n")
    for refused in (
        gametree("code", "check", "search.py", "--interface", "mine.py"),
        gametree("game", "mine.py"),
    ):
        assert refused.code == 2
        assert "mine.py cannot be loaded: SystemExit: 3" in refused.err


@pytest.mark.parametrize("name", INTERFACES)
def test_every_interface_has_a_stub(name: str) -> None:
    """A stub is Python for that interface, is recognised as such, and is not written yet."""
    stub = gametree("code", "interfaces", name).out
    lead = "class MultiAgentSearchAgent: pass\nclass IsolationPlayer: pass\nINF = 9\nalways_zero = None\n"
    verdict = check(lead + stub, name)
    assert verdict.ruling == "unfinished"
    assert load_interface(name).title in gametree("code", "interfaces").out


def test_the_documentation_does_as_it_says() -> None:
    """The program of the documentation gives the transcript and the pictures there, and the game works."""
    page = (DOCS / "code.md").read_text(encoding="utf-8")
    text, interface, game = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    transcript = re.search(r"```\n\$ gametree code check search\.py\n(.*?)```", page, re.DOTALL)
    assert transcript is not None
    Path("search.py").write_text(text)
    assert gametree("code", "check", "search.py").out == transcript[1]
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "\n".join(transcript[1].splitlines()[:3]) in readme
    pictures = counterexample_pictures(check_program(ProgramSubmission("search.py", text)))
    for name, (picture, _) in zip(("reference", "program"), pictures, strict=True):
        assert (DOCS / f"code-{name}.svg").read_text(encoding="utf-8") == picture + "\n"
    Path("coins.py").write_text(interface + game)
    assert gametree("code", "check", "search.py", "--interface", "coins.py").code == 1
    Path("best.py").write_text(
        "def value(game):\n    if game.is_over():\n        return game.score()\n"
        "    return (max if game.is_max else min)(value(game.play(move)) for move in game.moves())\n"
        "def best_move(game, depth):\n    return max(game.moves(), key=lambda move: value(game.play(move)))\n"
    )
    ran = gametree("code", "check", "best.py", "--interface", "coins.py")
    assert (ran.code, "function best_move" in ran.out) == (0, True)
    assert shell("gametree game coins.py | gametree solve - --json").code == 0
    assert gametree("game", "coins.py", "--count").code == 0


def test_every_mistake_is_in_the_documentation() -> None:
    """The names that the commands print are in one table, with what the program does."""
    page = (DOCS / "code.md").read_text(encoding="utf-8").partition("| name | what the program does |")[2]
    algorithms = (("alpha-beta", False), ("alpha-beta", True), ("expectimax", True), ("max^n", False))
    codings = [coding for each in algorithms for coding in mistaken_codings(*each)]
    names = {*(coding.name for coding in codings), "ties-cut", "ties-kept"}
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|$", page.partition("##")[0], re.MULTILINE)
    assert rows == [(name, MISTAKES[name].symptom) for name in sorted(names)]


def test_a_recorded_function_can_be_chosen() -> None:
    """Where several functions fit, the verdict asks; `--function` chooses one, also a method."""
    Path("two.py").write_text(HOSTILE_PROGRAMS["two functions"][0])
    assert "has to be chosen" in gametree("code", "check", "two.py").out
    assert "function minimax_one" in gametree("code", "check", "two.py", "--function", "minimax_one").out
    interface, text = ODD_PROGRAMS["a class with its window in attributes"]
    Path("method.py").write_text(text)
    ran = gametree("code", "check", "method.py", "--interface", interface, "--function", "Search.alphabeta")
    assert ran.code == 0


@pytest.mark.parametrize("name", ["mit", "isolation", "pacman"])
def test_a_search_that_is_too_deep_is_seen(name: str) -> None:
    """A program that searches one ply more than the depth limit evaluates the wrong nodes."""
    text = program(name, "flag")
    off = text.replace("depth == 0", "depth == -1").replace("depth <= 0", "depth <= -1")
    assert off != text
    verdict = check(off)
    assert verdict.ruling != "right"
    if name != "pacman":
        assert verdict.cause == "depth"
