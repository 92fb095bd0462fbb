"""A table of what is given: it says what the sentences say, and is there in every question with a world."""

import pytest

from grader.exercises.question_text import QuestionText
from grader.questions import all_kinds
from grader.questions.given import Given
from grader.questions.given_table import GivenColumn, GivenTable, merge_tables
from grader.questions.kind import AnyKind
from tests.questions.test_prompts import each_kind, examples

WITH_A_WORLD = [kind for kind in all_kinds() if kind.code.startswith("belief-state.")]

TABLE = GivenTable(
    "A dash means that the action is illegal there.",
    (
        GivenColumn("State", ("P", "Q")),
        GivenColumn("push", ("Q", "–"), ("Push leads from P to Q.", "Push is illegal in Q.")),
    ),
)
PAYOFFS = GivenColumn("Payoff", ("1", "2"), ("The payoffs are 1 and 2.",))


@pytest.mark.parametrize("kind", WITH_A_WORLD, ids=lambda kind: kind.code)
def test_a_table_shows_the_world(kind: AnyKind) -> None:
    """The cells are the moves of the record; a dash is an illegal action."""
    for exercise in examples(kind.code):
        text, given = exercise.public.wording, exercise.public.case.given
        assert text.table is not None
        heading, *rows = text.table.rows
        for state, *cells in rows:
            shown = {name: cell for name, cell in zip(heading[1:], cells, strict=True) if cell != "–"}
            moves = {name: cell for name, cell in shown.items() if name in _actions(given)}
            assert moves == given["moves"].get(state, {})


@each_kind
def test_all_that_a_table_shows_is_also_said(kind: AnyKind) -> None:
    """Where no table can be printed, the conventions say the same: a sentence of its column has each cell."""
    for exercise in examples(kind.code):
        text = exercise.public.wording
        for column in text.table.columns[1:] if text.table else ():
            assert set(column.sentences) <= set(text.conventions)
            assert column.heading.split()[-1].casefold() in " ".join(column.sentences).casefold()
            for cell in column.cells:
                assert cell == "–" or cell in " ".join(column.sentences)


def _actions(given: Given) -> set[str]:
    return {action for moves in given["moves"].values() for action in moves}


def test_a_text_with_a_table_is_read_back() -> None:
    """A record keeps the table."""
    text = QuestionText("Where?", conventions=TABLE.sentences, table=TABLE)
    assert QuestionText.from_json(text.to_json()) == text


@pytest.mark.parametrize("damaged", [5, {"caption": "x"}, {"caption": "x", "columns": [{"heading": 1}]}])
def test_a_damaged_table_is_refused(damaged: object) -> None:
    """What is no table is refused with its place."""
    record = QuestionText("Where?", conventions=TABLE.sentences, table=TABLE).to_json() | {"table": damaged}
    with pytest.raises(ValueError, match="table"):
        QuestionText.from_json(record)


def test_parts_of_one_question_share_a_table() -> None:
    """Columns are joined, each once; tables with other rows are not."""
    wider = GivenTable(TABLE.caption, (*TABLE.columns, PAYOFFS))
    assert merge_tables([TABLE, wider]) == wider
    assert (
        merge_tables([TABLE, GivenTable(TABLE.caption, (GivenColumn("State", ("R", "S")), PAYOFFS))]) is None
    )
    assert merge_tables([]) is None
