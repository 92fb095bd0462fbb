"""Real replies, as the files in `replies/` say they are read."""

import gettext
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.answers.form import Ambiguous, AnyForm, Malformed, Terms
from grader.base import phrases
from grader.base.phrases import PSEUDO
from grader.exercise import make_exercise
from grader.kinds import kind_named
from grader.notation.diagnostics import Diagnostics
from grader.notation.reading import read_tree
from grader.notation.writing import write_tree
from grader.rules import Rules
from grader.tree import Tree
from tests.answers.every_form import FORMS
from tests.answers.reply_tables import FORM_OF, lines

LINES = lines("replies")


@pytest.mark.parametrize(
    ("form", "tree", "terms", "reply", "reading"),
    [(line.form, line.tree, line.terms, line.reply, line.reading) for line in LINES],
    ids=[line.place for line in LINES],
)
def test_a_reply_is_read_as_its_line_says(
    form: AnyForm, tree: Tree, terms: Terms, reply: str, reading: str
) -> None:
    """Each reply of the files is read as the canonical text, the error or the two readings beside it."""
    answer = form.read(reply, tree, terms)
    if isinstance(answer, Malformed):
        assert reading == "MALFORMED", answer
        assert answer.message
    elif isinstance(answer, Ambiguous):
        assert reading == "AMBIGUOUS: " + " | ".join(answer.readings)
    else:
        assert form.write(answer, tree) == reading


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
            assert word.casefold() in f"{reply.casefold()} {trees}", (reply, text)


def test_every_form_has_replies() -> None:
    """No form is without a file, and each has replies of all three outcomes."""
    for form in FORMS:
        readings = [line.reading for line in LINES if line.form is form]
        assert any(reading == "MALFORMED" for reading in readings), form.name
        assert any(reading.startswith("AMBIGUOUS") for reading in readings), form.name
        assert len(readings) >= 15, form.name


@pytest.mark.parametrize("form", ["number", "count", "table", "vector", "windows"])
@pytest.mark.parametrize("sign", ["<=", "≤", "⩽", "=<", ">=", "≥"])
def test_a_bound_is_refused_where_a_number_is_asked_for(form: str, sign: str) -> None:
    """Who writes a bound instead of a value is told at the sign that the number itself is wanted."""
    tree = read_tree("MAX A (MIN B (3 12) MIN C (2 4))")
    assert not isinstance(tree, Diagnostics)
    found = FORM_OF[form].read(f"C {sign} 2", tree, Terms())
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (1, 3)
    assert "bound" in found.message
    assert "number itself" in found.hint


@pytest.mark.parametrize(
    ("form", "reply", "column"),
    [("move", "B (I mean C)", 3), ("number", "3 (or two)", 3), ("path", "1 because no, two", 3)],
)
def test_a_remark_that_may_change_the_answer_is_pointed_out(form: str, reply: str, column: int) -> None:
    """Who adds more than idle words to an answer is told which remark is in the way."""
    tree = read_tree("MAX A (MIN B (3 12) MIN C (2 4))")
    assert not isinstance(tree, Diagnostics)
    found = FORM_OF[form].read(reply, tree, Terms())
    assert isinstance(found, Malformed)
    assert (found.line, found.column) == (1, column)
    assert "may change the answer" in found.message
    assert found.hint == "write the answer alone"


def test_a_key_with_three_decimals_is_no_thousand() -> None:
    """A record is read with decimal points even where a point in a reply may part thousands."""
    tree, kind = read_tree("MAX A (2.125 1)"), kind_named("root-value")
    assert not isinstance(tree, Diagnostics)
    assert kind is not None
    exercise = make_exercise(kind, tree, Rules(), Terms(decimal_comma=True))
    assert exercise.key == "2.125"
    assert exercise.answer(exercise.key) == kind.form.read("2,125", tree, exercise.public.terms)
