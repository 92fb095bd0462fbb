"""The tables of replies, `replies/`, `clear/` and `asked/`: what people wrote and how it is to be read."""

import json
from dataclasses import dataclass
from pathlib import Path

from grader.answers.form import AnyForm, Terms
from grader.exercises.exercise import terms_for_question
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.answers.every_form import FORM_OF

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Line:
    """One reply: where it stands, the questions it answers if they are named, and how it is read."""

    place: str
    asks: tuple[str, ...]
    form: AnyForm
    tree: Tree
    terms: Terms
    reply: str
    reading: str

    @property
    def file(self) -> str:
        """The name of its file, which begins with that of the form."""
        return self.place.partition(":")[0]


def form_of(stem: str) -> AnyForm | None:
    """The form whose replies a file has: `paths-names` those of `paths`, `children-order` its own."""
    return next((form for name, form in FORM_OF.items() if f"{stem}-".startswith(f"{name}-")), None)


def lines(folder: str) -> list[Line]:
    """Every reply of every file in a folder."""
    return [line for file in sorted((HERE / folder).glob("*.txt")) for line in lines_of(file)]


def lines_of(file: Path) -> list[Line]:
    """Every reply of a file; the kinds named in a line read in one way, by the form of the first."""
    found: list[Line] = []
    asks, form, terms, tree = (), form_of(file.stem), Terms(), None
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("tree:"):
            tree = read_tree(line.removeprefix("tree:"))
            assert not isinstance(tree, Diagnostics), f"{file.name}:{number}: {tree}"
        elif line.startswith("kind:"):
            asks = tuple(line.removeprefix("kind:").split())
            form = kind_by_code(asks[0]).form
            assert {kind_by_code(ask).form.name for ask in asks} == {form.name}, f"{file.name}:{number}"
        elif line.startswith("given:"):
            assert tree is not None, f"{file.name}:{number}: no tree: line above this line"
            given = Given(json.loads(line.removeprefix("given:")))
            terms = terms_for_question(terms, kind_by_code(asks[0]), Case(tree, Rules(), given))
        elif line.startswith("language:"):
            terms = Terms(language_code=line.removeprefix("language:").strip())
        elif line == "decimal comma":
            terms = Terms(decimal_comma=True)
        elif line == "every":
            terms = Terms(every=True)
        elif line.strip() and not line.startswith("# "):
            reply, arrow, reading = line.rpartition(" => ")
            place = f"{file.stem}:{number}"
            assert arrow, f"{place}: no => in this line"
            assert tree is not None, f"{place}: no tree: line above this line"
            assert form is not None, f"{place}: no kind: line above this line"
            found.append(Line(place, asks, form, tree, terms, reply.replace("⏎", "\n"), reading.strip()))
    return found
