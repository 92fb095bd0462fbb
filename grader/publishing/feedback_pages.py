"""Feedback pages: one student's answers, which of them are correct, the points, and the reasons."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from grader.answers.form import Item, Verdict, all_or_nothing
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.base.safe_text import safe_line, safe_paragraph
from grader.exam.paper import Heading, PublicPaper, PublicQuestion
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import (
    SEVERAL_NOTES,
    Feedback,
    count_beliefs,
    credit_explanation,
    most_frequent_notes,
    reveals_answer,
)
from grader.exercises.marking import Mark, State
from grader.grading.exam_keys import ExamKeys, ExamKeysError, PartKey, QuestionKey
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import (
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNKNOWN_VARIANT,
    UNREADABLE_BLANK,
    Standing,
)
from grader.grading.results import Result
from grader.pictures.svg import picture
from grader.pictures.view import View
from grader.publishing.feedback_tree import answers_in_tree
from grader.publishing.scan_fields import scan_fields
from grader.publishing.sheet import (
    PartSheet,
    QuestionSheet,
    Sheet,
    direction_of,
    drawing_options,
    question_heading,
    shared_and_questions,
    sheet_as_drawn,
    tree_text,
)
from grader.scanning.crops import Scans
from grader.trees.notation.diagnostics import Diagnostics

MAX_SHOWN_REPLY_LENGTH = 2_000
"""The most characters of a reply that a page shows."""

MAX_SHOWN_REPLY_LINES = 60
"""The most lines of a reply that a page shows."""

VERDICTS: Mapping[Verdict, tuple[str, Phrase, Phrase]] = {
    "right": ("✓", Phrase("correct"), Phrase("correct")),
    "partly": ("✗", Phrase("partially correct"), Phrase("partially correct; correct answer: {right}")),
    "wrong": ("✗", Phrase("incorrect"), Phrase("incorrect; correct answer: {right}")),
    "missing": ("+", Phrase("missing"), Phrase("missing; correct answer: {right}")),
    "extra": (
        "✗",
        Phrase("not part of the answer"),
        Phrase("not part of the answer; correct answer: {right}"),
    ),
    "follows": ("→", Phrase("consistent"), Phrase("consistent; correct answer: {right}")),
}
"""Verdict -> its sign, its word, and its words with the correct answer."""


PAGE_PHRASES: Mapping[str, Phrase] = {
    "characters": Phrase("Text version of the tree"),
    "pieces": Phrase("Your answer in detail"),
    "looks": Phrase("Likely mistake."),
    "goes wrong": Phrase("Location of the mistake."),
    "answer": Phrase("The answer:"),
    "more": Phrase("More reasons"),
    "overview": Phrase("Your questions"),
    "crop": Phrase("Your answer on the scanned paper"),
    "practise": Phrase("Practise this mistake"),
}
"""The words on every page."""


def feedback_page(
    exam_keys: ExamKeys,
    result: Result,
    rounding: Rounding,
    *,
    released: bool,
    scans: Scans | None = None,
    practice: str = "",
) -> dict[str, Any]:
    """Return the content of one student's page as JSON values, in whole sentences.

    Before release it reveals nothing of the key except which entries are correct. `stem` has the conventions
    the parts of a question; for its tree see `_tree_fields`, for a part `_part`.
    `practice` is the address of a practice page, to which parts with a misconception link.
    """
    language = exam_keys.language
    rounding = replace(rounding, language=language)
    standings = {standing.question: standing for standing in result.standings}
    worth = dict(zip(standings, rounding.points(result), strict=True))
    marks = {name: mark for name, each in standings.items() if (mark := _points_mark(each)) is not None}
    belief_counts = count_beliefs(marks.values())
    marks = {
        name: replace(mark, notes=most_frequent_notes(mark.notes, belief_counts))
        for name, mark in marks.items()
    }
    questions = []
    for question, public_question, sheet in _taken_questions(exam_keys, result):
        names = [key.part for key in question.parts]
        is_contested = any(_contested_reason(standings[name]).startswith(UNKNOWN_VARIANT) for name in names)
        shows_key = released and not is_contested  # it may be the question of another student
        parts = list(zip(names, map(_exercise, question.parts), sheet.parts, strict=True))
        points = [worth[name] for name in names]
        total = None if None in points else sum(each for each in points if each is not None)
        marked_parts = [
            (part, marks.get(name)) for name, part, _ in parts if part.public.tree == public_question.tree
        ]
        view = answers_in_tree(marked_parts, public_question.language, shows_key)
        questions.append(
            {
                "label": question.label,
                "heading": question_heading(question.label, _plain(question.title), language),
                "worth": _points_label(
                    total, sum(part.public.terms.points for _, part, _ in parts), rounding
                ),
                "stem": paragraph(*sheet.conventions),
                **_tree_fields(public_question, view, language),
                "parts": [
                    _part(
                        standings[name], marks.get(name), part, part_sheet, worth[name], rounding, shows_key
                    )
                    | scan_fields(standings[name], scans, language)
                    | {"practise": practice and _practice_link(practice, marks.get(name), part, shows_key)}
                    for name, part, part_sheet in parts
                ],
            }
        )
    exam, name = _plain(exam_keys.heading.title), _plain(result.student.name)
    return {
        "exam": exam,
        "title": language.say("{exam}: feedback for {name}", exam=exam, name=name),
        "language": language.code,
        "size": exam_keys.heading.size,
        "name": name,
        "who": _student_line(name, _plain(result.student.identifier), _plain(result.variant_taken), language),
        "total": _total_label(rounding.total(result), exam_keys.points, rounding),
        "closing": paragraph(
            rounding.rule_sentences,
            "" if released else language.say("The answers have not been released yet."),
        ),
        "words": {name: language.say(words) for name, words in PAGE_PHRASES.items()},
        "questions": questions,
    }


def _tree_fields(question: PublicQuestion, view: View, language: Language) -> dict[str, Any]:
    """Return the tree of a question with the student's answers, as `drawing` and as `outline` in characters.

    Without a tree both are empty.
    """
    if not len(question.tree):
        return {"drawing": None, "outline": ""}
    options, label = drawing_options(question), question.label
    options["title"] = language.say("Your answers in the tree")
    options["direction"] = direction_of(question)
    return {
        "drawing_label": language.say("The tree of question {question} with your answers", question=label),
        "outline_label": language.say("Text version of the tree of question {question}", question=label),
        "drawing": picture(question.tree, view=view, identity=f"tree-{label}", **options),
        "outline": tree_text(question, view, 1),
    }


def _student_line(name: str, identifier: str, variant: str, language: Language) -> str:
    if identifier == name:
        return language.say("{name}, variant {variant}", name=name, variant=variant)
    return language.say(
        "{name}, {identifier}, variant {variant}", name=name, identifier=identifier, variant=variant
    )


def _points_label(points: Number | None, maximum: Number, rounding: Rounding) -> str:
    """Format the points of a question or part."""
    full_mark = rounding.format_points(maximum)
    if points is None:
        return rounding.language.term("not graded yet (out of {maximum})", maximum=full_mark)
    return rounding.language.term(
        "{points} of {maximum}", points=rounding.format_points(points), maximum=full_mark
    )


def _total_label(points: Number | None, maximum: Number, rounding: Rounding) -> str:
    """Format the points of the exam."""
    full_mark, say = rounding.format_points(maximum), rounding.language.say
    if points is None:
        return say(
            "Some answers have not been graded yet. The maximum score is {maximum}.", maximum=full_mark
        )
    return say(
        "{points} of {maximum} point",
        "{points} of {maximum} points",
        1 if maximum == 1 else 2,
        points=rounding.format_points(points),
        maximum=full_mark,
    )


def _taken_questions(
    exam_keys: ExamKeys, result: Result
) -> Iterator[tuple[QuestionKey, PublicQuestion, QuestionSheet]]:
    """Return a student's questions, each part in the variant that the student answered.

    After two attempts with different variants on a platform, the parts of a question may be of both;
    the tree is that of the first part, and a part with other conventions states them itself.
    """
    variants = {standing.question: standing.variant for standing in result.standings}
    for place, question in enumerate(exam_keys.variants.get(result.variant, ())):
        papers = [exam_keys.variants[variants[key.part]] for key in question.parts]
        keys = tuple(paper[place].parts[number] for number, paper in enumerate(papers))
        printed = [_printed_sheet(paper) for paper in papers]
        sheets = [sheet.questions[place] for _, sheet in printed]
        first = sheets[0]
        parts = []
        for number, sheet in enumerate(sheets):
            part = sheet.parts[number]
            if sheet.conventions != first.conventions:
                part = replace(part, question=paragraph(part.question, *sheet.conventions))
            parts.append(part)
        yield (
            replace(question, parts=keys),
            printed[0][0].questions[place],
            replace(first, parts=tuple(parts)),
        )


def _points_mark(standing: Standing) -> Mark | None:
    """Return the mark that gives points; None if there is none or a later reply is not marked yet."""
    entry = standing.entry
    return entry.mark if entry is not None and standing.state is State.GRADED else None


@lru_cache(maxsize=64)
def _exercise(key: PartKey) -> Exercise:
    read = read_exercise(key.exercise, key.own)
    if isinstance(read, Diagnostics):
        raise ExamKeysError(f"the key of {key.part} cannot be read: {next(iter(read)).message}")
    return read


@lru_cache(maxsize=64)
def _printed_sheet(questions: tuple[QuestionKey, ...]) -> tuple[PublicPaper, Sheet]:
    """Return a variant as a paper and its sheet, where no part repeats the conventions and all is words."""
    public = tuple(
        PublicQuestion(
            question.label,
            question.title,
            tuple(_exercise(key).public for key in question.parts),
            question.layout,
        )
        for question in questions
    )
    paper = PublicPaper(Heading(""), "", public)
    return paper, replace(sheet_as_drawn(paper), questions=shared_and_questions(paper)[1])


_STATES: Mapping[State | None, Phrase] = {
    State.BLANK: Phrase("You gave no answer."),
    State.UNPARSEABLE: Phrase("This could not be read."),
    State.AMBIGUOUS: Phrase("This can be read in more than one way."),
    State.ERROR: Phrase("The program could not grade this answer; your instructor must grade it."),
    State.MISSING: Phrase("Nothing was submitted."),
    None: Phrase("This answer has not been graded yet."),
}


_CONTESTED = {
    TURNED_INTO_DATE: Phrase("A spreadsheet converted this answer to a date; your instructor must check it."),
    UNDECIDED_SCAN: Phrase("A box on your scanned paper is unclear; your instructor must check it."),
    UNKNOWN_VARIANT: Phrase(
        "It is unclear which variant of this question you had; your instructor must check it."
    ),
    "": Phrase("You submitted two different answers; your instructor must decide which one counts."),
}
"""The start of the reason why a reply is contested -> the words for the student."""

_INCOMPLETE = Phrase("Points were deducted because part of the answer is missing.")
"""Shown before release too, since the points reveal it anyway if all entries are correct."""


def _part(
    standing: Standing,
    mark: Mark | None,
    exercise: Exercise,
    sheet: PartSheet,
    points: Number | None,
    rounding: Rounding,
    released: bool,
) -> dict[str, Any]:
    """Return one part as it was marked; sentences that reveal the answer are there only after release.

    - `worth`: its points, in words.
    - `wrote`: the words above the reply. `cut`: the words below a reply that is too long to be shown.
    - `state`: the reason why there are no points; empty if there are.
    - `beliefs`: the misconceptions in sentences; several are alternatives, which `unsure` says. If one of
      them together with the reply reveals the answer, they are shown only after release.
      `example` is a step that shows the mistake.
    - `tally`: how the points add up, without those of `followed`; empty if the answer counts as a whole,
      or the points were set by hand.
    - `followed`: the points for entries that are consistent with the student's own mistakes.
    """
    language, entry = exercise.public.terms.language, standing.entry
    by_hand = ""
    if entry is not None and entry.maker == "override":
        reason = _plain(entry.reason)
        by_hand = language.say("Your instructor assigned these points: {reason}", reason=reason)
    return {
        "letter": sheet.letter,
        "prompt": paragraph(sheet.question, sheet.demands),
        "worth": _points_label(points, exercise.public.terms.points, rounding),
        "state": "" if mark is not None else _state(standing, language),
        **_reply_fields(standing, language),
        **_diagnosis_fields(mark, exercise, released),
        **_points_fields(standing, mark, exercise, rounding, released),
        "key": _plain(exercise.printed_key) if released else "",
        "by_hand": by_hand,
    }


def _reply_fields(standing: Standing, language: Language) -> dict[str, Any]:
    """Return the reply, shortened if it is long, with the words around it."""
    submission, wrote, cut = standing.submission, "", ""
    reply = "" if submission is None or _contested_reason(standing) else submission.reply
    lines = reply[:MAX_SHOWN_REPLY_LENGTH].splitlines()
    if lines:
        late = submission is not None and submission.late
        wrote = language.say("You wrote (submitted late):") if late else language.say("You wrote:")
    if len(reply) > MAX_SHOWN_REPLY_LENGTH or len(lines) > MAX_SHOWN_REPLY_LINES:
        cut = language.say("Your answer is longer; only its beginning is shown.")
    # What somebody typed is broken into lines at every space.
    excerpt = tuple(safe_line(line, MAX_SHOWN_REPLY_LENGTH) for line in lines[:MAX_SHOWN_REPLY_LINES])
    return {"wrote": wrote, "reply": excerpt, "cut": cut}


def _diagnosis_fields(mark: Mark | None, exercise: Exercise, released: bool) -> dict[str, Any]:
    """Return the verdicts on the entries, the misconceptions and the reasons.

    `example` is a step that shows the mistake; `more` are all other reasons in full, which HTML folds away
    and the other formats print.
    """
    language = exercise.public.terms.language
    if mark is None:
        return {"lines": (), "beliefs": (), "unsure": "", "example": "", "reasons": (), "more": ()}
    shows_diagnosis = released or not reveals_answer(mark.notes)
    explanation = Feedback(exercise).explanation(mark, with_diagnosis=shows_diagnosis)
    beliefs, first, reasons, more = (
        explanation.diagnosis,
        explanation.first,
        explanation.further,
        explanation.more,
    )
    if not released:
        left_out = {item.verdict for item in mark.items} - {"right"} == {"missing"}
        first, reasons, more = "", (language.say(_INCOMPLETE),) if left_out else (), ()
    elif not beliefs and first:
        first, reasons = "", (first, *reasons)
    return {
        "lines": tuple(_line(item, exercise, released) for item in mark.items if released or item.reply),
        "beliefs": tuple(map(_plain, beliefs)),
        "unsure": language.say(SEVERAL_NOTES) if len(beliefs) > 1 else "",
        "example": _plain(first),
        "reasons": tuple(map(_plain, reasons)),
        "more": tuple(map(_plain, more)),
    }


_FOLLOWS = Phrase("Incorrect, but consistent with your own other answers.")
_FOLLOWS_AS_A_WHOLE = Phrase(
    "Incorrect, but consistent with your own earlier answer. "
    "It earns the same fraction of the points as that answer."
)


def _practice_link(practice: str, mark: Mark | None, exercise: Exercise, released: bool) -> str:
    """Return the link to a question that separates the misconceptions shown; empty if none is shown."""
    if mark is None or not mark.notes or not (released or not reveals_answer(mark.notes)):
        return ""
    mistakes = ",".join(note.code.rpartition(".")[2] for note in mark.notes)
    language = exercise.public.terms.language_code
    address = quote(practice, safe="/:?&=%~+@[]")
    return f"{address}#kind={exercise.public.kind}&mistake={mistakes}&lang={language}"


def _points_fields(
    standing: Standing, mark: Mark | None, exercise: Exercise, rounding: Rounding, released: bool
) -> dict[str, Any]:
    """Return how the points add up."""
    language, entry, tallied, followed = exercise.public.terms.language, standing.entry, "", ""
    if mark is not None and entry is not None and entry.maker in ("grading", "regrade"):
        tallied = credit_explanation(exercise, mark, rounding.format_points, released=released)
    if mark is not None and mark.follow_through:
        points_sentence = language.say(
            "Points earned despite an earlier mistake: {points}.",
            points=rounding.format_points(mark.follow_through),
        )
        whole = exercise.kind.form.share is all_or_nothing
        why_so = language.say(_FOLLOWS_AS_A_WHOLE if whole else _FOLLOWS)
        followed = paragraph(points_sentence, why_so)
    return {"tally": _plain(tallied), "followed": followed}


def _contested_reason(standing: Standing) -> str:
    """Return why a reply is contested; the text may name files and other students' rows."""
    contested = "" if standing.submission is None else standing.submission.contested
    return "" if contested.startswith(UNREADABLE_BLANK) else contested


def _state(standing: Standing, language: Language) -> str:
    """Return why a part has no points."""
    if contested := _contested_reason(standing):
        return language.say(next(text for start, text in _CONTESTED.items() if contested.startswith(start)))
    state = language.say(_STATES[standing.state])
    if standing.state in (State.UNPARSEABLE, State.AMBIGUOUS):
        return paragraph(state, language.say("{reason}.", reason=_plain(standing.message)))
    return state


def _line(item: Item, exercise: Exercise, released: bool) -> dict[str, str]:
    """Return one entry, or one that is missing: its text, its sign, and the verdict in words."""
    sign, word, with_right = VERDICTS[item.verdict]
    language = exercise.public.terms.language
    given = _plain(exercise.printed_entry(item.reply))
    right = _plain(exercise.printed_entry(item.right)) if released and item.verdict != "right" else ""
    words = language.term(with_right, right=right) if given and right else language.term(word)
    return {"what": given or right, "verdict": item.verdict, "sign": sign, "words": words}


def _plain(text: str) -> str:
    return safe_paragraph(text, MAX_SHOWN_REPLY_LENGTH)
