"""The laws of building: the same bytes however it is done, and nothing half done or overwritten."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest

from grader.answers.form import Terms
from grader.base.safe_text import safe_line
from grader.exam.assignment import student_owner, variant_codes
from grader.exam.blueprint import Blueprint, PartPlan, QuestionPlan
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import (
    ALL_KEYS_FILE,
    BUILD_FOLDER,
    GRADES_FOLDER,
    LOCK_FILE,
    PAPERS_FOLDER,
    PRINT_FILE,
    exam_files,
)
from grader.exam.manifest import Exam, Seat, open_exam
from grader.exam.paper import Heading
from grader.exam.roster import Roster
from grader.generation.selection import ExhaustedError
from grader.pictures import typesetting
from grader.publishing import exam_build, missing_fonts
from grader.publishing.exam_build import assignment_csv, build_exam
from grader.publishing.exam_folder import BuildError
from grader.publishing.platforms import PLATFORM_EXPORTS
from grader.publishing.verification import verify_exam
from grader.tables.student_directory import Student
from grader.trees.notation.reading import tree_of
from tests.grading.test_gradebook import HOSTILE
from tests.publishing.conftest import ALL, STUDENTS, Site, example
from tests.publishing.papers import misplaced, printed

SMALL = """
title = "Quiz"
secret = "kept in a safe"
forms = 2
[[question]]
kind = "root-value"
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of an exam with its bytes."""
    return {name: (folder / name).read_bytes() for name in (*exam_files(folder), LOCK_FILE)}


def small() -> Blueprint:
    """A blueprint that takes no time."""
    plan = read_blueprint(SMALL, Path())
    assert isinstance(plan, Blueprint)
    return plan


class Stopped(Exception):  # noqa: N818 - it is no error
    """What a build is stopped with."""


def stop_at(stage: str, done: int) -> Callable[[str, int, int], None]:
    """A progress that stops the build."""

    def progress(now: str, count: int, _total: int) -> None:
        if (now, count) == (stage, done):
            raise Stopped

    return progress


def test_any_number_of_jobs_gives_the_same_bytes(site: Site, tmp_path: Path) -> None:
    """Two processes make every byte that one process makes, the lock included."""
    build_exam(site.blueprint, site.roster, tmp_path / "two", formats=ALL, exports=(), jobs=2)
    assert contents(tmp_path / "two") == contents(site.folder)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_exports_are_made_in_the_same_way(tmp_path: Path, *, whole: bool) -> None:
    """What is written for platforms depends neither on the jobs nor on whether the build was stopped."""
    blueprint, roster = example(2)
    blueprint = blueprint if whole else small()
    wanted: dict[str, Any] = {"formats": ("text",), "exports": None if whole else ("canvas", "moodle")}
    for jobs in (1, 2):
        build_exam(blueprint, roster, tmp_path / str(jobs), jobs=jobs, **wanted)
    with pytest.raises(Stopped):
        build_exam(blueprint, roster, tmp_path / "3", progress=stop_at("exporting", 2), **wanted)
    assert not any((tmp_path / "3" / "instructor" / export.file).exists() for export in PLATFORM_EXPORTS)
    build_exam(blueprint, roster, tmp_path / "3", **wanted)
    assert contents(tmp_path / "1") == contents(tmp_path / "2") == contents(tmp_path / "3")
    assert verify_exam(tmp_path / "1", jobs=2).findings == ()


def test_exports_are_a_set(tmp_path: Path) -> None:
    """Platforms may be named twice and in any order: it is the same exam, with the same lock."""
    roster = Roster((Student("7", "Ada"),))
    for folder, exports in (("one", ("moodle", "qti3")), ("other", ("qti3", "moodle", "qti3"))):
        build_exam(small(), roster, tmp_path / folder, formats=("text",), exports=exports)
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("stage", "done"), [("growing questions", 2), ("setting papers", 0), ("printing", 0), ("sealing", 0)]
)
def test_a_stopped_build_goes_on(site: Site, tmp_path: Path, stage: str, done: int) -> None:
    """A build that was stopped anywhere ends with the same bytes; papers that are set are not set again."""
    folder = tmp_path / "midterm"
    with pytest.raises(Stopped):
        build_exam(
            site.blueprint, site.roster, folder, formats=ALL, exports=(), progress=stop_at(stage, done)
        )
    assert not (folder / LOCK_FILE).exists()
    papers = {path: path.stat().st_mtime_ns for path in (folder / PAPERS_FOLDER).glob("*")}
    build_exam(site.blueprint, site.roster, folder, formats=ALL, exports=())
    assert contents(folder) == contents(site.folder)
    assert not (folder / BUILD_FOLDER).exists()
    assert len(papers) == (STUDENTS * len(ALL) if stage in ("printing", "sealing") else 0)
    assert {path: path.stat().st_mtime_ns for path in papers} == papers


def test_a_stopped_build_for_scanning_goes_on(tmp_path: Path) -> None:
    """Papers with boxes in other places on each of them are recorded in the same way after a stop."""
    questions = "".join(
        f'''[[question]]\nkind = "{kind}"\n''' for kind in ("pruned-paths", "node-values", "best-move")
    )
    plan = read_blueprint(f'title = "Quiz"\nsecret = "kept in a safe"\nscan = true\n{questions}', Path())
    assert isinstance(plan, Blueprint)
    roster = Roster(tuple(Student(str(number), f"Student {number}") for number in range(4)))
    build_exam(plan, roster, tmp_path / "whole", formats=("pdf",), exports=())
    with pytest.raises(Stopped):
        build_exam(
            plan, roster, tmp_path / "again", formats=("pdf",), exports=(), progress=stop_at("printing", 0)
        )
    build_exam(plan, roster, tmp_path / "again", formats=("pdf",), exports=())
    assert contents(tmp_path / "again") == contents(tmp_path / "whole")


def test_a_damaged_file_is_made_again(site: Site, tmp_path: Path) -> None:
    """What was damaged while a build was stopped is made again."""
    folder = tmp_path / "midterm"
    with pytest.raises(Stopped):
        build_exam(
            site.blueprint, site.roster, folder, formats=ALL, exports=(), progress=stop_at("sealing", 0)
        )
    victim = next((folder / "publish" / "papers").glob("*.html"))
    victim.write_bytes(b"half a fi")
    build_exam(site.blueprint, site.roster, folder, formats=ALL, exports=())
    assert contents(folder) == contents(site.folder)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with an exam or with anything else in it is left alone; --force replaces an exam only."""
    plan, roster = small(), Roster((Student("7", "Ada"),))
    folder = tmp_path / "exam"
    build_exam(plan, roster, folder, formats=("text",), exports=())
    before = contents(folder)
    with pytest.raises(BuildError, match="already"):
        build_exam(plan, roster, folder, formats=("text",), exports=())
    with pytest.raises(BuildError, match="another"):
        build_exam(plan, roster, folder, formats=("html",), exports=())
    assert contents(folder) == before
    build_exam(plan, roster, folder, formats=("html",), exports=(), force=True)
    assert not list(folder.rglob("*.txt"))
    (folder / LOCK_FILE).unlink()
    with pytest.raises(BuildError, match="another"):
        build_exam(plan, roster, folder, formats=("html",), exports=())
    build_exam(plan, roster, folder, formats=("html",), exports=(), force=True)
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work", encoding="utf-8")
    for force in (False, True):
        with pytest.raises(BuildError, match="not an exam"):
            build_exam(plan, roster, other, formats=("text",), exports=(), force=force)
    assert (other / "thesis.tex").read_text(encoding="utf-8") == "years of work"


def test_marks_are_not_taken_over(tmp_path: Path) -> None:
    """An exam that was graded is not replaced, not even by force, until its marks are moved away."""
    plan, roster = small(), Roster((Student("7", "Ada"),))
    folder = tmp_path / "exam"
    build_exam(plan, roster, folder, formats=("text",), exports=())
    (folder / GRADES_FOLDER).mkdir()
    before = contents(folder)
    with pytest.raises(BuildError, match="graded"):
        build_exam(plan, roster, folder, formats=("html",), exports=(), force=True)
    assert contents(folder) == before
    (folder / GRADES_FOLDER).rename(folder / "grades of the first exam")
    build_exam(plan, roster, folder, formats=("html",), exports=(), force=True)
    assert contents(folder) != before


def test_forms_are_papers_and_not_students(tmp_path: Path) -> None:
    """With forms there is one paper for each form, and the class is dealt out among them."""
    roster = Roster(tuple(Student(str(number), f"Name {number}") for number in range(7)))
    made = build_exam(small(), roster, tmp_path / "exam", formats=("pdf",), exports=())
    assert (made.variants, made.students) == (2, 7)
    assert len(list((tmp_path / "exam" / "publish" / "papers").iterdir())) == 2
    assert made.pages == 14
    exam = open_exam(tmp_path / "exam")
    assert isinstance(exam, Exam)
    assert (
        sorted(seat.code for seat in exam.seats) == ["A"] * 4 + ["B"] * 3
        or sorted(seat.code for seat in exam.seats) == ["A"] * 3 + ["B"] * 4
    )
    assert {seat.file for seat in exam.seats} == {
        path.stem for path in (tmp_path / "exam" / "publish" / "papers").iterdir()
    }


def test_the_assignment_is_safe_in_a_spreadsheet() -> None:
    """A cell that a spreadsheet would compute is quoted, as in exports; everybody is in the table once."""
    names = ("Zoë", "=1+1", "＝HYPERLINK(1)", "−1+1", "'x", *HOSTILE)
    seats = [
        Seat(Student(f"{number}", name, f"-{number}@x.y"), "A", "f") for number, name in enumerate(names)
    ]
    head, *rows = csv.reader(io.StringIO(assignment_csv(seats).decode("utf-8-sig")))
    assert head[:3] == ["Identifier", "Name", "Email"]
    assert [row[0] for row in rows] == [seat.student.identifier for seat in seats]
    assert [row[1] for row in rows[:5]] == ["Zoë", "'=1+1", "'＝HYPERLINK(1)", "'−1+1", "'x"]
    for row in rows:
        assert row[1] in (safe_line(name := names[int(row[0])], 2_000), f"'{safe_line(name, 2_000)}")
        assert not any(cell.lstrip().startswith(tuple("=+-@＝＋－＠−")) for cell in row)


def test_every_student_has_another_paper(site: Site) -> None:
    """One variant per student: as many papers, codes, keys and checksums as students, all different."""
    exam = open_exam(site.folder)
    assert isinstance(exam, Exam)
    papers = tuple(exam.papers)
    assert len({paper.public.checksum for paper in papers}) == len(site.roster.students)
    codes = variant_codes(site.blueprint.secret, [*map(student_owner, site.roster.students)])
    assert tuple(paper.code for paper in papers) == tuple(codes.values())
    keys = {path.stem for path in (site.folder / "instructor" / "keys").iterdir()}
    assert keys == {paper.code for paper in papers}


def test_another_secret_is_another_exam(tmp_path: Path) -> None:
    """With another secret every tree, code and file name is another one."""
    blueprint, roster = example(2)
    exams = []
    for number, secret in enumerate(("the first secret", "the second secret")):
        folder = tmp_path / str(number)
        build_exam(replace(blueprint, secret=secret), roster, folder, formats=("text",), exports=())
        exam = open_exam(folder)
        assert isinstance(exam, Exam)
        exams.append(exam)
    for one, other in zip(*(exam.papers for exam in exams), strict=True):
        assert one.questions[0].public.tree != other.questions[0].public.tree
    assert not {seat.file for seat in exams[0].seats} & {seat.file for seat in exams[1].seats}
    assert not {seat.code for seat in exams[0].seats} & {seat.code for seat in exams[1].seats}


def test_a_recipe_that_asks_too_much_is_told(tmp_path: Path) -> None:
    """When a recipe finds no tree, the build says which demand refused how many, whoever found out."""
    text = (
        SMALL[: SMALL.index("tree =")]
        + "recipe = {cap = 5, require = {pruned = [12, 12], subtree_cuts = 4}}\n"
    )
    plan = read_blueprint(text.replace("root-value", "pruned-paths"), Path())
    assert isinstance(plan, Blueprint)
    messages = []
    for jobs in (1, 2):
        with pytest.raises(ExhaustedError, match="pruned") as caught:
            build_exam(plan, Roster((Student("7", "Ada"),)), tmp_path / str(jobs), exports=(), jobs=jobs)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert messages[0].count("no exercise was found") == 1


def test_the_folder_stands_by_itself(site: Site, tmp_path: Path) -> None:
    """A copy of the folder elsewhere is still right: nothing in it names the place it was built in."""
    shutil.copytree(site.folder, tmp_path / "copy")
    assert verify_exam(tmp_path / "copy").findings == ()
    assert str(site.folder).encode() not in b"".join(contents(site.folder).values())
    assert json.loads((tmp_path / "copy" / LOCK_FILE).read_text(encoding="utf-8"))["schema"] == 1


def test_many_right_answers_and_one_key_are_told(tmp_path: Path) -> None:
    """Who exports a question with many right answers to a platform that marks by the key is told of it."""
    text = SMALL.replace('"root-value"', '"reorder.order"').replace("(2 4 6)", "(6 4 2)")
    text = text.replace("forms = 2", "forms = 1")
    plan = read_blueprint(text, Path())
    assert isinstance(plan, Blueprint)
    (note,) = build_exam(
        plan, None, tmp_path / "all", formats=(), exports=("moodle", "canvas", "gradescope")
    ).notes
    assert note.startswith("question 1 has many correct answers, but moodle and canvas only know the one")
    assert build_exam(plan, None, tmp_path / "own", formats=(), exports=("gradescope",)).notes == ()


def test_names_that_cannot_be_printed_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names in scripts for which this machine has no font are named with what to do, and others are not."""
    names = ("Ada", "Лев Толстой", "李明", "สมชาย", "王伟", "김철수")
    roster = Roster(tuple(Student(f"00{place}", name) for place, name in enumerate(names)))
    compiler = typesetting._compiler
    monkeypatch.setattr(typesetting, "_compiler", lambda _machine_fonts: compiler(False))
    notes = build_exam(small(), roster, tmp_path / "some", formats=("pdf",), exports=()).notes
    told = [
        (note.split(" has all ")[1].split(",")[0], note.split("install ")[1].split()[0]) for note in notes
    ]
    assert told == [
        ("Chinese characters of 002 (李明)", "fonts-noto-cjk"),
        ("Thai characters of 003 (สมชาย)", "fonts-noto-core"),
        ("Korean characters of 005 (김철수)", "fonts-noto-cjk"),
    ]
    assert "004 (王伟), which print as boxes" in notes[0]
    roster = Roster(roster.students[:2])
    assert build_exam(small(), roster, tmp_path / "none", formats=("pdf",), exports=()).notes == ()


SCRIPTS = [
    ("zh-cn", "fonts-noto-cjk", "李明"),
    ("ja", "fonts-noto-cjk", "やまだ太郎"),
    ("ko", "fonts-noto-cjk", "김철수"),
    ("th", "fonts-thai-tlwg", "สมชาย ใจดี"),
]
"""Languages whose letters no font inside the PDF maker has, as fontconfig calls them, and a name in each."""


def machine_has(language: str) -> bool:
    """Whether a font of this machine is for a language, by what its own list of fonts says."""
    listed = shutil.which("fc-list")
    if listed is None:
        return False
    return bool(subprocess.run([listed, f":lang={language}"], capture_output=True, check=True).stdout.strip())


@pytest.mark.parametrize(("language", "fonts", "name"), SCRIPTS)
def test_names_are_printed_where_a_font_is(tmp_path: Path, language: str, fonts: str, name: str) -> None:
    """With a font for its script a name is on each page of its paper, and a long one stays on the page."""
    if not machine_has(language):
        pytest.skip(f"no font for {language!r} on this machine (Debian: apt-get install {fonts})")
    roster = Roster((Student("001", name), Student("002", name * 60), Student("003", "Ada")))
    assert build_exam(small(), roster, tmp_path / "exam", formats=("pdf",), exports=()).notes == ()
    path = tmp_path / "exam" / PRINT_FILE
    pages = [page.extract_text() for page in pypdf.PdfReader(path, strict=True).pages]
    assert [name.split()[0] in page for page in pages] == [True] * 4 + [False] * 2
    assert ["This paper is for" in page for page in pages] == [True, False] * 3
    with closing(pypdfium2.PdfDocument(path)) as document:
        for page in document:
            ink = page.render(scale=0.5, grayscale=True).to_numpy() < 128
            assert not ink[:, -15:].any()


def below_their_label(path: Path) -> list[str]:
    """Letters of names that stand lower than the label before them, by more than a g does."""
    found = []
    with closing(pypdfium2.PdfDocument(path)) as document:
        for page in document:
            words = page.get_textpage()
            letters = [
                (words.get_charbox(at), words.get_text_range(at, 1)) for at in range(words.count_chars())
            ]
            label = next(
                (box for box, sign in letters if sign == "N" and box[1] > page.get_height() - 60), None
            )
            if label is not None:
                line = [each for each in letters if each[0][0] > label[2] and each[0][1] > label[1] - 12]
                found += [sign for box, sign in line if box[1] < label[1] - 2 and sign.strip()]
    return found


def test_every_printed_page_has_the_name_and_its_number(tmp_path: Path) -> None:
    """The printer's file has the name on each page of a paper, however long; what is published has none.

    On the first page it is on the line for the name, on all others after its label; where a part is left out,
    there are dots.
    """
    names = ("Ada Lovelace", "Wolfeschlegelsteinhausenbergerdorff " * 3 + "x", "W" * 400)
    blueprint, roster = example(3)
    who = zip(roster.students, names, strict=True)
    roster = Roster(tuple(replace(student, name=name) for student, name in who))
    for plan in (blueprint, small()):
        folder = tmp_path / plan.digest
        build_exam(plan, roster, folder, formats=("pdf",), exports=())
        pages = [page.extract_text() for page in pypdf.PdfReader(folder / PRINT_FILE, strict=True).pages]
        papers, found = [page for page in pages if "Page " in page], 0
        for name in names:
            start = name.replace(" ", "")[:20]
            mine = [page for page in papers if "".join(page.split()).startswith(start)]
            assert re.findall(r"Page (\d+) of", "".join(mine)) == [str(at + 1) for at in range(len(mine))]
            assert [page.count("Name:") for page in mine] == [0] + [1] * (len(mine) - 1)
            assert ["…" in page for page in mine[1:]] == [len(name) > 200] * (len(mine) - 1)
            found += len(mine)
        assert found == len(papers) > 2
        assert below_their_label(folder / PRINT_FILE) == []
        assert misplaced(folder / PRINT_FILE) == []
        for path in (folder / PAPERS_FOLDER).glob("*.pdf"):
            text = "".join(printed(path))
            assert not any(name[:30] in text for name in names)


def test_one_file_has_all_keys(site: Site) -> None:
    """It has the key of every variant once, each on a front side, in the order of the printer's file."""
    assert len(pypdf.PdfReader(site.folder / ALL_KEYS_FILE, strict=True).pages) > STUDENTS
    pages = printed(site.folder / ALL_KEYS_FILE)
    starts = [re.search(r"Key to variant (\w+)", page) for page in pages]
    exam = open_exam(site.folder)
    assert isinstance(exam, Exam)
    assert [found[1] for found in starts if found] == [seat.code for seat in exam.seats]
    assert all(place % 2 == 0 for place, found in enumerate(starts) if found)


def test_a_title_that_no_font_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no font has the characters of a title, or of a language, it is said with what to install."""
    monkeypatch.setattr(missing_fonts, "has_unprintable", lambda words: not words.isascii())

    def warnings(heading: Heading, *questions: QuestionPlan) -> list[str]:
        plan = replace(small(), heading=heading, questions=questions)
        return list(missing_fonts.font_warnings(plan, (), exam_build.FORCE_BUILD_HINT))

    (note,) = warnings(Heading("博弈树考试", language_code="zh"))
    assert "Chinese characters of the title, the language, which print as boxes" in note
    assert "fonts-noto-cjk" in note
    tree = tree_of('MAX ("甲"=3 b: MIN ("乙"=4 丙))')
    plan = QuestionPlan("", tree, (PartPlan("best-move", Terms()),))
    (note,) = warnings(Heading("Midterm"), replace(plan, source=tree_of("MAX (3 4)")), plan)
    assert "Chinese characters of question 2, which" in note
    names = {"Arabic": "محمد", "Hebrew": "משה", "Devanagari": "राम", "Thai": "สมชาย"}
    notes = missing_fonts.unprintable_warnings(
        {name.upper(): name + text for name, text in names.items()}, exam_build.FORCE_BUILD_HINT
    )
    for script, note in zip(names, notes, strict=True):
        assert f"{script} characters of {script.upper()}, which" in note
        assert "install fonts-noto-core " in note
    assert not warnings(Heading("Midterm"))


def test_keys_begin_with_a_question(site: Site) -> None:
    """The first question of a key begins on its first page, however much room its drawn solution takes."""
    keys = sorted((site.folder / "instructor" / "keys").glob("*.pdf"))
    assert keys
    for key in keys:
        assert "Question 1" in pypdf.PdfReader(key).pages[0].extract_text(), key.name
