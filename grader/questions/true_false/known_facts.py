"""Statements without a tree, which `true-false` asks about: what searches cost, and sorts of games."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.true_false.statements import Statement

# What students read -------------------------------------------------------------------------------

COST_STATEMENTS: Mapping[str, Phrase] = {
    "minimax": Phrase(
        "In a tree with {branching} moves at every node and {plies} plies, minimax visits {count} leaves."
    ),
    "best-order": Phrase(
        "In a tree with {branching} moves at every node and {plies} plies, alpha-beta search visits {count} "
        "leaves if the best move always comes first."
    ),
    "memory": Phrase(
        "The maximum number of nodes below the root that the search holds in memory at one time is exactly "
        "{count}."
    ),
}
COST_CONDITIONS: Mapping[str, Phrase] = {
    "memory": Phrase(
        "A depth-first search of a tree with {branching} moves at every node and {plies} plies generates "
        "all children of a node at once."
    ),
}
COST_FORMULAS: Mapping[str, Phrase] = {
    "minimax": Phrase("Minimax visits b^d leaves: {branching}^{plies} = {right}."),
    "best-order": Phrase(
        "In the best order, alpha-beta search visits b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves: "
        "{branching}^{half_up} + {branching}^{half_down} − 1 = {right}."
    ),
    "memory": Phrase(
        "The b children of one node on each of the d levels are held: {branching}·{plies} = {right}."
    ),
}
COST_IS_RIGHT = Phrase("The number is {count}, so the statement is true.")
COST_IS_WRONG = Phrase("The number is {right}, not {count}, so the statement is false.")
GAME_STATEMENTS: Mapping[tuple[bool, bool], Phrase] = {
    (False, True): Phrase("{game} is a deterministic game of perfect information."),
    (True, True): Phrase("{game} is a game of chance and of perfect information."),
    (False, False): Phrase("{game} is a deterministic game of imperfect information."),
    (True, False): Phrase("{game} is a game of chance and of imperfect information."),
}
GAME_IS_SO = Phrase("So the statement is true.")
GAME_IS_NOT_SO = Phrase("So the statement is false.")

MAX_BRANCHING, MAX_PLIES = 10, 8
"""The largest trees that a statement speaks of."""

# How much a search looks at -----------------------------------------------------------------------

COSTS: Mapping[str, Callable[[int, int], int]] = {
    "minimax": lambda branching, plies: branching**plies,
    "best-order": lambda branching, plies: branching ** (-(-plies // 2)) + branching ** (plies // 2) - 1,
    "memory": lambda branching, plies: branching * plies,
}
"""Quantity -> its formula."""

WRONG_COSTS: Mapping[str, Callable[[int, int], int]] = {
    "minimax": lambda branching, plies: plies**branching if plies**branching < 10**8 else branching * plies,
    "best-order": lambda branching, plies: branching**plies // 2,
    "memory": lambda branching, plies: branching**plies,
}
"""Quantity -> a common incorrect formula."""


def _sizes(given: Given) -> tuple[str, int, int, int]:
    return given["counts"], given["branching"], given["plies"], given["count"]


def _sizes_objection(case: Case) -> str | None:
    """Return why no statement about the size of a search is given, or None."""
    given = case.given
    whole = all(type(given.get(name)) is int for name in ("branching", "plies", "count"))
    if given.text("counts") not in COSTS or not whole:
        return (
            'it is not given what is counted: {"counts": "minimax", "branching": 3, "plies": 2, "count": 9}'
        )
    if not (2 <= given["branching"] <= MAX_BRANCHING and 2 <= given["plies"] <= MAX_PLIES):
        return f"a statement is about 2 to {MAX_BRANCHING} moves and 2 to {MAX_PLIES} plies"
    return None


def _draw_sizes(draw: Draw, case: Case) -> dict[str, Any] | None:
    counts, right = draw.choose(tuple(COSTS)), draw.below(2)
    branching, plies = draw.between(2, MAX_BRANCHING), draw.between(2, 5)
    count = (COSTS if right else WRONG_COSTS)[counts](branching, plies)
    return {"counts": counts, "branching": branching, "plies": plies, "count": count}


def _cost_statement(case: Case, language: Language) -> str:
    counts, branching, plies, count = _sizes(case.given)
    return language.say(COST_STATEMENTS[counts], branching=branching, plies=plies, count=count)


def _premises(case: Case, language: Language) -> tuple[str, ...]:
    """Return the premises of a statement about a cost."""
    counts, branching, plies, _ = _sizes(case.given)
    condition = COST_CONDITIONS.get(counts)
    return () if condition is None else (language.say(condition, branching=branching, plies=plies),)


def _matches_formula(formulas: Mapping[str, Callable[[int, int], int]], case: Case) -> bool:
    counts, branching, plies, count = _sizes(case.given)
    return formulas[counts](branching, plies) == count


@cache
def _critical_leaves(branching: int, plies: int, node_type: int) -> int:
    """Leaves of a perfectly ordered tree below a critical node of type 1, 2 or 3: Knuth and Moore 1975."""
    if not plies:
        return 1
    if node_type == 1:
        return _critical_leaves(branching, plies - 1, 1) + (branching - 1) * _critical_leaves(
            branching, plies - 1, 2
        )
    if node_type == 2:
        return _critical_leaves(branching, plies - 1, 3)
    return branching * _critical_leaves(branching, plies - 1, 2)


def _holds_by_counting(case: Case) -> bool:
    """Check a cost by counting: level by level, by the types of nodes, or by the nodes in memory."""
    counts, branching, plies, count = _sizes(case.given)
    if counts == "best-order":
        return _critical_leaves(branching, plies, 1) == count
    if counts == "memory":
        stored = 0
        for _ in range(plies):
            stored += branching  # all children of the expanded node
        return stored == count
    leaves = 1
    for _ in range(plies):
        leaves *= branching
    return leaves == count


def _explain_cost(solved: SolvedExercise) -> str:
    """Say the formula and its result, and whether the stated number is the same."""
    counts, branching, plies, count = _sizes(solved.given)
    right, say = COSTS[counts](branching, plies), solved.language.say
    formula = say(
        COST_FORMULAS[counts],
        branching=branching,
        plies=plies,
        half_up=-(-plies // 2),
        half_down=plies // 2,
        right=right,
    )
    verdict = COST_IS_RIGHT if right == count else COST_IS_WRONG
    return paragraph(formula, say(verdict, right=right, count=count))


COST = Statement(
    draw=_draw_sizes,
    objection=_sizes_objection,
    conditions=_premises,
    statement=_cost_statement,
    holds=partial(_matches_formula, COSTS),
    holds_independently=_holds_by_counting,
    belief_verdicts={"wrong-formula": partial(_matches_formula, WRONG_COSTS)},
    explain=_explain_cost,
)

# Sorts of games -----------------------------------------------------------------------------------

GAMES: Mapping[str, tuple[Phrase, bool, bool]] = {
    "chess": (Phrase("Chess"), False, True),
    "checkers": (Phrase("Checkers"), False, True),
    "go": (Phrase("Go"), False, True),
    "othello": (Phrase("Othello"), False, True),
    "tictactoe": (Phrase("Tic-tac-toe"), False, True),
    "connect-four": (Phrase("Connect Four"), False, True),
    "nim": (Phrase("Nim"), False, True),
    "backgammon": (Phrase("Backgammon"), True, True),
    "monopoly": (Phrase("Monopoly"), True, True),
    "ludo": (Phrase("Ludo"), True, True),
    "pig": (Phrase("The dice game Pig"), True, True),
    "battleships": (Phrase("Battleship"), False, False),
    "kriegspiel": (Phrase("Kriegspiel"), False, False),
    "stratego": (Phrase("Stratego"), False, False),
    "mastermind": (Phrase("Mastermind"), False, False),
    "bridge": (Phrase("Bridge"), True, False),
    "poker": (Phrase("Poker"), True, False),
    "scrabble": (Phrase("Scrabble"), True, False),
    "rummy": (Phrase("Rummy"), True, False),
}
"""What a game is called, whether chance plays a part in it, and whether everybody sees everything."""


WITH_CHANCE = frozenset(("backgammon", "bridge", "ludo", "monopoly", "pig", "poker", "rummy", "scrabble"))
WITH_SECRETS = frozenset(
    ("battleships", "bridge", "kriegspiel", "mastermind", "poker", "rummy", "scrabble", "stratego")
)
"""The games with dice or dealt cards, and those in which something is hidden, said a second time."""


def _game_objection(case: Case) -> str | None:
    flags = type(case.given.get("chance")) is bool and type(case.given.get("perfect")) is bool
    if case.given.text("game") in GAMES and flags:
        return None
    return 'it is not given what is said of which game: {"game": "chess", "chance": false, "perfect": true}'


def _draw_game(draw: Draw, case: Case) -> dict[str, Any] | None:
    """Draw a game and two claims about it; half of the time at least one of them is false."""
    game = draw.choose(tuple(GAMES))
    _, chance, perfect = GAMES[game]
    if draw.below(2):
        return {"game": game, "chance": chance, "perfect": perfect}
    flipped = draw.choose(((not chance, perfect), (chance, not perfect), (not chance, not perfect)))
    return {"game": game, "chance": flipped[0], "perfect": flipped[1]}


def _is_listed_so(case: Case) -> bool:
    """Return whether the statement has the game as the tables list it: its chance and its information."""
    game = case.given["game"]
    return (game in WITH_CHANCE) is case.given["chance"] and (game not in WITH_SECRETS) is case.given[
        "perfect"
    ]


def _game_statement(given: Given, chance: bool, perfect: bool, language: Language) -> str:
    return language.say(GAME_STATEMENTS[chance, perfect], game=language.term(GAMES[given["game"]][0]))


def _explain_game(solved: SolvedExercise) -> str:
    _, chance, perfect = GAMES[solved.given["game"]]
    classification = _game_statement(solved.given, chance, perfect, solved.language)
    return paragraph(classification, solved.language.say(GAME_IS_SO if solved.key else GAME_IS_NOT_SO))


GAME = Statement(
    draw=_draw_game,
    objection=_game_objection,
    statement=lambda case, language: _game_statement(
        case.given, case.given["chance"], case.given["perfect"], language
    ),
    holds=lambda case: GAMES[case.given["game"]][1:] == (case.given["chance"], case.given["perfect"]),
    holds_independently=_is_listed_so,
    belief_verdicts={
        "chance-is-imperfect": lambda case: (
            GAMES[case.given["game"]][1] is case.given["chance"]
            and case.given["perfect"] is not case.given["chance"]
        ),
    },
    explain=_explain_game,
)
