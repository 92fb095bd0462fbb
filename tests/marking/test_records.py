"""Records of exercises: what a teacher who mends one by hand is told."""

import json

import pytest

from grader.answers.form import Terms
from grader.exercise import make_exercise, read_exercise
from grader.kinds import kind_named
from grader.notation.diagnostics import Diagnostics
from grader.notation.reading import read_tree
from grader.rules import Rules


@pytest.mark.parametrize(
    ("kind", "place", "spelled", "hint"),
    [
        ("pruned-paths", "key.reply", "6,5", "write 5 6"),
        ("pruned-paths", "key.reply", "5-6", "write 5 6"),
        ("pruned-paths", "beliefs.pruned-paths.one-late", "leaf 6", "write 6"),
        ("pruned-paths", "key.reply", "5 6 99", "write it like this: 5 6 9"),
        ("pruned-paths", "key.reply", " ", "write it like this: 5 6 9"),
        ("root-value", "key.reply", "2,50", "write 2.50"),
        ("node-values", "key.reply", "A = 3; B = 3", "write A=3 B=3"),
    ],
)
def test_another_spelling_of_a_key_is_mended(kind: str, place: str, spelled: str, hint: str) -> None:
    """A key or belief in another spelling is refused with its place, and with the spelling of records."""
    found, tree = kind_named(kind), read_tree("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    assert found is not None
    assert not isinstance(tree, Diagnostics)
    record = make_exercise(found, tree, Rules(), Terms(decimal_comma=True)).to_json()
    section, _, name = place.partition(".")
    assert name in record[section]
    record[section][name] = spelled
    faults = read_exercise(json.dumps(record))
    assert isinstance(faults, Diagnostics)
    (fault,) = faults
    assert (fault.code, fault.excerpt, fault.hint) == ("unreadable-answer", place, hint)
