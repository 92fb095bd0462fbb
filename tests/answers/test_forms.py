"""What has to be known of every answer form, wherever it is needed."""

from dataclasses import fields

import pytest

from grader.answers import FORMS, AnyForm
from grader.answers.form import Form, Terms
from grader.base.phrases import PSEUDO

ALL = pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])


def test_forms_have_names_of_their_own() -> None:
    """No two forms are called the same."""
    assert len({form.name for form in FORMS}) == len(FORMS)


@ALL
def test_every_form_is_complete(form: AnyForm) -> None:
    """Each form says what to write, what counts, how much room it needs, and all of that to anybody."""
    texts = ("name", "ask", "example", "guide")
    assert all(getattr(form, name) for name in texts)
    assert {field.name for field in fields(Form)} >= {*texts, "room", "blanks", "credited", "tally"}
    pseudo = Terms(language_code=PSEUDO)
    for said in (form.asked(pseudo.language), form.credited(pseudo)):
        assert not said or said.startswith("[")
        assert "{" not in said
    assert form.name == form.name.strip().lower()
    assert bool(form.set_of) == bool(form.credited(Terms())) or form.tally is not None


@ALL
def test_thoughtless_answers_and_doubts_fit(form: AnyForm) -> None:
    """What is said of a set is said of sets only, and only what is drawn on a tree can be shown on it."""
    assert not form.set_of or (form.shown == "crosses" and form.tally is not None)
    assert (form.drawn is not None) or not form.shown
