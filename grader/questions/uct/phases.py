"""Which phase of Monte Carlo tree search is this?"""

import re
from collections.abc import Mapping
from dataclasses import replace

from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.number_questions import number_of, treeless_question
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import asks
from grader.solvers.uct_search import PHASES
from grader.trees.tree import Tree
from grader.trees.tree_builder import LETTERS

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("Which phase is this: 1, 2, 3, or 4?")
DEFINITION = Phrase("An iteration of Monte Carlo tree search has four phases: {names}.")
PHASE_NAMES: Mapping[str, Phrase] = {
    "selection": Phrase("selection"),
    "expansion": Phrase("expansion"),
    "simulation": Phrase("simulation"),
    "backpropagation": Phrase("backpropagation"),
}
STEPS: Mapping[str, tuple[Phrase, ...]] = {
    "selection": (
        Phrase("From node {node}, the search goes to the child with the best score."),
        Phrase(
            "All children of node {node} have been tried, and the search decides which one to visit next."
        ),
        Phrase("The search moves down the existing tree and has reached node {node}."),
    ),
    "expansion": (
        Phrase("A position that was not in the tree becomes the new node {node}."),
        Phrase("A new child, {node}, is added to the node that the search has reached."),
        Phrase("Node {node}, which has no playouts yet, is added to the tree."),
    ),
    "simulation": (
        Phrase("From node {node}, the game is played to the end with random moves."),
        Phrase("From node {node}, moves that are not stored in the tree are made until a player has won."),
        Phrase("A playout from node {node} produces a result; the tree does not change meanwhile."),
    ),
    "backpropagation": (
        Phrase("Node {node} and its ancestors record one more playout and its winner."),
        Phrase("The result is passed from node {node} up to the root."),
        Phrase("The numbers n and w change, from node {node} upward."),
    ),
}
"""Phase -> descriptions of its step."""

WHY_PHASE = Phrase("{doing} This is phase {number}: {name}.")


def _objection(given: Given) -> str | None:
    """Return that no phase, step of it or node is given, or None."""
    number = given.get("said")
    if given.get("phase") not in PHASES:
        return "the phase is not given"
    is_valid = type(number) is int and 0 <= number < len(STEPS[given["phase"]])
    return None if is_valid and str(given.get("node")) in list(LETTERS) else "what is done is not given"


def _definition(case: Case, language: Language) -> str:
    names = [f"{number} {language.term(PHASE_NAMES[phase])}" for number, phase in enumerate(PHASES, 1)]
    return language.say(DEFINITION, names=language.join(names))


def _number(given: Given) -> int:
    return PHASES.index(given["phase"]) + 1


def _number_by_order(given: Given) -> int:
    """Return the number of a phase by counting the phases before it."""
    return 1 + sum(
        1 for phase in PHASE_NAMES if list(PHASE_NAMES).index(phase) < list(PHASE_NAMES).index(given["phase"])
    )


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    phase = solved.given["phase"]
    return (
        solved.language.say(
            WHY_PHASE,
            doing=solved.language.say(STEPS[phase][0], node=solved.given["node"]),
            number=_number(solved.given),
            name=solved.language.term(PHASE_NAMES[phase]),
        ),
    )


OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "selection": ("select",),
    "expansion": ("expand",),
    "simulation": ("rollout", "playout", "simulat"),
    "backpropagation": ("backprop", "back-prop", "backup", "propagat"),
}
_NUMBER = number_of("phase number", Phrase("phases"))


def _read(text: str, tree: Tree, terms: Terms) -> Numeral | Malformed | Ambiguous:
    """Read a number, or the name of a phase with or without its number."""
    folded = text.casefold()
    numbers = [
        str(number)
        for number, phase in enumerate(PHASES, 1)
        if any(
            word in folded
            for word in (*OTHER_WORDS[phase], terms.language.term(PHASE_NAMES[phase]).casefold())
        )
    ]
    plain = (
        len(numbers) == 1 and len(text) < MAX_PHASE_LENGTH and set(re.findall("[0-9]+", text)) <= set(numbers)
    )
    doubt = "?" if {"?", "？"} & {*text} else ""
    return _NUMBER.read(numbers[0] + doubt if plain else text, tree, terms)


MAX_PHASE_LENGTH = 60
"""The maximum length of a reply in characters; a longer one describes more than one phase."""

PHASE = treeless_question(
    "phase",
    "Which phase of Monte Carlo tree search is this?",
    _objection,
    asks(
        QUESTION,
        _definition,
        lambda case, language: language.say(
            STEPS[case.given["phase"]][case.given["said"]], node=case.given["node"]
        ),
    ),
    (_number, _number_by_order),
    {
        "phase-before": lambda given: _number(given) - 1 or None,
        "phase-after": lambda given: _number(given) + 1 if _number(given) < len(PHASES) else None,
    },
    _steps,
    lambda draw: {"phase": draw.choose(PHASES), "said": draw.below(3), "node": draw.choose(LETTERS)},
    form=replace(_NUMBER, read=_read, numbers_choices=True, answer_count=lambda _key, _tree: len(PHASES)),
    given_names=("node", "phase", "said"),
)
