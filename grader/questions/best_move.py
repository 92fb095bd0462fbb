"""Which move should the player at the root make?"""

from functools import partial

from grader.answers.move import MOVE
from grader.base.phrases import Language
from grader.questions.carries import VALUES, move_from_values
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import suits_two_players
from grader.questions.valuing import exact_values, root_moves, root_moves_by_search, value_beliefs
from grader.questions.why import SUMS, why_line
from grader.questions.wording import Prompt, played_well, the_game, the_odds
from grader.solvers.cut_reasons import seemingly_best
from grader.solvers.explaining.naming import name_of
from grader.solvers.searching import search
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if tree.players[0] is Player.CHANCE:
        return "chance moves at the root, so there is no move to choose"
    if len(tree.children[0]) == 1:
        return "there is only one move at the root"
    return suits_two_players(tree, rules, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_odds(tree, language),
            played_well(tree, language),
        ),
        language.say(
            "Which move should {player} make at {node}?",
            player=tree.players[0],
            node=name_of(tree, 0, language),
        ),
    )


def _key(tree: Tree, rules: Rules, given: Given) -> frozenset[int]:
    return root_moves(tree, exact_values(tree))


def _false_tie(tree: Tree, rules: Rules, given: Given) -> frozenset[int] | None:
    """Moves that only seem as good: the search was cut there and returned the very value of a best one."""
    if tree.has_chance:
        return None
    seeming = seemingly_best(tree, search(tree, rules, traced=False))
    wrong = frozenset(map(tree.children[0].index, seeming)) - _key(tree, rules, given)
    return wrong or None


KIND = Kind(
    form=MOVE,
    suits=_suits,
    prompt=_prompt,
    key=_key,
    second_way=root_moves_by_search,
    beliefs={**value_beliefs(root_moves), "false-tie": _false_tie},
    why=partial(why_line, choices=1),
    worked=SUMS,
    takes={VALUES: move_from_values},
)
