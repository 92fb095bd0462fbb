"""What the questions about positions of games share: the position, its tree with boards, and conventions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.annotations import NO_HEADER, Attributes
from grader.trees.games import GAMES, AnyGame
from grader.trees.games.game_definition import Evaluation, PositionError
from grader.trees.games.game_tree import unfold
from grader.trees.tree import Tree
from grader.trees.tree_builder import HIDDEN_PAYOFF, LETTERS, TreeBuilder

# What students read ------------------------------------------------------------------------------

GAME_RULES: Mapping[str, Phrase] = {
    "tictactoe": Phrase(
        "In tic-tac-toe, MAX (X) and MIN (O) take turns placing marks on empty squares; MAX moves first. "
        "A player who gets three marks in a line wins, and the game ends."
    ),
    "connect-four": Phrase(
        "In Connect Four, MAX (X) and MIN (O) take turns dropping discs; MAX moves first. "
        "A disc falls to the lowest empty square of its column. "
        "A player who gets four discs in a line (horizontal, vertical or diagonal) wins, and the game ends."
    ),
    "nim": Phrase(
        "In Nim, the players take turns. "
        "On each turn, a player takes one or more stones from a single heap. "
        "The player who takes the last stone wins."
    ),
}
BOARD_POSITION = Phrase("The position is {position}, row by row from the top.")
HEAPS_POSITION = Phrase("The heaps are {position}, and {player} is to move.")
UTILITY = Phrase("A win for MAX is worth 1, a win for MIN is worth −1, and a draw is worth 0.")
EVALUATION_DEFINITIONS: Mapping[str, Phrase] = {
    "open-lines": Phrase(
        "The evaluation of a nonterminal position is the number of lines open for X minus the number open "
        "for O. A line is open for a player if it contains no mark of the other player."
    ),
    "lines-by-count": Phrase(
        "The evaluation of a nonterminal position is 3·X2 + X1 − (3·O2 + O1). "
        "Xn is the number of lines with exactly n Xs and no Os; "
        "On is the number of lines with exactly n Os and no Xs."
    ),
}
TERMINAL_EVALUATION = Phrase(
    "A position that MAX has won is worth {won}, a position that MIN has won is worth −{won}, and a draw is "
    "worth 0."
)
SQUARE_LABELS: Mapping[str, Phrase] = {
    "top_left": Phrase("top left"),
    "top_middle": Phrase("top middle"),
    "top_right": Phrase("top right"),
    "middle_left": Phrase("middle left"),
    "centre": Phrase("center"),
    "middle_right": Phrase("middle right"),
    "bottom_left": Phrase("bottom left"),
    "bottom_middle": Phrase("bottom middle"),
    "bottom_right": Phrase("bottom right"),
}

# Positions and their trees -----------------------------------------------------------------------

_GAMES = {game.name: game for game in GAMES if game.name in GAME_RULES}


@dataclass(frozen=True, slots=True)
class Board:
    """A position of a game, and how nonterminal positions are evaluated."""

    game: AnyGame
    position: Any
    evaluation: Evaluation[Any] | None

    @property
    def text(self) -> str:
        """The position as people write it."""
        return self.game.write(self.position)


def board_of(given: Given) -> Board:
    """Return the position that is given: `game`, `position` and `evaluation`, all as text.

    Raises `PositionError` if there is none.
    """
    game, position = _GAMES.get(str(given.get("game", "tictactoe"))), given.get("position")
    if game is None:
        raise PositionError(f"the games are {', '.join(_GAMES)}")
    if not isinstance(position, str):
        raise PositionError("no position is given")
    name = given.get("evaluation")
    evaluation = game.evaluation(name) if name is None or isinstance(name, str) else None
    if name is not None and evaluation is None:
        raise PositionError(f"{game.title} has no such evaluation")
    return Board(game, game.position(position), evaluation)


def board_objection(given: Given) -> str | None:
    """Return why no position is given, or None."""
    try:
        board_of(given)
    except PositionError as error:
        return str(error)
    return None


def is_over(board: Board) -> bool:
    """Return whether the game is over."""
    return board.game.utility(board.position) is not None


def is_in_progress(board: Board) -> bool:
    """Return whether the game goes on."""
    return not is_over(board)


def single_position_tree(board: Board) -> Tree:
    """Return the position as a tree of one leaf, which shows its board."""
    planting = TreeBuilder()
    planting.add(-1, None, HIDDEN_PAYOFF, attributes=_board_attributes(board.game, board.position))
    return planting.tree()


def one_ply_tree(board: Board) -> Tree:
    """Return the position with all positions after one move."""
    return _with_moves(board, board.game.moves(board.position))


def candidate_boards_tree(board: Board, positions: Mapping[str, Any]) -> Tree:
    """Return a tree with the position at the root and other positions, with labels, as its children."""
    tree = _with_moves(board, [(None, position) for position in positions.values()])
    return replace(tree, given=(None, *positions))


def _with_moves(board: Board, after: Iterable[tuple[str | None, Any]]) -> Tree:
    """Return the tree of a board with these positions below it, whose payoffs are hidden."""
    planting, game = TreeBuilder(), board.game
    root = planting.add(-1, game.mover(board.position), attributes=_board_attributes(game, board.position))
    for name, position in after:
        planting.add(root, None, HIDDEN_PAYOFF, move=name, attributes=_board_attributes(game, position))
    return planting.tree()


def two_ply_tree(board: Board, *, merged: bool = True) -> Tree:
    """Return what can follow in two plies, up to symmetry if `merged`, with the value of every leaf.

    The letters of inner nodes come after those of the moves: a node and a column never share one.
    """
    unfolded = unfold(
        board.game, board.position, plies=2, evaluation=board.evaluation, merged=merged, boards=True
    ).tree
    columns = [LETTERS.index(move.upper()) for move in unfolded.moves if move and move.upper() in [*LETTERS]]
    names = dict(zip(unfolded.by_level, LETTERS[max(columns, default=-1) + 1 :], strict=False))
    given = tuple(names.get(node) for node in range(len(unfolded)))
    return replace(unfolded.bare(), given=given, header=NO_HEADER)


def move_label(move: str, language: Language) -> str:
    """Return the label of a move in a language; a column or a heap keeps its own."""
    return language.term(SQUARE_LABELS[move]) if move in SQUARE_LABELS else move


def with_move_labels(tree: Tree, language: Language) -> Tree:
    """Return the tree of a game with the labels of its moves in a language."""
    moves = tuple(None if move is None else move_label(move, language) for move in tree.moves)
    return replace(tree, moves=moves)


def without_payoffs(tree: Tree) -> Tree:
    """Return the same tree without the values of its leaves."""
    return tree.with_payoffs((HIDDEN_PAYOFF,) * len(tree.leaves))


def _board_attributes(game: AnyGame, position: Any) -> Attributes:
    return Attributes(board="/".join(game.rows(position)))


# Conventions -------------------------------------------------------------------------------------


def position_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Return the rules and the position, also in text: not every student sees the picture."""
    board = board_of(case.given)
    if board.game.name == "nim":
        heaps = language.join_and(board.text.removesuffix(" MIN").split())
        player = board.game.mover(board.position)
        sentence = language.say(HEAPS_POSITION, position=heaps, player=player)
    else:
        sentence = language.say(BOARD_POSITION, position=board.text)
    return (language.say(GAME_RULES[board.game.name]), sentence)


def evaluation_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say how positions are evaluated; nothing if no evaluation is given."""
    board = board_of(case.given)
    if board.evaluation is None:
        return ()
    won = language.number(board.evaluation.won)
    return (
        language.say(EVALUATION_DEFINITIONS[board.evaluation.name]),
        language.say(TERMINAL_EVALUATION, won=won),
    )


# Giving positions -----------------------------------------------------------------------------------------


def game_by_name(name: str) -> AnyGame:
    """Return the game with this name."""
    return _GAMES[name]


def board_given(board: Board, **more: Any) -> Given:
    """Return what a question gives: the position, and more."""
    fields = {"game": board.game.name, "position": board.text}
    if board.evaluation is not None:
        fields["evaluation"] = board.evaluation.name
    return Given(fields | more)


def leaf_value(board: Board) -> Number | None:
    """Return the value of the position as a leaf: its utility if the game is over, else its evaluation.

    It is None if the game goes on and the board has no evaluation.
    """
    result = board.game.utility(board.position)
    if board.evaluation is None:
        return result
    return board.evaluation.value(board.position) if result is None else result * board.evaluation.won
