"""Feedback on one part: the reply, which entries are correct, the points, and the reasons."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from grader.answers.form import Item, ItemVerdict, all_or_nothing
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.base.safe_text import safe_line, safe_paragraph
from grader.exercises.exercise import Exercise
from grader.exercises.feedback import SEVERAL_NOTES, Feedback, credit_explanation, reveals_answer
from grader.exercises.follow_through import CONSISTENCY_LEFT_OUT
from grader.exercises.marking import Mark, State
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import (
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNKNOWN_VARIANT,
    UNREADABLE_BLANK,
    Standing,
)
from grader.publishing.sheet import PartSheet

MAX_SHOWN_REPLY_LENGTH = 2_000
"""The most characters of a reply that a page shows."""

MAX_SHOWN_REPLY_LINES = 60
"""The most lines of a reply that a page shows."""

VERDICTS: Mapping[ItemVerdict, tuple[str, Phrase, Phrase]] = {
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


def part_fields(
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
    - `read_as`: how a person has read the reply; empty if it was marked as it was handed in.
    - `state`: the reason why there are no points; empty if there are.
    - `beliefs`: the misconceptions in sentences; several are alternatives, which `unsure` says. If one of
      them together with the reply reveals the answer, they are shown only after release.
      `example` is a step that shows the mistake.
    - `tally`: how the points add up, without those of `followed`; empty if the answer counts as a whole,
      or the points were set by hand.
    - `followed`: the points for entries that are consistent with the student's own mistakes.
    - `by_hand`: why the instructor set the points, or that the part was dropped.
    """
    language, entry = exercise.public.terms.language, standing.entry
    by_hand = ""
    if standing.is_dropped:
        by_hand = language.say("Your instructor has dropped this question, so it does not count.")
    elif entry is not None and entry.maker == "override":
        reason = shown_text(entry.reason)
        by_hand = language.say("Your instructor assigned these points: {reason}", reason=reason)
    return {
        "letter": sheet.letter,
        "prompt": paragraph(sheet.question, sheet.demands),
        "worth": points_label(points, 0 if standing.is_dropped else exercise.public.terms.points, rounding),
        "state": "" if mark is not None else _state(standing, language),
        **_reply_fields(standing, language),
        **_diagnosis_fields(mark, exercise, released),
        **_points_fields(standing, mark, exercise, rounding, released),
        "key": shown_text(exercise.printed_key) if released else "",
        "by_hand": by_hand,
    }


def _reply_fields(standing: Standing, language: Language) -> dict[str, Any]:
    """Return what the student wrote, shortened if it is long, with the words around it."""
    submission, wrote, cut, read_as = standing.submission, "", "", ""
    reply = "" if submission is None or contested_reason(standing) else submission.reply
    if standing.original is not None and standing.original.reply.strip():
        if reply.strip():
            read_as = language.say("Your instructor read this as: {reply}", reply=shown_text(reply))
        reply = standing.original.reply
    lines = reply[:MAX_SHOWN_REPLY_LENGTH].splitlines()
    if lines:
        late = submission is not None and submission.late
        wrote = language.say("You wrote (submitted late):") if late else language.say("You wrote:")
    if len(reply) > MAX_SHOWN_REPLY_LENGTH or len(lines) > MAX_SHOWN_REPLY_LINES:
        cut = language.say("Your answer is longer; only its beginning is shown.")
    # What somebody typed is broken into lines at every space.
    excerpt = tuple(safe_line(line, MAX_SHOWN_REPLY_LENGTH) for line in lines[:MAX_SHOWN_REPLY_LINES])
    return {"wrote": wrote, "reply": excerpt, "cut": cut, "read_as": read_as}


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
        "beliefs": tuple(map(shown_text, beliefs)),
        "unsure": language.say(SEVERAL_NOTES) if len(beliefs) > 1 else "",
        "example": shown_text(first),
        "reasons": tuple(map(shown_text, reasons)),
        "more": tuple(map(shown_text, more)),
    }


_FOLLOWS = Phrase("Incorrect, but consistent with your own other answers.")
_FOLLOWS_AS_A_WHOLE = Phrase(
    "Incorrect, but consistent with your own earlier answer. "
    "It earns the same fraction of the points as that answer."
)


def practice_link(practice: str, mark: Mark | None, exercise: Exercise, released: bool) -> str:
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
    if standing.is_dropped:
        return {"tally": "", "followed": ""}
    if mark is not None and entry is not None and entry.maker in ("grading", "regrade"):
        tallied = credit_explanation(exercise, mark, rounding.format_points, released=released)
    if mark is not None and mark.follow_through:
        points_sentence = language.say(
            "Points earned despite an earlier mistake: {points}.",
            points=rounding.format_points(mark.follow_through),
        )
        whole = exercise.kind.form.share is all_or_nothing
        reasons = (_FOLLOWS_AS_A_WHOLE, CONSISTENCY_LEFT_OUT) if whole else (_FOLLOWS,)
        followed = paragraph(points_sentence, *map(language.say, reasons))
    return {"tally": shown_text(tallied), "followed": followed}


def contested_reason(standing: Standing) -> str:
    """Return why a reply is contested; the text may name files and other students' rows."""
    contested = "" if standing.submission is None else standing.submission.contested
    return "" if contested.startswith(UNREADABLE_BLANK) else contested


def _state(standing: Standing, language: Language) -> str:
    """Return why a part has no points."""
    if contested := contested_reason(standing):
        return language.say(next(text for start, text in _CONTESTED.items() if contested.startswith(start)))
    if standing.state is State.BLANK and standing.original is not None:
        return language.say("Your instructor read this as no answer.")
    state = language.say(_STATES[standing.state])
    if standing.state in (State.UNPARSEABLE, State.AMBIGUOUS):
        return paragraph(state, language.say("{reason}.", reason=shown_text(standing.message)))
    return state


def _line(item: Item, exercise: Exercise, released: bool) -> dict[str, str]:
    """Return one entry, or one that is missing: its text, its sign, and the verdict in words."""
    sign, word, with_right = VERDICTS[item.verdict]
    language = exercise.public.terms.language
    given = shown_text(exercise.printed_entry(item.reply))
    right = shown_text(exercise.printed_entry(item.right)) if released and item.verdict != "right" else ""
    words = language.term(with_right, right=right) if given and right else language.term(word)
    return {"what": given or right, "verdict": item.verdict, "sign": sign, "words": words}


def shown_text(text: str) -> str:
    """Return a text that people wrote as a page shows it."""
    return safe_paragraph(text, MAX_SHOWN_REPLY_LENGTH)


def points_label(points: Number | None, maximum: Number, rounding: Rounding) -> str:
    """Format the points of a question or part; one without a full mark was dropped."""
    if not maximum:
        return rounding.language.term("not counted")
    full_mark = rounding.format_points(maximum)
    if points is None:
        return rounding.language.term("not graded yet (out of {maximum})", maximum=full_mark)
    return rounding.language.term(
        "{points} of {maximum}", points=rounding.format_points(points), maximum=full_mark
    )
