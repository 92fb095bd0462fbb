"""What has to be said of every answer form, wherever it is said."""

from collections.abc import Mapping
from typing import Any

import pytest

from grader.answers import FORMS
from grader.blanks import BY_FORM
from grader.generation.separation import THOUGHTLESS
from grader.publishing import keys, sheet

COMPLETE: dict[str, Mapping[str, Any]] = {
    "room on paper": sheet.BOXES,
    "guide for markers": keys.GUIDES,
    "blanks of a platform": BY_FORM,
}
"""The tables that have a line for every form."""


@pytest.mark.parametrize("table", COMPLETE.values(), ids=COMPLETE)
def test_tables_have_every_form(table: Mapping[str, Any]) -> None:
    """A table about answer forms has exactly the names of all forms: none is forgotten, none misspelt."""
    assert sorted(table) == sorted(form.name for form in FORMS)


def test_forms_have_names_of_their_own() -> None:
    """No two forms are called the same, so a name in a table means one of them."""
    assert len({form.name for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("table", [THOUGHTLESS, sheet.LINE], ids=["replies without thought", "line"])
def test_tables_of_some_forms_have_no_others(table: Mapping[str, Any]) -> None:
    """A table about some forms names only forms that there are."""
    assert set(table) <= {form.name for form in FORMS}
