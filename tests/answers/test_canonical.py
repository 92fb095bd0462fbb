"""Canonical text is read by the inverse of writing, which refuses every other spelling."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.answers.canonical import CanonicalError
from grader.answers.form import Ambiguous, AnyForm, Malformed, Terms
from grader.trees.notation.reading import tree_of
from tests.answers.every_form import EVERY_FORM, FORM_OF, FORMS
from tests.answers.strategies import answers, nasty_trees_for
from tests.conftest import a_part

FORGIVING = settings(
    a_part(4),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

SIGNS = '0123456789 "\\#=,;[]<>{}-./eE½\u2212\u0663\t\nBxor'
"""Characters with which a damaged text is most likely to be taken for another one."""


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a few characters left out, put in, doubled or swapped."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        sign = draw(st.one_of(st.sampled_from(("", *SIGNS)), st.just(text[place : place + 1] * 2)))
        text = text[:place] + sign + text[place + draw(st.integers(0, 2)) :]
    return text


@EVERY_FORM
@given(data=st.data())
@FORGIVING
def test_parsing_is_the_inverse_of_writing(form: AnyForm, data: st.DataObject) -> None:
    """What is written is parsed as the same answer."""
    tree = data.draw(nasty_trees_for(form))
    answer = data.draw(answers(form.name, tree))
    text = form.write(answer, tree)
    assert form.parse(text, tree) == answer, text


@EVERY_FORM
@given(data=st.data())
@FORGIVING
def test_every_other_spelling_is_refused(form: AnyForm, data: st.DataObject) -> None:
    """A text that no answer is written as raises `CanonicalError`, and nothing else does.

    `none` of a student is no answer where something has to be named; of a belief in a record it is one.
    """
    tree = data.draw(nasty_trees_for(form))
    other = data.draw(st.sampled_from(FORMS))
    text = data.draw(
        st.one_of(
            damaged(form.write(data.draw(answers(form.name, tree)), tree)),
            st.sampled_from((form.example, other.example, "", " ", "none", "{}", "always", "5-6", "#1")),
            st.text(max_size=12),
            st.text(SIGNS, max_size=12),
        )
    )
    try:
        answer = form.parse(text, tree)
    except CanonicalError:
        return
    assert form.write(answer, tree) == text
    read = form.read(text, tree, Terms())
    assert isinstance(read, Ambiguous if answer else Ambiguous | Malformed) or read == answer, text


TREE = tree_of('MAX A (MIN B (3 12 8) MIN "C d" (2 4 6) MIN D (14 5 2))')
PLAYERS = tree_of("P1 A (P2 B (<1, 2> <3, 4>))")


@pytest.mark.parametrize(
    ("name", "text", "others"),
    [
        ("number", "7/3", ("14/6", "2 1/3", "7 / 3", "root = 7/3", "+7/3", "07/3")),
        ("number", "2.50", ("2,50", ".25e1", "2.5 ", "½", "\u22122")),
        ("count", "7", ("7/9", "7 of 9", "7.5", "07")),
        ("move", "B", ("b", "1", "B B", "the move B", "A", "3", "#1")),
        ("path", "5", ("#5", "05", "10", "0", "-1", "5 5", "A -> C -> 5")),
        ("paths", "5 6 9", ("6 5 9", "5, 6, 9", "5-6 9", "5 6 9 ", "5  6 9", "5 5 6 9", "5 6 10")),
        ("paths", "none", ("None", "{}", "-", "")),
        ("branches", 'B "C d" 7', ('"C d" B 7', '"B" "C d" 7', "B C d 7", "B cd 7", 'B "C d')),
        ("table", 'B=3 "C d"=2.0', ('"C d"=2.0 B=3', "B = 3", "B=3, D=2", "B=3 B=3", "B:3", "B=", "=3")),
        (
            "windows",
            'B [-inf, 3] -> 3; "C d" [3, inf]',
            ("B [-inf,3] -> 3", "B (-inf, 3)", "B [-inf, 3] -> 3;", "B [-inf, 3]; ", "B [3]", "B [a, 3]"),
        ),
        ("order", "1 2 1", ("1 1 2", "1, 2, 1", "1 -> 2 -> 1", "1 2 10")),
        ("interval", "x <= 1.25 or x >= 7.5", ("x <= 5/4 or x >= 7.5", "x >= 7.5 or x <= 1.25", "y <= 1")),
        ("interval", "1 < x <= 2", ("2 >= x > 1", "]1, 2]", "1 < 2", "x or", "1 < x or 1 < 2 < 3")),
        ("children-order", 'A: D B "C d"', ("A: D B", "A: D B B", 'A: D B "C d" B', "B: A", "A:", "D B")),
        ("strategy", "A->B, B->2", ("A -> B", "B->2, A->B", "A->B, C->2", "B->A", "A->", "B")),
        ("vector", "<1, 2>", ("1 2", "<1,2>", "<1, 2, 3>", "[1, 2]", "<>", "<1>", "")),
    ],
)
def test_one_spelling_counts(name: str, text: str, others: tuple[str, ...]) -> None:
    """Of all spellings that people use, the canonical one alone is parsed."""
    form = FORM_OF[name]
    tree = PLAYERS if name == "vector" else TREE
    assert form.write(form.parse(text, tree), tree) == text
    for other in others:
        with pytest.raises(CanonicalError):
            form.parse(other, tree)


LONG_OR_ODD_NUMBERS = (
    "7.0",
    "-0.00",
    "5e2",
    "100e-30",
    "1.50e-5",
    "9" * 30,
    "9" * 30 + " 1/3",
    "9" * 30 + "/1024",
    "9" * 28 + " 1/1024",
    "1/" + "9" * 30,
    "99^19",
    "27!",
    "99!",
    "9! = " + "3" * 36,
)
REPLIES = ("{}", "B={}", "x <= {} or x > 5", "B [{}, 5] -> {}", "<{}, 1>", "{} 12 8 2 4 6 14 5 2")
"""A number in a reply of every form that has numbers."""


@EVERY_FORM
@pytest.mark.parametrize("number", LONG_OR_ODD_NUMBERS)
def test_what_is_read_can_be_written_and_parsed(form: AnyForm, number: str) -> None:
    """A mark, a doubt and a list of readings keep only texts that the form parses, as what was read."""
    tree = PLAYERS if form.name == "vector" else TREE
    for reply in REPLIES:
        for comma in (False, True):
            read = form.read(reply.replace("{}", number), tree, Terms(decimal_comma=comma))
            if isinstance(read, Ambiguous):
                assert all(form.write(form.parse(text, tree), tree) == text for text in read.readings)
            elif not isinstance(read, Malformed):
                assert form.parse(form.write(read, tree), tree) == read
            elif read.understood:
                form.parse(read.understood, tree)


def test_long_texts_are_refused_at_once() -> None:
    """Many quotes, digits or brackets is refused in a time that grows with its length alone."""
    for piece in ('"', '\\"', '"\\', "9", "[", "a", 'a"', "=", "; ", " or "):
        for form in FORMS:
            with pytest.raises(CanonicalError):
                form.parse(piece * (200_000 // len(piece)), TREE)
