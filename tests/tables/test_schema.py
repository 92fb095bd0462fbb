"""The laws of the descriptions of TOML documents: what they explain is what is read."""

import tomllib

import pytest

from grader.base.shipped import shipped_folder
from grader.exam.blueprint_fields import BLUEPRINT
from grader.generation.recipe_fields import RECIPE
from grader.tables.schema import Field, Schema
from grader.tables.schema_help import comment_document, schema_reference

SCHEMAS = pytest.mark.parametrize("schema", [RECIPE, BLUEPRINT], ids=lambda schema: schema.body.name)
MIDTERM = (shipped_folder("problems") / "exams" / "midterm.toml").read_text(encoding="utf-8")


def entries(schema: Schema) -> list[tuple[str, Field]]:
    """Every field of a schema, after the header of its table."""
    return [(header, field) for header, table in schema.body.within() for field in table.fields]


@SCHEMAS
def test_every_example_of_a_field_reads(schema: Schema) -> None:
    """What help, hints and comments show as a field is TOML that the field's own reader takes."""
    for header, field in entries(schema):
        value = tomllib.loads(field.example_line, parse_float=str)[field.name]
        assert field.value.read(value) is not None, (header, field.name)


@SCHEMAS
def test_every_meaning_is_one_sentence_on_a_line(schema: Schema) -> None:
    """Meanings start with a capital letter, end with a full stop, and fit beside a field."""
    for said in [
        *(table.meaning for _, table in schema.body.within()),
        *(field.meaning for _, field in entries(schema)),
    ]:
        assert said[:1].isupper()
        assert said.endswith(".")
        assert len(said) <= 80


@SCHEMAS
def test_help_explains_every_field_and_code(schema: Schema) -> None:
    """The list of fields has every table, every field with its example, and every message."""
    told = schema_reference(schema)
    for header, field in entries(schema):
        assert header in told
        assert field.example_line in told
    for code in schema.codes:
        assert code in told


@SCHEMAS
def test_no_field_is_described_twice_in_a_table(schema: Schema) -> None:
    """Names are unique within a table."""
    for _, table in schema.body.within():
        assert len({entry.name for entry in table.entries}) == len(table.entries)


def test_comments_change_nothing() -> None:
    """The commented example says what the plain one says, and has a comment for every field it shows."""
    told = comment_document(BLUEPRINT, MIDTERM)
    assert tomllib.loads(told) == tomllib.loads(MIDTERM)
    for meaning in ("The title at the top of every paper.", "What students read first."):
        assert told.count(f"# {meaning}") == 1


def test_the_example_shows_every_field() -> None:
    """Each field of an exam, a question and a part is in the example, set or commented out.

    Pools and what holds for the whole exam are not: one question has rules, and no two are alternatives.
    """
    told = comment_document(BLUEPRINT, MIDTERM)
    aside = ("[words]", "[students]", "[rules]", "[question.rules]", "[question.alternative.rules]")
    fields = [field.name for header, field in entries(BLUEPRINT) if header not in aside]
    names = set(fields) - {"choose", "spread"}
    shown = {line.removeprefix("# ").partition(" = ")[0] for line in told.split("\n")}
    assert names <= shown


def test_tables_within_tables_are_called_by_their_place() -> None:
    """A fault in the second part of the third question says so."""
    part = {"kind": "root-value", "pionts": 2}
    said = {"title": "Quiz", "question": [{}, {}, {"part": [{"kind": "root-value"}, part]}]}
    (fault,) = BLUEPRINT.check(said)[1]
    assert fault.message == "there is no field pionts in part b of question 3"
    assert fault.path == ("question", 2, "part", 1, "pionts")


def test_what_is_missing_below_a_missing_table_is_told_with_it() -> None:
    """Needed fields of needed tables that are not there are one fault; its hint says where they belong."""
    (fault,) = RECIPE.check({"kind": "root-value"})[1]
    assert fault.message == "shape.plies and shape.branching and payoffs.range are missing"
    assert "plies = 3 below [shape]" in fault.hint


@SCHEMAS
def test_a_misspelt_field_is_told_among_those_of_its_type(schema: Schema) -> None:
    """A name with a slip is told for a value that the field can hold, and not for one of another type."""
    table = schema.body
    for field in (field for field in table.fields if len(field.name) >= 4):
        wrong = field.name[:-2] + field.name[-1] + field.name[-2]
        if wrong in {entry.name for entry in table.entries}:
            continue
        value = tomllib.loads(field.example_line, parse_float=str)[field.name]
        for given in (value, [[value]]):
            (hint,) = (fault.hint for fault in schema.check({wrong: given})[1] if fault.path == (wrong,))
            assert (f"did you mean {field.name}?" == hint) == (given is value), (field.name, given, hint)
