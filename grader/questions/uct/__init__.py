"""Which node does a Monte Carlo tree search try next, and what does a playout change?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isqrt

from grader.answers.form import Item
from grader.answers.numeral import Numeral, discredit_wrong_decimals, matches_rounded_key, write_numeral
from grader.answers.path import PATH, LeafPath
from grader.answers.table import Table, table_form
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given, select_given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.uct.phases import PHASE
from grader.questions.uct.playout_mean import MEAN
from grader.questions.uct.playouts import (
    C_SQUARED_CHOICES,
    MEANINGS,
    counts_objection,
    draw_counts,
    playout_sentences,
    playouts_objection,
    uct_rules,
)
from grader.questions.uct.propagation import VISITS, WINS
from grader.questions.wording import asks
from grader.solvers.uct_in_decimals import (
    MISTAKEN_FORMULAS,
    MISTAKEN_SELECTIONS,
    rounded_scores,
    select_in_decimals,
    takes_lowest,
    walk,
)
from grader.solvers.uct_search import (
    Score,
    UctRules,
    compare_scores,
    enclose_score,
    round_score,
    scores,
    selection_path,
    visits_and_wins,
)
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

SCORES_QUESTION = Phrase("What are the UCT scores of {names}?")
ROUND_TO_TWO_DECIMALS = Phrase("Round to two decimal places.")
ROUNDED_NUMBER_COUNTS = Phrase("An answer that is correct to two decimal places is accepted.")
SELECTED_QUESTION = Phrase("Which leaf is selected next?")
SELECTION_RULES = {
    "mover": Phrase("At every node, UCT selects the child with the highest score w/n + c·sqrt(ln N / n)."),
    "max": Phrase(
        "At a MAX node, UCT selects the child with the highest score w/n + c·sqrt(ln N / n). "
        "At a MIN node, it selects the child with the lowest score w/n − c·sqrt(ln N / n)."
    ),
}
FORMULA_LETTERS = {
    "parent": Phrase(
        "Here n and w are the counts of the child, and N is the count n of its parent. "
        "ln is the natural logarithm, and c = {c}."
    ),
    "all": Phrase(
        "Here n and w are the counts of the child, and N is the count n of the root. "
        "ln is the natural logarithm, and c = {c}."
    ),
}
UNTRIED_FIRST = Phrase(
    "A child without playouts is selected before all others. Ties are broken in favor of the leftmost child."
)
ADDED_BONUS = Phrase("The score of {child} is {wins}/{visits} + {c}·sqrt(ln {total} / {visits}) = {score}.")
SUBTRACTED_BONUS = Phrase(
    "The score of {child} is {wins}/{visits} − {c}·sqrt(ln {total} / {visits}) = {score}."
)

WHY_NO_SCORE = Phrase("{node} is not a child of the root.")
WHY_UNTRIED_FIRST = Phrase("At {node}, {child} has no playouts, so it is selected first.")
WHY_HIGHEST = Phrase("At {node}, the scores are {scores}. Therefore, the search goes to {child}.")
CHILD_SCORE = Phrase("{child} with {value}")
SCORE_NOTE = Phrase("score {value}")

CAPTION_OF_SCORES = Phrase(
    "The scores of the root's children. The branch to the best child is drawn with a thick line."
)
CAPTION_OF_SELECTION = Phrase(
    "The scores compared during selection. The selected path is drawn with thick lines."
)

CARRIED_SCORES = "scores"
"""What the scores of the children of the root are carried as."""

MAX_DRAWS = 20
"""How often counts are drawn before a tree is given up."""

SCORE_DECIMALS = 2
"""The decimals to which scores are asked for."""

MIN_SCORE_GAP = Fraction(1, 10)
"""By how much a selected child beats the others: students who round on the way still select it."""


def _the_choice(case: Case, language: Language) -> tuple[str, ...]:
    """Say which child is selected at a node."""
    say, rules = language.say, uct_rules(case.given)
    return say(SELECTION_RULES[rules.wins]), say(FORMULA_LETTERS[rules.total], c=_constant(rules, language))


def _constant(rules: UctRules, language: Language) -> str:
    """The constant c: a number, or the root of one."""
    square = Fraction(rules.c_squared)
    for below in range(1, 101):
        top = square * below * below
        if top.denominator == 1 and isqrt(int(top)) ** 2 == top:
            return language.number(normalize_number(Fraction(isqrt(int(top)), below)))
    return f"√{language.number(rules.c_squared)}"


# What are the scores? ----------------------------------------------------------------------------


def _untried_child_objection(case: Case) -> str | None:
    reason = counts_objection(case)
    if reason is None and not all(visits_and_wins(case.tree, child)[0] for child in case.tree.children[0]):
        return "a child of the root was never tried, so it has no score"
    return reason


def _ask_scores(case: Case, language: Language) -> str:
    names = [case.tree.names[child] for child in case.tree.children[0]]
    return language.say(SCORES_QUESTION, names=language.join_and(names))


def _as_table(tree: Tree, numbers: Sequence[Number]) -> Table:
    children = tree.children[0]
    return tuple(
        (child, Numeral(number, SCORE_DECIMALS)) for child, number in zip(children, numbers, strict=True)
    )


def _scores(case: Case) -> Table:
    return _as_table(
        case.tree,
        [round_score(score, SCORE_DECIMALS) for score in scores(case.tree, 0, uct_rules(case.given))],
    )


def _interpreted_scores(case: Case, reply: Table) -> Table:
    """Return the scores; those with incorrect decimals beyond the requested ones lose their credit."""
    children, rules = case.tree.children[0], uct_rules(case.given)

    def rounded(child: int, places: int) -> Number | None:
        exact = dict(zip(children, rounded_scores(case.tree, 0, rules, places), strict=True))
        return exact.get(child)

    return tuple(
        (child, discredit_wrong_decimals(entry, SCORE_DECIMALS, partial(rounded, child)))
        for child, entry in reply
    )


def _mistaken_scores(name: str, case: Case) -> Table | None:
    """Return the scores by a mistaken formula; None if it is the same one."""
    found = uct_rules(case.given)
    if name == "constant-left-out" and found.c_squared == 1:
        return None
    return _as_table(case.tree, rounded_scores(case.tree, 0, found, SCORE_DECIMALS, MISTAKEN_FORMULAS[name]))


def _score_text(score: Score, language: Language, places: int = SCORE_DECIMALS) -> str:
    """Write a score for a sentence, rounded to `places` decimals."""
    return language.reply(write_numeral(Numeral(round_score(score, places), places)))


def _score_of(solved: SolvedExercise, child: int) -> str:
    """Explain the score of a child of the root."""
    rules, (visits, wins) = uct_rules(solved.given), visits_and_wins(solved.tree, child)
    score = scores(solved.tree, 0, rules)[solved.tree.children[0].index(child)]
    score_text = _score_text(score, solved.language)
    return solved.language.say(
        ADDED_BONUS if score.sign == 1 else SUBTRACTED_BONUS,
        child=solved.node_title(child),
        wins=solved.value_text(wins),
        visits=visits,
        c=_constant(rules, solved.language),
        total=visits_and_wins(solved.tree, 0)[0],
        score=score_text,
    )


def _why_score(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say how the score of a child of the root is computed, or that another node has none.

    None for an entry without a node.
    """
    if item.node is None:
        return None
    if solved.tree.parents[item.node] != 0:
        return Reason(solved.language.say(WHY_NO_SCORE, node=solved.node_title(item.node)))
    return Reason(_score_of(solved, item.node))


def _score_steps(solved: SolvedExercise) -> tuple[str, ...]:
    return tuple(_score_of(solved, child) for child in solved.tree.children[0])


def _score_notes(solved: SolvedExercise, parents: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The score of every child that was tried, below these nodes."""
    tree, rules, language = solved.tree, uct_rules(solved.given), solved.language
    return {
        child: (
            language.term(
                SCORE_NOTE, value=language.number(normalize_number(round_score(score, SCORE_DECIMALS)))
            ),
        )
        for node in parents
        for child, score in zip(tree.children[node], scores(tree, node, rules), strict=True)
        if visits_and_wins(tree, child)[0]
    }


def _picture(
    caption: Phrase, line: Callable[[tuple[int, ...]], tuple[int, ...]], solved: SolvedExercise
) -> KeyPicture:
    """Show the scores of the children that are compared on a part of the selected path."""
    path = line(selection_path(solved.tree, uct_rules(solved.given)))
    notes = _score_notes(solved, path[:-1])
    return KeyPicture(
        solved.tree, solved.language.say(caption), shows_backed_up_values=False, notes=notes, line=path
    )


def _draw_scores(draw: Draw, case: Case) -> Case | None:
    """Draw counts, the constant and the meaning of wins; None if the tree does not suit."""
    if playouts_objection(case) is not None:
        return None
    fixed = draw.fixed_rules(MEANINGS)
    tree = draw_counts(draw, case.tree, uct_rules(Given(fixed)).wins)
    return Case(tree, case.rules, Given({"c_squared": draw.choose(C_SQUARED_CHOICES), **fixed}))


def _draw_shared_given(draw: Draw, case: Case) -> Given:
    return Given({"c_squared": draw.choose(C_SQUARED_CHOICES), **select_given(case.given, _GIVES)})


_GIVES = ("c_squared", "total", "wins")

_asking = partial(
    Kind, given_names=_GIVES, rule_choices=MEANINGS, draw_shared_given=_draw_shared_given, annotates_tree=True
)

SCORES: Kind[Table] = _asking(
    ask="scores",
    carries={CARRIED_SCORES: lambda _case, table: {node: entry.value for node, entry in table}},
    question="What are the UCT scores of the children of the root?",
    form=table_form(
        lambda tree: tree.children[0],
        matches_rounded_key,
        marking_rule=ROUNDED_NUMBER_COUNTS,
        screen_input="numbers",
    ),
    objection=_untried_child_objection,
    prompt=asks(_ask_scores, playout_sentences, _the_choice, demands=(ROUND_TO_TWO_DECIMALS,)),
    key=_scores,
    independent_key=lambda case: _as_table(
        case.tree, rounded_scores(case.tree, 0, uct_rules(case.given), SCORE_DECIMALS)
    ),
    interpret_reply=_interpreted_scores,
    beliefs={name: partial(_mistaken_scores, name) for name in MISTAKEN_FORMULAS},
    explain_item=_why_score,
    worked_solution=WorkedSolution(_score_steps),
    key_picture=partial(_picture, CAPTION_OF_SCORES, lambda path: path[:2]),
    draw=_draw_scores,
)

# Where does the next playout start? --------------------------------------------------------------


def _untried_inner_node_objection(case: Case) -> str | None:
    reason = counts_objection(case)
    if reason is None and case.tree.children[selection_path(case.tree, uct_rules(case.given))[-1]]:
        return "the search reaches an inner node that was never tried"
    return reason


def _selected_path(
    case: Case, choose: Callable[[Tree, int, UctRules], int] = select_in_decimals
) -> LeafPath | None:
    """Return the leaf that `choose` leads to; None if it ends at an inner node."""
    rules = uct_rules(case.given)
    path = case.tree.paths[walk(case.tree, lambda node: choose(case.tree, node, rules))]
    return frozenset((path,)) if path else None


def _selected_by_own(case: Case, own: Mapping[int, Number]) -> LeafPath | None:
    """Return the selected leaf according to the student's own scores of the children of the root.

    None if one of them is missing.
    """
    if not own.keys() >= set(case.tree.children[0]):
        return None
    rules = uct_rules(case.given)
    best = min if takes_lowest(case.tree, 0, rules) else max
    first = best(case.tree.children[0], key=lambda child: own[child])
    return _selected_path(
        case, lambda tree, node, rules: select_in_decimals(tree, node, rules) if node else first
    )


def _mistaken_selection(name: str, case: Case) -> LeafPath | None:
    """Return the leaf that a student with a misconception selects; None where it changes nothing."""
    found = uct_rules(case.given)
    other = {"lowest-for-min": "mover", "highest-for-min": "max"}.get(name, found.wins)
    if other != found.wins:
        return None
    if name == "untried-passed-over" and visits_and_wins(case.tree, selection_path(case.tree, found)[-1])[0]:
        return None  # nothing was met that could be passed over
    return _selected_path(case, MISTAKEN_SELECTIONS[name])


def _decimals_needed(tree: Tree, node: int, child: int, rules: UctRules) -> int:
    """Return how many decimals tell the score of the child that is chosen at a node from all worse ones.

    They are at least `SCORE_DECIMALS`.
    """
    found, places = scores(tree, node, rules), SCORE_DECIMALS
    best = found[tree.children[node].index(child)]
    worse = [score for score in found if compare_scores(score, best)]
    while any(round_score(score, places) == round_score(best, places) for score in worse):
        places += 1
    return places


def _selection_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain the choice at every node of the path by the scores."""
    tree, rules, say = solved.tree, uct_rules(solved.given), solved.language.say
    sentences = []
    for node, child in pairwise(selection_path(tree, rules)):
        names = {"node": solved.node_title(node), "child": solved.node_title(child)}
        if not visits_and_wins(tree, child)[0]:
            sentences.append(say(WHY_UNTRIED_FIRST, **names))
            continue
        places = _decimals_needed(tree, node, child, rules)
        marks = [
            solved.language.term(
                CHILD_SCORE, child=solved.node_title(each), value=_score_text(score, solved.language, places)
            )
            for each, score in zip(tree.children[node], scores(tree, node, rules), strict=True)
        ]
        sentences.append(say(WHY_HIGHEST, scores=solved.language.join_and(marks), **names))
    return tuple(sentences)


def _draw_selected(draw: Draw, case: Case) -> Case | None:
    """Draw counts for which rounded scores lead along the same path.

    None if the tree does not suit, or `MAX_DRAWS` draws find no such counts.
    """
    if playouts_objection(case) is not None:
        return None
    fixed = draw.fixed_rules(MEANINGS)
    for _ in range(MAX_DRAWS):
        tree = draw_counts(draw, case.tree, uct_rules(Given(fixed)).wins, untried=12)
        given = Given({"c_squared": draw.choose(C_SQUARED_CHOICES), **fixed})
        if selection_survives_rounding(tree, uct_rules(given)):
            return Case(tree, case.rules, given)
    return None


def selection_survives_rounding(tree: Tree, rules: UctRules) -> bool:
    """Return whether scores from rounded numbers tell where the selection leads.

    With two decimals for w/n, ln N, ln N / n, its root and c, a score is wrong by less than half the gap.
    """
    return all(
        not visits_and_wins(tree, child)[0] or _is_clear(tree, node, child, rules)
        for node, child in pairwise(selection_path(tree, rules))
    )


def _is_clear(tree: Tree, node: int, selected: int, rules: UctRules) -> bool:
    """Return whether the score of the selected child is far from all that are worse."""
    found = scores(tree, node, rules)
    best = found[tree.children[node].index(selected)]
    low, high = enclose_score(best, SCORE_DECIMALS + 2)
    for score in found:
        if (score.mean, score.factor) != (best.mean, best.factor):
            other_low, other_high = enclose_score(score, SCORE_DECIMALS + 2)
            if max(low - other_high, other_low - high) < MIN_SCORE_GAP:
                return False
    return True


SELECTED: Kind[LeafPath] = _asking(
    ask="selected",
    takes={CARRIED_SCORES: _selected_by_own},
    question="Which leaf does UCT select next?",
    form=replace(PATH, has_alternatives=False),
    objection=_untried_inner_node_objection,
    prompt=asks(SELECTED_QUESTION, playout_sentences, _the_choice, UNTRIED_FIRST),
    key=lambda case: frozenset((case.tree.paths[selection_path(case.tree, uct_rules(case.given))[-1]],)),
    independent_key=lambda case: _selected_path(case) or frozenset(),
    beliefs={name: partial(_mistaken_selection, name) for name in MISTAKEN_SELECTIONS},
    worked_solution=WorkedSolution(_selection_steps),
    key_picture=partial(_picture, CAPTION_OF_SELECTION, lambda path: path),
    draw=_draw_selected,
)

KINDS = (SCORES, SELECTED, VISITS, WINS, MEAN, PHASE)
"""Questions about a Monte Carlo tree search."""
