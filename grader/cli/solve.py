"""`gametree solve`: values, best moves and pruned paths of a tree."""

from grader.base.numbers import INFINITY
from grader.base.phrases import ENGLISH
from grader.cli.shared.options import Json, RuleOptions, TreeFile, takes
from grader.cli.shared.sources import read_tree_source
from grader.cli.shared.terminal import CommandApp, say, say_json, say_note, speaks_unicode
from grader.cli.shared.tree_solving import depth_limit_note, solve_with_options, unknown_payoff_note
from grader.solvers.explaining.node_wording import node_title, value_text
from grader.solvers.solution import Solution
from grader.solvers.value_intervals import Interval, always_best_children

app = CommandApp()

MAX_PICTURE_NODES = 400
"""Trees with more nodes are solved without a picture in the terminal."""

MAX_LISTED_NODES = 40
"""The values of more nodes are only in the picture and in --json."""


@app.command()
@takes(RuleOptions)
def solve(file: TreeFile, options: RuleOptions, json: Json = False) -> None:
    """Solve a tree: values, best moves and what alpha-beta prunes.

    The picture shows the value of every node and crosses on the pruned branches.
    Leaves are identified by their leaf number: 1 for the leftmost leaf.

    Examples:
      gametree solve textbook.tree
      gametree solve bank:aima-fig-5-2 --ties keep --order right-to-left
      echo '((3 12 8) (2 4 6) (14 5 2))' | gametree solve - --json
    """
    solution = solve_with_options(read_tree_source(file), options)
    if json:
        from grader.web.messages.documents import solution_fields

        say_json(solution_fields(solution))
        return
    tree = solution.tree
    if tree.header.title:
        say(tree.header.title + "\n")
    if len(tree) <= MAX_PICTURE_NODES:
        from grader.pictures.text import text_picture

        say(text_picture(tree, solution, ascii=not speaks_unicode(), names="all"))
        if solution.intervals is not None and any(map(_is_range, solution.intervals)):
            say("1 … 4 at a node: its value is from 1 to 4, depending on the unknown payoffs.")
        say("")
    rows = [*_answers(solution), *_pruning(solution)]
    width = max(len(label) for label, _ in rows) + 2
    for label, text in rows:
        say(f"{label + ':':<{width}}{text}")
    for warning in _warnings(solution):
        say_note(warning)


def _is_range(interval: Interval) -> bool:
    """Return whether the picture shows an interval as `1 … 4`: two limits that differ."""
    low, high = interval
    return -INFINITY < low < high < INFINITY


def _answers(solution: Solution) -> list[tuple[str, str]]:
    """Return the labelled rows about value and play: value, values of nodes, best moves, best play.

    What unknown payoffs leave open is said in words, or left out.
    """
    tree, value = solution.tree, solution.values[0]
    if value is not None:
        worth = value_text(value)
    elif solution.intervals is not None:
        low, high = map(value_text, solution.intervals[0])
        worth = f"between {low} and {high}, depending on the unknown payoffs"
    else:
        worth = "depends on the unknown payoffs"
    rows = [("Estimate" if tree.estimates else "Value", worth)]
    if 1 < len(tree.internal) <= MAX_LISTED_NODES:
        known = ((tree.names[node], solution.values[node]) for node in tree.internal)
        listing = " ".join(f"{name}={value_text(value)}" for name, value in known if value is not None)
        if listing:
            rows.append(("Estimates" if tree.estimates else "Exact values", listing))
    best = solution.best[0]
    always = always_best_children(tree, solution.intervals) if solution.intervals is not None else ()
    if best is None and always:
        names = ENGLISH.join_and([_move(solution, child) for child in always])
        others = "other moves are equally good for some unknown payoffs"
        rows.append(
            ("Best moves" if always[1:] else "Best move", f"{names} for all unknown payoffs; {others}")
        )
    elif best is None:
        rows.append(("Best move", "depends on the unknown payoffs"))
    elif best:
        moves = [_move(solution, child) for child in best]
        rows.append(
            ("Best move", moves[0])
            if len(moves) == 1
            else ("Best moves", f"{ENGLISH.join_and(moves)} are equally good")
        )
    lines = solution.principal_variations
    if best and lines:
        line = " -> ".join(_short(solution, node) for node in lines[0][1:])
        others = f" (one of {len(lines)} equally good lines)" if len(lines) > 1 else ""
        rows.append(("Best play", line + others))
    return rows


def _move(solution: Solution, child: int) -> str:
    move = solution.tree.moves[child]
    return _short(solution, child) + (f" (move {move})" if move is not None else "")


def _short(solution: Solution, node: int) -> str:
    tree = solution.tree
    return node_title(tree, node) if tree.players[node] is None else tree.names[node]


def _pruning(solution: Solution) -> list[tuple[str, str]]:
    """Return the labelled rows about the search; none if unknown payoffs prevent it."""
    tree, search, variants = solution.tree, solution.search, solution.variants
    if search is None or variants is None:
        return []
    if tree.has_chance:
        rows = [("Pruned by Star1", _paths(solution.pruned_paths))]
    else:
        rows = [(f"Pruned by the {test} test", _paths(paths)) for test, paths in variants.items()]
    if solution.pruned_branches:
        rows.append(("Pruned branches", " ".join(tree.names[node] for node in solution.pruned_branches)))
    if solution.rules.window is not None:
        rows.append(("Search result", _windowed_result(solution)))
    visited = len(solution.visited_leaves or ())
    rows.append(("Visited leaves", f"{visited} of {len(tree.leaves)}"))
    inner = sum(search.alphas[node] is not None for node in tree.internal)
    rows.append(("Visited nodes", f"{inner + visited} of {len(tree)}"))
    return rows


def _windowed_result(solution: Solution) -> str:
    """Return what a search with a given window shows of the value: the value itself, or a bound."""
    returned = None if solution.search is None else solution.search.returned[0]
    wording = {
        "=": "the value is",
        "<=": "only that the value is at most",
        ">=": "only that the value is at least",
    }
    return "" if returned is None else f"{wording[solution.shown_relation]} {value_text(returned)}"


def _paths(paths: tuple[int, ...] | None) -> str:
    return " ".join(map(str, paths or ())) or "none"


def _warnings(solution: Solution) -> list[str]:
    """Return notes: about a depth limit, about unknown payoffs or a tie rule that decide the pruning."""
    tree, rules = solution.tree, solution.rules
    warnings: list[str] = []
    if tree.estimates:
        warnings.append(depth_limit_note(solution))
    if blocked := unknown_payoff_note(solution, "pruning is"):
        warnings.append(blocked)
    if solution.convention_sensitive:
        used_ties, other_ties = (f"--ties {variant.ties}" for variant in (rules, rules.with_other_ties()))
        reason = "equality prunes under `cut` and does not under `keep`"
        warnings.append(
            f"the pruned leaves depend on the tie rule ({reason}).\n"
            f"  {used_ties} (used above): {_paths(solution.pruned_paths)}\n"
            f"  {other_ties}: {_paths(solution.other_ties)}"
        )
    return warnings
