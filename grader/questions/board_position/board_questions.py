"""How questions about one position of a game are put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from typing import Any, TypeAlias, TypeVar

from grader.answers.form import Form
from grader.answers.number import NUMBER
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.board_position.boards import (
    Board,
    board_given,
    board_objection,
    board_of,
    game_by_name,
    is_over,
    move_label,
    position_sentences,
    single_position_tree,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, KeyPictureBuilder
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.shared_given import share_given
from grader.questions.wording import PromptPart, asks
from grader.trees.games import AnyGame
from grader.trees.tree import Tree

CAPTION_POSITION = Phrase("The position.")
POSITION_VALUE_CAPTION = Phrase("The position, with its value below.")

A = TypeVar("A")

DrawQuestion = Callable[[Draw], tuple[Tree, Given] | None]


def position_question(
    ask: str,
    question: str,
    form: Form[A],
    text: tuple[Phrase, *tuple[PromptPart, ...]],
    answers: tuple[Callable[[Board, Given], A], Callable[[Board, Given], A]],
    beliefs: Mapping[str, Callable[[Board, Given], A | None]],
    steps: Callable[[SolvedExercise, Board], tuple[str, ...]],
    draw: DrawQuestion,
    suits: Callable[[Board, Given], str | None] = lambda _board, _given: None,
    gives: Sequence[str] = ("game", "position"),
    pictured: KeyPictureBuilder | None = None,
    **setters: Callable[[Draw, Given], object],
) -> Kind[A]:
    """Return a question about one position, which the picture shows.

    - `text`: the question, and the conventions that it adds to the rules and the position.
    - `answers`: two independent ways to the answer.
    - `setters`: draw the fields that a position given by another part of the question lacks.
    """
    question_phrase, *conventions = text

    def objection(case: Case) -> str | None:
        return board_objection(case.given) or suits(board_of(case.given), case.given)

    def ask_about_board(case: Case, language: Language) -> str:
        board, given = board_of(case.given), case.given
        player, move = board.game.mover(board.position), move_label(given.get("move", ""), language)
        return language.say(question_phrase, player=player, move=move, said=given.get("said"))

    def to_answer(answer: Callable[[Board, Given], Any]) -> Callable[[Case], Any]:
        return lambda case: answer(board_of(case.given), case.given)

    def board_steps(solved: SolvedExercise) -> tuple[str, ...]:
        return steps(solved, board_of(solved.given))

    def draw_case(stream: Draw, case: Case) -> Case | None:
        found = draw(stream)
        return None if found is None else Case(found[0], case.rules, found[1])

    return Kind(
        ask=ask,
        question=question,
        form=form,
        objection=objection,
        prompt=asks(ask_about_board, position_sentences, *conventions),
        key=to_answer(answers[0]),
        independent_key=to_answer(answers[1]),
        beliefs={name: to_answer(belief) for name, belief in beliefs.items()},
        worked_solution=WorkedSolution(board_steps),
        key_picture=pictured or _the_position,
        draw=draw_case,
        draw_shared_given=share_given(board_objection, gives, **setters),
        needs_tree=False,
        given_names=gives,
    )


def draw_evaluation_name(draw: Draw, given: Given) -> str:
    """Draw the name of an evaluation for the game; empty if it has none."""
    names = [each.name for each in board_of(given).game.evaluations]
    return draw.choose(names) if names else ""


def _the_position(solved: SolvedExercise) -> KeyPicture | None:
    """Show the position alone; None in the tree of another part of the same question."""
    if solved.tree.children[0]:
        return None
    return KeyPicture(solved.tree, solved.language.say(CAPTION_POSITION), shows_backed_up_values=False)


def position_picture(values: Callable[[Board], Sequence[Number]], caption: Phrase) -> KeyPictureBuilder:
    """Return a function that shows the positions with the value of each leaf.

    It returns None on the tree of another part, which has other leaves.
    """

    def pictured(solved: SolvedExercise) -> KeyPicture | None:
        leaf_values = values(board_of(solved.given))
        if len(leaf_values) != len(solved.tree.leaves):
            return None  # the tree of another part of the same question
        return KeyPicture(solved.tree.with_payoffs(tuple(leaf_values)), solved.language.say(caption))

    return pictured


def over_objection(board: Board, given: Given) -> str | None:
    """Return why no move follows the position, or None."""
    return "the game is over" if is_over(board) else None


def answer_sentence(text: Phrase, solved: SolvedExercise, **fields: object) -> tuple[str, ...]:
    """Return one sentence about the answer, which is the placeholder `{answer}`."""
    return (solved.language.say(text, answer=_answer_text(solved), **fields),)


def _answer_text(solved: SolvedExercise) -> str:
    """Return the answer as a sentence has it."""
    if isinstance(solved.key, bool):
        return solved.language.quoted_reply("true" if solved.key else "false")
    return solved.value_text(solved.key.value)


MAX_DRAWS = 2000
"""How many positions are drawn until one suits the question, each tried once."""

Classify: TypeAlias = Callable[[Board], object]
"""A function that finds out what decides whether a position suits a question, such as its value."""


def draw_board(
    stream: Draw,
    sizes: Mapping[str, Sequence[int]],
    classify: Classify,
    wanted: object = True,
    *,
    is_evaluated: bool = False,
) -> Board | None:
    """Draw a position of the wanted class, each equally likely; None if hardly any is.

    - `sizes`: the games, each with the numbers of marks on the board; in nim, of the most stones in a heap.
      The game is the one that is fixed, or any of these.
    - `is_evaluated`: whether an evaluation of the game is drawn as well.
    """
    fixed, names = stream.fixed.get("game"), tuple(sizes)
    game = game_by_name(fixed if fixed in names else stream.choose(names))
    evaluation = stream.choose(game.evaluations) if is_evaluated else None
    positions = _positions(game, tuple(sizes[game.name]))
    for _ in range(MAX_DRAWS):
        board = Board(game, stream.choose(positions), evaluation)
        if _class_of(classify, board) == wanted:
            return board
    return None


@lru_cache(maxsize=1 << 15)
def _class_of(classify: Classify, board: Board) -> object:
    return classify(board)


@cache
def _positions(game: AnyGame, sizes: Sequence[int]) -> Sequence[Any]:
    """Return all positions of these sizes; of nim those with three heaps."""
    if game.name != "nim":
        return [position for plies in sizes for position in _positions_after(game, plies)]
    heaps = [" ".join(map(str, stones)) for stones in product(range(1, max(sizes) + 1), repeat=3)]
    return [game.read(text + player) for text in heaps for player in ("", " MIN")]


@cache
def _positions_after(game: AnyGame, plies: int) -> Sequence[Any]:
    """Return all positions after this many moves: 26,698 after twelve of connect four on the usual board."""
    if not plies:
        return [next(iter(game.starts.values()))]
    return sorted({after for before in _positions_after(game, plies - 1) for _, after in game.moves(before)})


def board_alone(board: Board | None) -> tuple[Tree, Given] | None:
    """Return a position in a tree of its own with what a question about it gives; None without one."""
    return None if board is None else (single_position_tree(board), board_given(board))


NUMBER_ALONE = replace(
    NUMBER, example="-1", marking_rule=Phrase("The number must be exact."), from_drawing=None
)
OUTCOME = replace(NUMBER_ALONE, numbers_choices=True, answer_count=lambda _key, _tree: 3)
"""A number that is one of three: won, drawn or lost."""
