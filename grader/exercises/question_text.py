"""The text of a question: the question, how to answer, the conventions, and the marking rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.base.json_records import RecordError
from grader.base.phrases import paragraph
from grader.questions.given_table import GivenTable


@dataclass(frozen=True, slots=True)
class QuestionText:
    """The text of a question in parts, so that a page can print, fold or leave out each of them.

    - `question`: the question alone; a record of version 0.1.0 has its whole text here.
    - `instruction`: how to write the answer; boxes and tables have instructions of their own instead.
    - `demands`: requirements on the answer, whether typed or entered in boxes; often empty.
    - `conventions`: the game and the rules that decide the answer, each as one text.
    - `marking`: how a partly correct answer is marked; empty if it earns nothing.
    - `table`: some of the conventions as a table that papers print instead.
    """

    question: str
    instruction: str = ""
    demands: str = ""
    conventions: tuple[str, ...] = ()
    marking: str = ""
    table: GivenTable | None = None

    @property
    def whole(self) -> str:
        """All parts as one text, the question first."""
        return paragraph(self.question, self.instruction, self.demands, *self.conventions, self.marking)

    def to_json(self) -> dict[str, Any]:
        """Return the fields of a record: the whole text, and its parts if it has any."""
        if self == QuestionText(self.question):
            return {"prompt": self.question}
        return {
            "prompt": self.whole,
            "question": self.question,
            "instruction": self.instruction,
            "demands": self.demands,
            "conventions": list(self.conventions),
            "marking": self.marking,
            **({"table": self.table.to_json()} if self.table else {}),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "QuestionText":
        """Return the text that a record has; raises `ValueError` if its fields do not fit together."""
        prompt, parts = fields.get("prompt"), {name: fields[name] for name in PARTS if name in fields}
        if not parts:
            return cls(_text(prompt, "prompt"))
        conventions = parts.get("conventions")
        if not isinstance(conventions, list):
            raise ValueError("conventions is not a list of texts")
        text = cls(
            _text(parts.get("question"), "question"),
            _text(parts.get("instruction"), "instruction"),
            _text(parts.get("demands"), "demands"),
            tuple(_text(each, "conventions") for each in conventions),
            _text(parts.get("marking"), "marking"),
            _table(fields.get("table")),
        )
        if text.whole != prompt:
            raise ValueError("prompt does not match its parts")
        return text


PARTS = ("question", "instruction", "demands", "conventions", "marking")
"""The fields of a record with the parts of the text."""


def _text(value: object, name: str) -> str:
    """Return a value that must be a text. Raises `ValueError` with its name."""
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value


def _table(value: object) -> GivenTable | None:
    """Read the table of a question text. Raises `ValueError` with its place."""
    if value is None:
        return None
    try:
        return GivenTable.from_json(value, "table")
    except RecordError as error:
        raise ValueError(f"{error.place}: {error}") from None
