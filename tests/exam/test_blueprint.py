"""The laws of reading a blueprint: what it says is done, and every fault is told with its place."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import normalize_number
from grader.base.phrases import ENGLISH
from grader.base.shipped import shipped_folder
from grader.exam.assignment import stretch_secret
from grader.exam.blueprint import MAX_PAPER_LEAVES, Blueprint
from grader.exam.blueprint_fields import BLUEPRINT, EXAMPLE_SECRET
from grader.exam.blueprint_file import read_blueprint
from grader.exam.composition import compose
from grader.exam.paper import PublicPaper
from grader.exam.population import Population
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, with_changes, write_recipe
from grader.publishing.sheet import lay_out
from grader.questions.case import Case
from grader.questions.wording import pruning_sentence
from grader.tables.toml import read_toml, value_offsets
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.tree import EMPTY, Tree

EXAMPLES = shipped_folder("problems") / "exams"
HEAD = 'title = "Quiz"\nsecret = "kept in a safe"\n'
TREE = 'tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"\n'


def read(text: str, folder: Path = EXAMPLES) -> Blueprint:
    """The blueprint of a text that has no faults."""
    plan = read_blueprint(text, folder)
    assert isinstance(plan, Blueprint), str(plan)
    return plan


def faults(text: str, folder: Path = EXAMPLES) -> Diagnostics:
    """What is wrong with a text."""
    found = read_blueprint(text, folder)
    assert isinstance(found, Diagnostics)
    return found


QUESTION = '[[question]]\nkind = "pruned-paths"\npoints = 4\n'
SMALL = HEAD + QUESTION

FAULTY = {
    "exam-syntax": "title = Quiz",
    "exam-key": f'{HEAD}instrutions = ""\n{QUESTION}',
    "exam-missing": f'secret = "kept in a safe"\n{QUESTION}',
    "exam-type": SMALL.replace('"Quiz"', "7"),
    "exam-value": SMALL.replace("4", "0"),
    "exam-language": f'language = "xx"\n{SMALL}',
    "exam-kind": SMALL.replace("paths", "path"),
    "exam-policy": SMALL.replace("pruned-paths", "best-move") + 'policy = "net"\n',
    "exam-variants": f'forms = 3\nvariants = "per-student"\n{SMALL}',
    "exam-secret": SMALL.replace("kept in a safe", "safe"),
    "exam-source": f'{SMALL}tree = "MAX (3 5)"\nbank = "aima-fig-5-2"\n',
    "exam-file": f'{SMALL}tree_file = "no such.tree"\n',
    "exam-bank": f'{SMALL}bank = "aima-fig-9"\n',
    "exam-tree": f'{SMALL}tree = "MAX (3 5"\n',
    "exam-recipe": f"{SMALL}recipe = {{shape = {{plies = 99}}}}\n",
    "exam-rules": f'{SMALL}tree = "MAX (3 5)"\nrules = {{ties = "keep", returns = "hard"}}\n',
    "exam-given": f"{SMALL}given = {{node = 'B'}}\n",
    "exam-suits": f'{SMALL}tree = "MAX (MIN (3 5) MIN (x 4))"\n',
    "exam-parts": f"{SMALL}follow_through = true\n",
    "exam-pool": f'{HEAD}[[question]]\nchoose = 1\n[[question.alternative]]\nkind = "best-move"\n',
    "exam-scan": f'entry = "choice"\n{SMALL}',
    "exam-large": f'{SMALL}tree = "MAX ({" 1" * (MAX_PAPER_LEAVES + 1)})"\n',
}
"""For every code a blueprint with exactly this fault."""


@pytest.mark.parametrize(("code", "text"), FAULTY.items(), ids=FAULTY)
def test_every_example_has_exactly_its_fault(code: str, text: str) -> None:
    """The example of every code has that fault and no other, and a place where it is."""
    found = faults(text)
    assert [fault.code for fault in found] == [code]
    assert found.items[0].line >= 1


def test_every_code_has_an_example() -> None:
    """There is one for each code that help lists."""
    assert FAULTY.keys() == BLUEPRINT.codes.keys()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_build_as_they_are(path: Path) -> None:
    """Every example that comes with the program has no fault."""
    assert read(path.read_text(encoding="utf-8")).questions


def test_what_is_given_beside_a_tree_is_asked() -> None:
    """A teacher gives what a kind would draw: with a tree of his own, or without one where none is needed."""
    budget = "{seconds = 60, rate = 20000, branching = 10, model = 'b^d'}"
    plan = read(
        f'{HEAD}[[question]]\n{TREE}kind = "cut-reasons.cause"\ngiven = {{node = "C"}}\n'
        f'[[question]]\nkind = "search-budget.depth"\ngiven = {budget}\n'
    )
    questions = [next(compose(each, 0, plan.secret, 1)) for each in plan.questions]
    assert [question.parts[0].key for question in questions] == ["B", "6"]


def test_what_a_kind_refuses_to_be_given_has_its_place() -> None:
    """Where a kind refuses what is given, the fault stands there and says why."""
    text = f'{HEAD}[[question]]\n{TREE}kind = "cut-reasons.cause"\ngiven = {{node = "B"}}\n'
    (fault,) = faults(text).items
    assert (fault.code, fault.line) == ("exam-suits", 6)
    assert "the search makes no such cut" in fault.message


@pytest.mark.parametrize("said", ['language = "de"', "decimal_comma = true"])
def test_a_decimal_comma_in_a_tree_is_no_silent_second_leaf(said: str) -> None:
    """Where numbers have commas on paper `3,5` in a tree is a mistake; elsewhere, or parted, two leaves."""
    question = '[[question]]\nkind = "node-values"\ntree = "MAX A (1.5 MIN B ({} 5))"\n'
    (fault,) = faults(f"{said}\n{HEAD}{question.format('3,5')}").items
    assert fault.code == "exam-tree"
    assert "3,5 in line 1 is read as two leaves" in fault.message
    assert "3.5" in fault.hint
    assert read(f"{said}\n{HEAD}{question.format('3, 5')}").questions
    assert read(f"{HEAD}{question.format('3,5')}").questions


def test_twenty_faults_make_twenty_messages() -> None:
    """All faults of a blueprint are told at once, in reading order, each in its own line."""
    text = (
        'titel = "Quiz"\n'  # 1: and no title, which is told at the end
        "course = 7\n"
        'secret = "short"\n'
        "digits = 99\n"
        'decimal_comma = "yes"\n'
        'language = "English"\n'
        'paper = "a5"\n'
        "forms = 0\n"
        "[[question]]\n"
        'kind = "best-moves"\n'
        "points = -1\n"
        'policy = "generous"\n'
        "[[question]]\n"
        'kind = "pruned-paths"\n'
        'tree = "MAX (3 5"\n'
        "[[question]]\n"
        'kind = "pruned-paths"\n'
        'bank = "no-such-tree"\n'
        "[[question]]\n"
        'kind = "pruned-paths"\n'
        'tree_file = "no-such.tree"\n'
        "[[question]]\n"
        'kind = "pruned-paths"\n'
        'recipe = {shape = {plies = "three"}}\n'
        "[[question]]\n"
        "points = 3\n"
        "[[question]]\n"
        'kind = "chance-cuts"\n'
        f"{TREE}"
        "[[question]]\n"
        'kind = "root-value"\n'
        f"{TREE}"
        'bank = "aima-fig-5-2"\n'
        "[[question]]\n"
        f"{TREE}"
        "[[question.part]]\n"
        'kind = "root-value"\n'
        "pionts = 2\n"
        "[[question.part]]\n"
        'kind = "node-valeus"\n'
        "[words]\n"
        'qestion = "Frage"\n'
        'page = ""\n'
    )
    found = faults(text)
    lines = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15, 18, 21, 24, 25, 28, 33, 38, 40, 41, 44]
    assert [fault.line for fault in found] == lines
    assert len({(fault.code, fault.message) for fault in found}) == len(lines)
    hints = " ".join(fault.hint for fault in found)
    for meant in ("title", "best-move", "points", "node-values"):
        assert f"did you mean {meant}" in hints or f"did you mean '{meant}'" in hints


def test_assumptions_about_students_are_shares() -> None:
    """`[students]` replaces what is assumed of students, and slips and blanks leave room for each other."""
    assert read(SMALL).students == Population()
    said = read(f"{SMALL}[students]\nmistaken = 0.5\nslips = '1/8'\n").students
    assert said == Population(Fraction(1, 2), Fraction(1, 8), Population().blanks)
    assert read(f"{SMALL}[students]\nslips = 0.5\nblanks = 0.5\n").questions
    for wrong, line in (("slips = 0.6\nblanks = 0.5", 6), ("mistaken = 1.5", 7), ("slip = 0.1", 7)):
        (fault,) = faults(f"{SMALL}[students]\n{wrong}\n").items
        assert fault.line == line


def test_a_question_is_grown_or_given() -> None:
    """Without a source the kind's own recipe grows the trees; a tree, a file or the bank gives one."""
    grown = read(f'{HEAD}[[question]]\nkind = "best-move"\n').questions[0]
    assert grown.source == default_recipe("best-move")
    given_ = read(f'{HEAD}[[question]]\nkind = "best-move"\n{TREE}').questions[0]
    assert given_.source == read_tree("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    banked = read(f'{HEAD}[[question]]\nkind = "root-value"\nbank = "aima-fig-5-2"\n').questions[0]
    assert isinstance(banked.source, Tree)


def test_parts_share_trees_that_suit_all() -> None:
    """Of several parts the trees of that one are grown that suit all others; else it is said of which."""

    def asking(*kinds: str) -> str:
        parts = (f'[[question.part]]\nkind = "{kind}"\n' for kind in kinds)
        return "".join((HEAD, "[[question]]\n", *parts))

    (question,) = read(asking("expected-values", "best-move")).questions
    assert isinstance(question.source, Recipe)
    assert question.source.kind == "expected-values"
    (fault,) = faults(asking("expected-values", "pruned-paths"))
    assert "expected-values cannot be asked of the trees that grow for pruned-paths" in fault.message


def test_every_source_is_looked_at() -> None:
    """Two sources of trees are a fault, and hide none inside either; nor does a question without a kind."""
    both = f'{HEAD}[[question]]\nkind = "root-value"\ntree = "MAX (3"\nbank = "aima-fig-9"\n'
    assert sorted(fault.code for fault in faults(both)) == ["exam-bank", "exam-source", "exam-tree"]
    mixed = (
        f'{HEAD}[[question]]\nkind = "root-value"\nrecipe = {{shape = {{plies = 99}}}}\ntree_file = "no"\n'
    )
    assert sorted(fault.code for fault in faults(mixed)) == ["exam-file", "exam-recipe", "exam-source"]
    empty = f'{HEAD}digits = 99\n[[question]]\n[[question]]\ntree = "MAX (3"\n[[question]]\npoints = 0\n'
    assert sorted(fault.code for fault in faults(empty)) == sorted(
        ["exam-value", "exam-missing", "exam-missing", "exam-tree", "exam-missing", "exam-value"]
    )


def test_forms_are_named_where_variants_are_wrong() -> None:
    """Whoever asks for forms under the wrong name is told the right one."""
    (fault,) = faults(f'variants = "forms"\n{HEAD}[[question]]\nkind = "root-value"\n{TREE}')
    assert "forms = 3" in fault.message


def test_recipes_come_from_files_and_with_changes(tmp_path: Path) -> None:
    """A recipe file beside the blueprint is used, and changes go over the kind's own recipe."""
    recipe = with_changes(default_recipe("best-move"), {"shape.plies": 3, "shape.branching": 2})
    assert isinstance(recipe, Recipe)
    (tmp_path / "mine.toml").write_text(write_recipe(recipe), encoding="utf-8")
    question = f'{HEAD}[[question]]\nkind = "best-move"\n'
    assert read(f'{question}recipe = "mine.toml"\n', tmp_path).questions[0].source == recipe
    changed = read(f"{question}recipe = {{shape = {{plies = 3, branching = 2}}}}\n").questions[0].source
    assert changed == recipe


def test_a_wrong_recipe_is_told_where_it_is_changed() -> None:
    """What is wrong with a change to a recipe is told at the change."""
    found = faults(f'{HEAD}[[question]]\nkind = "best-move"\n[question.recipe]\nshape.plies = "three"\n')
    assert [(fault.code, fault.line) for fault in found] == [("exam-recipe", 6)]


def test_terms_go_from_the_exam_to_the_part() -> None:
    """What a part says goes over what its question says, and that over what the exam says."""
    plan = read(
        f"digits = 3\ndecimal_comma = true\n{HEAD}[[question]]\n{TREE}"
        'policy = "exact"\n[[question.part]]\nkind = "pruned-paths"\npoints = "5/2"\n'
        '[[question.part]]\nkind = "root-value"\ndigits = 1\nprompt = "Wert?"\n'
    )
    first, second = plan.questions[0].parts
    assert (first.terms.points, first.terms.policy.name, first.terms.digits) == (
        normalize_number(5) / 2,
        "exact",
        3,
    )
    assert (second.terms.digits, second.prompt) == (1, "Wert?")
    assert first.terms.language.comma
    assert second.terms.language.comma


def test_a_policy_stands_where_it_counts() -> None:
    """A policy over several parts is for those that have it; where none has, it is refused in place."""
    parts = '[[question.part]]\nkind = "root-value"\n[[question.part]]\nkind = "{}"\n'
    over = f'{HEAD}[[question]]\n{TREE}policy = "exact"\n'
    mixed, values = parts.format("pruned-paths"), parts.format("best-move")
    assert read(over + mixed).questions[0].parts[1].terms.policy.name == "exact"
    within = f"{HEAD}[[question]]\n{TREE}{mixed}".replace('-value"\n', '-value"\npolicy = "net"\n')
    recipe = f'{HEAD}[[question]]\nkind = "best-move"\nrecipe = {{question = {{policy = "each"}}}}\n'
    for text, code, line, kind in (
        (over + values, "exam-policy", 5, "best-move"),
        (within, "exam-policy", 7, "root-value"),
        (f'{HEAD}[[question]]\nkind = "node-values"\npolicy = "net"\n', "exam-policy", 5, "node-values"),
        (recipe, "exam-recipe", 5, "best-move"),
    ):
        (fault,) = faults(text)
        assert (fault.code, fault.line) == (code, line)
        assert kind in fault.message
        assert ("its policies are players" if kind == "node-values" else "pruned-paths") in fault.hint


def test_rules_go_over_those_of_the_tree() -> None:
    """Rules in a question go over the header lines of its tree and over its recipe."""
    given_ = f'{HEAD}[[question]]\nkind = "pruned-paths"\n{TREE}rules = {{ties = "keep"}}\n'
    assert dict(read(given_).questions[0].rules) == {"ties": "keep"}
    grown = read(f'{HEAD}[[question]]\nkind = "pruned-paths"\nrules = {{order = "right-to-left"}}\n')
    source = grown.questions[0].source
    assert isinstance(source, Recipe)
    assert source.rules.order == "right-to-left"


def test_only_an_example_has_a_secret_that_can_be_guessed() -> None:
    """The secret of the examples and short ones are refused, but not where every page says `example`."""
    text = f'title = "Quiz"\nsecret = "{{secret}}"\n[[question]]\nkind = "root-value"\n{TREE}'
    for secret in (EXAMPLE_SECRET, "eleven char"):
        (fault,) = faults(text.format(secret=secret))
        assert (fault.code, fault.line) == ("exam-secret", 2)
        plan = read(f"example = true\n{text.format(secret=secret)}")
        assert (plan.secret, plan.heading.title) == (secret, "Example, not an exam: Quiz")
    plan = read(text.format(secret="twelve chars"))
    assert (plan.secret, plan.heading.title) == (stretch_secret("twelve chars"), "Quiz")
    for path in EXAMPLES.glob("*.toml"):
        assert read(path.read_text(encoding="utf-8")).heading.title.startswith("Example, not an exam"), path


def test_the_secret_can_be_a_file(tmp_path: Path) -> None:
    """A secret file is read beside the blueprint, and its bytes are part of the digest."""
    text = 'title = "Quiz"\nsecret_file = "secret.txt"\n[[question]]\nkind = "root-value"\n' + TREE
    digests = set()
    for secret in ("nobody knows this", "nor does anybody know this"):
        (tmp_path / "secret.txt").write_text(f"{secret}\n", encoding="utf-8")
        plan = read(text, tmp_path)
        assert plan.secret == stretch_secret(secret)
        digests.add(plan.digest)
    assert len(digests) == 2
    assert faults(text).items[0].code == "exam-file"


def test_words_are_sentences_of_a_catalogue() -> None:
    """Who still writes `[words]` is told what to write instead."""
    (fault,) = faults(f'{HEAD}[[question]]\nkind = "root-value"\n{TREE}[words]\nquestion = "Frage"\n')
    assert fault.code == "exam-key"
    assert 'language = "house.po"' in fault.hint


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever the text, the answer is a blueprint or diagnostics."""
    assert isinstance(read_blueprint(text, EXAMPLES), Blueprint | Diagnostics)


@given(
    st.recursive(
        st.integers(-9, 9)
        | st.booleans()
        | st.sampled_from(['"a # [[b]]"', "'c'", '"""\n[d]\n"""', "2.5", "1979-05-27"]),
        lambda inner: (
            st.lists(inner, max_size=3).map(
                lambda items: "[" + ", ".join(_toml(item) for item in items) + "]"
            )
            | st.lists(inner, max_size=3).map(
                lambda items: "{" + ", ".join(f"k{n} = {_toml(item)}" for n, item in enumerate(items)) + "}"
            )
        ),
        max_leaves=12,
    )
)
def test_every_value_has_its_place(value: object) -> None:
    """Each key, table and list element that TOML finds has a place, which is where its text starts."""
    text = f"# [x]\nfirst = {_toml(value)}\n[[t]]\na.b = 1\n[[t]] # two\n'q' = {_toml(value)}\n"
    said = read_toml(text)
    assert isinstance(said, dict)
    found = value_offsets(text)
    paths = set(_paths(said))
    assert paths == set(found)
    assert text[found["first",] :].startswith("first")
    assert text[found["t", 1, "q"] :].startswith("'q'")


def _toml(value: object) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return []
    return [found for key, below in inner for found in ((*path, key), *_paths(below, (*path, key)))]


def test_a_family_of_kinds_is_told_apart() -> None:
    """The name that several questions share is refused with those questions, not with all that there are."""
    (fault,) = faults(f'{HEAD}[[question]]\nkind = "uct"\n')
    assert fault.hint == "take uct.scores, uct.selected, uct.visits, uct.wins, uct.mean, uct.phase"
    (fault,) = faults(f'{HEAD}[[question]]\nkind = "zzzzzz"\n')
    assert fault.hint == "`gametree kinds` lists them"


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("mine.tree", 'write tree_file = "mine.tree"'),
        ("trees/mine.tree", 'write tree_file = "trees/mine.tree"'),
        ("bank:aima-fig-5-2", 'write bank = "aima-fig-5-2"'),
    ],
)
def test_the_name_of_a_tree_is_told_from_a_tree(said: str, hint: str) -> None:
    """Who names a tree where the tree itself is to stand is told the field for that."""
    (fault,) = faults(f'{HEAD}[[question]]\nkind = "best-move"\ntree = "{said}"\n')
    assert (fault.code, fault.hint) == ("exam-tree", hint)


def test_rules_of_the_exam_hold_for_every_question_that_has_no_other() -> None:
    """`[rules]` decides for trees and recipes alike, a question overrides it, and a paper states it once."""
    asked = f'[[question]]\n{TREE}kind = "pruned-paths"\n[[question]]\nkind = "visited-count"\n'
    plan = read(f'{HEAD}[rules]\nties = "keep"\n{asked}')
    assert [each.conventions.ties for each in plan.questions] == ["keep", "keep"]
    questions = tuple(next(compose(each, n, plan.secret, 1)) for n, each in enumerate(plan.questions))
    sheet = lay_out(PublicPaper(plan.heading, "A", tuple(each.public for each in questions)))
    sentence = pruning_sentence(Case(EMPTY, plan.questions[0].conventions), ENGLISH)
    assert sheet.conventions.count(sentence) == 1
    assert not any(sentence in question.conventions for question in sheet.questions)
    other = read(f'{HEAD}[rules]\nties = "keep"\n{asked}rules = {{ties = "cut"}}\n')
    assert [each.conventions.ties for each in other.questions] == ["keep", "cut"]


def test_rules_of_the_exam_that_no_question_can_have_are_a_fault() -> None:
    """The fault is where the rules are written, once for all questions."""
    text = f'{HEAD}[rules]\nties = "keep"\nreturns = "hard"\n[[question]]\n{TREE}kind = "pruned-paths"\n'
    (fault,) = faults(f'{text}[[question]]\n{TREE}kind = "visited-count"\n').items
    assert fault.code == "exam-rules"
    assert text.splitlines()[fault.line - 1] == "[rules]"
