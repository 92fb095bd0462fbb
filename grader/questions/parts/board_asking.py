"""How questions about one position of a game are put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from grader.answers.form import Form
from grader.answers.number import NUMBER
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.parts.boards import (
    UTILITY,
    Board,
    alone,
    game_named,
    move_named,
    no_board,
    over,
    played,
    stated,
    the_board,
    the_position,
)
from grader.questions.parts.joining import joining
from grader.questions.pictured import Pictured, Pictures
from grader.questions.randomness import Draw
from grader.questions.why import Solved, Worked
from grader.questions.wording import Prompt
from grader.trees.rules import Rules
from grader.trees.tree import Tree

A = TypeVar("A")

Draws = Callable[[Draw], tuple[Tree, Given] | None]


def asking(
    ask: str,
    question: str,
    form: Form[A],
    told: tuple[Callable[[Board, Given, Language], tuple[str, ...]], Phrase],
    answers: tuple[Callable[[Board, Given], A], Callable[[Board, Given], A]],
    beliefs: Mapping[str, Callable[[Board, Given], A | None]],
    steps: Callable[[Solved, Board], tuple[str, ...]],
    draw: Draws,
    suits: Callable[[Board, Given], str | None] = lambda _board, _given: None,
    gives: Sequence[str] = ("game", "position"),
    pictured: Pictures | None = None,
    **settled: Callable[[Draw, Given], object],
) -> Kind[A]:
    """A question about one position, which the picture shows; both ways to its answer start from it.

    What is `settled` of a position that another part of the question has given, is drawn.
    """
    says, asks = told

    def suited(tree: Tree, rules: Rules, given: Given) -> str | None:
        return no_board(given) or suits(the_board(given), given)

    def prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
        board = the_board(given)
        player = board.game.mover(board.position)
        move, claimed = move_named(given.get("move", ""), language), given.get("said")
        said = language.say(asks, player=player, move=move, said=claimed)
        return Prompt((*the_position(board, language), *says(board, given, language)), said)

    def keyed(answer: Callable[[Board, Given], Any]) -> Callable[[Tree, Rules, Given], Any]:
        return lambda _tree, _rules, given: answer(the_board(given), given)

    def worked(solved: Solved) -> tuple[str, ...]:
        return steps(solved, the_board(solved.given))

    return Kind(
        ask=ask,
        question=question,
        form=form,
        suits=suited,
        prompt=prompt,
        key=keyed(answers[0]),
        second_way=keyed(answers[1]),
        beliefs={name: keyed(belief) for name, belief in beliefs.items()},
        worked=Worked(worked, worked),
        pictured=pictured or _the_position,
        draw=lambda stream, _tree, _rules: tried(draw, stream),
        joins=joining(no_board, gives, **settled),
        needs_tree=False,
        gives=gives,
    )


def an_evaluation(draw: Draw, given: Given) -> str:
    """The name of an evaluation for the game; empty where it has none."""
    names = [each.name for each in the_board(given).game.evaluations]
    return draw.choose(names) if names else ""


def _the_position(solved: Solved) -> Pictured | None:
    """The position alone; None in the tree of another part of the same question."""
    alone = not solved.tree.children[0]
    return Pictured(solved.tree, solved.language.say("The position."), backed_up=False) if alone else None


def picturing(worths: Callable[[Board], Sequence[Number]], caption: Phrase) -> Pictures:
    """The positions with what each leaf is worth, as the answer has it."""

    def pictured(solved: Solved) -> Pictured | None:
        row = worths(the_board(solved.given))
        if len(row) != len(solved.tree.leaves):
            return None  # the tree of another part of the same question
        return Pictured(solved.tree.with_payoffs(tuple(row)), solved.language.say(caption))

    return pictured


WITH_ITS_WORTH = Phrase("The position, and below it what it is worth.")

TURNS = 50
"""So many positions are drawn until one is fit to be asked about."""


def tried(draw: Draws, stream: Draw) -> tuple[Tree, Given] | None:
    """What is drawn as soon as it can be asked about; None where that takes too long."""
    return next((found for _ in range(TURNS) if (found := draw(stream)) is not None), None)


def nothing(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    """What needs no more to be said than the rules and the position."""
    return ()


def utility_told(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    """What a game that is over is worth."""
    return (language.say(UTILITY),)


def is_on(board: Board, given: Given) -> str | None:
    """Why nothing follows the position, or None."""
    return "the game is over" if over(board) else None


def saying(
    text: Phrase, solved: Solved, board: Board, **names: Callable[[Solved, Board], object]
) -> tuple[str, ...]:
    """One sentence about the answer, which is the placeholder `{answer}`."""
    told = {name: find(solved, board) for name, find in names.items()}
    return (solved.language.say(text, answer=_shown_key(solved), **told),)


def _shown_key(solved: Solved) -> str:
    """The answer as the sentence has it."""
    if isinstance(solved.key, bool):
        return solved.language.term("true") if solved.key else solved.language.term("false")
    return solved.written(solved.key.value)


def one(
    stream: Draw,
    plies: tuple[int, int],
    wanted: Callable[[Board], bool],
    game: str = "tictactoe",
    evaluation: str | None = None,
) -> tuple[Tree, Given] | None:
    """A position after some random moves, in a tree of its own; None where it is not what is wanted."""
    board = drawn(stream, plies, game, evaluation)
    return (alone(board), stated(board)) if wanted(board) else None


def game_drawn(stream: Draw, *games: str) -> str:
    """The name of the game that is settled, else one of these: what stands here twice, twice as often."""
    settled: str | None = stream.settled.get("game")
    return settled if settled in games else stream.choose(games)


def drawn(
    stream: Draw, plies: tuple[int, int], game: str = "tictactoe", evaluation: str | None = None
) -> Board:
    """A position after some random moves."""
    played_game = game_named(game)
    position = played(stream, played_game, stream.between(*plies))
    return Board(played_game, position, played_game.evaluation(evaluation) if evaluation else None)


def heaps(stream: Draw, largest: int) -> Board:
    """Two or three heaps of nim of at most so many stones, either side to move."""
    stones = " ".join(str(stream.between(1, largest)) for _ in range(stream.between(2, 3)))
    nim = game_named("nim")
    return Board(nim, nim.read(stones + stream.choose(("", " MIN"))), None)


NUMBER_ALONE = replace(NUMBER, example="-1", guide=Phrase("The exact number counts."), drawn=None)
OUTCOME = replace(NUMBER_ALONE, possible=lambda _key, _tree: 3)
"""Won, drawn or lost."""
