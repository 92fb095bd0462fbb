"""The pictures of keys: what was asked for stands in them."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from grader.base.catalogues import shipped_languages
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise
from grader.generation.grower import exercise_on_tree, grow
from grader.generation.recipe_file import default_recipe
from grader.publishing.keys import key_data
from grader.questions import kind_by_code
from grader.questions.beliefs import BELIEFS
from grader.questions.titles import TITLES
from grader.trees.rules import Rules
from tests.publishing.papers import NAMES, paper_of, paper_of_forms
from tests.strategies import random_tree


def pictures(name: str) -> list[dict[str, Any]]:
    """The pictures on the key of the paper with one question of a kind."""
    return [drawn for question in key_data(paper_of(name))["questions"] for drawn in question["pictures"]]


def written_in(drawn: dict[str, Any]) -> str:
    """Everything that is written in a picture, each on its line."""
    said = (words for look in drawn["words"] for _, _, words in look["words"])
    return re.sub("[\u2003-\u200a]+", "\n", "\n".join(said)).replace("−", "-")


@pytest.mark.parametrize(
    ("name", "sign"), [("uct.scores", "score {}"), ("uct.visits", "n = {}"), ("uct.wins", "w = {}")]
)
def test_what_uct_asks_for_stands_at_the_nodes(name: str, sign: str) -> None:
    """Scores, and the new counts, are written in the picture of the key as they are in the answer."""
    (part,) = paper_of(name).questions[0].parts
    (drawn,) = pictures(name)
    numbers = [float(entry.rpartition("=")[2]) for entry in part.key.split()]
    found = {float(said) for said in re.findall(sign.format(r"(-?[\d.]+)"), written_in(drawn))}
    assert set(numbers) <= found
    assert drawn["caption"]


@pytest.mark.parametrize(("name", "numbers"), [("uct.scores", 1), ("uct.selected", 2)])
def test_playouts_back_nothing_up(name: str, numbers: int) -> None:
    """Beside scores numbers stand at leaves alone: their share of wins, and the paths that are asked for."""
    (part,) = paper_of(name).questions[0].parts
    (drawn,) = pictures(name)
    alone = [line for line in written_in(drawn).split("\n") if re.fullmatch(r"-?[\d.]+", line)]
    assert len(alone) == numbers * len(part.public.tree.leaves)


@pytest.mark.parametrize("name", ["board-position.values", "board-position.pruned", "board-position.move"])
def test_positions_stand_with_what_they_are_worth(name: str) -> None:
    """No leaf of a tree of positions has a question mark on the key, and inner nodes have their values."""
    (part,) = paper_of(name).questions[0].parts
    (drawn,) = pictures(name)
    lines = written_in(drawn).split("\n")
    assert "?" not in lines
    tree = part.public.tree
    numbers = [line for line in lines if re.fullmatch(r"[≤≥ ]*-?\d+", line)]
    assert len(numbers) >= len(tree.leaves)
    if name == "board-position.values":
        assert {entry.rpartition("=")[2] for entry in part.key.split()} <= set(numbers)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_of_a_key_has_a_caption(name: str) -> None:
    """Whatever is drawn on a key, a sentence says what it shows."""
    assert all(drawn["caption"].endswith(".") for drawn in pictures(name))


@pytest.mark.parametrize("code", shipped_languages())
def test_moves_on_a_board_are_named_as_on_the_paper(code: str) -> None:
    """The key and every wrong answer say the labels of the picture with their numbers, and read back."""
    recipe = default_recipe("board-position.move")
    recipe = replace(recipe, question=replace(recipe.question, language_code=code))
    for seed in range(4):
        part = grow(recipe, seed)
        tree, terms, read = part.public.tree, part.public.terms, part.kind.form.read
        (asked,) = key_data(Paper(Heading(""), "A", (Question("1", "", (part,)),)))["questions"][0]["parts"]
        for text, said in ((part.key, asked["answer"]), *zip(_credited(part), asked["wrong"], strict=True)):
            printed = said if isinstance(said, str) else said["reply"]
            for number in text.split():
                label = tree.moves[tree.children[0][int(number) - 1]]
                assert label
                assert terms.language.with_note(label, number) in printed
            assert read(printed, tree, terms) == part.answer(text)


def _credited(part: Exercise) -> list[str]:
    """The moves to which beliefs lead and which are not right, each once."""
    return sorted({move for reply in part.beliefs.values() for move in reply.split()} - {*part.key.split()})


@pytest.mark.parametrize("code", ["en", "de", "zh"])
def test_keys_say_kinds_and_mistakes_in_words(code: str) -> None:
    """A heading has the title of the kind; the English names of mistakes are in English keys only."""
    paper = paper_of_forms(code)
    language = paper.public.language
    for question, shown in zip(paper.questions, key_data(paper)["questions"], strict=True):
        for part, printed in zip(question.parts, shown["parts"], strict=True):
            assert printed["kind"] == language.term(TITLES[part.public.kind])
            reasons = [reason for row in printed["wrong"] for reason in row["reasons"]]
            assert all(reason["seems"] for reason in reasons)
            assert {reason["name"].removesuffix(":") for reason in reasons} <= (
                {*BELIEFS} if code == "en" else {""}
            )


@pytest.mark.parametrize("name", ["best-move", "best-path"])
def test_no_right_answer_stands_among_the_wrong_ones(name: str) -> None:
    """Where one answer is asked for of several, a mistake that leads to right ones too shows in others."""
    shared, random = 0, Random(3)
    for _ in range(60):
        tree = random_tree(random, plies=3, leaves=8, payoffs=(-2, -1, 0, 1, 2))
        if len(tree.children[0]) < 2:
            continue
        part = exercise_on_tree(tree, kind_by_code(name), Rules())
        tree, terms, key = part.public.tree, part.public.terms, part.answer(part.key)
        (asked,) = key_data(Paper(Heading(""), "A", (Question("1", "", (part,)),)))["questions"][0]["parts"]
        for row in asked["wrong"]:
            assert key.isdisjoint(part.kind.form.read(row["reply"], tree, terms))
        shared += any(not key.isdisjoint(part.answer(reply)) for reply in part.beliefs.values())
    assert shared
