"""Records of exercises: what a teacher who mends one by hand is told."""

import json
from typing import Any

import pytest

from grader.answers.form import Terms
from grader.exercises.exercise import make_exercise
from grader.exercises.exercise_file import read_exercise
from grader.generation.grower import Grower
from grader.generation.recipe_file import default_recipe
from grader.questions import kind_by_code
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules


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
    found, tree = kind_by_code(kind), tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    record = make_exercise(found, tree, Rules(), Terms(decimal_comma=True)).to_json()
    section, _, name = place.partition(".")
    assert name in record[section]
    record[section][name] = spelled
    faults = read_exercise(json.dumps(record))
    assert isinstance(faults, Diagnostics)
    (fault,) = faults
    assert (fault.code, fault.excerpt, fault.hint) == ("unreadable-answer", place, hint)


def _record() -> dict[str, Any]:
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    return make_exercise(kind_by_code("root-value"), tree, Rules()).to_json()


def test_what_nobody_reads_stays_what_it_is() -> None:
    """A field that no record has changes nothing, whatever it holds."""
    exercise = read_exercise(_record())
    assert not isinstance(exercise, Diagnostics)
    for more in ("a note", ["\U0001f333"]):
        assert read_exercise(json.dumps(_record() | {"note": more})) == exercise


@pytest.mark.parametrize("field", ["note", "prompt", "checksum"])
def test_half_a_character_is_no_text(field: str) -> None:
    """Half of a surrogate pair is refused in every field and spelling: no file can hold it."""
    record = _record() | {field: ["x", "\ud800"]}
    for spelling in (record, json.dumps(record), json.dumps(record, ensure_ascii=False)):
        refused = read_exercise(spelling)
        assert isinstance(refused, Diagnostics)
        assert "which is not text" in str(refused)


def test_what_is_no_number_is_no_json() -> None:
    """NaN and Infinity, which Python writes and JSON does not know, are refused where they stand."""
    for word in ("NaN", "Infinity", "-Infinity"):
        refused = read_exercise(json.dumps(_record()).replace('"given": {}', f'"given": {{"a": {word}}}'))
        assert isinstance(refused, Diagnostics)
        assert f"{word} is not a number" in str(refused)


@pytest.mark.parametrize("name", ["", "no-such-kind", 5])
def test_what_no_kind_asks_is_refused(name: object) -> None:
    """A record names the kind that asks it: an empty name is none."""
    refused = read_exercise(_record() | {"kind": name})
    assert isinstance(refused, Diagnostics)
    assert [fault.excerpt for fault in refused] == ["kind"]


def test_what_a_record_gives_steers_no_terminal() -> None:
    """What is given and suits no tree is shown in the message with a sign for what a terminal would obey."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    record = make_exercise(kind_by_code("windows"), tree, Rules()).to_json()
    refused = read_exercise(record | {"given": {"nodes": ["A\x1b[31m"]}})
    assert isinstance(refused, Diagnostics)
    assert "there is no inner node A�[31m" in str(refused)


@pytest.mark.parametrize("name", ["board-position.result", "board-position.pruned", "belief-state.moves"])
def test_a_question_that_brings_its_tree_is_none_without_it(name: str) -> None:
    """Where an answer speaks of nodes there is a tree, also in kinds that need none to begin with."""
    (exercise,) = Grower(default_recipe(name), "without").exercises(1)
    refused = read_exercise(exercise.to_json() | {"tree": ""})
    assert isinstance(refused, Diagnostics)
    assert "there is no tree" in str(refused)
