"""Does a decision stay the same when every payoff is replaced by another one?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from grader.answers.count import count_form
from grader.answers.form import Item
from grader.answers.move import MOVE
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.evaluation_scaling.payoff_transformations import (
    NATURES,
    any_tree_objection,
    decision_objection,
    draw_for_any_tree,
    draw_for_tree,
    draw_transformation,
    low_of,
    moves_of,
    nature_of,
    transformation_objection,
    transformation_of,
)
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind
from grader.questions.number_questions import treeless_question
from grader.questions.reasons import CORRECT_ANSWER, Reason, SolvedExercise, WorkedSolution
from grader.questions.value_answers import root_moves, root_moves_by_search
from grader.questions.wording import asks, game_sentences, optimal_play_sentence, probability_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.mistaken_search import mistaken_values
from grader.solvers.scaling import (
    Power,
    TransformationType,
    counterexample,
    keeps_all_decisions,
    keeps_decision,
    transform_payoffs,
    transformation_type,
    transformation_type_on,
)

# What students read ---------------------------------------------------------------------------------

QUESTION_TREE = Phrase(
    "True or false: replacing the payoffs as described leaves the best moves at {node} unchanged."
)
QUESTION_ALWAYS = {
    False: Phrase(
        "True or false: "
        "replacing the payoffs as described never changes the best moves at the root of any game tree "
        "without chance nodes."
    ),
    True: Phrase(
        "True or false: "
        "replacing the payoffs as described never changes the best moves at the root of any game tree with "
        "chance nodes."
    ),
}
"""By whether the trees have chance nodes."""

QUESTION_KIND = Phrase("Which kind is this transformation?")
QUESTION_MOVE = Phrase("Which move is best at {node} after the payoffs are replaced as described?")
KIND_NUMBER = Phrase("Write the number of the kind.")

PAYOFFS_REPLACED_ONE_BY_ONE = Phrase("The payoffs are replaced as follows: {each}.")
PAYOFFS_REPLACED_BY_FORMULA = Phrase("Every payoff x is replaced by {formula}.")
NO_OTHER_PAYOFFS = Phrase("There are no other payoffs.")
ANY_PAYOFFS = Phrase("Payoffs may be any numbers, including negative ones.")
NO_PAYOFF_BELOW = Phrase("No payoff is below {low}.")
KINDS_OF_TRANSFORMATIONS = Phrase(
    "There are three kinds of transformations. "
    "Kind 1 multiplies by a positive number and adds a constant. "
    "Kind 2 is not kind 1 but keeps larger payoffs larger. Kind 3 is neither."
)

WHY_MOVES_CHANGE_OR_STAY: Mapping[TransformationType, Phrase] = {
    TransformationType.POSITIVE_LINEAR: Phrase(
        "Multiplying by a positive number and adding a constant changes every value in the same way, even "
        "expected values. So every decision stays the same."
    ),
    TransformationType.INCREASING: Phrase(
        "Larger payoffs stay larger, so MAX and MIN choose as before. "
        "But the differences between payoffs change, and so do expected values at chance nodes."
    ),
    TransformationType.NEITHER: Phrase(
        "The order of some payoffs changes, so even a choice between two leaves can change."
    ),
}
WHY_THIS_KIND: Mapping[TransformationType, Phrase] = {
    TransformationType.POSITIVE_LINEAR: Phrase(
        "This is kind 1: it multiplies by a positive number and adds a constant."
    ),
    TransformationType.INCREASING: Phrase(
        "This is kind 2: it is not linear but keeps larger payoffs larger."
    ),
    TransformationType.NEITHER: Phrase("This is kind 3: it is neither kind 1 nor kind 2."),
}
COUNTEREXAMPLE = Phrase(
    "For example, two moves worth {one} and {two} before the change are worth {three} and {four} after it."
)
VALUES_BEFORE = Phrase("Before the change, the moves have these values: {moves}.")
VALUES_AFTER = Phrase("After the change, the moves have these values: {moves}.")
CAPTION = Phrase(
    "The new payoffs and exact values. The value before the change is next to each move. "
    "The principal variation is drawn with thick lines."
)

NATURE = replace(
    count_form(one="kind", many=Phrase("kinds"), among=lambda _tree: len(NATURES), least=1),
    ask=KIND_NUMBER,
)

# Correct answers --------------------------------------------------------------------------------------


def _independent_is_unchanged(case: Case) -> bool:
    return _independent_moves(case) == root_moves_by_search(replace(case, given=NOTHING_GIVEN))


def _independent_moves(case: Case) -> frozenset[int]:
    return root_moves_by_search(Case(transform_payoffs(case.tree, transformation_of(case.given)), case.rules))


def _numbers(given: Given) -> Sequence[int]:
    """Return payoffs that are enough to tell the kinds of transformations apart."""
    if "pairs" in given:
        return [before for before, _ in given["pairs"]]
    return range(0 if low_of(given) is not None else -6, 7)


def _independent_always(given: Given) -> bool:
    """Check that no tree with such payoffs has other best moves afterwards."""
    return counterexample(transformation_of(given), _numbers(given), chance=given["chance"]) is None


def _number_of(kind: TransformationType) -> int:
    return NATURES.index(kind) + 1


# Misconceptions --------------------------------------------------------------------------------


_GIVES_WRONG_ANSWER: Mapping[str, Callable[[Given, bool], bool]] = {
    "order-is-enough": lambda given, is_unchanged: (
        nature_of(given) is TransformationType.INCREASING and not is_unchanged
    ),
    "only-linear-keeps": lambda given, is_unchanged: (
        nature_of(given) is not TransformationType.POSITIVE_LINEAR and is_unchanged
    ),
    "constant-matters": lambda given, _is_unchanged: nature_of(given) is TransformationType.POSITIVE_LINEAR,
    "any-scale-keeps": lambda given, is_unchanged: (
        nature_of(given) is TransformationType.NEITHER and not is_unchanged
    ),
}
"""When a misconception leads to the wrong one of two answers."""


def _is_unchanged(case: Case) -> bool:
    return keeps_decision(case.tree, transformation_of(case.given))


def _always(given: Given) -> bool:
    return keeps_all_decisions(nature_of(given), chance=given["chance"])


def _mistaken_is_unchanged(belief: str, case: Case) -> bool | None:
    is_unchanged = _is_unchanged(case)
    return not is_unchanged if _GIVES_WRONG_ANSWER[belief](case.given, is_unchanged) else None


def _mistaken_always(belief: str, given: Given) -> bool | None:
    is_unchanged = _always(given)
    return not is_unchanged if _GIVES_WRONG_ANSWER[belief](given, is_unchanged) else None


def _mistaken_kind(mistake: str, given: Given) -> int | None:
    """Return the kind for a student who overlooks a sign, the shape of a curve, or negative payoffs.

    None where the mistake does not apply.
    """
    if "pairs" in given:
        return None
    exponent, factor, constant = given["power"]
    match mistake, nature_of(given):
        case "slope-sign-overlooked", TransformationType.NEITHER if factor < 0:
            return _number_of(transformation_type(Power(exponent, -factor, constant), at_least=low_of(given)))
        case "shape-overlooked", TransformationType.INCREASING:
            return _number_of(TransformationType.POSITIVE_LINEAR)
        case "negatives-overlooked", TransformationType.NEITHER if exponent == 2 and factor > 0:
            return _number_of(TransformationType.INCREASING)
        case "constant-matters", TransformationType.POSITIVE_LINEAR:
            return _number_of(TransformationType.INCREASING)
    return None


def _moves_of_swapped_players(case: Case) -> frozenset[int]:
    after = transform_payoffs(case.tree, transformation_of(case.given))
    return root_moves(after, mistaken_values(after, "players-swapped"))


# Questions and reasons ------------------------------------------------------------------------------


def _replacement_sentence(case: Case, language: Language) -> str:
    """Say what becomes of a payoff: `3 × x × x − 2`, or of each payoff."""
    given = case.given
    if "pairs" in given:
        each = [
            language.term("{before} by {after}", before=language.number(before), after=language.number(after))
            for before, after in given["pairs"]
        ]
        return language.say(PAYOFFS_REPLACED_ONE_BY_ONE, each=language.join_and(each))
    exponent, factor, constant = given["power"]
    leading = {1: []}.get(
        factor, [language.number(factor) if factor > 0 else f"(−{language.number(-factor)})"]
    )
    formula = " × ".join([*leading, *["x"] * exponent])
    if constant:
        formula += f" {'+' if constant > 0 else '−'} {language.number(abs(constant))}"
    return language.say(PAYOFFS_REPLACED_BY_FORMULA, formula=formula)


def _replacement_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say what becomes of a payoff, and which payoffs there are."""
    replacement, low = _replacement_sentence(case, language), low_of(case.given)
    if "pairs" in case.given:
        return (replacement, language.say(NO_OTHER_PAYOFFS))
    if low is None:
        return (replacement, language.say(ANY_PAYOFFS))
    return (replacement, language.say(NO_PAYOFF_BELOW, low=language.number(low)))


def _before_and_after(solved: SolvedExercise) -> tuple[str, ...]:
    """Say what the values of the moves are before and after."""
    tree, say = solved.tree, solved.language.say
    before, after = (
        solved.list_values(tree.children[0], expectiminimax(valued))
        for valued in (tree, transform_payoffs(tree, transformation_of(solved.given)))
    )
    return (
        say(VALUES_BEFORE, moves=before),
        say(VALUES_AFTER, moves=after),
    )


def _pictured(solved: SolvedExercise) -> KeyPicture:
    """Show the tree with the new payoffs; next to every move its value with the old ones."""
    tree, language = solved.tree, solved.language
    values = expectiminimax(tree)
    return KeyPicture(
        transform_payoffs(tree, transformation_of(solved.given)),
        language.say(CAPTION),
        notes={
            child: (language.term("before {value}", value=solved.value_text(values[child])),)
            for child in tree.children[0]
        },
    )


def _with_answer(
    steps: Callable[[SolvedExercise], tuple[str, ...]], solved: SolvedExercise, item: Item
) -> Reason:
    """Return the steps and the answer to which they lead."""
    answer = solved.language.say(CORRECT_ANSWER, answer=solved.language.quoted_reply(item.right))
    return Reason(paragraph(*steps(solved), answer))


def _counterexample(solved: SolvedExercise) -> tuple[str, ...]:
    """Describe a smallest tree with other best moves afterwards, if there is one."""
    given, language = solved.given, solved.language
    tree = counterexample(transformation_of(given), _numbers(given), chance=given["chance"])
    if tree is None:
        return ()
    after = transform_payoffs(tree, transformation_of(given))
    values, others = expectiminimax(tree), expectiminimax(after)
    first, second = tree.children[0]
    return (
        language.say(
            COUNTEREXAMPLE,
            one=solved.value_text(values[first]),
            two=solved.value_text(values[second]),
            three=solved.value_text(others[first]),
            four=solved.value_text(others[second]),
        ),
    )


def _steps_any(solved: SolvedExercise) -> tuple[str, ...]:
    why = WHY_MOVES_CHANGE_OR_STAY[nature_of(solved.given)]
    return (solved.language.say(why), *_counterexample(solved))


def _steps_kind(solved: SolvedExercise) -> tuple[str, ...]:
    kind, say = nature_of(solved.given), solved.language.say
    return (say(WHY_THIS_KIND[kind]), say(WHY_MOVES_CHANGE_OR_STAY[kind]))


_CONVENTIONS = (game_sentences, probability_sentences, optimal_play_sentence, _replacement_sentence)

_asking_of_tree = partial(
    Kind,
    given_names=("pairs", "power", "at least"),
    objection=decision_objection,
    explain_item=partial(_with_answer, _before_and_after),
    worked_solution=WorkedSolution(_before_and_after),
    key_picture=_pictured,
)

TREE = _asking_of_tree(
    ask="tree",
    question="Does a transformation of the payoffs preserve the decision in this tree?",
    form=TRUTH,
    draw=draw_for_tree,
    prompt=asks(QUESTION_TREE, *_CONVENTIONS),
    key=_is_unchanged,
    independent_key=_independent_is_unchanged,
    beliefs={name: partial(_mistaken_is_unchanged, name) for name in _GIVES_WRONG_ANSWER},
)
ALWAYS = treeless_question(
    "always",
    "Does a transformation of the payoffs preserve every decision in every tree?",
    any_tree_objection,
    asks(lambda case, language: language.say(QUESTION_ALWAYS[case.given["chance"]]), _replacement_sentences),
    (_always, _independent_always),
    {name: partial(_mistaken_always, name) for name in _GIVES_WRONG_ANSWER},
    _steps_any,
    draw_for_any_tree,
    form=TRUTH,
    of=bool,
    given_names=("chance", "pairs", "power", "at least"),
    explain_item=partial(_with_answer, _steps_any),
)
REASON = treeless_question(
    "why",
    "Which kind of payoff transformation is this?",
    transformation_objection,
    asks(QUESTION_KIND, _replacement_sentences, KINDS_OF_TRANSFORMATIONS),
    (
        lambda given: _number_of(nature_of(given)),
        lambda given: _number_of(transformation_type_on(transformation_of(given), _numbers(given))),
    ),
    {
        name: partial(_mistaken_kind, name)
        for name in ("slope-sign-overlooked", "shape-overlooked", "negatives-overlooked", "constant-matters")
    },
    _steps_kind,
    draw_transformation,
    form=NATURE,
    given_names=("pairs", "power", "at least"),
    explain_item=partial(_with_answer, _steps_kind),
)
MOVE_AFTER = _asking_of_tree(
    ask="move",
    question="Which move is best after every payoff is replaced?",
    form=MOVE,
    draw=partial(draw_for_tree, changes=True),
    prompt=asks(QUESTION_MOVE, *_CONVENTIONS),
    key=lambda case: moves_of(transform_payoffs(case.tree, transformation_of(case.given))),
    independent_key=_independent_moves,
    beliefs={"move-kept": lambda case: moves_of(case.tree), "players-swapped": _moves_of_swapped_players},
)
KINDS = (TREE, ALWAYS, REASON, MOVE_AFTER)
