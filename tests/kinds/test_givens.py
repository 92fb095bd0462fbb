"""What a question gives: a JSON object that nobody can change."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.kinds.given import NOTHING, Given

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUES, max_size=4)


@given(OBJECTS)
def test_it_is_the_object(content: dict[str, Any]) -> None:
    """What is given is a mapping with the names and values of the object, in whatever order they came."""
    found = Given(content)
    assert dict(found) == found.to_json() == content
    assert len(found) == len(content)
    turned = Given(dict(reversed(content.items())))
    assert (turned, hash(turned), repr(turned)) == (found, hash(found), repr(found))
    assert (found == NOTHING) == (not content)


def test_nobody_changes_it() -> None:
    """Neither the object it was made from nor what it hands out reaches into what is given."""
    content = {"moves": [1, 2]}
    found = Given(content)
    content["moves"].append(3)
    found.to_json()["moves"].append(4)
    assert found["moves"] == [1, 2]


def test_how_it_is_shown() -> None:
    """It is shown as JSON that a person can read, in one order."""
    assert repr(Given({"ß": 1, "a": [2]})) == 'Given({"a":[2],"ß":1})'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x"])
def test_only_json_is_given(value: object) -> None:
    """What is no JSON is refused."""
    with pytest.raises((TypeError, ValueError)):
        Given({"value": value})
