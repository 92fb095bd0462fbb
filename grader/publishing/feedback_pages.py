"""Feedback pages: what one student wrote, what of it is right, what it is worth, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from jinja2 import Environment
from markupsafe import Markup

from grader.answers.form import Item, Verdict
from grader.base.files import write_file
from grader.base.numbers import NumeralError, read_number
from grader.base.phrases import Language
from grader.base.safe_text import readable
from grader.base.shipped import shipped
from grader.base.templating import letters, markup
from grader.exam.assigning import slug
from grader.exam.paper import Heading, PublicPaper, PublicQuestion
from grader.exam.roster import Student
from grader.exercise import Exercise, read_exercise
from grader.feedback import UNSURE, Feedback, Remark, beliefs_held, likeliest, restates
from grader.grading.gradebook import Gradebook
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import DATED, UNREAD, UNTOLD, Standing
from grader.grading.results import Blank, Result, results
from grader.grading.sitting import PartKey, QuestionKey, Sitting, SittingError, digest
from grader.marking import Mark, State, read_mark
from grader.notation import Diagnostics
from grader.pictures.rendering import Picture, picture
from grader.pictures.text import text_picture
from grader.pictures.view import ClaimMark, CrossMark, Shown, View
from grader.publishing.pages import markdown_words
from grader.publishing.sheet import QuestionSheet, Sheet, drawn, lay_out, picture_of
from grader.publishing.typesetting import typeset
from grader.solvers.values import values
from grader.tally import reckoning
from grader.tree import Claim, Tree

LONGEST = 2_000
"""The most characters of a reply that a page shows."""

ALTERNATIVES = 3
"""The most misconceptions that are told of one reply."""

Word: TypeAlias = Literal["right", "wrong", "missing", "too many", "follows"]

_WORDS: Mapping[Verdict, Word] = {
    "right": "right",
    "wrong": "wrong",
    "missing": "missing",
    "extra": "too many",
    "follows": "follows",
}
_SIGNS: Mapping[Word, str] = {"right": "✓", "wrong": "✗", "missing": "+", "too many": "✗", "follows": "→"}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was written or left out: what, what is right (empty before release), how it is."""

    said: str
    right: str
    word: Word
    sign: str


@dataclass(frozen=True, slots=True)
class PartFeedback:
    """One part as it was marked; sentences that would tell the answer are there only after release.

    - `state`: in words, empty when there are points.
    - `beliefs`: the misconception in sentences; several are alternatives, and `unsure` says so. Where one of
      them with the reply would tell the answer, they too wait for the release.
      `example` is a step where it goes wrong.
    - `reckoning`: how the points came about, before those that were earned by following; empty where an
      answer is right or wrong as a whole, and where they were set or kept by hand.
    - `followed`: the points that were earned by following from the student's own answers.
    """

    letter: str
    prompt: str
    points: str
    maximum: str
    state: str
    reply: tuple[str, ...]
    cut: bool
    understood: str
    lines: tuple[Line, ...]
    reasons: tuple[str, ...]
    unsure: str
    beliefs: tuple[str, ...]
    example: str
    reckoning: str
    followed: str
    key: str
    by_hand: str
    late: bool


@dataclass(frozen=True, slots=True)
class QuestionFeedback:
    """One question: its tree with the student's marks, as a picture and in characters, and its parts."""

    label: str
    title: str
    points: str
    maximum: str
    drawing: Picture
    outline: str
    parts: tuple[PartFeedback, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on the page of one student, and nothing of anybody else."""

    exam: str
    language: str
    size: str
    name: str
    identifier: str
    variant: str
    total: str
    maximum: str
    rounding: str
    released: bool
    questions: tuple[QuestionFeedback, ...]


def make_page(sitting: Sitting, result: Result, rounding: Rounding, *, released: bool) -> Page:
    """The page of one student; before release it tells nothing of the key but what is right in the reply."""
    rounding = replace(rounding, language=sitting.language)
    standings = {standing.question: standing for standing in result.standings}
    worth = dict(zip(standings, result.points(rounding.blank), strict=True))
    held = beliefs_held(mark for each in result.standings if (mark := _graded(each)) is not None)
    questions = []
    for question, asked in _sat(sitting, result):
        untold = any(_is_untold(standings[key.part]) for key in question.parts)
        told = released and not untold  # nobody learns the key of a question that is perhaps another's
        parts = [_Marked(key, standings[key.part], _exercise(key), held) for key in question.parts]
        points = [worth[key.part] for key in question.parts]
        total = None if None in points else sum(each for each in points if each is not None)
        shown = [part for part in parts if part.exercise.public.tree == asked.public.tree]
        view = _view(shown, asked.public.language, told)
        options = drawn(asked.public)
        options["title"] = "Your answers in the tree"
        options["direction"] = picture_of(asked.public).direction
        tree = asked.public.tree
        questions.append(
            QuestionFeedback(
                label=question.label,
                title=_plain(question.title),
                points=rounding.text(total),
                maximum=rounding.text(sum(part.exercise.public.terms.points for part in parts)),
                drawing=picture(tree, view=view, identity=f"tree-{question.label}", **options),
                outline=text_picture(
                    tree, view=view, width=1, names=options["names"], paths=options["paths"]
                ),
                parts=tuple(
                    _part(part, said.prompt, rounding.text(worth[part.key.part]), rounding, told)
                    for part, said in zip(parts, asked.parts, strict=True)
                ),
            )
        )
    return Page(
        exam=_plain(sitting.title),
        language=sitting.language_code,
        size=sitting.size,
        name=_plain(result.student.name),
        identifier=_plain(result.student.identifier),
        variant=_plain(result.sat),
        total=rounding.text(result.total(rounding.blank)),
        maximum=rounding.text(sitting.points),
        rounding=rounding.stated,
        released=released,
        questions=tuple(questions),
    )


def _sat(sitting: Sitting, result: Result) -> Iterator[tuple[QuestionKey, QuestionSheet]]:
    """The questions that a student had, and how they were asked: each part in the variant that was answered.

    Of two attempts in which a platform drew two variants, some parts may be of one and some of the other.
    """
    variants = dict(zip((standing.question for standing in result.standings), result.variants, strict=True))
    for place, question in enumerate(sitting.variants.get(result.variant, ())):
        codes = [variants[key.part] for key in question.parts]
        keys = [sitting.variants[code][place].parts[number] for number, code in enumerate(codes)]
        sheets = [_sheet(code, sitting.variants[code]).questions[place] for code in codes]
        parts = tuple(sheet.parts[number] for number, sheet in enumerate(sheets))
        yield replace(question, parts=tuple(keys)), replace(sheets[0], parts=parts)


@dataclass(frozen=True, slots=True)
class _Marked:
    """A part with its standing, its exercise, and how many of the student's answers each belief explains."""

    key: PartKey
    standing: Standing
    exercise: Exercise
    held: Mapping[str, int]

    @property
    def mark(self) -> Mark | None:
        """The mark, with the misconceptions that the other answers speak for; None when none counts."""
        mark = _graded(self.standing)
        return None if mark is None else replace(mark, notes=likeliest(mark.notes, self.held))


def _graded(standing: Standing) -> Mark | None:
    """The mark that gives points, None when there is none or a later reply waits for one."""
    entry = standing.entry
    return read_mark(entry.content) if entry is not None and standing.state is State.GRADED else None


@lru_cache(maxsize=64)
def _exercise(key: PartKey) -> Exercise:
    read = read_exercise(key.exercise)
    if isinstance(read, Diagnostics):
        raise SittingError(f"the key of {key.part} cannot be read: {next(iter(read)).message}")
    return read


@lru_cache(maxsize=64)
def _sheet(code: str, questions: tuple[QuestionKey, ...]) -> Sheet:
    """The variant as it was printed, where each part asks without repeating the conventions."""
    public = tuple(
        PublicQuestion(question.label, question.title, tuple(_exercise(key).public for key in question.parts))
        for question in questions
    )
    return lay_out(PublicPaper(Heading(""), code, public))


_STATES: Mapping[State | None, str] = {
    State.BLANK: "Nothing was written here.",
    State.UNPARSEABLE: "This could not be read",
    State.AMBIGUOUS: "This can be read in more than one way",
    State.ERROR: "This could not be marked by the program; your teacher has to look at it.",
    State.MISSING: "Nothing was handed in.",
    None: "This has not been marked yet.",
}


_CONTESTED = {
    DATED: "A spreadsheet has turned this reply into a date; your teacher has to look at it.",
    UNTOLD: "It cannot be told which variant of this question you had; your teacher has to look at it.",
    "": "Two different replies of yours came in; your teacher has to decide.",
}
"""What is said of a contested reply, by how the reason starts."""

_INCOMPLETE = "This loses points because something is left out that belongs to the answer."
"""What the points tell anyway, where all that was written is right."""


def _first_wrong(exercise: Exercise, lost: Sequence[Remark]) -> str:
    """What is said of the item where it begins to go wrong: values come from below, a search from above."""
    if exercise.kind.searches:
        return lost[0].text
    depths = exercise.public.tree.depths
    return max(lost, key=lambda remark: max(depths[item.node or 0] for item in remark.items)).text


def _part(part: _Marked, prompt: str, points: str, rounding: Rounding, released: bool) -> PartFeedback:
    standing, mark, exercise = part.standing, part.mark, part.exercise
    language = exercise.public.terms.language
    submission, entry = standing.submission, standing.entry
    said = submission.reply if submission is not None and _own(standing) else ""
    feedback = Feedback(exercise)
    items = () if mark is None else mark.items
    remarks = feedback.remarks(mark) if mark is not None and items else ()
    told = [remark for remark in remarks if remark.text]
    beliefs = () if mark is None else feedback.diagnosis(mark)
    if mark is not None and not released and restates(mark.notes):
        beliefs = ()
    lost = [remark for remark in told if remark.verdict != "follows"]
    example = _first_wrong(exercise, lost) if released and beliefs and lost else ""
    state = "" if mark is not None else _STATES[standing.state]
    if standing.state in (State.UNPARSEABLE, State.AMBIGUOUS):
        state = f"{state}: {_plain(standing.message)}." if _own(standing) else f"{state}."
    if mark is None and submission is not None and not _own(standing):
        state = next(text for start, text in _CONTESTED.items() if submission.contested.startswith(start))
    why = tuple(_plain(remark.text) for remark in told if remark.text != example)
    if not released:
        why = (_INCOMPLETE,) if {item.verdict for item in items} - {"right"} == {"missing"} else ()
    by_hand = entry is not None and entry.maker == "override"
    came = ""
    if mark is not None and entry is not None and entry.maker in ("grading", "regrade"):
        came = reckoning(exercise, mark, rounding.text, released=released)
    return PartFeedback(
        letter=part.key.letter,
        prompt=prompt,
        points=points,
        maximum=rounding.text(exercise.public.terms.points),
        state=state,
        reply=tuple(readable(line, LONGEST) for line in said[:LONGEST].splitlines()[:60]),
        cut=len(said) > LONGEST or len(said.splitlines()) > 60,
        understood="" if mark is None else _plain(language.reply(mark.understood)),
        lines=tuple(_line(item, language, released) for item in items if released or item.said),
        reasons=why,
        unsure=language.say(UNSURE) if len(beliefs) > 1 else "",
        beliefs=_alternatives(beliefs),
        example=_plain(example),
        reckoning=_plain(came),
        followed=rounding.text(mark.follow_through) if mark is not None and mark.follow_through else "",
        key=_plain(exercise.printed_key) if released else "",
        by_hand=_plain(entry.reason) if entry is not None and by_hand else "",
        late=submission is not None and submission.late,
    )


def _alternatives(beliefs: Sequence[str]) -> tuple[str, ...]:
    """What is said of the first few misconceptions, and how many more there are."""
    if len(beliefs) <= ALTERNATIVES + 1:
        return tuple(map(_plain, beliefs))
    rest = f"Or one of {len(beliefs) - ALTERNATIVES} other mistakes that lead to the same answer."
    return (*map(_plain, beliefs[:ALTERNATIVES]), rest)


def _own(standing: Standing) -> bool:
    """Whether the message is about the reply alone; others may name files and other people's rows."""
    submission = standing.submission
    return submission is not None and (not submission.contested or submission.contested.startswith(UNREAD))


def _is_untold(standing: Standing) -> bool:
    """Whether it is not known which variant was answered."""
    return standing.submission is not None and standing.submission.contested.startswith(UNTOLD)


def _line(item: Item, language: Language, released: bool) -> Line:
    word = _WORDS[item.verdict]
    right = item.right if released and item.verdict not in ("right",) else ""
    return Line(_plain(language.reply(item.said)), _plain(language.reply(right)), word, _SIGNS[word])


def _view(parts: Sequence[_Marked], language: Language, released: bool) -> View:
    """The tree with what the student claims and crosses out; after release with what is right instead."""
    tree = parts[0].exercise.public.tree
    claims: list[Claim | None] = [None] * len(tree)
    claim_marks: list[ClaimMark | None] = [None] * len(tree)
    shown: list[Shown | None] = [None] * len(tree)
    marks: list[CrossMark | None] = [None] * len(tree)
    for part in parts:
        mark = part.mark
        if mark is None:
            continue
        match part.exercise.kind.form.name:
            case "table":
                _claim(tree, mark.items, claims, claim_marks, shown, released)
            case "paths" | "branches":
                _cross(tree, mark.items, marks, released)
    return replace(
        View.question(tree, language),
        values=tuple(shown),
        claims=tuple(claims),
        claim_marks=tuple(claim_marks),
        cross_marks=tuple(marks),
        pruned=tuple(mark is not None and mark != "missing" for mark in marks),
    )


def _claim(
    tree: Tree,
    items: Sequence[Item],
    claims: list[Claim | None],
    claim_marks: list[ClaimMark | None],
    shown: list[Shown | None],
    released: bool,
) -> None:
    exact = values(tree)
    for item in items:
        if item.node is None or not item.said:
            continue
        try:
            value = read_number(item.said.rpartition("=")[2])
        except NumeralError:
            continue  # a value the picture cannot show is in the list beside it
        claims[item.node] = Claim("=", value)
        claim_marks[item.node] = item.verdict if item.verdict in ("right", "follows") else "wrong"
        shown[item.node] = exact[item.node] if released else None


def _cross(tree: Tree, items: Sequence[Item], marks: list[CrossMark | None], released: bool) -> None:
    sides: tuple[tuple[CrossMark, Verdict], ...] = (
        ("right", "right"),
        ("extra", "extra"),
        ("missing", "missing"),
    )
    for mark, verdict in sides:
        if mark == "missing" and not released:
            continue
        nodes = {item.node for item in items if item.verdict == verdict and item.node is not None}
        leaves = frozenset(tree.paths[node] for node in nodes if tree.paths[node])
        inner = {node for node in nodes if not tree.paths[node]}
        for node in inner.union(tree.covering(leaves)):
            marks[node] = mark


def _plain(text: str) -> str:
    return readable(text, LONGEST)


# The formats --------------------------------------------------------------------------------------


def html(page: Page) -> bytes:
    """One HTML page that needs nothing else."""
    style = (shipped("templates") / "feedback" / "page.css").read_text(encoding="utf-8")
    pictures = {question.label: Markup(question.drawing.svg) for question in page.questions}
    template = markup().get_template("feedback/page.html.j2")
    return template.render(page=page, pictures=pictures, style=Markup(style)).encode()


def markdown(page: Page) -> bytes:
    """The same as Markdown, with the trees in characters."""
    outlines = {question.label: Markup(_fenced(question.outline)) for question in page.questions}
    return _words().get_template("feedback/page.md.j2").render(page=page, outlines=outlines).encode()


def pdf(page: Page) -> bytes:
    """The same as PDF/UA-1."""
    data = asdict(replace(page, questions=()))
    data["questions"] = [
        {
            **{name: getattr(question, name) for name in ("label", "title", "points", "maximum")},
            "picture": {
                "svg": question.drawing.svg,
                "alt": question.drawing.description,
                "width": question.drawing.width,
                "height": question.drawing.height,
            },
            "parts": [asdict(part) for part in question.parts],
        }
        for question in page.questions
    ]
    return typeset("feedback", data)


def _fenced(text: str) -> str:
    """Characters inside a fence of Markdown; none of them can end it."""
    return text.replace("```", "'''")


@cache
def _words() -> Environment:
    return letters(markdown_words, keep_trailing_newline=True)


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which feedback is written."""

    name: str
    suffix: str
    write: Callable[[Page], bytes]


FORMATS = (Format("html", ".html", html), Format("markdown", ".md", markdown), Format("pdf", ".pdf", pdf))
"""Every format; another one is one function and one line here."""


def file_stem(student: Student, secret: str) -> str:
    """The name of a student's files: readable, safe in every file system, not to be guessed by others."""
    return f"{slug(student.name)}-{digest(secret, student.identifier)[:16]}"


def write_feedback(
    book: Gradebook,
    sitting: Sitting,
    folder: Path,
    *,
    formats: Sequence[str] = ("html", "markdown"),
    students: frozenset[str] | None = None,
    released: bool = False,
    blank: Blank = "zero",
    tell: Callable[[int], None] = lambda _pages: None,
) -> int:
    """Write a page for every student, or for some; returns how many. Raises `OSError`.

    It replaces every page that the student has in this folder, so that none is left in another format
    that tells more than this one does.
    """
    rounding = Rounding(blank=blank)
    count, secret = 0, sitting.secret
    for result in _wanted(results(book, sitting), students):
        page = make_page(sitting, result, rounding, released=released)
        stem = file_stem(result.student, secret)
        for form in FORMATS:
            if form.name not in formats:
                (folder / f"{stem}{form.suffix}").unlink(missing_ok=True)
        for form in FORMATS:
            if form.name in formats:
                write_file(folder / f"{stem}{form.suffix}", form.write(page))
        count += 1
        tell(1)
    return count


def _wanted(found: Iterator[Result], students: frozenset[str] | None) -> Iterator[Result]:
    for result in found:
        if students is None or result.student.identifier in students:
            yield result
