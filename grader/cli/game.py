"""`gametree game`: a position of a game as a tree, and how much there is to search."""

from typing import TYPE_CHECKING, Annotated, Any

from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import CommandApp, say, say_json
from grader.trees.rules import CHOICES

if TYPE_CHECKING:
    from grader.trees.games import AnyGame
    from grader.trees.games.game_definition import Evaluation
    from grader.trees.games.game_tree import GameTree

app = CommandApp()

MAX_SEARCHED_POSITIONS = 400_000
"""An alpha-beta search is abandoned when it visits more positions."""

SAVINGS = (
    ("plain", "every move searched", False, False),
    ("table", "with a transposition table", True, False),
    ("symmetry", "with symmetric moves merged", False, True),
    ("both", "with both", True, True),
)
"""The variants of a search: key, label, with a transposition table, with symmetric positions merged."""


@app.command()
def game(
    name: Annotated[
        str, argument("NAME", "tictactoe, connect-four or nim, or a Python file with a game of your own.")
    ],
    position: Annotated[
        str | None, argument("[POSITION]", "The position to start from. Default: the usual start.")
    ] = None,
    plies: Annotated[
        int | None, option("Moves to look ahead. Default: to the end of the game.", metavar="N", min=0)
    ] = None,
    evaluation: Annotated[
        str | None,
        option("The static evaluation of positions that are not over after --plies.", metavar="NAME"),
    ] = None,
    merge: Annotated[bool, option("Keep only the first of several moves to symmetric positions.")] = False,
    boards: Annotated[bool, option("Store the position at every node, so that pictures show it.")] = False,
    outline: Annotated[bool, option("One node per line.")] = False,
    count: Annotated[bool, option("Print the numbers of move sequences, nodes and positions.")] = False,
    json: Json = False,
) -> None:
    """Write everything that can follow a position of a game as a tree.

    Every other command reads it.
    Branches are labeled with the moves. At the end of the game a leaf is worth 1, 0 or -1 for MAX, who
    moves first; with --plies, the static evaluation, or for a won game the number in the output's first
    comment.

    Examples:
      gametree game tictactoe "X.O/.X./..O" --plies 2
      gametree game tictactoe --plies 2 --merge --evaluation lines-by-count
      gametree game tictactoe "XO./.X./..O" --plies 2 --boards | gametree draw - -o boards.svg
      gametree game tictactoe --count
      gametree game nim "2 1" | gametree solve -
    """
    from grader.trees.games.game_definition import TooLargeError
    from grader.trees.games.game_tree import NoEvaluationError, unfold
    from grader.trees.notation.writing import write_header, write_tree

    played = _read_game(name)
    start = _read_position(played, position)
    if count:
        sizes = _search_sizes(played, start)
        say_json(sizes) if json else _say_counts(played, start, sizes)
        return
    if evaluation is not None:
        lookup_name(played.evaluations, evaluation, "evaluation")
    static = None if plies is None else played.evaluation(evaluation)
    message = "There is no such tree"
    with (
        refusing(message, NoEvaluationError, hint="Leave --plies out to play to the end."),
        refusing(message, TooLargeError, hint="Look fewer moves ahead with --plies."),
    ):
        unfolded = unfold(played, start, plies=plies, evaluation=static, merged=merge, boards=boards)
    text = write_tree(unfolded.tree, "outline" if outline else "text")
    if json:
        say_json(_record(played, start, static, unfolded, text))
        return
    lines = text.splitlines()
    headers = len(write_header(unfolded.tree.header))
    say("\n".join((*lines[:headers], "", *_remarks(static), "", *lines[headers:])))


def _read_game(name: str) -> "AnyGame":
    """Return the game with this name, or the one of a teacher's Python file."""
    from grader.trees.games import GAMES

    if not name.endswith(".py"):
        return lookup_name(GAMES, name, "game")
    from grader.programs.interface import InterfaceError, load_interface
    from grader.programs.own_game import game_of

    with refusing("There is no such game", InterfaceError, hint="docs/code.md shows such a file."):
        return game_of(load_interface(name))


def _read_position(played: "AnyGame", text: str | None) -> Any:
    """The position in a text; refuse an unreadable or unreachable one."""
    from grader.trees.games.game_definition import PositionError

    if text is None:
        return next(iter(played.starts.values()))
    with refusing(f"No position of {played.title}", PositionError, hint=f"{played.notation}."):
        return played.position(text)


def _record(
    played: "AnyGame", start: Any, evaluation: "Evaluation[Any] | None", unfolded: "GameTree[Any]", text: str
) -> dict[str, Any]:
    """The position, its moves and its tree, as a JSON record."""
    paths = unfolded.tree.paths
    return {
        "schema": 1,
        "game": played.name,
        "position": played.write(start),
        "board": list(played.rows(start)),
        "mover": str(played.mover(start)),
        "moves": [{"name": move, "position": played.write(after)} for move, after in played.moves(start)],
        "utility": played.utility(start),
        "evaluation": None if evaluation is None else evaluation.name,
        "won": 1 if evaluation is None else evaluation.won,
        "unfinished": sorted(paths[leaf] for leaf in unfolded.unfinished),
        "tree": text,
    }


def _remarks(evaluation: "Evaluation[Any] | None") -> tuple[str, ...]:
    """The comment lines about the payoffs of the leaves."""
    if evaluation is None:
        return ("# A leaf is worth 1 when MAX has won, -1 when MIN has won, 0 when the game is drawn.",)
    won = evaluation.won
    return (
        f"# A leaf is worth the static evaluation: {evaluation.meaning}.",
        f"# When the game is over: {won} when MAX has won, {-won} when MIN has won, 0 when it is drawn.",
    )


def _search_sizes(played: "AnyGame", start: Any) -> dict[str, Any]:
    """The counts of `--count`, as a JSON record.

    Refuse a game with too many positions. A search of too many nodes is null.
    """
    from grader.cli.shared.progress_bar import open_ended_bar
    from grader.trees.games.game_definition import TooLargeError
    from grader.trees.games.search_size import measure_game, measure_search

    hint = "Begin nearer to the end of the game."
    with (
        refusing("There is too much to count", TooLargeError, hint=hint),
        open_ended_bar("Counting", "positions") as tell,
    ):
        plain = measure_game(played, start, tell=tell)
        merged = measure_game(played, start, merged=True, tell=tell)
    record: dict[str, Any] = {
        "schema": 1,
        "game": played.name,
        "position": played.write(start),
        "minimax": {
            "plain": {"sequences": plain.sequences, "nodes": plain.nodes},
            "table": {"sequences": plain.endings, "nodes": plain.positions},
            "symmetry": {"sequences": merged.sequences, "nodes": merged.nodes},
            "both": {"sequences": merged.endings, "nodes": merged.positions},
        },
        "positions": plain.positions,
        "positions_up_to_symmetry": merged.positions,
    }
    for ties in CHOICES["ties"]:
        record[f"alpha_beta_{ties}"] = rows = {}
        for saving, _, table, symmetry in SAVINGS:
            size = measure_search(
                played,
                start,
                ties,  # type: ignore[arg-type]  # a word of `Ties`
                table=table,
                merged=symmetry,
                max_nodes=MAX_SEARCHED_POSITIONS,
            )
            rows[saving] = size and {
                "value": size.value,
                "sequences": size.sequences,
                "nodes": size.nodes,
            }
    return record


def _say_counts(played: "AnyGame", start: Any, sizes: dict[str, Any]) -> None:
    """Print the counts of a game as a table; a search that was given up says beyond how many nodes."""
    say(f"{played.title}: {played.write(start)}, {played.mover(start)} to move\n")
    say(f"{'Positions:':<30}{sizes['positions']:>16,}")
    say(f"{'Positions up to symmetry:':<30}{sizes['positions_up_to_symmetry']:>16,}")
    for key, heading in (
        ("minimax", "Minimax"),
        ("alpha_beta_cut", "Alpha-beta, --ties cut"),
        ("alpha_beta_keep", "Alpha-beta, --ties keep"),
    ):
        say(f"\n{heading:<30}{'sequences':>16}{'nodes':>16}")
        for saving, label, _, _ in SAVINGS:
            size = sizes[key][saving]
            columns = f"{size['sequences']:>16,}{size['nodes']:>16,}" if size else ""
            say(f"  {label:<28}{columns or f'more than {MAX_SEARCHED_POSITIONS:,} nodes':>32}")
    say(
        "\nSequences are those that reach the end of the game. Nodes are those that are entered; the table\n"
        "answers for the others. Minimax stores every value in its table, alpha-beta only exact ones."
    )
