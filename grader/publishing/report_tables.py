"""The tables of the class report: names, captions, notes and rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.phrases import ENGLISH, Language, paragraph
from grader.exercises.feedback import OFF_BY_ONE, SEVERAL_NOTES
from grader.exercises.marking import State
from grader.grading.alike import AlikeAnswer
from grader.grading.analysis import MIN_GROUP_STUDENTS, TOTAL_NAME, Analysis
from grader.grading.misconception_counts import SEVERAL, MisconceptionCount
from grader.grading.score_profiles import QUARTERS, CrossedTree, quarter_means
from grader.publishing import plots
from grader.publishing.report_columns import COMMENT_THRESHOLDS
from grader.publishing.report_grids import misconception_label, number_misconceptions
from grader.questions.beliefs import BELIEFS

STATES = (*(state.value for state in State), "waiting")
"""The columns of states; a page leaves out those without any reply."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """One table of the report: its file name, its caption, a note, and rows of numbers and texts.

    Every column is explained in `COLUMNS`.
    """

    name: str
    caption: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def format_percent(share: Fraction | None, language: Language) -> str:
    """Format a share in percent, rounded; empty for None."""
    return "" if share is None else language.percent(share)


def format_statistic(value: float | None, language: Language) -> str:
    """Format a statistic, rounded to two decimals; empty for None."""
    return "" if value is None else language.reply(f"{value:.2f}")


def format_p_value(p: float, language: Language) -> str:
    """Format a p-value."""
    return language.reply("< 0.001" if p < 0.001 else f"{p:.3f}")


def tables(analysis: Analysis, language: Language = ENGLISH) -> tuple[ReportTable, ...]:
    """Return every table of the report in order; in English they are for programs, with decimal points."""
    all_tables = (make(analysis, language) for make in _TABLES)
    return tuple(table for table in all_tables if table.name != "alike" or analysis.alike is not None)


def _distribution(analysis: Analysis, language: Language) -> ReportTable:
    """Count the students with all scores in steps of 10 percent; a note counts those without."""
    counts = plots.bin_totals(analysis.totals)
    rows = tuple(
        (language.term("{low}% to {high}%", low=10 * step, high=10 * step + 10), str(count))
        for step, count in enumerate(counts)
        if analysis.totals
    )
    omitted = analysis.students - analysis.complete
    note = language.say(
        "{count} of {students} students has no score for at least one question and is not included.",
        "{count} of {students} students have no score for at least one question and are not included.",
        omitted,
        students=analysis.students,
    )
    caption = language.say("Number of students by percentage score")
    return ReportTable("distribution", caption, note if omitted else "", ("share", "students"), rows)


def _questions(analysis: Analysis, language: Language) -> ReportTable:
    """List every part with its difficulty, its discrimination and the states of its answers."""
    rows = tuple(
        (
            part.part.name,
            part.part.title,
            part.part.kind,
            language.points(part.part.points),
            format_percent(part.difficulty, language),
            format_statistic(part.discrimination, language),
            str(part.full_count),
            str(part.zero_count),
            *(str(part.states.get(state, 0)) for state in STATES),
        )
        for part in analysis.parts
    )
    header = ("question", "title", "kind", "full mark", "mean", "discrimination", "all points", "no points")
    caption = language.say(
        "Difficulty of each question, and how well it distinguishes strong students from weak ones"
    )
    note = language.say(
        "A blank answer earns 0 points. "
        "Answers without a score are excluded from the average score and the discrimination."
    )
    return ReportTable("questions", caption, note, (*header, *STATES), rows)


def _answers(analysis: Analysis, language: Language) -> ReportTable:
    """Count the answers to every part by how they came about."""
    rows = tuple(
        (
            row.part,
            *map(str, (row.correct, row.consistent, sum(row.by_misconceptions.values()), row.other)),
            *map(str, (row.blank, row.without_points)),
        )
        for row in analysis.answers
    )
    header = ("question", "correct", "consistent", "explained", "unexplained", "BLANK", "no score")
    return ReportTable("answers", language.say("Answers to each question"), "", header, rows)


def _misconceptions(analysis: Analysis, language: Language) -> ReportTable:
    """Count the answers that misconceptions explain, fully and best, with their number in the plot."""
    numbers = number_misconceptions(analysis)
    rows = tuple(
        (
            row.part,
            misconception_label(row.names, language),
            _misconception_words(row, language),
            str(row.equal),
            str(row.nearest),
            f"M{numbers[row.names if row.names in numbers else SEVERAL]}",
        )
        for row in analysis.misconceptions
    )
    header = ("question", "misconception", "what the answer looks like", "explains all", "explains most")
    note = language.say(
        "Every answer counts once. Misconceptions that lead to the same answer are in one row: "
        "any of them may have been made."
    )
    caption = language.say("Misconceptions by question")
    return ReportTable("misconceptions", caption, note if rows else "", (*header, "in the picture"), rows)


def _misconception_words(row: MisconceptionCount, language: Language) -> str:
    """Describe what the answers look like; several misconceptions are alternatives."""
    symptoms = [language.say(BELIEFS[name].symptom) for name in row.names]
    lead = (language.say(SEVERAL_NOTES),) if len(symptoms) > 1 else ()
    return paragraph(*lead, *symptoms, language.say(OFF_BY_ONE) if row.one_off else "")


def _quarters(analysis: Analysis, language: Language) -> ReportTable:
    """List the average score of every part in each quarter of the class; no rows for a small class."""
    rows = tuple(
        (part.part.name, f"{quarter} / {QUARTERS}", format_percent(mean, language))
        for part, means in zip(analysis.parts, quarter_means(analysis.scores), strict=False)
        for quarter, mean in enumerate(means, 1)
    )
    caption = language.say("Average score by quarter of the class")
    note = language.say(
        "The students with all points known, in four groups by their total score; 1 is the lowest."
    )
    return ReportTable("quarters", caption, note if rows else "", ("question", "quarter", "mean"), rows)


def _crossed(analysis: Analysis, language: Language) -> ReportTable:
    """Return the table of pruned branches: how many students pruned each, and whether the key does."""
    rows = tuple(
        (
            each.part,
            _leaf_range(each, node),
            str(each.counts[node]),
            language.term("yes") if key else language.term("no"),
        )
        for each in analysis.crossed
        for node, key in enumerate(each.key)
        if node and (each.counts[node] or key)
    )
    caption = language.say("How many students pruned each branch")
    header = ("question", "leaves", "students", "pruned")
    return ReportTable("crossed", caption, "", header, rows)


def _leaf_range(crossed: CrossedTree, node: int) -> str:
    """Return the leaf numbers below a node."""
    tree = crossed.tree
    paths = [tree.paths[leaf] for leaf in tree.leaves_below(node)] or [tree.paths[node]]
    return str(paths[0]) if len(paths) == 1 else f"{paths[0]}-{paths[-1]}"


def _students(analysis: Analysis, language: Language) -> ReportTable:
    """List the students with all scores by rank, each with the scores of the parts."""
    names = [part.part.name for part in analysis.parts]
    rows = tuple(
        (
            str(rank),
            row.student,
            format_percent(row.total, language),
            language.join(
                f"{name} {format_percent(share, language)}"
                for name, share in zip(names, row.shares, strict=True)
                if share is not None
            ),
        )
        for rank, row in enumerate(analysis.scores, 1)
    )
    caption = language.say("Students and questions, from the highest total score to the lowest")
    return ReportTable("students", caption, "", ("rank", "students", "share", "scores"), rows)


def _alike(analysis: Analysis, language: Language) -> ReportTable:
    """List the pairs of students with answers that belong on the other's paper; empty if not looked for."""
    rows = tuple(
        (
            pair.student,
            pair.other,
            " | ".join(_alike_cell(answer, language) for answer in pair.answers),
            format_p_value(pair.chance, language),
        )
        for pair in analysis.alike or ()
    )
    caption = language.say("Look at these two papers")
    note = language.say(
        "Incorrect answers that no known misconception explains on the student's own paper, and that belong "
        "to the paper of exactly one other student. This is no proof of anything, and does not say who "
        "copied: look at both papers, and talk to both students."
    )
    header = ("students", "other paper", "answers", "by chance in a class")
    return ReportTable("alike", caption, note if rows else "", header, rows)


def _alike_cell(answer: AlikeAnswer, language: Language) -> str:
    origin = language.term("correct there") if answer.is_key else language.term("a misconception there")
    return language.with_label(answer.part, language.with_note(language.reply(answer.answer), origin))


def _wrong_answers(analysis: Analysis, language: Language) -> ReportTable:
    """List the most frequent incorrect answers with the misconceptions that explain them, and examples."""
    rows = tuple(
        (
            row.part,
            _belief_words([code.rpartition(".")[2] for code in row.beliefs], language),
            str(row.students),
            language.points(row.points),
            " | ".join(_answer_cell(answer, variant, language) for variant, answer in row.answers),
        )
        for row in analysis.wrong
    )
    header = ("question", "misconceptions", "students", "points", "for example")
    caption = language.say("Most frequent incorrect answers and the mistakes that explain them")
    right = language.say(
        "These answers are not fully correct on their own, even if follow-through credit brings them to "
        "full credit."
    )
    single = language.say(
        "Answers that only one student gave and that no known mistake explains are combined in one row."
    )
    return ReportTable("wrong-answers", caption, paragraph(right, single), header, rows)


def _belief_words(names: Sequence[str], language: Language) -> str:
    """List misconceptions by name in English, in other languages by their sentences."""
    if language.code == "en":
        return ", ".join(names)
    return paragraph(*(language.say(BELIEFS[name].symptom) for name in names))


def _answer_cell(answer: str, variant: str, language: Language) -> str:
    reply = language.reply(answer) or language.term("none")
    return language.with_note(reply, variant) if variant else reply


def _variants(analysis: Analysis, language: Language) -> ReportTable:
    """Return the mean of each variant, for questions with several students in some variant."""
    rows = tuple(
        (_part_name(each.subject, language), code, str(count), format_percent(mean, language))
        for each in analysis.comparisons
        for code, count, mean in each.groups
        if len(each.groups) > 1 and any(count > 1 for _, count, _ in each.groups)
    )
    header = ("question", "variant", "students", "mean")
    return ReportTable("variants", language.say("Average score by variant"), "", header, rows)


def _part_name(subject: str, language: Language) -> str:
    return language.term("total") if subject == TOTAL_NAME else subject


def _fairness(analysis: Analysis, language: Language) -> ReportTable:
    """List the tests for equally hard variants; no rows, and no note, if every group is too small."""
    rows = tuple(
        (
            _part_name(each.subject, language),
            format_statistic(each.statistic, language),
            str(each.degrees_of_freedom),
            format_p_value(each.p, language),
            _verdict(each.p, language),
        )
        for each in analysis.comparisons
        if each.p is not None
    )
    header = ("question", "H", "degrees of freedom", "p", "in words")
    note = ""
    if rows:
        test_name = language.say(
            "Kruskal-Wallis test of the scores, for variants with {few} or more students each.",
            few=MIN_GROUP_STUDENTS,
        )
        chance_finds = language.say(
            "By chance alone, about one such test in twenty has p below {doubt}. "
            "This report contains {count} test.",
            "By chance alone, about one such test in twenty has p below {doubt}. "
            "This report contains {count} tests.",
            len(rows),
            doubt=language.number(COMMENT_THRESHOLDS["doubt"]),
        )
        note = paragraph(test_name, chance_finds)
    return ReportTable("fairness", language.say("Are the variants equally difficult?"), note, header, rows)


def _loads(analysis: Analysis, language: Language) -> ReportTable:
    """List the groups of variants by the work they take; the first of a question has the test's result."""
    rows = []
    for each in (each for each in analysis.loads if len(each.groups) > 1):  # else nothing is compared
        for place, group in enumerate(each.groups):
            low, high = group.min_load, group.max_load
            load = str(low) if low == high else f"{low}-{high}"
            numbers = (
                load,
                str(group.variants),
                str(group.students),
                format_percent(group.facility, language),
            )
            verdict = ("", "")
            if place == 0 and each.p is not None:
                verdict = format_p_value(each.p, language), _by_chance(each.p, language)
            rows.append((each.question, *numbers, *verdict))
    header = ("question", "load", "variants", "students", "mean", "p", "by chance")
    note = language.say(
        "If variants with more work were harder, their mean would be lower. The test compares groups of "
        "{few} students or more.",
        few=MIN_GROUP_STUDENTS,
    )
    caption = language.say("Were variants with more work harder?")
    return ReportTable("load", caption, note if rows else "", header, tuple(rows))


def _by_chance(p: float, language: Language) -> str:
    """Say in how many of 100 classes chance alone makes differences as large."""
    count = round(100 * p)
    if count == 0:
        return language.say("Chance makes so large a difference in fewer than 1 of 100 classes.")
    return language.say(
        "A difference this large would occur by chance in about {count} of 100 classes.", count=count
    )


def _verdict(p: float, language: Language) -> str:
    """Return the comment on a p-value."""
    if p < COMMENT_THRESHOLDS["look"]:
        return language.term("check this")
    return (
        language.term("some doubt")
        if p < COMMENT_THRESHOLDS["doubt"]
        else language.term("no evidence of a difference")
    )


def _unreadable(analysis: Analysis, language: Language) -> ReportTable:
    """List the reasons why answers cannot be read, each with at most 20 students."""
    rows = tuple(
        (
            row.part,
            row.reason,
            str(len(row.students)),
            " | ".join(row.examples),
            language.join(row.students[:20]),
        )
        for row in analysis.unreadable
    )
    header = ("question", "reason", "replies", "for example", "students")
    note = language.say("These answers have no score until you decide what they mean with gametree review.")
    caption = language.say("Unreadable answers, by reason")
    return ReportTable("unreadable", caption, note if rows else "", header, rows)


def _identical(analysis: Analysis, language: Language) -> ReportTable:
    """List the incorrect answers that occur in several variants, each with at most 20 students."""
    rows = tuple(
        (
            row.part,
            language.reply(row.answer),
            language.join(language.with_note(*each) for each in row.students[:20]),
            row.why,
        )
        for row in analysis.identical
    )
    caption = language.say("The same incorrect answer in different variants")
    note = language.say(
        "These matches are worth checking but do not prove anything. "
        "Answers that a misconception explains are excluded."
    )
    return ReportTable("identical", caption, note, ("question", "answer", "students (variant)", "why"), rows)


_TABLES: tuple[Callable[[Analysis, Language], ReportTable], ...] = (
    _distribution, _answers, _misconceptions, _wrong_answers, _questions, _quarters, _crossed, _students,
    _variants, _fairness, _loads, _unreadable, _identical, _alike,
)  # fmt: skip
