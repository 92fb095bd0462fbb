"""Keys in the words of a language: whoever writes the right answer in them has it."""

import re
import tomllib
from dataclasses import replace

import pytest

from grader.answers.form import Malformed, Terms
from grader.answers.move import MOVE
from grader.base.catalogues import shipped_languages
from grader.base.phrases import Language
from grader.exercises.marking import mark
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds
from grader.questions.board_position.boards import Board, move_label, one_ply_tree, with_move_labels
from grader.questions.kind import AnyKind
from grader.trees.games.tictactoe import GAME
from grader.trees.notation.reading import tree_of
from tests.languages import SHIPPED
from tests.publishing.papers import TREES
from tests.questions.asking import asked, asked_of
from tests.questions.test_conformance import each_kind

CODES = shipped_languages()[1:]
_WORD = re.compile(r"\b(true|false|always|never|root)\b|∞")


def in_words(key: str, language: Language) -> str:
    """A key with the first of the words that the language has for what is English in it."""
    said = tomllib.loads((SHIPPED / f"{language.code}.toml").read_text(encoding="utf-8"))
    words = {name: said["words"][name].split()[0] for name in ("always", "never")}
    words |= {name: said["verdicts"][name].split()[0] for name in ("true", "false")}
    words |= {"∞": said["words"]["inf"].split()[0], "root": language.term("root")}
    return _WORD.sub(lambda found: words[found[0]], key)


@pytest.mark.parametrize(
    "code", [CODES[0], CODES[-1], *(pytest.param(code, marks=pytest.mark.slow) for code in CODES[1:-1])]
)
def test_a_key_in_the_words_of_a_language_reads_back(code: str) -> None:
    """For every kind the key, as printed and in the words of the language, earns the full mark."""
    language = Language.of(code)
    terms = Terms(language_code=code, decimal_comma=language.comma)
    tried = 0
    for kind in all_kinds():
        tree = next(
            (tree for tree in map(tree_of, TREES) if asked(kind, tree, tree.rules()) is not None), None
        )
        if tree is not None:
            exercise = asked_of(kind, tree, tree.rules(), terms)
            for typed in (exercise.printed_key, in_words(exercise.printed_key, language)):
                marked = mark(exercise, typed)
                assert marked.points == marked.maximum, f"{kind.code}: {typed}: {marked.message}"
            tried += 1
    assert tried == len(all_kinds())


@pytest.mark.parametrize("code", CODES)
def test_every_square_is_read_by_its_name(code: str) -> None:
    """The nine squares of an empty board have names of their own, which read back, whatever their case."""
    terms = Terms(language_code=code)
    board = Board(GAME, GAME.read(".../.../..."), None)
    tree = with_move_labels(one_ply_tree(board), terms.language)
    names = [tree.moves[child] or "" for child in tree.children[0]]
    for move, name in enumerate(names):
        for typed in (name, name.upper(), name.lower(), f"{name} ({move + 1})"):
            assert MOVE.read(typed, tree, terms) == {move}
    assert len(set(names)) == 9


def test_names_of_squares_are_good_style() -> None:
    """German nouns are capital, and places have the words before them that French has."""
    german, french = Language.of("de"), Language.of("fr")
    assert [move_label(square, german) for square in ("top_middle", "middle_left", "centre")] == [
        "oben Mitte",
        "Mitte links",
        "Zentrum",
    ]
    assert move_label("bottom_left", french) == "en bas à gauche"


@pytest.mark.parametrize(
    ("code", "typed"), [("en", "in the middle"), ("de", "in die Mitte"), ("fr", "milieu")]
)
def test_the_middle_of_a_board_is_no_middle_of_a_list(code: str, typed: str) -> None:
    """Where five squares are free, the middle is a square, free or not, and never the third of them."""
    terms = Terms(language_code=code)
    board = Board(GAME, GAME.read("X.O/.../OX."), None)
    tree = with_move_labels(one_ply_tree(board), terms.language)
    assert len(tree.children[0]) == 5
    assert isinstance(MOVE.read(typed, tree, terms), Malformed)


@pytest.mark.sampled(12)
@each_kind
def test_sentences_of_a_reason_stand_as_the_language_has_them(kind: AnyKind) -> None:
    """Behind a Chinese full stop there is no blank in any reason, nor in how any answer is worked out."""
    recipe = default_recipe(kind.code)
    exercise = grow(replace(recipe, question=replace(recipe.question, language_code="zh")), 1)
    public, solved, key = exercise.public, exercise.solved(), exercise.answer(exercise.key)
    told = [*kind.worked_solution.steps(solved), *kind.worked_solution.deciding_steps(solved)]
    for reply in exercise.beliefs.values():
        answer = exercise.answer(reply)
        _, best = kind.credit(public.case, answer, key, public.terms)
        reasons = (kind.reason(solved, item) for item in best.items)
        told += [solved.state_reason(reason) for reason in reasons if reason is not None]
    assert told
    assert all("。 " not in text for text in told), kind.code
