"""Statistics of finished exams: what they recover, and that nothing personal is in them."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from grader.base.records import SchemaError
from grader.base.statistics import correlation_interval, wilson_interval
from grader.exam.answer_statistics import (
    MIN_CLASS_STUDENTS,
    AnswerStatistics,
    QuestionType,
    StatisticsError,
    read_statistics,
    write_statistics,
)
from grader.exam.manifest import Exam, Origin, Seat
from grader.exam.paper import Heading, Paper, Question
from grader.exam.population import Population, student_shares
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from grader.grading.statistics_collection import collect_statistics, exam_fingerprint
from tests.cli.running import Ran, gametree
from tests.exam.written import write_paper
from tests.grading.classroom import sat, student
from tests.grading.simulated_class import exam_of, exercise_of, graded

KINDS = ("node-values", "pruned-paths")

PLANTED = {"players-swapped": 0.2, "ignores-opponent": 0.15, "only-at-min": 0.1}
"""The shares of students with a misconception."""

BLANK = 0.05


def trees(count: int, draws: random.Random) -> list[str]:
    """Trees of three plies with different payoffs."""
    texts = []
    for _ in range(count):
        payoffs = iter(map(str, draws.sample(range(1, 100), 27)))
        parts = []
        for name, inner in zip("BCD", ("EFG", "HJK", "LMN"), strict=True):
            below = " ".join(f"MAX {each} ({' '.join(next(payoffs) for _ in range(3))})" for each in inner)
            parts.append(f"MIN {name} ({below})")
        texts.append(f"MAX A ({' '.join(parts)})")
    return texts


def answers(
    kinds: Sequence[str], texts: Sequence[str], students: int, draws: random.Random
) -> dict[str, list[str]]:
    """The replies of a class in which students have the planted misconceptions, or none."""
    rows = {}
    for number in range(students):
        belief = draws.choices([*PLANTED, ""], [*PLANTED.values(), 1 - sum(PLANTED.values())])[0]
        replies = []
        for kind in kinds:
            exercise = exercise_of(kind, texts[number % len(texts)])
            reply = exercise.beliefs.get(f"{kind}.{belief}", exercise.key)
            replies.append("" if draws.random() < BLANK else reply)
        rows[student(number).identifier] = replies
    return rows


def collected(folder: Path, exam_keys: ExamKeys) -> AnswerStatistics:
    """The statistics of one exam."""
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        questions, _ = collect_statistics(exam_keys, results(book, exam_keys))
    return AnswerStatistics().with_exam(exam_fingerprint(exam_keys), questions)


def sat_years(folder: Path, years: int, students: int) -> AnswerStatistics:
    """The statistics of several simulated years."""
    statistics, draws = AnswerStatistics(), random.Random(20261128)
    for year in range(years):
        place, texts = folder / str(year), trees(12, draws)
        place.mkdir()
        exam_keys = exam_of(place, KINDS, texts, students)
        graded(place, exam_keys, answers(KINDS, texts, students, draws))
        one = collected(place, exam_keys)
        statistics = statistics.with_exam(one.exams[0], one.questions)
    return statistics


@pytest.mark.parametrize(("years", "students"), [(2, 120), pytest.param(8, 240, marks=pytest.mark.slow)])
def test_planted_shares_are_recovered(tmp_path: Path, years: int, students: int) -> None:
    """From simulated years the planted shares of misconceptions and blanks come back, in their intervals."""
    statistics = sat_years(tmp_path, years, students)
    assert len(statistics.exams) == years
    assert {
        each.kind: (each.plies, each.leaves, each.exams) for each in statistics.questions
    } == dict.fromkeys(KINDS, ("3", "27", years))
    for question in statistics.questions:
        assert question.students == years * students
        low, high = wilson_interval(question.blank / question.students, question.students)
        assert low - 0.02 < BLANK < high + 0.02
        for name, planted in PLANTED.items():
            tally = question.misconceptions.get(name)
            if tally is None or (name == "only-at-min" and question.kind == "node-values"):
                continue
            assert tally.explained <= tally.expected <= tally.possible <= tally.exposed
            # Blank answers show nothing.
            share = planted * (1 - BLANK)
            assert abs(tally.expected / tally.exposed - share) < 3 * (share / tally.exposed) ** 0.5 + 0.01
        strangers = [name for name in question.misconceptions if name not in PLANTED]
        assert sum(question.misconceptions[name].explained for name in strangers) == 0
    # Certificates expect these students.
    types = [question.question_type for question in statistics.questions]
    shares = dict(student_shares(statistics.population(types), tuple(PLANTED)))
    assert abs(float(shares["players-swapped"]) - PLANTED["players-swapped"]) < 0.06
    assert sum(shares.values()) == 1


PLANTED_BY_TYPE = {("", "27"): 0.4, ("pruned-paths", "27"): 0.1, ("node-values", "27"): 0.25}
"""The shares of students who swap the players, by recipe and leaves."""

PLANTED_IN_SMALL_TREES = 0.6


def swapped(text: str, share: float, draws: random.Random) -> str:
    """The reply of a student who swaps the players with this probability."""
    exercise = exercise_of("pruned-paths", text)
    return exercise.beliefs["pruned-paths.players-swapped"] if draws.random() < share else exercise.key


def test_planted_shares_are_recovered_by_recipe_and_size(tmp_path: Path) -> None:
    """Each recipe and size keeps its own share; a recipe or size that is missing gets the closest ones."""
    draws, students = random.Random(12), 300
    large, small = trees(1, draws)[0], "MAX A (MIN B (16 21 13) MIN C (26 7 4) MIN D (29 1 27))"
    folders = [tmp_path / name for name in ("large", "small")]
    for folder in folders:
        folder.mkdir()
    values = exercise_of("node-values", large).key
    one = exam_of(
        folders[0], ["pruned-paths", "pruned-paths", "node-values pruned-paths"], [large], students, {2, 3}
    )
    rows = {}
    for number in range(students):
        given, own, shared = (swapped(large, share, draws) for share in PLANTED_BY_TYPE.values())
        rows[student(number).identifier] = [given, own, values, shared]
    graded(folders[0], one, rows)
    other = exam_of(folders[1], ["pruned-paths"], [small], students, {1})
    rows = {
        student(number).identifier: [swapped(small, PLANTED_IN_SMALL_TREES, draws)]
        for number in range(students)
    }
    graded(folders[1], other, rows)
    statistics = collected(folders[0], one)
    small_questions = collected(folders[1], other)
    statistics = statistics.with_exam(small_questions.exams[0], small_questions.questions)

    def share(recipe: str, leaves: str, plies: str = "3") -> float:
        wanted = QuestionType("pruned-paths", recipe, plies, leaves)
        return float(statistics.shares([wanted])["players-swapped"])

    tolerance = 2 * (0.25 / students) ** 0.5
    for (recipe, leaves), planted in PLANTED_BY_TYPE.items():
        assert abs(share(recipe, leaves) - planted) < tolerance
    assert abs(share("pruned-paths", "9", "2") - PLANTED_IN_SMALL_TREES) < tolerance
    assert share("pruned-paths", "20-30") == share("pruned-paths", "27")
    both_sizes = (share("pruned-paths", "27") + share("pruned-paths", "9", "2")) / 2
    assert share("pruned-paths", "81", "4") == pytest.approx(both_sizes)
    everywhere = [share(*each) for each in PLANTED_BY_TYPE] + [share("pruned-paths", "9", "2")]
    assert share("windows", "27") == pytest.approx(sum(everywhere) / 4)
    with pytest.raises(StatisticsError, match="no statistics of uct"):
        statistics.population([QuestionType("uct", "", "3", "27")])
    path = tmp_path / "years.json"
    write_statistics(statistics, path)
    assert read_statistics(path) == statistics
    shown = gametree("statistics", "show", "-f", str(path)).out
    for origin in ("given tree", "recipe pruned-paths", "recipe node-values"):
        assert f"pruned-paths (3 plies, 27 leaves, {origin}): {students} students" in shown


def test_alternatives_of_a_pool_are_counted_apart(tmp_path: Path) -> None:
    """A pooled question is as many types as it has alternatives; one that few students had is left out."""
    text, count = trees(1, random.Random(13))[0], 24
    for first in (12, 9):
        folder = tmp_path / str(first)
        folder.mkdir()
        variants = tuple(
            write_paper(
                Paper(Heading("Quiz"), kind, (Question("1", "", (exercise_of(kind, text),), plan=plan),))
            )
            for plan, kind in enumerate(KINDS)
        )
        codes = [KINDS[number >= first] for number in range(count)]
        seats = tuple(Seat(student(number), code, f"paper-{number}") for number, code in enumerate(codes))
        exam_keys = sat(folder, Exam(Origin("0" * 64, "0" * 64), Heading("Quiz"), seats, variants))
        rows = {
            student(number).identifier: [exercise_of(code, text).key] for number, code in enumerate(codes)
        }
        graded(folder, exam_keys, rows)
        with Gradebook.open(folder / "grades" / "gradebook.db") as book:
            questions, omitted = collect_statistics(exam_keys, results(book, exam_keys))
        found = {each.kind: (each.students, each.full) for each in questions}
        if first < MIN_CLASS_STUDENTS:
            assert found == {"pruned-paths": (count - first,) * 2}
            assert omitted == ("1 (node-values)",)
        else:
            assert found == dict.fromkeys(KINDS, (12, 12))


def test_the_file_says_nothing_about_a_student(tmp_path: Path) -> None:
    """Who gave which replies changes nothing in the file; no identifier and no answer is in it."""
    draws = random.Random(5)
    texts, files = trees(1, draws), []
    given = list(answers(KINDS, texts, 40, draws).values())
    for place in ("one", "other"):
        folder = tmp_path / place
        folder.mkdir()
        exam_keys = exam_of(folder, KINDS, texts, 40)
        draws.shuffle(given)
        identifiers = [student(number).identifier for number in range(40)]
        graded(folder, exam_keys, dict(zip(identifiers, given, strict=True)))
        path = folder / "statistics.json"
        write_statistics(collected(folder, exam_keys), path)
        files.append(path.read_text(encoding="utf-8"))
    assert files[0] == files[1]
    assert read_statistics(tmp_path / "one" / "statistics.json").questions
    for number in range(40):
        for text in (student(number).identifier, student(number).name, student(number).email):
            assert text not in files[0]
    assert not any(reply in files[0] for replies in given for reply in replies if len(reply) > 3)
    # Nothing in it but sums over the class: numbers, and names of kinds, sizes and misconceptions.
    record = json.loads(files[0])
    assert set(record) == {"schema", "program", "exams", "questions"}
    assert all(each["students"] >= MIN_CLASS_STUDENTS for each in record["questions"])
    keys_hash = exam_of(tmp_path, KINDS, texts, 40).keys_hash
    assert keys_hash not in files[0]  # the names of feedback pages follow from it


def test_few_students_are_left_out(tmp_path: Path) -> None:
    """An exam of nine is refused; a question that nine answered is left out, with ten it is not."""
    texts = trees(1, random.Random(6))
    for count in (9, 10):
        folder = tmp_path / str(count)
        folder.mkdir()
        exam_keys = exam_of(folder, KINDS, texts, 12)
        rows = answers(KINDS, texts, count, random.Random(7))
        graded(folder, exam_keys, rows)
        if count < MIN_CLASS_STUDENTS:
            with pytest.raises(StatisticsError, match="fewer than 10"):
                collected(folder, exam_keys)
        else:
            assert [each.students for each in collected(folder, exam_keys).questions] == [10, 10]
    folder = tmp_path / "part"
    folder.mkdir()
    exam_keys = exam_of(folder, KINDS, texts, 12)
    rows = answers(KINDS, texts, 12, random.Random(8))
    for who in list(rows)[:3]:
        rows[who][1] = "three or so?"  # unreadable: without a score
    graded(folder, exam_keys, rows)
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        questions, omitted = collect_statistics(exam_keys, results(book, exam_keys))
    assert [each.kind for each in questions] == ["node-values"]
    assert omitted == ("2",)


def test_an_exam_counts_once(tmp_path: Path) -> None:
    """The same exam is not added twice, also after more of its replies were graded."""
    texts = trees(1, random.Random(9))
    exam_keys = exam_of(tmp_path, KINDS, texts, 14)
    rows = answers(KINDS, texts, 14, random.Random(10))
    graded(tmp_path, exam_keys, rows)
    file = str(tmp_path / "years.json")
    assert gametree("statistics", "add", str(tmp_path), "-f", file).code == 0
    first = Path(file).read_bytes()
    again = gametree("statistics", "add", str(tmp_path), "-f", file)
    assert again.code == 2
    assert "already" in again.err
    assert Path(file).read_bytes() == first
    shown = gametree("statistics", "show", "-f", file)
    assert "node-values (3 plies, 27 leaves, given tree): 14 students in 1 exam" in shown.out
    document = json.loads(gametree("statistics", "show", "-f", file, "--json").out)
    assert document["exams"] == 1
    low, high = document["questions"][0]["intervals"]["facility"]
    assert 0 <= low < high <= 1
    fair = gametree("exam", "fairness", str(tmp_path), "--statistics", file)
    assert "from earlier:" in fair.out
    assert "No student was observed" not in fair.out
    stress = gametree("stress", "pruned-paths", "--seeds", "3", "--json", "--statistics", file)
    assert json.loads(stress.out)["schema"] == 1


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", StatisticsError),
        ("[1]", StatisticsError),
        ('{"schema": 2, "questions": [{"kind": 3}], "exams": []}', StatisticsError),
        ("[" * 100_000, StatisticsError),
        ('{"schema": 2, "questions": [], "exams": ["\\ud800"]}', StatisticsError),
        ('{"schema": 1, "questions": [], "exams": [], "program": "gametree-grader 0.2.0"}', SchemaError),
        ('{"schema": 3, "questions": [], "exams": [], "program": "gametree-grader 9"}', SchemaError),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, error: type[Exception]) -> None:
    """A file that this version did not write, or of another schema, is refused and never overwritten."""
    path = tmp_path / "statistics.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(error):
        read_statistics(path)
    shown = gametree("statistics", "show", "-f", str(path))
    assert shown.code == 2
    assert "Hint: " in shown.err or error is SchemaError
    assert path.read_text(encoding="utf-8") == content


TALLY: dict[str, float] = {"exposed": 12, "alone": 1, "possible": 2, "expected": 1.5}
COUNTED: dict[str, object] = {
    "kind": "pruned-paths",
    "recipe": "",
    "plies": "2",
    "leaves": "9-27",
    "exams": 1,
    "students": 12,
    "full": 1,
    "blank": 0,
    "unexplained": 1,
    "score": 3.0,
    "discrimination": 0.5,
    "weight": 9,
    "misconceptions": {"ties-cut": TALLY},
}


@pytest.mark.parametrize(
    "change",
    [
        *({"students": count} for count in (0, -5, 10**400)),
        *({"score": score} for score in (13, -1)),
        *({"exams": count} for count in (-5, 0, 13)),
        *({"discrimination": size} for size in (-40.0, 1e300)),
        *({"weight": -3}, {"full": 13}, {"blank": -1}, {"plies": "two"}, {"leaves": "9" * 5000}),
        *({"misconceptions": {"ties-cut": {**TALLY, name: -1}}} for name in TALLY),
        *({"misconceptions": {"ties-cut": {**TALLY, "exposed": count}}} for count in (0, 10**400)),
        {"misconceptions": {"ties-cut": {**TALLY, "expected": 1e306}}},
    ],
)
def test_counts_of_no_class_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    """Counts of which no share can be computed are refused with their place, by whatever reads the file."""
    path = tmp_path / "statistics.json"

    def show(question: dict[str, object]) -> Ran:
        path.write_text(json.dumps({"schema": 2, "exams": ["a"], "questions": [question]}), encoding="utf-8")
        return gametree("statistics", "show", "-f", str(path))

    assert show(COUNTED).code == 0
    refused = show(COUNTED | change)
    assert (refused.code, "questions[0]: no class" in refused.err) == (2, True)
    assert "Hint: " in refused.err


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_intervals(successes: int, count: int, low: float, high: float) -> None:
    """Intervals are those of Newcombe (1998, table I: 81 of 263) and of the formula at the ends."""
    found = wilson_interval(successes / count, count)
    assert found == pytest.approx((low, high), abs=5e-5)


def test_wilson_intervals_hold() -> None:
    """About 95 % of simulated samples have the true share in their interval."""
    draws = random.Random(11)
    hits = Counter[bool]()
    for _ in range(2000):
        share = draws.uniform(0.1, 0.9)
        count = sum(draws.random() < share for _ in range(60))
        low, high = wilson_interval(count / 60, 60)
        hits[low <= share <= high] += 1
    assert 0.93 < hits[True] / 2000 < 0.975
    low, high = correlation_interval(0.5, 97)
    assert 0 < low < 0.4621 < high < 1


def test_shares_are_never_more_than_everybody() -> None:
    """Misconceptions that are together more common than students are scaled down to all of them."""
    shares = dict(
        student_shares(Population(shares=(("a", Fraction(4, 5)), ("b", Fraction(3, 5)))), ("a", "b", "c"))
    )
    assert shares == {"": 0, "a": Fraction(4, 7), "b": Fraction(3, 7), "c": 0}
