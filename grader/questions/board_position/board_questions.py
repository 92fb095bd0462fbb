"""How questions about one position of a game are put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from grader.answers.form import Form
from grader.answers.number import NUMBER
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.board_position.boards import (
    UTILITY,
    Board,
    board_given,
    board_objection,
    board_of,
    game_by_name,
    is_over,
    move_label,
    position_sentences,
    random_position,
    single_position_tree,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, KeyPictureBuilder
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.shared_given import share_given
from grader.questions.wording import Prompt
from grader.trees.tree import Tree

CAPTION_POSITION = Phrase("The position.")
POSITION_VALUE_CAPTION = Phrase("The position, with its value below.")

A = TypeVar("A")

DrawQuestion = Callable[[Draw], tuple[Tree, Given] | None]


def position_question(
    ask: str,
    question: str,
    form: Form[A],
    text: tuple[Callable[[Board, Given, Language], tuple[str, ...]], Phrase],
    answers: tuple[Callable[[Board, Given], A], Callable[[Board, Given], A]],
    beliefs: Mapping[str, Callable[[Board, Given], A | None]],
    steps: Callable[[SolvedExercise, Board], tuple[str, ...]],
    draw: DrawQuestion,
    suits: Callable[[Board, Given], str | None] = lambda _board, _given: None,
    gives: Sequence[str] = ("game", "position"),
    pictured: KeyPictureBuilder | None = None,
    **settled: Callable[[Draw, Given], object],
) -> Kind[A]:
    """Return a question about one position, which the picture shows.

    - `text`: the conventions that it adds to the rules and the position, and the question.
    - `answers`: two independent ways to the answer.
    - `settled`: draws each field that a position given by another part of the question lacks.
    """
    conventions, question_phrase = text

    def suited(case: Case) -> str | None:
        return board_objection(case.given) or suits(board_of(case.given), case.given)

    def prompt(case: Case, language: Language) -> Prompt:
        given = case.given
        board = board_of(given)
        player = board.game.mover(board.position)
        move = move_label(given.get("move", ""), language)
        return Prompt(
            (*position_sentences(board, language), *conventions(board, given, language)),
            language.say(question_phrase, player=player, move=move, said=given.get("said")),
        )

    def keyed(answer: Callable[[Board, Given], Any]) -> Callable[[Case], Any]:
        return lambda case: answer(board_of(case.given), case.given)

    def worked(solved: SolvedExercise) -> tuple[str, ...]:
        return steps(solved, board_of(solved.given))

    return Kind(
        ask=ask,
        question=question,
        form=form,
        objection=suited,
        prompt=prompt,
        key=keyed(answers[0]),
        independent_key=keyed(answers[1]),
        beliefs={name: keyed(belief) for name, belief in beliefs.items()},
        worked_solution=WorkedSolution(worked, worked),
        key_picture=pictured or _the_position,
        draw=partial(draw_until_fit, draw),
        draw_shared_given=share_given(board_objection, gives, **settled),
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
    """Return a function that shows the positions with the value of each leaf."""

    def pictured(solved: SolvedExercise) -> KeyPicture | None:
        leaf_values = values(board_of(solved.given))
        if len(leaf_values) != len(solved.tree.leaves):
            return None  # the tree of another part of the same question
        return KeyPicture(solved.tree.with_payoffs(tuple(leaf_values)), solved.language.say(caption))

    return pictured


MAX_DRAWS = 50
"""How many positions are drawn until one suits the question."""


def draw_until_fit(draw: DrawQuestion, stream: Draw, case: Case) -> Case | None:
    """Draw until something suits the question; None if that takes too long."""
    for _ in range(MAX_DRAWS):
        if (found := draw(stream)) is not None:
            return Case(found[0], case.rules, found[1])
    return None


def no_sentences(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    """Return no conventions: the rules and the position say it all."""
    return ()


def utility_sentences(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    """Say what the utilities of a finished game are."""
    return (language.say(UTILITY),)


def over_objection(board: Board, given: Given) -> str | None:
    """Return why no move follows the position, or None."""
    return "the game is over" if is_over(board) else None


def answer_sentence(
    text: Phrase, solved: SolvedExercise, board: Board, **names: Callable[[SolvedExercise, Board], object]
) -> tuple[str, ...]:
    """Return one sentence about the answer, which is the placeholder `{answer}`."""
    fields = {name: find(solved, board) for name, find in names.items()}
    return (solved.language.say(text, answer=_answer_text(solved), **fields),)


def _answer_text(solved: SolvedExercise) -> str:
    """Return the answer as a sentence has it."""
    if isinstance(solved.key, bool):
        return solved.language.term("true") if solved.key else solved.language.term("false")
    return solved.value_text(solved.key.value)


def draw_position(
    stream: Draw,
    plies: tuple[int, int],
    wanted: Callable[[Board], bool],
    game: str = "tictactoe",
    evaluation: str | None = None,
) -> tuple[Tree, Given] | None:
    """Draw a position after some random moves, in a tree of its own; None if it is not wanted."""
    board = draw_board(stream, plies, game, evaluation)
    return (single_position_tree(board), board_given(board)) if wanted(board) else None


def draw_game_name(stream: Draw, *games: str) -> str:
    """Return the name of the game that is fixed, else one of these; a name given twice is twice as likely."""
    settled: str | None = stream.fixed.get("game")
    return settled if settled in games else stream.choose(games)


def draw_board(
    stream: Draw, plies: tuple[int, int], game: str = "tictactoe", evaluation: str | None = None
) -> Board:
    """Draw a position after some random moves."""
    played_game = game_by_name(game)
    position = random_position(stream, played_game, stream.between(*plies))
    return Board(played_game, position, played_game.evaluation(evaluation) if evaluation else None)


def draw_heaps(stream: Draw, largest: int) -> Board:
    """Draw two or three heaps of nim with at most this many stones, either player to move."""
    stones = " ".join(str(stream.between(1, largest)) for _ in range(stream.between(2, 3)))
    nim = game_by_name("nim")
    return Board(nim, nim.read(stones + stream.choose(("", " MIN"))), None)


NUMBER_ALONE = replace(
    NUMBER, example="-1", marking_rule=Phrase("The number must be exact."), from_drawing=None
)
OUTCOME = replace(NUMBER_ALONE, numbers_choices=True, answer_count=lambda _key, _tree: 3)
"""A number that is one of three: won, drawn or lost."""
