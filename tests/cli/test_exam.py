"""What `gametree exam` promises: an example that builds, a folder that verifies, faults with their places."""

import json
import os
import shutil
import tomllib
from contextlib import nullcontext
from multiprocessing import active_children
from pathlib import Path

import pytest
import typer

from grader.base.phrases import Language
from grader.base.shipped import shipped_folder
from grader.cli.shared.amended_exam import read_blueprint_file, refuse_earlier_rules
from grader.exam.blueprint_fields import EXAMPLE_TEXTS
from tests.cli.running import gametree, interrupted

EXAMPLES = shipped_folder("problems") / "exams"

QUIZ = """
title = "Quiz"
secret = "kept in a safe"
forms = 2
[[question]]
kind = "root-value"
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """A folder with a small blueprint and the shipped class list."""
    (tmp_path / "quiz.toml").write_text(QUIZ, encoding="utf-8")
    shutil.copy(EXAMPLES / "class.csv", tmp_path)
    return tmp_path


def building(quiz: Path, folder: str = "quiz") -> tuple[str, ...]:
    """Return the command that builds the quiz into a folder next to it, as text and for no platform."""
    files = (str(quiz / "quiz.toml"), "-r", str(quiz / "class.csv"), "-o", str(quiz / folder))
    return ("exam", "build", *files, "--format", "text", "--lms", "none")


def test_a_doubtful_tree_is_built_with_a_note(quiz: Path) -> None:
    """What there is to doubt about a given tree is said on stderr and in the record, and stops nothing."""
    plan, command = quiz / "quiz.toml", (*building(quiz), "--force")
    plan.write_text(QUIZ.replace("root-value", "pruned-paths").replace("(2 4 6)", "(3 4 6)"))
    built = gametree(*command)
    assert built.code == 0
    assert "Note: question 1: the answer depends on the tie rule" in built.err
    record = json.loads(gametree(*command, "--json").out)
    assert len(record["notes"]) == 1
    plan.write_text(QUIZ)
    assert gametree(*command).err == ""


def test_the_papers_are_compared_by_what_is_expected(quiz: Path) -> None:
    """`exam build` says what is expected in a line, `exam fairness` in full; nothing sealed is touched."""
    out = str(quiz / "out")
    plan = quiz / "quiz.toml"
    plan.write_text(QUIZ.replace("root-value", "pruned-paths") + "[students]\nmistaken = 0.5\nslips = 0\n")
    built = gametree(*building(quiz, "out"))
    line = next(line for line in built.out.splitlines() if line.startswith("expected score:"))
    shown = gametree("exam", "fairness", out)
    assert shown.code == 0
    assert line.split(";")[0] in shown.out
    assert "50% of students have one of" in shown.out
    assert "No student was observed." in shown.out
    record = json.loads(gametree("exam", "fairness", out, "--json").out)
    assert record["students"] == {"mistaken": "0.5", "slips": "0", "blanks": "0.05"}
    assert record["deviation"] == "0.0000"  # everybody has the same tree
    assert sorted(record["papers"]) == ["A", "B"]
    for name in ("fairness.csv", "fairness.svg"):
        assert (quiz / "out" / "instructor" / name).is_file()
    assert gametree("exam", "verify", out).code == 0


def test_a_build_stopped_by_hand(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with code 130 and one line about what is kept, and the same command goes on."""
    with monkeypatch.context() as patched:
        patched.setattr("grader.publishing.exam_build.seal", interrupted)
        ran = gametree(*building(quiz))
    assert ran.code == 130
    assert ran.err.count("Stopped. Everything finished is kept; run the same command again") == 1
    assert gametree(*building(quiz)).code == 0


def test_a_build_stopped_after_its_papers(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while scores are expected from finished papers: the command for the rest is told."""
    with monkeypatch.context() as patched:
        patched.setattr("grader.publishing.fairness_files.certify", interrupted)
        ran = gametree(*building(quiz))
    assert ran.code == 130
    assert f"Stopped. The papers are finished; `gametree exam fairness {quiz / 'quiz'}` works out" in ran.err
    assert gametree("exam", "fairness", str(quiz / "quiz")).code == 0
    assert (quiz / "quiz" / "instructor" / "fairness.csv").is_file()


def test_the_example_builds_as_it_is(tmp_path: Path) -> None:
    """`exam new` writes a blueprint with a secret of its own; it builds, and what it builds verifies."""
    plan, folder = tmp_path / "midterm.toml", tmp_path / "midterm"
    roster = tmp_path / "class.csv"
    lines = (EXAMPLES / "class.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    roster.write_text("".join(lines[:3]), encoding="utf-8")
    assert gametree("exam", "new", str(plan)).code == 0
    assert gametree("exam", "new", str(plan)).code == 2
    secret = next(
        line for line in plan.read_text(encoding="utf-8").splitlines() if line.startswith("secret =")
    )
    assert "change me" not in secret
    assert "example = true" not in plan.read_text(encoding="utf-8")
    assert gametree("exam", "new", "-").out.count("\n") > 50
    few = ("--lms", "moodle")  # the commands of the README write the files for all platforms
    built = gametree("exam", "build", str(plan), "--roster", str(roster), "-o", str(folder), *few)
    assert (built.code, built.err) == (0, "")
    assert "2 students, 2 variants" in built.out
    for name in (
        "publish/print.pdf",
        "instructor/exam.json",
        "instructor/exam.lock",
        "instructor/assignment.csv",
    ):
        assert (folder / name).is_file()
    checked = gametree("exam", "verify", str(folder), "--blueprint", str(plan), "-r", str(roster))
    assert checked.code == 0
    assert checked.out.endswith("Everything is correct.\n")


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "pt", "zh"])
@pytest.mark.parametrize("what", [(), ("--open",)])
def test_an_example_in_a_language_has_no_english_for_students(what: tuple[str, ...], code: str) -> None:
    """`exam new --language` translates every title and instruction, and the blueprint says the language."""
    english, other = (
        tomllib.loads(gametree("exam", "new", "-", *what, *language).out)
        for language in ((), ("--language", code))
    )
    assert other["language"] == code
    assert not isinstance(other.get("date"), str)
    for name in ("title", "course", "instructions"):
        assert set(other[name].splitlines()).isdisjoint(english[name].splitlines())
    for translated, question in zip(other["question"], english["question"], strict=True):
        assert translated["title"] == Language.of(code).say(question["title"])
        assert question["title"] in EXAMPLE_TEXTS


def test_an_example_quotes_the_words_of_a_catalogue(tmp_path: Path) -> None:
    """Quotation marks and backslashes in a teacher's own translation keep the blueprint valid TOML."""
    own, title = tmp_path / "house.po", 'Das "Spiel" \\o/'
    line = "15 minutes. Write your answers into the boxes."
    texts = {"Quiz: alpha-beta pruning": title, line: title}
    entries = [f"msgid {json.dumps(text)}\nmsgstr {json.dumps(words)}\n" for text, words in texts.items()]
    own.write_text("\n".join(['msgid ""\nmsgstr "Language: de\\n"\n', *entries]), encoding="utf-8")
    blueprint = tomllib.loads(gametree("exam", "new", "-", "--open", "--language", str(own)).out)
    assert (blueprint["title"], blueprint["language"]) == (title, "house.po")
    assert title in blueprint["instructions"].splitlines()


@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
def test_secrets_keys_and_grades_are_for_their_owner(tmp_path: Path) -> None:
    """Nobody else can read a blueprint that was made, or look into the folders of keys and marks."""
    plan, folder, replies = tmp_path / "new.toml", tmp_path / "quiz", tmp_path / "r.csv"
    assert gametree("exam", "new", str(plan)).code == 0
    assert plan.stat().st_mode & 0o077 == 0
    plan.write_text(QUIZ.replace("forms = 2", "forms = 1"), encoding="utf-8")
    build = ("exam", "build", str(plan), "-o", str(folder), "--format", "text", "--lms", "none")
    assert gametree(*build).code == 0
    replies.write_text("id,1\n7,3\n", encoding="utf-8")
    assert gametree("grade", str(folder), str(replies), "--executor", "here").code == 0
    for name in ("instructor", "grades"):
        assert (folder / name).stat().st_mode & 0o077 == 0, name
    assert folder.stat().st_mode & 0o077
    assert (folder / "publish").stat().st_mode & 0o077


def test_verify_says_what_is_wrong(quiz: Path) -> None:
    """An exam with a changed paper makes exit code 1, names the file, and is as clear in JSON."""
    folder = quiz / "quiz"
    made = gametree(*building(quiz), "--json")
    assert made.code == 0
    assert json.loads(made.out)["variants"] == 2
    victim = next((folder / "publish" / "papers").iterdir())
    victim.write_text("nothing to do", encoding="utf-8")
    told = gametree("exam", "verify", str(folder))
    assert told.code == 1
    assert f"publish/papers/{victim.name}" in told.out
    record = json.loads(gametree("exam", "verify", str(folder), "--json").out)
    assert record["ok"] is False
    assert record["findings"]


def test_a_built_exam_is_left_alone(quiz: Path) -> None:
    """Building over an exam is refused; --force builds it again."""
    assert gametree(*building(quiz)).code == 0
    refused = gametree(*building(quiz))
    assert refused.code == 2
    assert "already" in refused.err
    assert gametree(*building(quiz), "--force").code == 0


def test_faults_have_places(quiz: Path) -> None:
    """Faults in a blueprint or a class list are all told, with file, line and what was meant; exit code 2."""
    plan, roster = quiz / "quiz.toml", quiz / "class.csv"
    plan.write_text(QUIZ.replace("title", "titel").replace("root-value", "rot-value"), encoding="utf-8")
    told = gametree(*building(quiz))
    assert told.code == 2
    assert "quiz.toml cannot be used: 3 mistakes.\nline 2, column 1" in told.err
    assert "\nline 6, column 1" in told.err
    assert "did you mean 'root-value'?" in told.err
    plan.write_text(QUIZ, encoding="utf-8")
    roster.write_text("id,name\n7,Ada\n7,Ben\n", encoding="utf-8")
    told = gametree(*building(quiz))
    assert told.code == 2
    assert "class.csv cannot be used: 1 mistake.\nline 3, column 1" in told.err
    assert not (quiz / "quiz").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "missing.toml", "-r", "class.csv", "-o", "x"),
        ("build", "quiz.toml", "-r", "missing.csv", "-o", "x"),
        ("build", "quiz.toml", "-r", "class.csv", "-o", "x", "--format", "docx"),
        ("build", "quiz.toml", "-r", "class.csv", "-o", "x", "--lms", "blackboard"),
        ("build", "quiz.toml", "-r", "class.csv", "-o", "."),
        ("build", "quiz.toml", "-r", "class.csv", "-o", "class.csv"),
        ("verify", "missing"),
        ("verify", "."),
        ("new", "quiz.toml"),
    ],
)
def test_refusals_are_one_message(
    quiz: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be used is refused in words, with exit code 2 and nothing on stdout."""
    monkeypatch.chdir(quiz)
    refused = gametree("exam", *arguments)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.startswith("Error: ")


def test_errors_are_json_where_json_is_asked_for(quiz: Path) -> None:
    """With --json a refusal is one document on stdout, with message, hint and, in a file, the place."""
    missing = gametree("exam", "verify", str(quiz / "missing"), "--json")
    assert missing.code == 2
    assert "There is no folder" in json.loads(missing.out)["errors"][0]["message"]
    plan = quiz / "quiz.toml"
    plan.write_text(QUIZ.replace("title", "titel"), encoding="utf-8")
    wrong = gametree(*building(quiz), "--json")
    assert wrong.code == 2
    errors = json.loads(wrong.out)["errors"]
    assert [error["code"] for error in errors] == ["exam-key", "exam-missing"]
    assert errors[0]["line"] == 2


def test_a_record_that_breaks_off_is_unusable(quiz: Path) -> None:
    """Wherever `exam.json` is cut off, verifying says so with its place and a hint, and exit code 2."""
    folder = quiz / "quiz"
    assert gametree(*building(quiz)).code == 0
    record = folder / "instructor" / "exam.json"
    whole = record.read_bytes()
    for end in (0, 5, len(whole) // 2, len(whole) - 5, whole.rindex(b",\n") + 2):
        record.write_bytes(whole[:end])
        told = gametree("exam", "verify", str(folder))
        assert (told.code, told.out) == (2, "")
        assert f"{record} cannot be used: 1 mistake" in told.err
        assert "build the exam again" in told.err
        (error,) = json.loads(gametree("exam", "verify", str(folder), "--json").out)["errors"]
        assert error["hint"]
    assert "variants: the record breaks off" in told.err


def test_a_refused_build_is_told_in_two_lines(quiz: Path) -> None:
    """The name of a folder adds no line to the refusal, and the hint is a sentence."""
    folder = quiz / "mid\nHint: term"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    refused = gametree(*building(quiz, folder.name))
    _, hint = refused.err.splitlines()
    assert (refused.code, hint) == (2, "Hint: Name a new folder.")


def test_an_unfinished_build_is_told(quiz: Path) -> None:
    """What a stopped build left is neither verified nor graded, with a hint; what it only left over is."""
    folder = quiz / "quiz"
    assert gametree(*building(quiz)).code == 0
    journal = folder / "instructor" / ".building"
    journal.mkdir()
    (journal / "shard-0").write_text("left by a build that was killed while it cleared up", encoding="utf-8")
    commands = (("exam", "verify", str(folder)), ("grade", str(folder), "--executor", "here"))
    assert [gametree(*command).code for command in commands] == [0, 1]
    assert "already contains this exam" in gametree(*building(quiz)).err
    assert not journal.exists()
    journal.mkdir()
    (journal / "plan").write_text("left by a build that was killed", encoding="utf-8")
    for command in commands:
        refused = gametree(*command)
        assert refused.code == 2
        assert "this build was not finished" in refused.err
        assert "gametree exam build" in refused.err


def test_a_dead_process_is_told(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a worker process dies, building and verifying say so with exit code 2, and work when run again."""
    folder = str(quiz / "quiz")
    options = ("-r", str(quiz / "class.csv"), "-o", folder, "--format", "text", "--lms", "moodle")
    build = ("exam", "build", str(quiz / "quiz.toml"), *options)
    for command, stage in ((build, "setting papers"), (("exam", "verify", folder), "exporting")):

        def kill(now: str, _done: int, _total: int, stage: str = stage) -> None:
            for worker in active_children() if now == stage else ():
                worker.kill()

        with monkeypatch.context() as patched:
            patched.setattr("grader.cli.exam.stage_bars", lambda kill=kill: nullcontext(kill))
            told = gametree(*command, "--jobs", "2")
        assert (told.code, told.out) == (2, "")
        assert "process was stopped from outside." in told.err
        assert "Run it again" in told.err
        assert gametree(*command).code == 0


def test_a_tree_of_many_nodes_is_asked_about(quiz: Path) -> None:
    """A question about windows is built without those wrong answers that are too long to be read."""
    plan = quiz / "quiz.toml"
    leaves = iter(range(64))

    def level(depth: int) -> str:
        mover = ("MAX", "MIN")[depth % 2]
        return f"{mover} ({level(depth + 1)} {level(depth + 1)})" if depth < 6 else str(next(leaves))

    text = QUIZ.replace("MAX A (MIN B (3 12 8) MIN C (2 4 6))", level(0)).replace("root-value", "windows")
    plan.write_text(text, encoding="utf-8")
    made = gametree(*building(quiz))
    assert (made.code, made.err) == (0, "")


def test_warnings_go_to_stderr(quiz: Path) -> None:
    """A class list that is not UTF-8 is read, and a note says so beside the data."""
    (quiz / "class.csv").write_bytes("id,name\n7,Zoë\n".encode("cp1252"))
    made = gametree(*building(quiz))
    assert made.code == 0
    assert "Windows-1252" in made.err


@pytest.mark.parametrize(
    "command",
    [
        ("grade", "midterm", "responses.csv"),
        ("gradebook", "show", "midterm"),
        ("gradebook", "regrade", "midterm"),
        ("gradebook", "regrade", "midterm", "--blueprint", "midterm.toml"),
        ("gradebook", "export", "midterm", "-o", "out.csv", "--leave-empty"),
        ("gradebook", "feedback", "midterm"),
        ("report", "midterm"),
        ("exam", "fairness", "midterm"),
    ],
)
def test_keys_that_were_not_locked_are_refused(desk: Path, command: tuple[str, ...]) -> None:
    """Nothing is marked or written by keys that somebody changed after the exam was locked."""
    record = desk / "midterm" / "instructor" / "exam.json"
    assert "locked" not in gametree("grade", "midterm", "responses.csv", "--executor", "here").err
    record.write_bytes(record.read_bytes() + b"\n")
    before = {path for path in desk.rglob("*") if path.is_file()}
    ran = gametree(*command)
    assert ran.code == 2
    assert "was changed after the exam was locked" in " ".join(ran.err.split())
    assert "gametree exam verify midterm" in ran.err
    assert {path for path in desk.rglob("*") if path.is_file()} == before


def test_line_ends_of_a_record_are_no_change(desk: Path) -> None:
    """Git and editors on Windows may write other line ends and a mark before them; the keys are the same."""
    record = desk / "midterm" / "instructor" / "exam.json"
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes().replace(b"\n", b"\r\n"))
    ran = gametree("grade", "midterm", "responses.csv", "--executor", "here")
    assert "locked" not in ran.err


def test_a_preview_is_the_first_variant_and_its_key(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--preview` needs no class list, warns of fonts first, gives what a build gives, and makes no exam."""
    plan, look, exam = quiz / "quiz.toml", quiz / "look", quiz / "exam"
    command = ("exam", "build", str(plan), "--format", "text")
    made = gametree(*command, "-o", str(look), "--preview")
    files, (time,) = made.out.splitlines()[:2], made.out.splitlines()[2:]
    assert (made.code, files) == (0, [str(look / "preview.txt"), str(look / "preview-key.pdf")])
    assert time.startswith("for a student: ")
    assert sorted(path.name for path in look.iterdir()) == ["preview-key.pdf", "preview.txt"]
    assert gametree(*command, "-r", str(quiz / "class.csv"), "-o", str(exam), "--lms", "none").code == 0
    papers = {path.read_bytes() for path in (exam / "publish" / "papers").iterdir()}
    assert (look / "preview.txt").read_bytes() in papers
    assert (look / "preview-key.pdf").read_bytes() == (exam / "instructor/keys/A.pdf").read_bytes()
    refused = gametree(*command, "-o", str(exam), "--preview")
    assert refused.code == 2
    assert "Name another folder" in refused.err
    monkeypatch.setattr("grader.publishing.missing_fonts.has_unprintable", lambda words: "é" in words)
    plan.write_text(QUIZ.replace('"Quiz"', '"Quizé"'), encoding="utf-8")
    (warning,) = json.loads(gametree(*command, "-o", str(look), "--preview", "--json").out)["notes"]
    assert warning in gametree(*command, "-o", str(look), "--preview").err
    monkeypatch.setattr("grader.publishing.exam_build.build_exam", interrupted)
    stopped = gametree(*command, "-r", str(quiz / "class.csv"), "-o", str(quiz / "new"))
    assert warning.removesuffix("run it again") in stopped.err


@pytest.mark.parametrize(("minutes", "advice"), [(1, "fewer questions"), (2, ""), (90, "more questions")])
def test_questions_that_do_not_fit_the_time_are_noted(quiz: Path, minutes: int, advice: str) -> None:
    """A preview says so if the questions take more than the stated time, or less than half of it."""
    text = QUIZ.replace("[[question]]", f"minutes = {minutes}\n[[question]]", 1)
    (quiz / "quiz.toml").write_text(text, encoding="utf-8")
    command = ("exam", "build", str(quiz / "quiz.toml"), "--format", "text", "-o", str(quiz / "look"))
    record = json.loads(gametree(*command, "--preview", "--json").out)
    assert [advice in each for each in record["notes"]] == [True] * bool(advice)


@pytest.mark.parametrize(
    ("kinds", "links"),
    [
        (("deepening.order", "deepening.pruned"), False),
        (("best-move", "node-values"), False),
        (("pruned-paths", "pruned-paths"), False),
        (("node-values", "best-move"), True),
        (("deepening.order", "node-values", "root-value"), True),
    ],
    ids=str,
)
def test_a_new_exam_has_no_idle_follow_through(tmp_path: Path, kinds: tuple[str, ...], links: bool) -> None:
    """A new exam in which nothing can follow is refused; the blueprint of one that was held is read."""
    parts = "".join(f'[[question.part]]\nkind = "{kind}"\n' for kind in kinds)
    head = 'title = "Quiz"\nsecret = "kept in a safe"\n[[question]]\nfollow_through = true\n'
    path = tmp_path / "quiz.toml"
    path.write_text(head + parts)
    plan = read_blueprint_file(path)
    with nullcontext() if links else pytest.raises(typer.Exit):
        refuse_earlier_rules(plan)
