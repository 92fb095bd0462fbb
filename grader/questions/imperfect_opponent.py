"""What does MAX get from a MIN that plays a known policy instead of its best moves?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.given import NOTHING, Given
from grader.questions.kind import Kind, always, where_wrong
from grader.questions.pictured import Pictured, valued
from grader.questions.randomness import Draw
from grader.questions.search_answers import suits_two_players
from grader.questions.valuing import hoped_values, root_moves
from grader.questions.why import Reason, Solved, Worked, upwards
from grader.questions.wording import NUMBERED, Prompt, the_game, the_odds
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.naming import called, listed_values, name_of, written
from grader.solvers.explaining.value_reasons import worth
from grader.solvers.fixed_opponent import (
    Against,
    Policy,
    against,
    as_chance,
    minimax_play_by_leaves,
    plays,
    plays_at_random,
)
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

TRIES = 30
"""How often a policy is drawn before a tree is given up."""

# The policy ---------------------------------------------------------------------------------------


def _policy(tree: Tree, given: Given) -> Policy | str:
    """What MIN is given to do, or why that is no policy."""
    moves = given.get("moves", "random")
    if moves == "random":
        return plays_at_random(tree)
    if moves == "leftmost":
        return plays({node: tree.children[node][0] for node in _at_min(tree)})
    if not isinstance(moves, Mapping):
        return 'MIN moves "random", "leftmost" or as {"moves": {"B": "2"}} says of every MIN node'
    chosen: dict[int, int] = {}
    for name, child in moves.items():
        node, to = tree.index.get(name), tree.index.get(child) if isinstance(child, str) else None
        if node is None or to is None or tree.players[node] is not Player.MIN or tree.parents[to] != node:
            return f"the policy says that MIN moves from {name} to {child}, and there is no such move"
        chosen[node] = to
    missing = [tree.names[node] for node in _at_min(tree) if node not in chosen]
    return f"the policy says nothing of {missing[0]}" if missing else plays(chosen)


def _at_min(tree: Tree) -> list[int]:
    return [node for node in tree.internal if tree.players[node] is Player.MIN]


def _the_policy(tree: Tree, given: Given) -> Policy:
    """What MIN is given to do, in a question that suits."""
    policy = _policy(tree, given)
    assert not isinstance(policy, str)
    return policy


@lru_cache(maxsize=8)
def _against(tree: Tree, given: Given) -> Against:
    return against(tree, _the_policy(tree, given))


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if why := suits_two_players(tree, rules, given):
        return why
    if not _at_min(tree):
        return "MIN never moves, so there is no policy for it"
    policy = _policy(tree, given)
    return policy if isinstance(policy, str) else None


def _suits_strategy(tree: Tree, rules: Rules, given: Given) -> str | None:
    """Minimax play has to be one strategy: where several are optimal they need not get the same."""
    why = _suits(tree, rules, given)
    if why is None:
        found = _against(tree, given)
        if found.least[0] != found.most[0]:
            why = "MAX has several minimax strategies, and they get different values from this MIN"
    return why


def _suits_move(tree: Tree, rules: Rules, given: Given) -> str | None:
    if tree.players[0] is not Player.MAX or len(tree.children[0]) == 1:
        return "MAX has no choice at the root"
    return _suits(tree, rules, given)


# The questions ------------------------------------------------------------------------------------


def _states(tree: Tree, given: Given, language: Language) -> tuple[str, ...]:
    """The game, and how MIN plays it."""
    say, moves = language.say, given.get("moves", "random")
    start = (*the_game(tree, language), *the_odds(tree, language))
    if moves == "random":
        return (
            *start,
            say("This MIN does not look ahead: it makes each of its moves with equal probability."),
        )
    if moves == "leftmost":
        return (*start, say("This MIN does not look ahead: it always makes the leftmost move."))
    told = [
        language.term(
            "from {node} to {child}",
            node=called(tree, tree.index[name], language),
            child=called(tree, tree.index[child], language),
        )
        for name, child in sorted(moves.items(), key=lambda move: tree.index[move[0]])
    ]
    numbered = any(not tree.children[tree.index[child]] for child in moves.values())
    fixed = say("This MIN plays by a fixed plan: it moves {moves}.", moves=language.listed(told))
    return (*start, *((say(NUMBERED),) if numbered else ()), fixed)


def _averaged(tree: Tree, given: Given) -> bool:
    """Whether what MAX gets is a mean."""
    return tree.has_chance or given.get("moves", "random") == "random"


_ASKED = {
    "minimax-play": (Phrase("What does MAX get?"), Phrase("What does MAX get on average?")),
    "best-reply": (
        Phrase("What is the most that MAX can get?"),
        Phrase("What is the most that MAX can get on average?"),
    ),
    "best-move": (Phrase("Which move should MAX make at {node}?"),) * 2,
    "gain": (
        Phrase("Is it true that MAX gets more than the minimax value of the game?"),
        Phrase("Is it true that MAX gets more on average than the minimax value of the game?"),
    ),
}
"""What is asked; the second where what MAX gets is a mean."""


def _prompt(ask: str, known: Phrase, tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    asks = language.say(_ASKED[ask][_averaged(tree, given)], node=name_of(tree, 0, language))
    return Prompt((*_states(tree, given, language), language.say(known)), asks)


KEEPS = Phrase(
    "MAX does not know that and keeps to its minimax strategy: at each of its nodes it makes the move "
    "with the largest minimax value."
)
KNOWS = Phrase("MAX knows that and makes the best of it.")
"""What MAX makes of how MIN plays."""


# The answers --------------------------------------------------------------------------------------


def _minimax_play(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(_against(tree, given).least[0])


def _minimax_play_by_leaves(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """Every leaf with the probability with which both come to it."""
    return Numeral(minimax_play_by_leaves(tree, _the_policy(tree, given)))


def _best_reply(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(_against(tree, given).reply[0])


def _chance_for_min(tree: Tree, given: Given) -> tuple[Number, ...]:
    return expectiminimax(as_chance(tree, _the_policy(tree, given)))


def _minimax_value(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(expectiminimax(tree)[0])


def _gains(tree: Tree, rules: Rules, given: Given) -> bool:
    found = _against(tree, given)
    return found.least[0] > found.minimax[0]


def _gains_by_leaves(tree: Tree, rules: Rules, given: Given) -> bool:
    return _minimax_play_by_leaves(tree, rules, given).value > expectiminimax(tree)[0]


# What is drawn ------------------------------------------------------------------------------------


def _suits_plans(tree: Tree, rules: Rules) -> bool:
    """Whether a plan can be told: each of its names is the name of one node."""
    return _suits(tree, rules, NOTHING) is None and len(tree.index) == len(tree)


def _planned(draw: Draw, tree: Tree) -> Given:
    plan = {tree.names[node]: tree.names[draw.choose(tree.children[node])] for node in _at_min(tree)}
    return Given({"moves": plan})


def _draw(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A policy with which knowing it pays, and not knowing it too."""
    if not _suits_plans(tree, rules):
        return None
    for _ in range(TRIES):
        # A random MIN as often as one with a plan; the plan is drawn move by move.
        given = Given({"moves": "random"}) if draw.below(2) else _planned(draw, tree)
        found = _against(tree, given)
        if found.minimax[0] < found.least[0] == found.most[0] < found.reply[0]:
            break
    return tree, given


def _draw_gain(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A plan that is wrong somewhere: as often it costs MIN something as it does not."""
    if not _suits_plans(tree, rules):
        return None
    wanted = bool(draw.below(2))
    for _ in range(TRIES):
        given = _planned(draw, tree)
        found = _against(tree, given)
        if found.least[0] != found.most[0] or found.minimax[0] >= found.reply[0]:
            continue
        if (found.least[0] > found.minimax[0]) is wanted:
            return tree, given
    return None


# Why ----------------------------------------------------------------------------------------------


def _told(solved: Solved, adapts: bool) -> tuple[str, ...]:
    """What every node is worth against this MIN, from the leaves to the root."""
    tree, found = solved.tree, _against(solved.tree, solved.given)
    values = found.reply if adapts else found.least
    told = []
    for node in upwards(tree):
        if tree.players[node] is Player.CHANCE:
            told.append(worth(tree, node, values, solved.language))
        elif tree.players[node] is Player.MIN:
            told.append(_told_of_min(solved, node, values))
        else:
            told.append(_told_of_max(solved, node, values, None if adapts else found.minimax))
    return tuple(told)


def _told_of_min(solved: Solved, node: int, values: Sequence[Number]) -> str:
    """What MIN does at a node, and what it is worth so."""
    tree, policy, say = solved.tree, _the_policy(solved.tree, solved.given), solved.language.say
    names = {"node": solved.called(node), "value": solved.written(values[node])}
    child, share = max(policy[node].items(), key=lambda each: each[1])
    if share == 1:
        return say("At {node} this MIN moves to {child}: {value}.", child=solved.called(child), **names)
    below = listed_values([values[child] for child in tree.children[node]], solved.language)
    return say("At {node} this MIN moves at random: the mean of {values} is {value}.", values=below, **names)


def _told_of_max(
    solved: Solved, node: int, values: Sequence[Number], minimax: Sequence[Number] | None
) -> str:
    """What MAX does at a node, by the minimax values if it keeps to them, and what it is worth so."""
    children, say = solved.tree.children[node], solved.language.say
    names = {"node": solved.called(node), "value": solved.written(values[node])}
    if minimax is None:
        below = listed_values([values[child] for child in children], solved.language)
        return say("At {node} MAX takes the largest of {values}: {value}.", values=below, **names)
    chosen = _minimax_move(solved.tree, node, minimax, values)
    return say(
        "At {node} minimax play moves to {child}, which gets {value} here.",
        child=solved.called(chosen),
        **names,
    )


def _minimax_move(tree: Tree, node: int, minimax: Sequence[Number], values: Sequence[Number]) -> int:
    """Of the best moves by the minimax values the one that gets least here."""
    best = [child for child in tree.children[node] if minimax[child] == minimax[node]]
    return min(best, key=lambda child: values[child])


def _picture(caption: Phrase, adapts: bool, solved: Solved) -> Pictured:
    """What every node is worth against this MIN, and where the game leads as far as nothing is random."""
    tree, policy, found = (
        solved.tree,
        _the_policy(solved.tree, solved.given),
        _against(solved.tree, solved.given),
    )
    values, line = found.reply if adapts else found.least, [0]
    while tree.children[line[-1]]:
        node = line[-1]
        if tree.players[node] is Player.MAX:
            line.append(found.best[node][0] if adapts else _minimax_move(tree, node, found.minimax, values))
            continue
        sure = [child for child, share in policy.get(node, {}).items() if share == 1]
        if not sure:
            break
        line += sure
    return valued(tree, values, solved.language.say(caption), line)


_PICTURE_OF_PLAY = partial(
    _picture,
    Phrase(
        "What every node is worth against this MIN when MAX keeps to its minimax strategy; "
        "thick: how the game goes."
    ),
    False,
)
_PICTURE_OF_REPLY = partial(
    _picture, Phrase("What every node is worth against this MIN; thick: how the game goes."), True
)


def _steps(adapts: bool) -> Worked:
    return Worked(lambda solved: _told(solved, adapts), lambda solved: _told(solved, adapts))


def _gain_steps(solved: Solved) -> tuple[str, ...]:
    return (*_told(solved, adapts=False), _told_gain(solved))


def _told_gain(solved: Solved) -> str:
    """What minimax play gets, beside the minimax value."""
    found, language = _against(solved.tree, solved.given), solved.language
    values = {
        "value": written(found.least[0], language),
        "minimax": written(found.minimax[0], language),
    }
    if solved.key:
        return language.say(
            "Minimax play gets {value} here, and the minimax value is {minimax}: true.", **values
        )
    return language.say(
        "It is false: minimax play gets {value}, which is the minimax value. "
        "It never gets less, but it does not always get more.",
        **values,
    )


def _picture_of_gain(solved: Solved) -> Pictured:
    """The same, and beside the root what best play would get."""
    value = solved.written(_against(solved.tree, solved.given).minimax[0])
    beside = solved.language.term("minimax value {value}", value=value)
    return replace(_PICTURE_OF_PLAY(solved), notes={0: (beside,)})


# The kinds ----------------------------------------------------------------------------------------

_asking = partial(Kind, gives=("moves",), averages=_averaged)

MINIMAX_PLAY = _asking(
    ask="minimax-play",
    question="What does MAX's minimax strategy get from a MIN that plays a given wrong or random policy?",
    form=NUMBER,
    suits=_suits_strategy,
    prompt=partial(_prompt, "minimax-play", KEEPS),
    key=_minimax_play,
    second_way=_minimax_play_by_leaves,
    beliefs={
        "opponent-perfect": _minimax_value,
        "adapts-to-opponent": _best_reply,
        "ignores-opponent": lambda tree, _rules, _given: Numeral(hoped_values(tree)[0]),
    },
    worked=_steps(adapts=False),
    pictured=_PICTURE_OF_PLAY,
    draw=_draw,
)
BEST_REPLY = _asking(
    ask="best-reply",
    question="How much does the best reply to a given wrong or random policy of MIN get?",
    form=NUMBER,
    suits=_suits,
    prompt=partial(_prompt, "best-reply", KNOWS),
    key=_best_reply,
    second_way=lambda tree, _rules, given: Numeral(_chance_for_min(tree, given)[0]),
    beliefs={
        "opponent-perfect": _minimax_value,
        "keeps-to-minimax": _minimax_play,
        "ignores-opponent": lambda tree, _rules, _given: Numeral(hoped_values(tree)[0]),
    },
    worked=_steps(adapts=True),
    pictured=_PICTURE_OF_REPLY,
    draw=_draw,
)
BEST_MOVE = _asking(
    ask="best-move",
    question="Which move is the best reply to a given wrong or random policy of MIN?",
    form=MOVE,
    suits=_suits_move,
    prompt=partial(_prompt, "best-move", KNOWS),
    key=lambda tree, _rules, given: root_moves(tree, _against(tree, given).reply),
    second_way=lambda tree, _rules, given: root_moves(tree, _chance_for_min(tree, given)),
    beliefs={
        "opponent-perfect": lambda tree, _rules, _given: root_moves(tree, expectiminimax(tree)),
        "ignores-opponent": lambda tree, _rules, _given: root_moves(tree, hoped_values(tree)),
    },
    worked=_steps(adapts=True),
    pictured=_PICTURE_OF_REPLY,
    draw=_draw,
)
GAIN = _asking(
    ask="gain",
    question="Does MAX's minimax strategy get more than the minimax value from a MIN that errs?",
    form=TRUTH,
    suits=_suits_strategy,
    prompt=partial(_prompt, "gain", KEEPS),
    key=_gains,
    second_way=_gains_by_leaves,
    beliefs={
        "always-even-better": where_wrong(_gains, always(True)),
        "opponent-perfect": where_wrong(_gains, always(False)),
    },
    why=lambda solved, _item: Reason(_told_gain(solved)),
    worked=Worked(_gain_steps, _gain_steps),
    pictured=_picture_of_gain,
    draw=_draw_gain,
)
KINDS = (MINIMAX_PLAY, BEST_REPLY, BEST_MOVE, GAIN)
