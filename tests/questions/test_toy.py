"""A kind and a form that nobody has met go all the way: grown, marked, set, exported, graded, reported."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.answers.blank import Blank, Blanks, Option
from grader.answers.choice_blanks import chosen_options
from grader.answers.count import count_form
from grader.answers.form import Ambiguous, AnswerSpace, BlankCodec, Form, Item, Malformed, Terms
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import search_beliefs, search_objection
from grader.questions.wording import Prompt, game_sentences, search_sentences
from grader.solvers.search_choice import search
from grader.solvers.sweep import sweep
from grader.solvers.trace import Search
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.tree import Tree
from tests.cli.running import gametree
from tests.questions.asking import with_kinds

# The form: odd or even ----------------------------------------------------------------------------


# only a stand-in: the forms of the program read through `read_reply`
def _read(text: str, tree: Tree, terms: Terms) -> str | Malformed | Ambiguous:
    del tree, terms
    said = text.strip().casefold()
    if said in ("odd", "even"):
        return said
    return Malformed("this says neither odd nor even", 1, 1, "", "write odd or even")


def _write(answer: str, tree: Tree) -> str:
    del tree
    return answer


def _compare(reply: str, key: str, tree: Tree, terms: Terms, texts: bool) -> tuple[Item, ...]:
    del tree, terms, texts
    right = reply == key
    return (Item(None, reply, key, "right" if right else "wrong"),)


def _blanks(tree: Tree, terms: Terms) -> Blanks:
    del tree
    options = tuple(Option(word, reply=word) for word in ("odd", "even"))
    return Blanks(terms.language.say("Choose one."), (Blank(options=options),))


def _solved(blanks: Sequence[Blank], key: str, tree: Tree, terms: Terms) -> Sequence[Blank]:
    del tree
    (choice,) = blanks
    return (choice.with_shares([option.text == key for option in choice.options], terms.points),)


def _filled(asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    del tree, terms
    (blank,) = asked
    return ("odd", "even")[chosen_options(blank, filled[0])[0]]


PARITY: Form[str] = Form(
    name="parity",
    ask=Phrase("Write odd or even."),
    example="odd",
    read=_read,
    write=_write,
    parse_canonical=lambda text, _tree: "odd" if text == "odd" else "even",
    compare=_compare,
    distance=None,
    marking_rule=Phrase("Nothing but the word counts."),
    answer_space=AnswerSpace("short"),
    blank_codec=BlankCodec(_blanks, _solved, _filled),
    repeats=9,
)

# The kind: how many branches are cut, and as many as are given ------------------------------------

BRANCHES = count_form(one="branch", many="branches", among=lambda tree: len(tree) - 1 + 9, cut=True)


def _cut(tree: Tree, visited: tuple[bool, ...], given: Given) -> int:
    more: int = given.get("more", 0)
    return len(pruned_branches(tree, visited)) + more


def _branches(tree: Tree, found: Search) -> int:
    return len(pruned_branches(tree, found.visited))


def _prompt(asks: str, case: Case, language: Language) -> Prompt:
    return Prompt(
        (*game_sentences(case, language), *search_sentences(case, language)),
        paragraph(
            language.say("Count the branches that are cut, and {more} more.", more=case.given.get("more", 0)),
            asks,
        ),
    )


def _draw(draw: Draw, case: Case) -> Case | None:
    return replace(case, given=Given({"more": draw.between(1, 9)}))


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    if item.verdict == "right":
        return None
    branches = len(solved.solution.pruned_branches or ())
    return Reason(
        solved.language.say(
            "With {more} more, {count} branch is cut: {key}.",
            "With {more} more, {count} branches are cut: {key}.",
            branches,
            more=solved.given.get("more", 0),
            key=item.right,
        )
    )


def _count(case: Case) -> int:
    return _cut(case.tree, search(case.tree, case.rules, traced=False).visited, case.given)


def _again(case: Case) -> int:
    return _cut(case.tree, sweep(case.tree, case.rules).visited, case.given)


def _word(count: int) -> str:
    return "odd" if count % 2 else "even"


HOW_MANY: Kind[Numeral] = Kind(
    name="cut-count",
    ask="how-many",
    about="search",
    form=BRANCHES,
    objection=search_objection,
    prompt=partial(_prompt, "How many is that?"),
    key=lambda case: Numeral(_count(case)),
    independent_key=lambda case: Numeral(_again(case)),
    beliefs={
        name: lambda case, believed=believed: (
            None if (found := believed(case)) is None else Numeral(found + case.given.get("more", 0))
        )
        for name, believed in search_beliefs(
            lambda tree, found: len(pruned_branches(tree, found.visited))
        ).items()
    },
    explain_item=_why,
    worked_solution=SEARCH_SOLUTION,
    draw=_draw,
    given_names=("more",),
)
ODD_OR_EVEN: Kind[str] = Kind(
    name="cut-count",
    ask="parity",
    about="search",
    form=PARITY,
    objection=search_objection,
    prompt=partial(_prompt, "Is that odd or even?"),
    key=lambda case: _word(_count(case)),
    independent_key=lambda case: _word(_again(case)),
    beliefs={},
    explain_item=_why,
    worked_solution=SEARCH_SOLUTION,
    draw=_draw,
    given_names=("more",),
)

RECIPE = """kind = "cut-count.how-many"
shape = {plies = 3, branching = 2}
payoffs = {range = [0, 40]}
require = {pruned = [1, 8]}
separate = {key = ["right-to-left"], each_other = []}
"""
BLUEPRINT = """title = "A quiz about cuts"
secret = "kept from everybody who sits it"

[[question]]
points = 2
recipe = "cuts.toml"
kind = "cut-count.how-many"

[[question]]
recipe = "parity.toml"
kind = "cut-count.parity"
points = 1
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with recipes, a blueprint and a class, in a program that knows the kind."""
    with_kinds(monkeypatch, HOW_MANY, ODD_OR_EVEN)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cuts.toml").write_text(RECIPE)
    (tmp_path / "parity.toml").write_text(
        RECIPE.replace("how-many", "parity").replace('["right-to-left"]', "[]")
    )
    (tmp_path / "quiz.toml").write_text(BLUEPRINT)
    (tmp_path / "class.csv").write_text("id,name\n1,Ada\n2,Ben\n3,Cy\n")
    return tmp_path


def test_it_is_grown_and_marked(desk: Path) -> None:
    """Exercises are grown with what is given in their records; replies may use the nouns of the kind."""
    grown = gametree("generate", "cut-count.how-many", "--recipe", "cuts.toml", "--seed", "1")
    assert grown.code == 0, grown.err
    (desk / "one.json").write_text(grown.out)
    assert '"ask": "how-many"' in grown.out
    assert '"given": {"more": ' in grown.out
    key = gametree("mark", "one.json", "4 branches are cut", "--json")
    assert '"GRADED"' in key.out
    wrong = gametree("mark", "one.json", "99 branches are cut")
    assert wrong.code == 1
    assert "more," in wrong.out
    assert "The search visits" not in wrong.out
    assert gametree("stress", "cut-count.how-many", "--recipe", "cuts.toml", "--seeds", "3").err == ""


@pytest.mark.usefixtures("desk")
def test_a_belief_that_nobody_can_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No exercise is written that could not be read again: every belief has a line that says what it is."""
    odd = replace(HOW_MANY, beliefs={**HOW_MANY.beliefs, "moonstruck": HOW_MANY.beliefs["right-to-left"]})
    with_kinds(monkeypatch, odd)
    refused = gametree("generate", "cut-count.how-many", "--recipe", "cuts.toml", "--seed", "1")
    assert refused.code == 2
    assert refused.out == ""
    assert "has a belief moonstruck that grader/questions/beliefs.py does not list" in refused.err


def test_it_is_set_exported_graded_and_reported(desk: Path) -> None:
    """An exam with both asks is built in every format and for every platform, graded, told and reported."""
    formats = ("pdf", "html", "markdown", "text", "latex")
    chosen = [word for name in formats for word in ("--format", name)]
    built = gametree(
        "exam", "build", "quiz.toml", "--roster", "class.csv", "-o", "quiz", "--jobs", "1", *chosen
    )
    assert built.code == 0, built.err
    assert gametree("exam", "verify", "quiz").code == 0
    names = {path.name for path in (desk / "quiz" / "instructor").iterdir()}
    assert {"moodle.xml", "exam.json"} <= names
    (desk / "replies.csv").write_text("id,1,2\n1,99 branches are cut,odd\n2,,even\n3,4,maybe\n")
    graded = gametree("grade", "quiz", "replies.csv", "--executor", "here")
    assert graded.code in (0, 1), graded.err
    told = gametree("gradebook", "feedback", "quiz", "--release")
    assert told.code == 0, told.err
    pages = "".join(path.read_text() for path in (desk / "quiz" / "grades" / "feedback").glob("*.md"))
    assert "more," in pages
    assert "neither odd nor even" in pages
    assert "The search visits" not in pages
    assert gametree("report", "quiz").code == 0
