"""Is a statement about a search, its cost, or a sort of game true?"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from grader.answers.truth import TRUTH
from grader.base.phrases import Language
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.search_answers import search_objection
from grader.questions.true_false.known_facts import COST, GAME
from grader.questions.true_false.statements import INNER, ORDER, PLAY, SCALING, VISITED, Statement
from grader.questions.wording import LEAF_NUMBER_RULE, RETURNS, Prompt, game_sentences, search_sentences

MAX_DRAWS = 20
"""How often a statement is drawn before a tree is given up."""

SAMPLED_PAYOFFS = 48
"""With how many payoffs a statement is tried: it is asked if it is true with some and false with others."""


def _prompt(statement: Statement, searches: bool, case: Case, language: Language) -> Prompt:
    """Return the question about a statement: the game, the conventions it depends on, and its conditions.

    Without a tree there are only the conditions.
    """
    say = language.say
    facts: tuple[str, ...] = ()
    if len(case.tree):
        searched = search_sentences(case, language) if searches else ()
        returned = (say(RETURNS[case.rules.returns]),) if statement.is_about_returns else ()
        facts = (*game_sentences(case, language), *searched, *returned, say(LEAF_NUMBER_RULE))
    facts += statement.conditions(case, language)
    return Prompt(facts, say("True or false? {statement}", statement=statement.statement(case, language)))


def _objection(statement: Statement, case: Case) -> str | None:
    why = search_objection(case) if len(case.tree) else None
    return why or statement.objection(case)


def _draw(
    statement: Statement, is_decided_by_payoffs: Callable[[Case], bool], draw: Draw, case: Case
) -> Case | None:
    """Draw true and false statements with equal probability; on a tree only those that its payoffs decide.

    If only the other verdict can be drawn, keep it; None if nothing can be asked.
    """
    tree = case.tree
    if len(tree) and search_objection(case) is not None:
        return None
    shape = tree.with_payoffs((0,) * len(tree.leaves)) if len(tree) and not draw.fixed else None
    wanted, found = bool(draw.below(2)), None
    for _ in range(MAX_DRAWS):
        fields = statement.draw(draw, case)
        if fields is None:
            continue
        candidate = replace(case, given=Given(fields))
        if statement.objection(candidate) is not None:
            continue
        if shape is not None and not is_decided_by_payoffs(replace(candidate, tree=shape)):
            continue
        found = candidate
        if statement.holds(candidate) is wanted:
            break
    return found


@lru_cache(maxsize=256)
def _sampled_payoffs(count: int) -> tuple[tuple[int, ...], ...]:
    """Return this many different payoffs, positive and negative, in many fixed orders."""
    places = [
        sorted(range(count), key=lambda leaf: (leaf + 1) * number * number * 2654435761 % 2**32)
        for number in range(1, SAMPLED_PAYOFFS + 1)
    ]
    return tuple(tuple(place - count // 2 for place in row) for row in places)


def _is_decided_by_payoffs(statement: Statement, case: Case) -> bool:
    """Return whether a statement about a shape is true with some payoffs and false with others."""
    verdicts = set()
    for payoffs in _sampled_payoffs(len(case.tree.leaves)):
        other = replace(case, tree=case.tree.with_payoffs(payoffs))
        if statement.objection(other) is None:
            verdicts.add(statement.holds(other))
        if len(verdicts) == 2:
            return True
    return False


def _kind(ask: str, question: str, statement: Statement, **more: Any) -> Kind[bool]:
    """Return the kind that asks whether a statement is true."""

    def explain_statement(solved: SolvedExercise) -> tuple[str, ...]:
        return (statement.explain(solved),)

    searches = more.get("about", "values") != "values"
    return Kind(
        ask=ask,
        question=question,
        form=TRUTH,
        objection=partial(_objection, statement),
        prompt=partial(_prompt, statement, searches),
        key=statement.holds,
        independent_key=statement.holds_independently,
        beliefs={
            name: only_where_wrong(statement.holds, wrong)
            for name, wrong in statement.belief_verdicts.items()
        },
        worked_solution=WorkedSolution(explain_statement),
        draw=partial(_draw, statement, lru_cache(maxsize=1024)(partial(_is_decided_by_payoffs, statement))),
        **more,
    )


PRUNING = _kind(
    "pruning",
    "Does alpha-beta search visit this leaf?",
    VISITED,
    about="search",
    answer_labels=lambda given: ("visited", str(given.get("leaf"))),
    given_names=("leaf",),
)
ORDERING = _kind("order", "Would the opposite order visit fewer leaves?", ORDER, about="search")
INNER_VALUES = _kind(
    "inner-values",
    "Does the search return the minimax value of this node?",
    INNER,
    about="search",
    given_names=("node",),
)
RESCALING = _kind(
    "scaling",
    "Does this change of payoffs leave the best move unchanged?",
    SCALING,
    given_names=("plus", "times"),
)
OPTIMAL_PLAY = _kind(
    "optimal-play",
    "Does minimax play benefit from this mistake by MIN?",
    PLAY,
    given_names=("node", "to"),
)
COMPLEXITY = _kind(
    "complexity",
    "Does a search have this cost?",
    COST,
    given_names=("branching", "count", "counts", "plies"),
    needs_tree=False,
)
SORTS_OF_GAMES = _kind(
    "games",
    "Is the game of this type?",
    GAME,
    given_names=("chance", "game", "perfect"),
    needs_tree=False,
)
KINDS = (PRUNING, ORDERING, INNER_VALUES, RESCALING, OPTIMAL_PLAY, COMPLEXITY, SORTS_OF_GAMES)
