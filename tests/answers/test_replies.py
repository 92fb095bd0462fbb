"""Real replies, as the files in `replies/` say they are read."""

import gettext
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.answers.form import Ambiguous, AnyForm, Malformed, Terms
from grader.base import phrases
from grader.base.phrases import PSEUDO
from grader.exercises.exercise import make_exercise
from grader.questions import kind_by_code
from grader.trees.notation.reading import tree_of
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules
from tests.answers.every_form import FORM_OF, FORMS
from tests.answers.reply_tables import Line, lines

LINES = lines("replies")

SMALL = "MAX A (MIN B (3 12) MIN C (2 4))"


def read(line: Line) -> str:
    """How the reply of a line is read, in the words of the files; what is malformed comes with a message."""
    answer = line.form.read(line.reply, line.tree, line.terms)
    if isinstance(answer, Malformed):
        return "MALFORMED" if answer.message else "MALFORMED without a message"
    if isinstance(answer, Ambiguous):
        return "AMBIGUOUS: " + " | ".join(answer.readings)
    return line.form.write(answer, line.tree)


@pytest.mark.parametrize("file", sorted({line.file for line in LINES}))
def test_replies_are_read_as_their_lines_say(file: str) -> None:
    """Each reply of a file is read as the canonical text, the error or the two readings beside it."""
    here = [(line, read(line)) for line in LINES if line.file == file]
    wrong = [f"{line.place}: {line.reply} => {found}" for line, found in here if found != line.reading]
    assert not wrong, "\n".join(wrong)


class Wordless(gettext.NullTranslations):
    """A catalogue that leaves nothing of a sentence but its placeholders."""

    def gettext(self, message: str) -> str:
        """Placeholders with blanks between."""
        return " ".join(re.findall(r"\{\w+\}", message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same for either number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


def complaints(terms: Terms) -> Iterator[tuple[str, str]]:
    """The message and the hint of every reply of the files that cannot be read, each with its reply."""
    for line in LINES:
        usual = replace(line.terms, language_code=terms.language_code)
        answer = line.form.read(line.reply, line.tree, usual)
        if isinstance(answer, Malformed):
            yield from ((line.reply, text) for text in (answer.message, answer.hint) if text)
        elif isinstance(answer, Ambiguous):
            yield line.reply, answer.message


def test_every_complaint_is_within_reach_of_translators() -> None:
    """In the pseudo-language every message and hint of an unreadable or unsure reply is bracketed."""
    told = list(complaints(Terms(language_code=PSEUDO)))
    assert len(told) > 300
    for reply, text in told:
        assert text[0] == "«", (reply, text)
        assert text[-1] == "»", (reply, text)


def test_no_complaint_is_glued_of_english_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its sentences a message holds only what stands in the reply and in the tree."""
    monkeypatch.setattr(phrases, "catalogue", lambda _code, _own: Wordless())
    trees = " ".join(f"{write_tree(line.tree)} {' '.join(line.tree.names)}" for line in LINES).casefold()
    for reply, text in complaints(Terms()):
        for word in re.findall(r"[^\W\d_]+", text):
            assert word.casefold() in reply.casefold() or word.casefold() in trees, (reply, text)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_reply_with_a_question_mark_is_never_settled(form: AnyForm) -> None:
    """Whatever the form, a question mark after an answer leaves it to a person."""
    clear = [line for line in LINES if line.form is form and read(line) == line.reading]
    settled = [
        line.place
        for line in clear
        if line.reading.partition(":")[0] not in ("MALFORMED", "AMBIGUOUS")
        and not line.reply.rstrip().endswith(("=", ":", ">", "?"))
        and not isinstance(form.read(f"{line.reply} ?", line.tree, line.terms), Malformed | Ambiguous)
    ]
    assert not settled


def test_every_form_has_replies() -> None:
    """No form is without a file, and each has replies of all three outcomes."""
    for form in FORMS:
        readings = [line.reading for line in LINES if line.form is form]
        outcomes = {"MALFORMED", "AMBIGUOUS"} & {reading.partition(":")[0] for reading in readings}
        wanted = f"replies/{form.name}.txt needs 15 replies, one of them MALFORMED and one AMBIGUOUS"
        assert len(outcomes) == 2, wanted
        assert len(readings) >= 15, wanted


@pytest.mark.parametrize("form", ["number", "count", "table", "vector", "windows"])
@pytest.mark.parametrize("sign", ["<=", "≤", "⩽", "=<", ">=", "≥"])
def test_a_bound_is_refused_where_a_number_is_asked_for(form: str, sign: str) -> None:
    """Who writes a bound instead of a value is told at the sign that the number itself is wanted."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    found = FORM_OF[form].read(f"C {sign} 2", tree, Terms())
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (1, 3)
    assert "bound" in found.message
    assert "number itself" in found.hint


@pytest.mark.parametrize(
    ("form", "reply", "column", "message", "hint"),
    [
        ("strategy", "C at B", 1, "'C' is not a child of 'B'", "A->B"),
        ("strategy", "B->C", 4, "'C' is not a child of 'B'", "A->B"),
        ("table", "B=3 4", 5, "more than one value", "B=3 C=2"),
        ("table", "B=3,5,6 C=2", 5, "more than one value", "with a period: 2.5"),
        ("paths", "-", 1, "'-' is not expected here", 'write "none"'),
        ("paths", "B - ? =", 5, "'?' is not expected here", ""),
        ("paths", "zz", 1, "'zz'", "A, B, C"),
        ("move", "B (I mean C)", 3, "could change the answer", "write only the answer"),
        ("number", "3 (or two)", 3, "could change the answer", "write only the answer"),
        ("path", "1 because no, two", 3, "could change the answer", "write only the answer"),
        ("interval", "3 or x > 5", 1, "a condition on x is needed, not one number", "x <= 5/4 or x >= 15/2"),
        ("vector", "1 " * 40, 73, "there are more numbers here than players (9)", ""),
    ],
)
def test_what_cannot_be_read_is_pointed_at(
    form: str, reply: str, column: int, message: str, hint: str
) -> None:
    """A complaint says where something is wrong and what, and how it is written, where that helps."""
    tree = tree_of("P1 A (P2 B (<3, 1> <1, 2>) P2 C (<2, 2> <4, 0>))" if form == "vector" else SMALL)
    found = FORM_OF[form].read(reply, tree, Terms())
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (1, column)
    assert message in found.message
    assert hint in found.hint
    assert bool(hint) == bool(found.hint)


@pytest.mark.parametrize("count", [8, 9])
def test_eight_moves_are_listed_and_dots_for_the_rest(count: int) -> None:
    """Who names no move is told what the moves are called, the first eight if there are more."""
    tree = tree_of(f"MAX A ({' '.join(f'm{move}: {move}' for move in range(count))})")
    found = FORM_OF["move"].read("zz", tree, Terms())
    assert isinstance(found, Malformed)
    listed = [f"m{move}" for move in range(8)] + ["..."] * (count > 8)
    assert found.hint == f"the moves are {', '.join(listed)}"


def test_a_key_with_three_decimals_is_no_thousand() -> None:
    """A record is read with decimal points even where a point in a reply may part thousands."""
    tree, kind = tree_of("MAX A (2.125 1)"), kind_by_code("root-value")
    exercise = make_exercise(kind, tree, Rules(), Terms(decimal_comma=True))
    assert exercise.key == "2.125"
    assert exercise.answer(exercise.key) == kind.form.read("2,125", tree, exercise.public.terms)
