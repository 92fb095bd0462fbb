"""Exercises on the command line: generated, written, stressed, marked and practised."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.base.phrases import ENGLISH
from grader.cli.shared.terminal import _CONTROLS
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.questions import all_kinds
from tests.cli.running import Ran, gametree

TEXTBOOK = "bank:aima-fig-5-2"

EVERY_KIND = pytest.mark.parametrize("kind", [kind.code for kind in all_kinds()])


def asked(kind: str = "pruned-paths", *options: str) -> str:
    """The instructor's record of an exercise about the textbook tree."""
    tree = "bank:aima-fig-5-12-chance" if kind in ("chance-cuts", "expected-values") else TEXTBOOK
    ran = gametree("generate", kind, "--tree", tree, *options)
    assert ran.code == 0, ran.err
    return ran.out


def answered(record: str) -> dict[str, Any]:
    """The record as JSON."""
    read: dict[str, Any] = json.loads(record)
    return read


@pytest.fixture
def exercise(tmp_path: Path) -> Path:
    """The file of an exercise about the textbook tree, of which leaves 5 and 6 are pruned."""
    path = tmp_path / "exercise.json"
    path.write_text(asked(), encoding="utf-8")
    return path


@pytest.mark.sampled(3)
@EVERY_KIND
def test_from_nothing_to_a_mark(kind: str, tmp_path: Path) -> None:
    """For every kind two commands lead to an exercise and a graded answer; its key earns the full mark."""
    out = tmp_path / "out"
    assert gametree("generate", kind, "-n", "2", "--seed", "midterm", "-o", str(out)).code == 0
    (first, _) = sorted(path for path in out.glob("*.json") if not path.name.endswith(".public.json"))
    key = answered(first.read_text(encoding="utf-8"))["key"]["reply"]
    ran = gametree("mark", str(first), key, "--json")
    mark = json.loads(ran.out)
    assert (ran.code, mark["state"], mark["points"], mark["notes"]) == (0, "GRADED", mark["max"], [])
    assert gametree("mark", str(first), key).code == 0


@pytest.mark.sampled(3)
@EVERY_KIND
def test_beliefs_get_their_notes(kind: str, tmp_path: Path) -> None:
    """Every belief's reply in a record is marked below the key, with exit code 1 and the belief's note."""
    path = tmp_path / "exercise.json"
    drawn = (gametree("generate", kind, "--seed", seed).out for seed in "1234")
    record = next(each for each in drawn if answered(each)["beliefs"])  # not every statement has a belief
    path.write_text(record, encoding="utf-8")
    beliefs = answered(record)["beliefs"]
    for code, reply in beliefs.items():
        ran = gametree("mark", str(path), reply, "--json")
        assert ran.code == 1
        assert code in json.loads(ran.out)["notes"]
        assert code in gametree("mark", str(path), reply).out


def test_a_folder_holds_what_it_promises(tmp_path: Path) -> None:
    """Each exercise is three files named by number, kind and content; the public one is the other's part."""
    gametree("generate", "pruned-paths", "-n", "3", "--seed", "1", "-o", str(tmp_path))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 9
    for number in range(1, 4):
        record, public, picture = (tmp_path / name for name in names[3 * number - 3 : 3 * number])
        whole = answered(record.read_text(encoding="utf-8"))
        assert record.name == f"{number:03d}-{whole['id']}.json"
        assert public.name == f"{number:03d}-{whole['id']}.public.json"
        assert picture.read_text(encoding="utf-8").startswith("<svg")
        hidden = {"key", "beliefs", "profile", "seed"}
        part = answered(public.read_text(encoding="utf-8"))
        assert part == {name: value for name, value in whole.items() if name not in hidden}
        assert isinstance(read_exercise(record.read_text(encoding="utf-8")), Exercise)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_nothing_is_lost_by_generating_again(tmp_path: Path) -> None:
    """The same seed again changes nothing; another seed is refused and changes nothing, unless forced."""
    same = ("generate", "best-move", "-n", "2", "-o", str(tmp_path))
    assert gametree(*same, "--seed", "1").code == 0
    before = contents(tmp_path)
    assert gametree(*same, "--seed", "1").code == 0
    refused = gametree(*same, "--seed", "2")
    assert (refused.code, "--force" in refused.err) == (2, True)
    assert contents(tmp_path) == before
    assert gametree("generate", "root-value", "-o", str(tmp_path), "--seed", "1").code == 0
    both = contents(tmp_path)
    assert len(both) == len(before) + 3
    assert gametree(*same, "--seed", "2", "--force").code == 0
    after = contents(tmp_path)
    assert len(after) == len(both)
    assert not before.keys() & after.keys()


def test_a_changed_file_is_not_overwritten(tmp_path: Path) -> None:
    """A file that somebody edited stays as it is without --force."""
    command = ("generate", "best-move", "-o", str(tmp_path), "--seed", "1")
    gametree(*command)
    (picture,) = tmp_path.glob("*.svg")
    picture.write_text("mine", encoding="utf-8")
    assert gametree(*command).code == 2
    assert picture.read_text(encoding="utf-8") == "mine"
    assert gametree(*command, "--force").code == 0
    assert picture.read_text(encoding="utf-8") != "mine"


def test_lines_and_files_are_the_same_exercises(tmp_path: Path) -> None:
    """Without a folder the instructor's records are printed, one a line, and nothing else."""
    lines = gametree("generate", "best-move", "-n", "3", "--seed", "x").out.splitlines()
    gametree("generate", "best-move", "-n", "3", "--seed", "x", "-o", str(tmp_path))
    files = sorted(path for path in tmp_path.glob("*.json") if not path.name.endswith(".public.json"))
    assert [answered(line) for line in lines] == [
        answered(path.read_text(encoding="utf-8")) for path in files
    ]


def test_a_drawn_seed_is_told() -> None:
    """Without a seed one is drawn and told on stderr, and it gives the same exercise again."""
    ran = gametree("generate", "best-move")
    seed = ran.err.split()[1]
    assert gametree("generate", "best-move", "--seed", seed).out == ran.out
    assert gametree("generate", "best-move").out != ran.out


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "environment",
    [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}],
)
def test_same_seed_same_bytes_everywhere(environment: dict[str, str], tmp_path: Path) -> None:
    """Neither the hash seed nor locale nor time zone changes a byte of what is written."""
    command = ("generate", "pruned-paths", "-n", "3", "--seed", "midterm", "-o")
    gametree(*command, str(tmp_path / "here"))
    program = [sys.executable, "-m", "grader", *command, str(tmp_path / "there")]
    subprocess.run(program, env=os.environ | environment, check=True, capture_output=True)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_options_override_the_recipe(tmp_path: Path) -> None:
    """Options change the fields of a recipe, the kind's own or one in a file."""
    recipe = tmp_path / "mine.toml"
    recipe.write_text(
        'kind = "node-values"\nshape = {plies = 2, branching = 2}\npayoffs = {range = [0, 90]}\n',
        encoding="utf-8",
    )
    options = ("--recipe", str(recipe), "--seed", "1", "--points", "3", "--branching", "4", "--root", "MIN")
    record = answered(gametree("generate", "node-values", *options, "--order", "right-to-left").out)
    assert (record["profile"]["leaves"], record["points"]) == (16, "3")
    assert record["tree"].startswith("MIN A")
    assert record["rules"]["order"] == "right-to-left"
    assert gametree("generate", "best-move", "--recipe", str(recipe)).code == 2


def test_a_range_of_children_is_kept() -> None:
    """With --branching 2-3 every node has two or three children, and not all have the same."""
    trees = [
        answered(line)["tree"]
        for line in gametree(
            "generate", "root-value", "-n", "3", "--plies", "2", "--branching", "2-3", "--seed", "1"
        ).out.splitlines()
    ]
    assert len({tree.count("MIN") for tree in trees} | {len(tree.split()) for tree in trees}) > 1


def test_demands_are_fitted_to_the_shape() -> None:
    """A tree too small for the recipe's demands is grown with smaller ones, and told so; a wish is not."""
    ran = gametree("generate", "pruned-branches", "--plies", "2", "--branching", "4", "--seed", "1")
    assert ran.code == 0
    assert "the recipe was fitted to this tree: require.beta_cuts = 0" in ran.err
    assert "variants may differ in how many leaves are visited" in ran.err
    large = gametree("generate", "pruned-branches", "--branching", "3", "--seed", "1")
    assert "there are up to 27 leaves, but exams allow at most 18" in large.err
    steps = gametree(
        "generate", "root-value", "--branching", "5,3,2", "--set", "payoffs.step=29", "--seed", "1"
    )
    assert "the recipe was fitted to this tree: payoffs.range = [" in steps.err
    wish = gametree(
        "generate", "visited-count", "--plies", "3", "--branching", "2,3,2", "--set", "require.deep_cuts=1"
    )
    assert wish.code == 2
    assert "a deep cutoff takes four plies" in wish.err


def test_sizes_have_their_trees(tmp_path: Path) -> None:
    """Homework has more leaves than an exam, a lecture fewer; a recipe of one's own has its own size."""
    leaves = [
        json.loads(gametree("generate", "pruned-paths", "--size", size, "--seed", "1").out)["profile"][
            "leaves"
        ]
        for size in ("lecture", "exam", "homework")
    ]
    assert leaves[0] == 9
    assert 13 <= leaves[1] <= 15
    assert leaves[2] == 24
    own_recipe = tmp_path / "own.toml"
    own_recipe.write_text('kind = "pruned-paths"\nsize = "homework"\npayoffs = {range = [0, 90]}\n')
    own = json.loads(gametree("generate", "pruned-paths", "--recipe", str(own_recipe), "--seed", "1").out)
    assert own["profile"]["leaves"] == 24
    both = gametree("generate", "pruned-paths", "--recipe", str(own_recipe), "--size", "lecture")
    assert both.code == 2
    assert 'Write size = "lecture" in ' in both.err


def test_few_different_answers_are_noted() -> None:
    """A shape that has a handful of answers is noted with how often two are equal and what copying earns."""
    ran = gametree("generate", "pruned-paths", "--size", "lecture", "-n", "30", "--seed", "1")
    assert re.search(r"two exercises have the same answer in \d\d% of pairs", ran.err)
    assert "same answer" not in gametree("generate", "pruned-paths", "-n", "30", "--seed", "1").err


@pytest.mark.parametrize(
    "field",
    [
        'shape.branching=[[1,2,3],"x",3]',
        "shape.branching=foo",
        "shape.root=[1]",
        "shape.chance=x",
        "payoffs.range=5",
        "payoffs.range=[1,2,3]",
        "kind=windows",
        "no.such.field=1",
        "shape=3",
        "cap=" + "9" * 50,
        "a\x1b[31m=1",
        '="',
    ],
)
def test_no_field_makes_a_crash(field: str) -> None:
    """A field that does not fit is refused with the reason, also where the shape changes with it."""
    for option in ((), ("--plies", "2")):
        ran = gametree("generate", "pruned-paths", "--set", field, *option)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("Error:")
        assert harmless(ran)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("option", "value"),
    [("--returns", "hard"), ("--ties", "keep"), ("--order", "right-to-left"), ("--root", "MIN")],
)
@pytest.mark.parametrize("kind", ["visiting-order", "pruned-paths", "windows"])
def test_every_convention_can_be_asked_for(kind: str, option: str, value: str) -> None:
    """Recipes yield exercises under every choice of rules, not only under the usual ones."""
    ran = gametree("generate", kind, "--seed", "1", option, value)
    assert ran.code == 0, ran.err


def test_an_exhausted_recipe_says_what_refused(tmp_path: Path) -> None:
    """When there are too few such trees, the counts of what was refused are told and nothing is written."""
    out = tmp_path / "out"
    options = (
        "--plies",
        "2",
        "--branching",
        "2",
        "--payoffs",
        "1,4",
        "--set",
        "cap=3000",
        "--seed",
        "1",
        "-o",
        str(out),
    )
    ran = gametree("generate", "node-values", "-n", "40", *options)
    assert ran.code == 2
    assert "refused" in ran.err
    assert re.search(r"node-values has only \d+ different exercises with this recipe, not 40", ran.err)
    assert not out.exists()


def test_an_exhausted_recipe_names_a_change_that_works() -> None:
    """Where no tree was found the message has a change with which there are some: it was tried."""
    asked = ("generate", "pruned-paths", "--plies", "3", "--branching", "2,3,2", "--seed", "1")
    hard = ("--set", "require.pruned=[6,6]", "--set", "require.beta_cuts=3", "--set", "cap=4000")
    ran = gametree(*asked, *hard)
    assert ran.code == 2
    tried = re.findall(r"--set '([^']*)'", ran.err)
    assert tried, ran.err
    assert gametree(*asked, *hard, *(word for change in tried for word in ("--set", change))).code == 0


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("plies=2", "Write --set shape.plies=VALUE."),
        ("bounds=3", "Write --set rules.bounds=VALUE."),
        ("rules.step=2", "Write --set payoffs.step=VALUE."),
        ("shape.plise=2", "Write --set shape.plies=VALUE."),
        ("c_squared=2", "Write --set given.c_squared=VALUE."),
        ("nonsense=2", "`gametree help recipe` lists the fields."),
    ],
)
def test_a_field_without_its_table_is_named_in_full(field: str, hint: str) -> None:
    """What --set does not know is refused with the full name that may be meant, also below another table."""
    ran = gametree("generate", "uct.scores", "--set", field, "--seed", "1")
    assert ran.code == 2
    assert f"has no field {field.partition('=')[0]}." in ran.err
    assert hint in ran.err


@pytest.mark.parametrize("command", ["generate", "stress", "kinds", "practice"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("uct.nothing", "Choose from uct.scores, uct.selected, "),
        ("pruned", "Choose from pruned-paths, pruned-branches."),
        ("uctt", "Did you mean uct?"),
        ("uct.score", "Did you mean uct.scores"),
    ],
)
def test_an_incomplete_kind_lists_what_can_be_written(command: str, name: str, hint: str) -> None:
    """A kind that does not exist is answered with the codes that it begins or that its kind has."""
    ran = gametree(command, name)
    assert ran.code == 2
    assert hint in ran.err


@pytest.mark.parametrize(
    ("kind", "given", "why"),
    [
        ("uct.scores", "c_squared=-1", "the square of a number is not negative"),
        ("uct.scores", "c_squared=3", "question was drawn with given.c_squared as set."),
        ("depth-limited.value", "depth=9", "depth is not a number of plies from 1 to 2"),
    ],
)
def test_a_given_value_that_no_question_has_is_named(kind: str, given: str, why: str) -> None:
    """Where no question has what is given, its field is named with the reason why it does not suit one."""
    ran = gametree("generate", kind, "--set", f"given.{given}", "--seed", "1")
    assert ran.code == 2
    assert why in ran.err
    assert f"leave given.{given.partition('=')[0]} out" in ran.err


def test_folders_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    """A file in the place of the folder is refused with a reason."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = gametree("generate", "best-move", "--seed", "1", "-o", str(tmp_path / "file"))
    assert ran.code == 2
    assert ran.err.startswith("Error:")


def test_stress_reports_on_a_recipe() -> None:
    """Good recipes get exit code 0 and say so; the JSON has the counts behind every sentence."""
    told = gametree("stress", "pruned-paths", "--seeds", "5")
    assert told.code == 0
    assert "100% of the exercises tell every mistake from the correct answer" in told.out
    tried, listed = told.out.partition("refused:\n")[0::2]
    counts = re.findall(r"^ +(\d+)  ", listed.partition(" ms ")[0], re.MULTILINE)
    assert sum(map(int, counts)) + 5 == int(tried.split()[-4])
    assert "      100%    100%  one-late" in told.out.splitlines()
    assert "         -      0%  shallow-only (a deep cutoff takes four plies)" in told.out.splitlines()
    record = json.loads(gametree("stress", "pruned-paths", "--seeds", "5", "--json").out)
    assert (record["schema"], record["seeds"], record["separated"]) == (1, 5, "1")
    assert record["thoughtless"]["everything"] == "0"
    assert record["best_moves"] is None


def test_stress_tells_a_recipe_that_separates_nothing() -> None:
    """Exit code 1 when exercises do not tell known mistakes from the right answer."""
    ran = gametree("stress", "pruned-paths", "--seeds", "10", "--set", "separate.key=none")
    assert ran.code == 1


def test_mark_prints_the_record(exercise: Path) -> None:
    """The JSON of a mark has the fields that scripts rely on, numbers as text."""
    mark = json.loads(gametree("mark", str(exercise), "5 4", "--json").out)
    assert mark["schema"] == 1
    assert (mark["state"], mark["points"], mark["max"], mark["understood"]) == ("GRADED", "0", "1", "4 5")
    assert [item["verdict"] for item in mark["items"]] == ["extra", "right", "missing"]
    assert all(item["text"] for item in mark["items"] if item["verdict"] != "right")
    assert isinstance(mark["notes"], list)


@pytest.mark.parametrize(
    ("reply", "state", "code"),
    [("5 6", "GRADED", 0), ("5", "GRADED", 1), (" \n", "BLANK", 1), ("5 banana", "UNPARSEABLE", 1)],
)
def test_exit_codes_of_mark(exercise: Path, reply: str, state: str, code: int) -> None:
    """0 is the full mark; less, blank or unreadable is 1; points exist only when graded."""
    for ran in (
        gametree("mark", str(exercise), reply, "--json"),
        gametree("mark", str(exercise), "-", "--json", typed=reply),
    ):
        mark = json.loads(ran.out)
        assert (ran.code, mark["state"]) == (code, state)
        assert (mark["points"] is None) == (state != "GRADED")
        assert bool(mark["message"]) == (state == "UNPARSEABLE")


@pytest.mark.parametrize(
    ("points", "code", "told"),
    [
        (1, "en", "0 of 1 point"),
        (4, "en", "0 of 4 points"),
        (1, "de", "0 von 1 Punkt"),
        (4, "de", "0 von 4 Punkten"),
        (4, "fr", "note : 0 sur 4"),
        (4, "zh", "0 分（满分 4 分）"),
    ],
)
def test_points_stand_in_the_case_that_they_need(points: int, code: str, told: str, tmp_path: Path) -> None:
    """What a reply earned is said in one sentence, whose noun is inflected as the language does."""
    language = ("--language", code)
    made = gametree("generate", "root-value", "--seed", "7", "--points", str(points), *language)
    (tmp_path / "e.json").write_text(made.out, encoding="utf-8")
    marked = gametree("mark", str(tmp_path / "e.json"), "9999").out
    assert marked.splitlines()[0].replace("\xa0", " ") == f"GRADED  {told}"


def test_a_reply_may_be_several_words_and_start_with_a_minus(exercise: Path, tmp_path: Path) -> None:
    """Words need no quotes, and a negative number is no option."""
    assert gametree("mark", str(exercise), "5", "6").code == 0
    text = gametree("generate", "root-value", "--tree", "-", typed="MAX (MIN (-2 3) MIN (-5 1))").out
    negative = tmp_path / "negative.json"
    negative.write_text(text, encoding="utf-8")
    assert gametree("mark", str(negative), "-2").code == 0
    assert gametree("mark", str(negative), "--josn", "-2").code == 2


def damaged(record: str) -> list[tuple[str, bytes]]:
    """Files that are no exercise, each with what the refusal says."""
    exercise = answered(record)

    def with_(**changes: Any) -> bytes:
        return json.dumps(exercise | changes).encode()

    public = {name: value for name, value in exercise.items() if name not in ("key", "beliefs", "seed")}
    return [
        ("not JSON", b'{"schema": 1'),
        ("not JSON", b"[" * 100_000),
        ("not an exercise", b"[]"),
        ("update the program", b'{"schema": 2}'),
        ("UTF-8", b"\xff\xfe\x00"),
        ("public part", json.dumps(public).encode()),
        ("several exercises", (record + record).encode()),
        ("no kind", with_(kind="\x1b[31mred")),
        ("not a text", with_(prompt=3)),
        ("not text", with_(prompt="\ud800")),
        ("parenthesis", with_(tree="MAX (3")),
        ("single leaf", with_(tree="3")),
        ("not rules", with_(rules={"order": "\x1b[2Jsideways"})),
        ("not rules", with_(rules={"bounds": ["1"]})),
        ("not rules", with_(rules=None)),
        ("cannot be read", with_(points="1e999")),
        ("not above 0", with_(points="0")),
        ("not a number", with_(digits=float("inf"))),
        ("whole number", with_(digits=2.5)),
        ("true nor false", with_(every="yes")),
        ("key is not an object", with_(key="5 6")),
        ("not an answer", with_(key={"reply": "\x07banana"})),
        ("no belief", with_(beliefs={"pruned-paths.nonsense": "5"})),
        ("profile", with_(profile=[])),
        ("match its parts", with_(prompt="Which leaves are not pruned?")),
    ]


@pytest.mark.parametrize("number", range(25))
def test_no_file_but_an_exercise_is_marked(number: int, tmp_path: Path) -> None:
    """Anything else is refused with exit code 2 and the reason, and no control character gets through."""
    cases = damaged(asked())
    assert len(cases) == 25
    reason, data = cases[number]
    path = tmp_path / "damaged.json"
    path.write_bytes(data)
    for ran in (gametree("mark", str(path), "5 6"), gametree("mark", "-", "5 6", typed=data)):
        assert (ran.code, ran.out) == (2, "")
        assert reason in ran.err
        assert harmless(ran)


def test_the_public_file_points_to_the_other(tmp_path: Path) -> None:
    """Who marks with the public file is told the name of the instructor's beside it."""
    gametree("generate", "best-move", "--seed", "1", "-o", str(tmp_path))
    (public,) = tmp_path.glob("*.public.json")
    ran = gametree("mark", str(public), "B")
    assert ran.code == 2
    assert f"Did you mean {str(public).replace('.public.json', '.json')}?" in ran.err


def test_places_without_an_exercise_are_refused(tmp_path: Path) -> None:
    """Directories and missing files are refused with a hint."""
    assert "is a directory" in gametree("mark", str(tmp_path), "5").err
    assert "There is no file" in gametree("mark", str(tmp_path / "none.json"), "5").err
    assert gametree("mark", "-", "-").code == 2


def harmless(ran: Ran) -> bool:
    """Whether nothing was printed that drives a terminal."""
    return not any(re.search(_CONTROLS, text) or "\x1b" in text for text in (ran.out, ran.err))


def test_long_replies_are_unreadable_not_slow(exercise: Path) -> None:
    """A reply of 70 KB is refused as a reply, with its state, not with a crash."""
    ran = gametree("mark", str(exercise), "-", "--json", typed="5 " * 35_000)
    assert (ran.code, json.loads(ran.out)["state"]) == (1, "UNPARSEABLE")


@settings(suppress_health_check=list(HealthCheck))
@given(st.text("56 ,-none\x1b[]0;\x07\x9b\u202e\u2028\x00\r\nABC", max_size=30) | st.binary(max_size=40))
def test_no_reply_drives_the_terminal(exercise: Path, reply: str | bytes) -> None:
    """Whatever a reply holds, marking it ends in a state, and its control characters are never echoed."""
    for form in ((), ("--json",)):
        ran = gametree("mark", str(exercise), "-", *form, typed=reply)
        assert ran.code in (0, 1)
        assert harmless(ran)


def test_practice_asks_marks_and_sums_up() -> None:
    """A session shows the tree, marks what is typed, asks again where it must, and ends with the points."""
    record = answered(gametree("generate", "best-move", "--seed", "1").out)
    key = record["key"]["reply"]
    ran = gametree(
        "practice", "best-move", "--seed", "1", "-n", "2", typed=f"?\nbanana\n{key}\n\x1b[31m\nquit\n"
    )
    assert ran.code == 0
    assert "△ A" in ran.out
    assert "Try again." in ran.out
    assert "GRADED  1 of 1 point" in ran.out
    assert "1 question answered, 1 entirely correct: 1 of 1 point." in ran.out
    assert harmless(ran)


@pytest.mark.parametrize("typed", ["", "quit\n", "skip\n" * 3, "answer\nq\n", "?\n" * 40])
def test_practice_ends_however_it_is_left(typed: str) -> None:
    """The end of the input, quit, and skipping everything all end a session with a summary."""
    for kind in ("pruned-paths", "windows", "expected-values"):
        ran = gametree("practice", kind, "--seed", "1", "-n", "3", typed=typed)
        assert ran.code == 0
        assert "No question was answered." in ran.out


@pytest.mark.sampled(3)
@EVERY_KIND
def test_hints_lead_through_every_kind(kind: str) -> None:
    """A hint says how to answer, the next ones tell the solution step by step; `answer` shows the key."""
    record = answered(gametree("generate", kind, "--seed", "1").out)
    ran = gametree("practice", kind, "--seed", "1", typed="?\n?\nanswer\n")
    assert f"The answer is {ENGLISH.reply(record['key']['reply'])}"[:60] in ran.out
    assert "For example" in " ".join(ran.out.split())  # lines break anywhere


def test_practice_never_runs_out() -> None:
    """Where a shape has few trees they come again, rather than the session ending with an error."""
    options = ("--plies", "2", "--branching", "2", "--set", "cap=3000", "--seed", "7")
    ran = gametree("practice", "node-values", *options, typed="A=1\n\n" * 12)
    assert ran.code == 0
    assert "12 questions answered" in ran.out


def test_the_catalogue_has_every_kind() -> None:
    """Every kind is listed with its question, an example and its beliefs, for people and for programs."""
    told, record = gametree("kinds").out, json.loads(gametree("kinds", "--json").out)
    assert [entry["name"] for entry in record["kinds"]] == [kind.code for kind in all_kinds()]
    for entry in record["kinds"]:
        assert entry["question"].endswith("?")
        assert all(words["seems"] and words["instead"] for words in entry["beliefs"].values())
        assert f"{entry['name']}\n" in told
        assert entry["example"] in told


@pytest.mark.parametrize("name", ["pruned-paths.", ".pruned-paths", "pruned-paths.pruned", "unknown-leaf."])
def test_a_kind_is_called_by_its_whole_name(name: str) -> None:
    """A dot too many names no kind, wherever one is asked for."""
    for command in (["generate", name], ["stress", name], ["kinds", name], ["practice", name]):
        ran = gametree(*command)
        assert ran.code == 2
        assert "There is no kind" in ran.err or "several questions" in ran.err, ran.err


def test_the_recipe_of_a_kind_is_one_of_your_own(tmp_path: Path) -> None:
    """What is printed grows what the kind grows."""
    (tmp_path / "mine.toml").write_text(gametree("kinds", "pruned-paths", "--recipe").out, encoding="utf-8")
    own = gametree("generate", "pruned-paths", "--recipe", str(tmp_path / "mine.toml"), "--seed", "1")
    assert own.out == gametree("generate", "pruned-paths", "--seed", "1").out


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([], "the recipe of one kind"),
        (["windows", "best-move"], "the recipe of one kind"),
        (["windows", "--json"], "the recipe of one kind"),
        (["uct"], "uct asks 6 questions"),
        (["windws"], "windows"),
    ],
)
def test_a_recipe_is_of_one_kind(names: list[str], why: str) -> None:
    """Of several kinds, or of none, there is no recipe."""
    ran = gametree("kinds", "--recipe", *names)
    assert ran.code == 2
    assert why in ran.out + ran.err


def test_every_name_of_no_kind_is_named() -> None:
    """Of several kinds those that there are not are named all at once, with what may be meant."""
    ran = gametree("kinds", "uct", "winds", "uct.scoers", "root-value")
    assert (ran.code, ran.out) == (2, "")
    assert "neither a kind 'winds' nor 'uct.scoers'" in ran.err
    assert "windows" in ran.err
    assert "uct.scores" in ran.err
