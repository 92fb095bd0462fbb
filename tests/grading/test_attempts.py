"""Which of several replies counts, whatever files they come in, how often, and as what they are read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.grading.attempts import DuplicatePolicy
from grader.grading.decisions import Decision
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import Intake, append_tables
from grader.grading.overrides import append_read_replies
from grader.grading.results import uncounted_rows
from grader.grading.row_policy import RowPolicy
from grader.tables.columns import match_columns
from grader.tables.dates import read_time
from grader.tables.readers import read_submissions
from grader.tables.rows import Row as TableRow
from tests.grading.classroom import build, student

ADA, BEN = student(0), student(1)

MAPS: tuple[Mapping[str, str], ...] = (
    {"x": "1", "y": "2a"},
    {"x": "1", "y": ""},
    {"x": "", "y": "1"},
    {"x": "2a", "y": "1"},
)

Row = tuple[str, str, str]
"""What a row has under x, under y and as its time."""


@pytest.fixture(scope="module")
def exam_keys(tmp_path_factory: pytest.TempPathFactory) -> ExamKeys:
    """An exam for two students."""
    return build(tmp_path_factory.mktemp("exam"), (ADA, BEN), codes=("A",))


def write(path: Path, rows: Sequence[Row], number: int) -> None:
    """A table of Ada's rows; the number of empty lines at its end tells equal tables apart."""
    path.parent.mkdir(exist_ok=True)
    lines = ["id,x,y,time", *(f"{ADA.identifier},{','.join(row)}" for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines) + "\n" * number)


def take(
    book: Gradebook,
    exam_keys: ExamKeys,
    files: Sequence[tuple[Path, Mapping[str, str]]],
    policy: RowPolicy | None = None,
    same: Mapping[str, str] | None = None,
) -> Intake:
    """Take some files in, each with what is told of its columns."""
    sheets = [(read_submissions(path, exam_keys.parts), wanted) for path, wanted in files]
    matched = [(sheet, match_columns(sheet, exam_keys.parts, wanted)) for sheet, wanted in sheets]
    return append_tables(book, exam_keys, matched, policy=policy, same=same)


def counting(book: Gradebook, who: str = ADA.identifier) -> dict[str, str]:
    """What counts for a student, by part; `?` where nobody can tell."""
    return {
        part: "?" if each.contested else each.reply for part, each in sorted(book.submissions_of(who).items())
    }


def expected(files: Sequence[Sequence[Row]], maps: Mapping[int, Mapping[str, str]]) -> dict[str, str]:
    """The same by definition: of all that every file says as it was read last, the one that is latest."""
    found = {}
    for part in ("1", "2a"):
        said = {
            (row["xy".index(column)], row[2])
            for number, wanted in maps.items()
            for row in files[number]
            for column in "xy"
            if wanted[column] == part and row["xy".index(column)]
        }
        replies = {reply for reply, _ in said}
        latest = max((time for _, time in said), default="")
        last = {reply for reply, time in said if time == latest}
        if replies:
            found[part] = replies.pop() if len(replies) == 1 else "?" if len(last) > 1 else last.pop()
    return found


def rows_of(times: st.SearchStrategy[str]) -> st.SearchStrategy[list[Row]]:
    """One row or two."""
    reply = st.sampled_from(("", "5", "6", "7"))
    return st.lists(st.tuples(reply, reply, times), min_size=1, max_size=2)


TIMES = st.sampled_from([f"2026-01-31T0{hour}:00" for hour in range(4)])

CLASSES = st.one_of(st.lists(rows_of(times), min_size=1, max_size=3) for times in (st.just(""), TIMES))


@given(st.data(), CLASSES, st.booleans())
def test_files_count_as_they_were_read_last(
    exam_keys: ExamKeys, data: st.DataObject, files: list[list[Row]], one_name: bool
) -> None:
    """However often files come, together or alone and read in whatever ways, what counts is what they say.

    A blank is nothing said here: whether it is left behind as one depends on what was there before.
    """
    number = st.integers(0, len(files) - 1)
    steps = data.draw(
        st.lists(
            st.dictionaries(number, st.sampled_from(MAPS), min_size=1, max_size=2), min_size=1, max_size=5
        )
    )
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"of-{at}", "r.csv" if one_name else f"r{at}.csv") for at in range(len(files))]
        for at, (path, rows) in enumerate(zip(paths, files, strict=True)):
            write(path, rows, at)
        maps: dict[int, Mapping[str, str]] = {}
        with Gradebook.open(Path(folder, "book.db"), create=True) as book:
            for step in steps:
                take(book, exam_keys, [(paths[at], wanted) for at, wanted in step.items()])
                maps |= step
                found = {part: reply for part, reply in counting(book).items() if reply}
                assert found == expected(files, maps)


@pytest.mark.parametrize(("duplicates", "reply"), [("first", "5"), ("last", "6")])
def test_the_first_stays_the_first(
    tmp_path: Path, exam_keys: ExamKeys, duplicates: DuplicatePolicy, reply: str
) -> None:
    """Which reply came first or last does not change when the same file comes again."""
    path, policy = tmp_path / "r.csv", RowPolicy(duplicates)
    write(path, [("5", "", ""), ("6", "", "")], 0)
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        for _ in range(3):
            take(book, exam_keys, [(path, MAPS[1])], policy)
            assert counting(book) == {"1": reply}
        count = len(book.all_submissions_of(ADA.identifier))
        take(book, exam_keys, [(path, MAPS[1])], policy)
        assert len(book.all_submissions_of(ADA.identifier)) == count


def read_by_hand(book: Gradebook, exam_keys: ExamKeys, reply: str) -> None:
    """Say how Ada's reply to the first question is to be read."""
    append_read_replies(book, exam_keys, [Decision(ADA.identifier, "1", reply)])


DUPLICATES: tuple[DuplicatePolicy, ...] = ("ask", "first", "last")


@pytest.mark.parametrize("duplicates", DUPLICATES)
@pytest.mark.parametrize("read", ["7", "6", ""])
@pytest.mark.parametrize("rows", [[("5", "", "")], [("5", "", ""), ("6", "", "")]])
def test_what_a_person_has_read_stands(
    tmp_path: Path, exam_keys: ExamKeys, duplicates: DuplicatePolicy, read: str, rows: list[Row]
) -> None:
    """The same file again says nothing new, whatever is told of duplicates; another reply does."""
    path, later, policy = tmp_path / "r.csv", tmp_path / "later.csv", RowPolicy(duplicates)
    write(path, rows, 0)
    write(later, [("8", "", "")], 0)
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        take(book, exam_keys, [(path, MAPS[1])])
        read_by_hand(book, exam_keys, read)
        count = len(book.all_submissions_of(ADA.identifier))
        for _ in range(2):
            take(book, exam_keys, [(path, MAPS[1])], policy)
            assert counting(book) == {"1": read}
        assert len(book.all_submissions_of(ADA.identifier)) == count
        take(book, exam_keys, [(later, MAPS[1])], policy)
        said = {"ask": "?", "first": read, "last": "8"}[duplicates]
        assert counting(book) == {"1": said if read else "8"}


def test_what_a_person_has_read_stands_when_a_file_is_read_anew(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """It holds for the reply that was looked at, as often as that counts again, and for no other."""
    path, due = tmp_path / "r.csv", read_time("2026-01-31T00:30")
    write(path, [("5", "6", "2026-01-31T01:00")], 0)
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        take(book, exam_keys, [(path, MAPS[1])])
        read_by_hand(book, exam_keys, "7")
        read_by_hand(book, exam_keys, "9")
        for wanted, reply in ((MAPS[2], "6"), (MAPS[1], "9"), (MAPS[0], "9")):
            take(book, exam_keys, [(path, wanted)])
            assert counting(book)["1"] == reply
        take(book, exam_keys, [(path, MAPS[0])], RowPolicy(due=due))
        assert [each.late for each in book.submissions_of(ADA.identifier).values()] == [True, True]
        assert counting(book) == {"1": "9", "2a": "6"}


def test_a_file_may_grow_while_it_is_read(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """Rows that are added while a file is taken in are taken as well, whoever's they are."""
    path = tmp_path / "r.csv"
    write(path, [("5", "", ""), ("5", "", "")], 0)
    sheet = read_submissions(path, exam_keys.parts)
    added = iter(["", "", f"{BEN.identifier},6,,\n" * 2])

    def grown_rows() -> Iterator[TableRow]:
        with path.open("a") as file:
            file.write(next(added, ""))
        return sheet.rows()

    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        growing = replace(sheet, rows=grown_rows)
        append_tables(book, exam_keys, [(growing, match_columns(sheet, exam_keys.parts, MAPS[1]))])
        assert (counting(book), counting(book, BEN.identifier)) == ({"1": "5"}, {"1": "6"})


def test_the_order_of_rows_is_nothing(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """The one latest reply counts wherever it stands, whatever was said twice at one time before."""
    rows: list[Row] = [
        ("5", "", "2026-01-31T01:00"),
        ("6", "", "2026-01-31T01:00"),
        ("7", "", "2026-01-31T02:00"),
    ]
    for number, order in enumerate(permutations(rows)):
        path = tmp_path / f"{number}.csv"
        write(path, order, 0)
        with Gradebook.open(tmp_path / f"{number}.db", create=True) as book:
            take(book, exam_keys, [(path, MAPS[1])])
            assert counting(book) == {"1": "7"}


def test_equal_files_of_two_students(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """Text files that say the same, each named after its student, are two files."""
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        for part, who in (("1", ADA), ("2a", BEN), ("2a", ADA)):
            path = tmp_path / part / f"{who.identifier}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text("none\n")
            parts = [each for each in exam_keys.parts if each.name == part]
            sheet = read_submissions(path, parts)
            append_tables(book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))])
        assert counting(book) == {"1": "none", "2a": "none"}
        assert counting(book, BEN.identifier) == {"2a": "none"}


def test_a_folder_is_read_anew(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """A folder that comes again with other labels mapped is read anew as well."""
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "ada.txt").write_text(f"student: {ADA.identifier}\n1: 5\n2a: 6\n")
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        take(book, exam_keys, [(folder, {})])
        take(book, exam_keys, [(folder, {"1": "2a", "2a": "1"})])
        assert counting(book)["1"] == "6"
        assert counting(book)["2a"] == "5"


def test_whose_a_row_is_can_be_taken_back(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """A row that was said to be somebody's belongs to him no more when it is said to be another's."""
    path = tmp_path / "r.csv"
    path.write_text("id,1\nX17,5\n")
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        take(book, exam_keys, [(path, {})], same={"X17": ADA.identifier})
        take(book, exam_keys, [(path, {})], same={"X17": BEN.identifier})
        assert (counting(book), counting(book, BEN.identifier)) == ({}, {"1": "5"})
        take(book, exam_keys, [(path, {})])
        assert (counting(book), counting(book, BEN.identifier)) == ({}, {"1": "5"})


def test_rows_that_were_misread_raise_no_question(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """Near misses of a column that turned out to be something else are forgotten."""
    path, seat = tmp_path / "r.csv", f"O{BEN.identifier}"
    path.write_text(f"seat,who,1\n{seat},{ADA.identifier},5\n")
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        take(book, exam_keys, [(path, {"seat": "student", "who": ""})])
        assert set(uncounted_rows(book)) == {BEN.identifier}
        take(book, exam_keys, [(path, {"seat": "", "who": "student"})])
        assert uncounted_rows(book) == {}
        assert counting(book) == {"1": "5"}


def test_lateness_can_be_told_later(tmp_path: Path, exam_keys: ExamKeys) -> None:
    """When a file comes again with the time at which it was due, what was late is flagged, or taken back."""
    path, due = tmp_path / "r.csv", read_time("2026-01-31T01:30")
    write(path, [("5", "", "2026-01-31T02:00")], 0)
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        assert take(book, exam_keys, [(path, MAPS[1])]).flagged_count == 0
        assert take(book, exam_keys, [(path, MAPS[1])], RowPolicy(due=due)).flagged_count == 1
        assert book.submissions_of(ADA.identifier)["1"].late
        again = take(book, exam_keys, [(path, MAPS[1])])
        assert (again.counts["same"], counting(book)) == (1, {"1": "5"})
        assert take(book, exam_keys, [(path, MAPS[1])], RowPolicy(due=due, late="refuse")).counts["late"] == 1
        assert counting(book) == {}
