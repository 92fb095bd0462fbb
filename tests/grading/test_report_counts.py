"""What the report counts: each answer once, inseparable misconceptions as one, quarters, crossed branches."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader.base.phrases import Language
from grader.grading.analysis import Analysis
from grader.grading.misconception_counts import SEVERAL, count_answers, inseparable_misconceptions
from grader.grading.score_profiles import StudentScores, quarter_means
from grader.publishing.class_report import figures, report_html
from grader.publishing.report_grids import MAX_STUDENT_ROWS, number_misconceptions, student_groups
from grader.publishing.report_tables import tables
from grader.questions.beliefs import BELIEFS
from grader.questions.titles import TITLES
from tests.grading.classroom import student
from tests.grading.simulated_class import exam_of, exercise_of, graded

TWO_PLIES = (
    "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))",
    "MAX A (MIN B (7 9 5) MIN C (4 8 1) MIN D (6 2 11))",
    "MAX A (MIN B (6 4 13) MIN C (9 3 7) MIN D (1 12 10))",
    "MAX A (MIN B (6 8 9) MIN C (5 3 7) MIN D (4 12 10))",
)
THREE_PLIES = (
    "MAX A (MIN B (MAX E (7 9 47) MAX F (31 59 49)) MIN C (MAX H (37 8 16) MAX J (33 23 6)))",
    "MAX A (MIN B (MAX E (5 6 4) MAX F (8 1 9)) MIN C (MAX H (3 2 1) MAX J (7 6 9)))",
    "MAX A (MIN B (MAX E (9 1 3) MAX F (2 4 5)) MIN C (MAX H (6 7 8) MAX J (1 2 3)))",
    "MAX A (MIN B (MAX E (7 9 47) MAX F (31 59 49) MAX G (48 2 56)) "
    "MIN C (MAX H (37 8 16) MAX J (33 23 6) MAX K (29 3 20)) "
    "MIN D (MAX L (52 43 46) MAX M (19 44 15) MAX N (35 1 13)))",
)


@pytest.mark.parametrize(
    ("texts", "group"),
    [
        (TWO_PLIES, ("only-at-max", "own-bound", "root-alpha-forgotten")),
        (THREE_PLIES, ("only-at-max", "root-alpha-forgotten")),
    ],
)
def test_what_no_tree_tells_apart_is_one(
    tmp_path: Path, texts: tuple[str, ...], group: tuple[str, ...]
) -> None:
    """Misconceptions are one group exactly if their answers are equal in every variant."""
    exam_keys = exam_of(tmp_path, ("pruned-paths",), texts, len(texts))
    groups = inseparable_misconceptions(exam_keys)["1"]
    answers = [
        {code.rpartition(".")[2]: reply for code, reply in exercise_of("pruned-paths", text).beliefs.items()}
        for text in texts
    ]
    (found,) = [each for each in groups if group[0] in each]
    assert set(group) <= set(found)
    names = [name for each in groups for name in each]
    assert sorted(names) == sorted(set().union(*answers))
    for one in names:
        for other in names:
            together = any({one, other} <= set(each) for each in groups)
            assert together == all(each.get(one) == each.get(other) for each in answers)


def test_every_answer_counts_once(tmp_path: Path) -> None:
    """An answer of several misconceptions is counted once, for all of them, in tables and pictures."""
    exam_keys = exam_of(tmp_path, ("pruned-paths", "visited-count"), TWO_PLIES[:1], 8)
    shown = [exercise_of(kind, TWO_PLIES[0]) for kind in ("pruned-paths", "visited-count")]
    held = [next(each for each in part.beliefs.items() if each[0].endswith(".only-at-max")) for part in shown]
    rows = {student(number).identifier: [reply for _, reply in held] for number in range(8)}
    analysis = graded(tmp_path, exam_keys, rows)
    assert [(row.part, row.equal) for row in analysis.misconceptions] == [("1", 8), ("2", 8)]
    for row, part in zip(analysis.misconceptions, shown, strict=True):
        same = {code.rpartition(".")[2] for code, reply in part.beliefs.items() if reply == held[0][1]}
        assert set(row.names) >= same if part is shown[0] else len(row.names) > 1
    assert [sum(each.by_misconceptions.values()) for each in analysis.answers] == [8, 8]
    assert {*number_misconceptions(analysis)} == {row.names for row in analysis.misconceptions}
    assert SEVERAL not in number_misconceptions(analysis)
    (table,) = [table for table in tables(analysis) if table.name == "misconceptions"]
    assert sum(int(row[3]) for row in table.rows) == 16
    assert all(row[1].startswith("one of: ") for row in table.rows)


def test_rows_are_in_the_order_of_the_paper(tmp_path: Path) -> None:
    """Where as many students had the same trouble with several questions, question 2 comes before 10."""
    text, count = TWO_PLIES[0], 11
    exam_keys = exam_of(tmp_path, ("root-value",) * count, TWO_PLIES[:2], 12)
    swapped = exercise_of("root-value", text).beliefs["root-value.players-swapped"]
    # Four students each: a misconception, an answer that nothing explains, one that cannot be read.
    replies = (swapped, "77", "what is this?")
    rows = {student(number).identifier: [replies[number // 2 % 3]] * count for number in range(12)}
    analysis = graded(tmp_path, exam_keys, rows)
    names = [part.name for part in exam_keys.parts]
    for part_names in (
        [row.part for row in analysis.wrong if row.beliefs],
        [row.part for row in analysis.misconceptions],
        [row.part for row in analysis.unreadable],
        [row.part for row in analysis.identical],
    ):
        assert sorted(set(part_names), key=names.index) == list(dict.fromkeys(part_names))
        assert {"2", "10"} <= set(part_names)
    page = report_html(analysis).decode()
    assert "<td>unexplained</td>" in page
    section = page.split('id="wrong-answers"')[1].split("</table>")[0]
    assert set(re.findall(r"<tr><td([^>]*)>", section)) == {""}  # names of questions are no numbers


def test_pages_in_other_languages_have_no_english_names(tmp_path: Path) -> None:
    """A page has titles of kinds, and says mistakes in sentences; names of mistakes are in English ones."""
    exam_keys = exam_of(tmp_path, ("pruned-paths", "visited-count"), TWO_PLIES[:1], 8)
    shown = [exercise_of(kind, TWO_PLIES[0]) for kind in ("pruned-paths", "visited-count")]
    held = [next(each for each in part.beliefs.items() if each[0].endswith(".only-at-max")) for part in shown]
    analysis = graded(
        tmp_path, exam_keys, {student(number).identifier: [reply for _, reply in held] for number in range(8)}
    )
    english = report_html(analysis).decode()
    german = replace(analysis, language=Language.of("de"))
    page = report_html(german).decode()
    assert "only-at-max" in english
    assert "only-at-max" not in page
    assert Language.of("de").say(BELIEFS["only-at-max"].symptom) in page
    for kind in ("pruned-paths", "visited-count"):
        assert kind not in english + page
        assert TITLES[kind] in english
        assert Language.of("de").term(TITLES[kind]) in page


def test_ranges_and_scores_have_the_signs_of_the_language(tmp_path: Path) -> None:
    """On the page a range of leaves has the dash and a score the colon of its language, CSV files neither."""
    exam_keys = exam_of(tmp_path, ("pruned-paths",), TWO_PLIES[:1], 2)
    rows = {student(number).identifier: ["7 8 9"] for number in range(2)}
    analysis = graded(tmp_path, exam_keys, rows)
    (crossed,) = [table for table in tables(analysis) if table.name == "crossed"]
    assert "7-9" in {row[1] for row in crossed.rows}
    (scores,) = [table for table in tables(analysis) if table.name == "students"]
    assert {row[-1] for row in scores.rows} == {"1 0%"}
    for code, range_text, score in (
        ("en", "7–9", "1: 0%"),
        ("es", "7-9", "1: 0\xa0%"),
        ("zh", "7～9", "1：0%"),
    ):
        page = report_html(replace(analysis, language=Language.of(code))).decode()
        assert re.findall(r">(7[^<>\d]9)<", page) == [range_text]
        assert page.count(f"<td>{score}</td>") == 2


def test_nobody_has_no_plots(tmp_path: Path) -> None:
    """Without points there is no plot of them, and without discriminations none is in the legend."""
    exam_keys = exam_of(tmp_path, ("pruned-paths",), TWO_PLIES[:1], 2)
    for name in ("nobody", "one"):
        (tmp_path / name / "grades").mkdir(parents=True)
    nobody = graded(tmp_path / "nobody", exam_keys, {})
    assert figures(nobody) == ()
    assert {table.name for table in tables(nobody) if table.rows}.isdisjoint({"distribution", "students"})
    one = graded(tmp_path / "one", exam_keys, {student(0).identifier: ["7 8 9"]})
    (plot,) = [figure.svg.decode() for figure in figures(one) if figure.table == "questions"]
    assert "average percentage score" in plot
    assert "discrimination</text>" not in plot


def test_legends_leave_room_for_wide_characters(tmp_path: Path) -> None:
    """A Chinese name in the legend ends before the square of the next one: a character is 11 pixels wide."""
    exam_keys = exam_of(tmp_path, ("pruned-paths", "visited-count"), TWO_PLIES[:1], 12)
    replies = (["5 6", "7"], ["7 8 9", "3"])
    rows = {student(number).identifier: replies[number % 2] for number in range(12)}
    analysis = replace(graded(tmp_path, exam_keys, rows), language=Language.of("zh"))
    (plot,) = [figure.svg.decode() for figure in figures(analysis) if figure.table == "questions"]
    (start, name), (following, _) = re.findall(r'<text x="([\d.]+)" y="16">(.*?)</text>', plot)
    assert float(start) + 11 * len(name) < float(following) - 18


def test_a_number_next_to_the_key_may_be_a_slip(tmp_path: Path) -> None:
    """The report says that an answer may be a slip exactly where a count is off by one."""
    exam_keys = exam_of(tmp_path, ("visited-count",), TWO_PLIES[:1], 4)
    part = exercise_of("visited-count", TWO_PLIES[0])
    replies = sorted(set(part.beliefs.values()))
    analysis = graded(
        tmp_path, exam_keys, {student(number).identifier: [each] for number, each in enumerate(replies[:4])}
    )
    near = {each for each in replies[:4] if abs(int(each) - int(part.key)) == 1}
    assert sum(row.one_off for row in analysis.misconceptions) == len(near)
    (table,) = [table for table in tables(analysis) if table.name == "misconceptions"]
    assert sum("off by one" in row[2] for row in table.rows) == len(near)


def test_crosses_are_counted_at_every_branch(tmp_path: Path) -> None:
    """Where all had one tree, a branch has as many crosses as answers that prune everything below it."""
    exam_keys = exam_of(tmp_path, ("pruned-paths", "root-value"), TWO_PLIES[:1], 5)
    replies = ["5 6", "4 5 6", "5 6 8 9", "none", ""]
    rows = {student(number).identifier: [reply, "3"] for number, reply in enumerate(replies)}
    (crossed,) = graded(tmp_path, exam_keys, rows).crossed
    sets = [{int(each) for each in reply.split() if each.isdigit()} for reply in replies if reply]
    tree = crossed.tree
    assert (crossed.part, crossed.students) == ("1", 4)
    for node in range(1, len(tree)):
        paths = {tree.paths[leaf] for leaf in tree.leaves_below(node)} or {tree.paths[node]}
        assert crossed.counts[node] == sum(paths <= each for each in sets)
        assert crossed.key[node] == (paths <= {5, 6})
    assert graded_differently(tmp_path / "other").crossed == ()


def test_counts_at_branches_are_described_in_words(tmp_path: Path) -> None:
    """The description of that picture says how many students pruned a branch, with the noun."""
    exam_keys = exam_of(tmp_path, ("pruned-paths", "root-value"), TWO_PLIES[:1], 3)
    rows = {student(n).identifier: [reply, "3"] for n, reply in enumerate(["5 6", "4 5 6", "none"])}
    (figure,) = [each for each in figures(graded(tmp_path, exam_keys, rows)) if each.table == "crossed"]
    assert "MIN C (1 student) leads to 2, 4 (2 students) [pruned], 6 (2 students) [pruned]." in figure.words
    assert figure.words in figure.svg.decode()


def graded_differently(folder: Path) -> Analysis:
    """A class in which not everybody had the same tree."""
    folder.mkdir()
    exam_keys = exam_of(folder, ("pruned-paths",), TWO_PLIES[:2], 4)
    return graded(folder, exam_keys, {student(number).identifier: ["5 6"] for number in range(4)})


def test_quarters_divide_the_class() -> None:
    """The means of the quarters, weighted by their sizes, are the mean of the class; few have no quarters."""
    scores = tuple(
        StudentScores(f"{place:02}", Fraction(30 - place, 30), (Fraction(30 - place, 60),))
        for place in range(30)
    )
    ((*means,),) = quarter_means(scores)
    sizes = Counter(4 * place // 30 for place in range(30))
    known = [mean for mean in means if mean is not None]
    assert known == sorted(known)
    assert abs(sum(known) / 4 - sum(row.shares[0] or 0 for row in scores) / 30) < Fraction(1, 60)
    assert sum(sizes.values()) == 30
    assert quarter_means(scores[:11]) == ()


@pytest.mark.parametrize("count", [4, 220, 241, 10_000])
def test_every_student_is_in_the_picture(count: int) -> None:
    """The rows of the picture hold every student once, however large the class is."""
    scores = tuple(StudentScores(f"{place}", Fraction(0), ()) for place in range(count))
    groups = student_groups(scores)
    assert [row for group in groups for row in group] == list(scores)
    assert len(groups) <= MAX_STUDENT_ROWS


def test_states_are_added_up() -> None:
    """What no program marked is counted as it was stated."""
    counts = count_answers("1", [], Counter(correct=2, other=1, blank=3, without_points=4), ())
    assert (counts.correct, counts.other, counts.blank, counts.without_points) == (2, 1, 3, 4)
