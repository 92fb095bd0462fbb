"""Which node does a Monte Carlo tree search try next, and what does a playout change?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isqrt

from grader.answers.form import Item
from grader.answers.numeral import Numeral, rounds_to, write_numeral
from grader.answers.path import PATH, Path
from grader.answers.table import Table, tabling
from grader.base.numbers import Number, exact
from grader.base.phrases import Language, Phrase
from grader.questions.given import NOTHING, Given, taken_over
from grader.questions.kind import Kind
from grader.questions.parts.phases import PHASE
from grader.questions.parts.playout_mean import MEAN
from grader.questions.parts.playouts import (
    MEANINGS,
    SQUARES,
    counted,
    not_counted,
    the_search,
    uct_rules,
    uncounted,
)
from grader.questions.parts.propagation import VISITS, WINS
from grader.questions.pictured import Pictured
from grader.questions.randomness import Draw
from grader.questions.why import Reason, Solved, Worked
from grader.questions.wording import Prompt
from grader.solvers.uct import (
    Score,
    UctRules,
    compare,
    counts,
    rounded,
    scores,
    selection,
)
from grader.solvers.uct_in_decimals import (
    CHOICES,
    MISTAKEN,
    chosen_in_decimals,
    rounded_scores,
    takes_lowest,
    walk,
)
from grader.trees.rules import Rules
from grader.trees.tree import Tree

SCORES_OF = "scores"
"""What the scores of the children of the root are carried as."""

TRIES = 20
"""How often counts are drawn before a tree is given up."""

PLACES = 2
"""The decimals to which scores are asked for."""


def _the_choice(given: Given, language: Language) -> tuple[str, ...]:
    """Which child is chosen at a node."""
    say, rules = language.say, uct_rules(given)
    return say(_CHOOSES[rules.wins]), say(_TOTALS[rules.total], c=_constant(rules, language))


_CHOOSES = {
    "mover": Phrase("At every node UCT goes on to the child with the highest score w/n + c·sqrt(ln N / n)."),
    "max": Phrase(
        "At a node of MAX UCT goes on to the child with the highest score w/n + c·sqrt(ln N / n), "
        "at a node of MIN to the child with the lowest score w/n − c·sqrt(ln N / n)."
    ),
}
_TOTALS = {
    "parent": Phrase(
        "There n and w are those of the child, N is the n of its parent, ln is the natural logarithm, "
        "and c = {c}."
    ),
    "all": Phrase(
        "There n and w are those of the child, N is the n of the root, ln is the natural logarithm, "
        "and c = {c}."
    ),
}


def _constant(rules: UctRules, language: Language) -> str:
    """The constant c: a number, or the root of one."""
    square = Fraction(rules.c_squared)
    for below in range(1, 101):
        top = square * below * below
        if top.denominator == 1 and isqrt(int(top)) ** 2 == top:
            return language.number(exact(Fraction(isqrt(int(top)), below)))
    return f"√{language.number(rules.c_squared)}"


# What are the scores? ----------------------------------------------------------------------------


def _all_tried(tree: Tree, rules: Rules, given: Given) -> str | None:
    reason = uncounted(tree, rules, given)
    if reason is None and not all(counts(tree, child)[0] for child in tree.children[0]):
        return "a child of the root was never tried, so it has no score"
    return reason


def _scores_prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    names = [tree.names[child] for child in tree.children[0]]
    return Prompt(
        (*the_search(tree, given, language), *_the_choice(given, language)),
        language.say(
            "What are the scores of {names}? Round them to two decimals.", names=language.listed(names)
        ),
    )


def _as_table(tree: Tree, numbers: Sequence[Number]) -> Table:
    children = tree.children[0]
    return tuple((child, Numeral(number, PLACES)) for child, number in zip(children, numbers, strict=True))


def _scores(tree: Tree, rules: Rules, given: Given) -> Table:
    return _as_table(tree, [rounded(score, PLACES) for score in scores(tree, 0, uct_rules(given))])


def _scored_by(name: str, tree: Tree, rules: Rules, given: Given) -> Table | None:
    found = uct_rules(given)
    if name == "constant-left-out" and found.c_squared == 1:
        return None
    return _as_table(tree, rounded_scores(tree, 0, found, PLACES, MISTAKEN[name]))


def _shown(score: Score, language: Language, places: int = PLACES) -> str:
    """A score in a sentence, with so many decimals."""
    return language.reply(write_numeral(Numeral(rounded(score, places), places)))


def _score_of(solved: Solved, child: int) -> str:
    """How the score of a child of the root comes about."""
    rules, (visits, wins) = uct_rules(solved.given), counts(solved.tree, child)
    score = scores(solved.tree, 0, rules)[solved.tree.children[0].index(child)]
    shown = _shown(score, solved.language)
    return solved.language.say(
        _ADDED if score.sign == 1 else _SUBTRACTED,
        child=solved.called(child),
        wins=solved.written(wins),
        visits=visits,
        c=_constant(rules, solved.language),
        total=counts(solved.tree, 0)[0],
        score=shown,
    )


_ADDED = Phrase("The score of {child} is {wins}/{visits} + {c}·sqrt(ln {total} / {visits}) = {score}.")
_SUBTRACTED = Phrase("The score of {child} is {wins}/{visits} − {c}·sqrt(ln {total} / {visits}) = {score}.")


def _why_score(solved: Solved, item: Item) -> Reason | None:
    if item.node is None:
        return None
    if solved.tree.parents[item.node] != 0:
        return Reason(solved.language.say("{node} is no child of the root.", node=solved.called(item.node)))
    return Reason(_score_of(solved, item.node))


def _score_steps(solved: Solved) -> tuple[str, ...]:
    return tuple(_score_of(solved, child) for child in solved.tree.children[0])


def _scored(solved: Solved, parents: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The score of every child that was tried, below these nodes."""
    tree, rules, language = solved.tree, uct_rules(solved.given), solved.language
    return {
        child: (language.term("score {value}", value=language.number(exact(rounded(score, PLACES)))),)
        for node in parents
        for child, score in zip(tree.children[node], scores(tree, node, rules), strict=True)
        if counts(tree, child)[0]
    }


def _picture_of_scores(solved: Solved) -> Pictured:
    best = selection(solved.tree, uct_rules(solved.given))[:2]
    caption = solved.language.say("The scores of the children of the root; thick: the best of them.")
    return Pictured(solved.tree, caption, backed_up=False, notes=_scored(solved, (0,)), line=best)


def _draw_scores(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    if not_counted(tree, rules, NOTHING) is not None:
        return None
    settled = draw.rules(MEANINGS)
    tried = counted(draw, tree, uct_rules(Given(settled)).wins)
    return tried, Given({"c_squared": draw.choose(SQUARES), **settled})


def _joined(draw: Draw, tree: Tree, rules: Rules, shared: Given) -> Given:
    return Given({"c_squared": draw.choose(SQUARES), **taken_over(shared, _GIVES)})


_GIVES = ("c_squared", "total", "wins")

_asking = partial(Kind, gives=_GIVES, meanings=MEANINGS, joins=_joined, brings=True)

SCORES: Kind[Table] = _asking(
    ask="scores",
    carries={SCORES_OF: lambda _tree, _rules, _given, table: {node: said.value for node, said in table}},
    question="What are the UCT scores of the children of the root?",
    form=tabling(
        lambda tree: tree.children[0],
        rounds_to,
        guide=Phrase("Every number counts that is right when it is rounded to two decimals."),
        touch="numbers",
    ),
    suits=_all_tried,
    prompt=_scores_prompt,
    key=_scores,
    second_way=lambda tree, _rules, given: _as_table(tree, rounded_scores(tree, 0, uct_rules(given), PLACES)),
    beliefs={name: partial(_scored_by, name) for name in MISTAKEN},
    why=_why_score,
    worked=Worked(_score_steps, _score_steps),
    pictured=_picture_of_scores,
    draw=_draw_scores,
)

# Where does the next playout start? --------------------------------------------------------------


def _to_a_leaf(tree: Tree, rules: Rules, given: Given) -> str | None:
    reason = uncounted(tree, rules, given)
    if reason is None and tree.children[selection(tree, uct_rules(given))[-1]]:
        return "the search comes to an inner node that was never tried"
    return reason


def _selected_prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    first = language.say(
        "A child that was never tried comes before all others, and of equally good ones the leftmost."
    )
    return Prompt(
        (*the_search(tree, given, language), *_the_choice(given, language), first),
        language.say("To which leaf does the next selection lead?"),
    )


def _led(
    tree: Tree, given: Given, choose: Callable[[Tree, int, UctRules], int] = chosen_in_decimals
) -> Path | None:
    found = uct_rules(given)
    path = tree.paths[walk(tree, lambda node: choose(tree, node, found))]
    return frozenset((path,)) if path else None


def _selected_by_own(tree: Tree, rules: Rules, given: Given, own: Mapping[int, Number]) -> Path | None:
    """Where the selection leads with the student's own scores of the children of the root."""
    if not own.keys() >= set(tree.children[0]):
        return None
    found = uct_rules(given)
    best = min if takes_lowest(tree, 0, found) else max
    first = best(tree.children[0], key=lambda child: own[child])
    return _led(
        tree, given, lambda tree, node, rules: chosen_in_decimals(tree, node, rules) if node else first
    )


def _led_by(name: str, tree: Tree, rules: Rules, given: Given) -> Path | None:
    found = uct_rules(given)
    other = {"lowest-for-min": "mover", "highest-for-min": "max"}.get(name, found.wins)
    if other != found.wins:
        return None
    if name == "untried-passed-over" and counts(tree, selection(tree, found)[-1])[0]:
        return None  # nothing was met that could be passed over
    return _led(tree, given, CHOICES[name])


def _places(tree: Tree, node: int, child: int, rules: UctRules) -> int:
    """With how many decimals the score of the child that is chosen at a node differs from all worse ones."""
    found, places = scores(tree, node, rules), PLACES
    best = found[tree.children[node].index(child)]
    worse = [score for score in found if compare(score, best)]
    while any(rounded(score, places) == rounded(best, places) for score in worse):
        places += 1
    return places


def _selection_steps(solved: Solved) -> tuple[str, ...]:
    """The choice at every node of the path, with the scores that decide it."""
    tree, rules, say = solved.tree, uct_rules(solved.given), solved.language.say
    told = []
    for node, child in pairwise(selection(tree, rules)):
        called = {"node": solved.called(node), "child": solved.called(child)}
        if not counts(tree, child)[0]:
            told.append(say("At {node} {child} was never tried, so it comes first.", **called))
            continue
        places = _places(tree, node, child, rules)
        marks = [
            solved.language.term(
                "{child} with {value}",
                child=solved.called(each),
                value=_shown(score, solved.language, places),
            )
            for each, score in zip(tree.children[node], scores(tree, node, rules), strict=True)
        ]
        told.append(
            say(
                "At {node} the scores are those of {scores}, so the search goes on to {child}.",
                scores=solved.language.listed(marks),
                **called,
            )
        )
    return tuple(told)


def _picture_of_selection(solved: Solved) -> Pictured:
    path = selection(solved.tree, uct_rules(solved.given))
    caption = solved.language.say("The scores at which the selection looks; thick: the path it takes.")
    return Pictured(solved.tree, caption, backed_up=False, notes=_scored(solved, path[:-1]), line=path)


def _draw_selected(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    if not_counted(tree, rules, NOTHING) is not None:
        return None
    settled = draw.rules(MEANINGS)
    for _ in range(TRIES):
        tried = counted(draw, tree, uct_rules(Given(settled)).wins, untried=12)
        given = Given({"c_squared": draw.choose(SQUARES), **settled})
        if _tells(tried, uct_rules(given)):
            return tried, given
    return None


def _tells(tree: Tree, rules: UctRules) -> bool:
    """Whether scores that are rounded as they are elsewhere tell where the selection leads."""
    return all(
        not counts(tree, child)[0] or _places(tree, node, child, rules) == PLACES
        for node, child in pairwise(selection(tree, rules))
    )


SELECTED: Kind[Path] = _asking(
    ask="selected",
    takes={SCORES_OF: _selected_by_own},
    question="To which leaf does UCT lead next?",
    form=replace(PATH, alternatives=False),
    suits=_to_a_leaf,
    prompt=_selected_prompt,
    key=lambda tree, _rules, given: frozenset((tree.paths[selection(tree, uct_rules(given))[-1]],)),
    second_way=lambda tree, _rules, given: _led(tree, given) or frozenset(),
    beliefs={name: partial(_led_by, name) for name in CHOICES},
    worked=Worked(_selection_steps, _selection_steps),
    pictured=_picture_of_selection,
    draw=_draw_selected,
)

KINDS = (SCORES, SELECTED, VISITS, WINS, MEAN, PHASE)
"""What is asked about a Monte Carlo tree search."""
