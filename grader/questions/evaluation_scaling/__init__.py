"""Does a decision stay when every payoff is replaced by another one?"""

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
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.value_answers import root_moves, root_moves_by_search
from grader.questions.wording import Prompt, game_sentences, optimal_play_sentence, probability_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_name
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

NATURE = count_form(one="kind", many=Phrase("kinds"), among=lambda _tree: len(NATURES), least=1)

# What is right --------------------------------------------------------------------------------------


def _stays_again(case: Case) -> bool:
    return _moves_again(case) == root_moves_by_search(replace(case, given=NOTHING_GIVEN))


def _moves_again(case: Case) -> frozenset[int]:
    return root_moves_by_search(Case(transform_payoffs(case.tree, transformation_of(case.given)), case.rules))


def _numbers(given: Given) -> Sequence[int]:
    """Payoffs on which every transformation shows its kind."""
    if "pairs" in given:
        return [before for before, _ in given["pairs"]]
    return range(0 if low_of(given) is not None else -6, 7)


def _always_again(given: Given) -> bool:
    """Whether no tree with such payoffs decides otherwise."""
    return counterexample(transformation_of(given), _numbers(given), chance=given["chance"]) is None


def _number_of(kind: TransformationType) -> int:
    return NATURES.index(kind) + 1


# How people go wrong --------------------------------------------------------------------------------


_APPLIES: Mapping[str, Callable[[Given, bool], bool]] = {
    "order-is-enough": lambda given, stays: nature_of(given) is TransformationType.INCREASING and not stays,
    "only-linear-keeps": lambda given, stays: (
        nature_of(given) is not TransformationType.POSITIVE_LINEAR and stays
    ),
    "constant-matters": lambda given, _stays: nature_of(given) is TransformationType.POSITIVE_LINEAR,
    "any-scale-keeps": lambda given, stays: nature_of(given) is TransformationType.NEITHER and not stays,
}
"""Where a belief leads to the wrong answer: to a question with two answers there is no other."""


def _stays(case: Case) -> bool:
    return keeps_decision(case.tree, transformation_of(case.given))


def _stays_wrongly(belief: str, case: Case) -> bool | None:
    stays = _stays(case)
    return not stays if _APPLIES[belief](case.given, stays) else None


def _always(given: Given) -> bool:
    return keeps_all_decisions(nature_of(given), chance=given["chance"])


def _always_wrongly(belief: str, given: Given) -> bool | None:
    stays = _always(given)
    return not stays if _APPLIES[belief](given, stays) else None


def _misjudged(what: str, given: Given) -> int | None:
    """The kind for somebody who overlooks a sign, the shape of a curve, or negative payoffs."""
    if "pairs" in given:
        return None
    exponent, factor, constant = given["power"]
    match what, nature_of(given):
        case "slope-sign-overlooked", TransformationType.NEITHER if factor < 0:
            return _number_of(transformation_type(Power(exponent, -factor, constant), at_least=low_of(given)))
        case "shape-overlooked", TransformationType.INCREASING:
            return _number_of(TransformationType.POSITIVE_LINEAR)
        case "negatives-overlooked", TransformationType.NEITHER if exponent == 2 and factor > 0:
            return _number_of(TransformationType.INCREASING)
        case "constant-matters", TransformationType.POSITIVE_LINEAR:
            return _number_of(TransformationType.INCREASING)
    return None


def _unchanged(case: Case) -> frozenset[int]:
    return moves_of(case.tree)


def _swapped(case: Case) -> frozenset[int]:
    after = transform_payoffs(case.tree, transformation_of(case.given))
    return root_moves(after, mistaken_values(after, "players-swapped"))


# What is said ---------------------------------------------------------------------------------------


def _becomes(given: Given, language: Language) -> str:
    """What becomes of a payoff: `3 × x × x − 2`, or of each payoff."""
    if "pairs" in given:
        each = [
            language.term("{before} by {after}", before=language.number(before), after=language.number(after))
            for before, after in given["pairs"]
        ]
        return language.say("Payoffs are replaced: {each}.", each=language.join_and(each))
    exponent, factor, constant = given["power"]
    leading = {1: []}.get(
        factor, [language.number(factor) if factor > 0 else f"(−{language.number(-factor)})"]
    )
    formula = " × ".join([*leading, *["x"] * exponent])
    if constant:
        formula += f" {'+' if constant > 0 else '−'} {language.number(abs(constant))}"
    return language.say("Every payoff x is replaced by {formula}.", formula=formula)


def _replaced(given: Given, language: Language) -> tuple[str, ...]:
    """What becomes of a payoff, and what payoffs there are."""
    becomes, low = _becomes(given, language), low_of(given)
    if "pairs" in given:
        return (becomes, language.say("There are no other payoffs."))
    if low is None:
        return (becomes, language.say("Payoffs may be any numbers, including negative ones."))
    return (becomes, language.say("No payoff is below {low}.", low=language.number(low)))


def _prompt_tree(asked: Phrase, case: Case, language: Language) -> Prompt:
    tree = case.tree
    states = (
        *game_sentences(tree, language),
        *probability_sentences(tree, language),
        optimal_play_sentence(tree, language),
        _becomes(case.given, language),
    )
    return Prompt(states, language.say(asked, node=node_name(tree, 0, language)))


def _prompt_any(given: Given, language: Language) -> Prompt:
    if given["chance"]:
        trees = language.say("Consider game trees with MAX, MIN and chance nodes.")
    else:
        trees = language.say("Consider game trees with MAX and MIN nodes but no chance nodes.")
    asks = language.say(
        "True or false: in every such tree, the best moves at the root are the same before and after."
    )
    return Prompt((trees, *_replaced(given, language)), asks)


def _prompt_kind(given: Given, language: Language) -> Prompt:
    kinds = language.say(
        "There are three kinds of transformations. "
        "Kind 1 multiplies by a positive number and adds a constant. "
        "Kind 2 is not kind 1 but keeps larger payoffs larger. Kind 3 is neither."
    )
    asks = language.say("Which kind is this transformation?")
    return Prompt((*_replaced(given, language), kinds), asks)


_WHY: Mapping[TransformationType, Phrase] = {
    TransformationType.POSITIVE_LINEAR: Phrase(
        "Multiplying by a positive number and adding a constant changes every value, even an expected "
        "value, in the same way. So every decision stays the same."
    ),
    TransformationType.INCREASING: Phrase(
        "Larger payoffs stay larger, so MAX and MIN choose as before. "
        "But the differences between payoffs change, and so do expected values at chance nodes."
    ),
    TransformationType.NEITHER: Phrase(
        "Some larger payoff does not stay larger, so even a choice between two leaves can change."
    ),
}
_CALLED: Mapping[TransformationType, Phrase] = {
    TransformationType.POSITIVE_LINEAR: Phrase(
        "This is kind 1: it multiplies by a positive number and adds a constant."
    ),
    TransformationType.INCREASING: Phrase(
        "This is kind 2: it is not linear but keeps larger payoffs larger."
    ),
    TransformationType.NEITHER: Phrase("This is kind 3: it is neither of the two."),
}


def _before_and_after(solved: SolvedExercise) -> tuple[str, ...]:
    """What the moves are worth before and after."""
    tree, say = solved.tree, solved.language.say
    before, after = (
        solved.list_values(tree.children[0], expectiminimax(counted))
        for counted in (tree, transform_payoffs(tree, transformation_of(solved.given)))
    )
    return (
        say("Before the change, the values of the moves are: {moves}.", moves=before),
        say("After the change, the values of the moves are: {moves}.", moves=after),
    )


def _pictured(solved: SolvedExercise) -> KeyPicture:
    """The tree with the new payoffs; beside every move what it was worth with the old ones."""
    tree, language = solved.tree, solved.language
    values = expectiminimax(tree)
    return KeyPicture(
        transform_payoffs(tree, transformation_of(solved.given)),
        language.say(
            "The new payoffs and exact values; next to every move: its value before the change; thick: "
            "the principal variation."
        ),
        notes={
            child: (language.term("before {value}", value=solved.value_text(values[child])),)
            for child in tree.children[0]
        },
    )


def _with_answer(
    steps: Callable[[SolvedExercise], tuple[str, ...]], solved: SolvedExercise, item: Item
) -> Reason:
    """The steps, and the answer they lead to."""
    answer = solved.language.say("The correct answer is {answer}.", answer=solved.language.reply(item.right))
    return Reason(paragraph(*steps(solved), answer))


def _counterexample(solved: SolvedExercise) -> tuple[str, ...]:
    """A smallest tree that decides otherwise, where there is one."""
    given, language = solved.given, solved.language
    tree = counterexample(transformation_of(given), _numbers(given), chance=given["chance"])
    if tree is None:
        return ()
    after = transform_payoffs(tree, transformation_of(given))
    values, others = expectiminimax(tree), expectiminimax(after)
    first, second = tree.children[0]
    return (
        language.say(
            "For example, two moves worth {one} and {two} before are worth {three} and {four} after.",
            one=solved.value_text(values[first]),
            two=solved.value_text(values[second]),
            three=solved.value_text(others[first]),
            four=solved.value_text(others[second]),
        ),
    )


def _steps_any(solved: SolvedExercise) -> tuple[str, ...]:
    return (solved.language.say(_WHY[nature_of(solved.given)]), *_counterexample(solved))


def _steps_kind(solved: SolvedExercise) -> tuple[str, ...]:
    kind = nature_of(solved.given)
    return (solved.language.say(_CALLED[kind]), solved.language.say(_WHY[kind]))


_asking_of_tree = partial(
    Kind,
    given_names=("pairs", "power", "at least"),
    objection=decision_objection,
    explain_item=partial(_with_answer, _before_and_after),
    worked_solution=WorkedSolution(_before_and_after, _before_and_after),
    key_picture=_pictured,
)

TREE = _asking_of_tree(
    ask="tree",
    question="Does the decision in this tree stay the same when every payoff is replaced?",
    form=TRUTH,
    draw=draw_for_tree,
    prompt=partial(
        _prompt_tree, Phrase("True or false: the best moves at {node} are the same before and after.")
    ),
    key=_stays,
    independent_key=_stays_again,
    beliefs={name: partial(_stays_wrongly, name) for name in _APPLIES},
)
ALWAYS = treeless_question(
    "always",
    "Does every decision in every tree stay the same when every payoff is replaced?",
    any_tree_objection,
    _prompt_any,
    (_always, _always_again),
    {name: partial(_always_wrongly, name) for name in _APPLIES},
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
    _prompt_kind,
    (
        lambda given: _number_of(nature_of(given)),
        lambda given: _number_of(transformation_type_on(transformation_of(given), _numbers(given))),
    ),
    {
        name: partial(_misjudged, name)
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
    prompt=partial(_prompt_tree, Phrase("Which move is best at {node} after the change?")),
    key=lambda case: moves_of(transform_payoffs(case.tree, transformation_of(case.given))),
    independent_key=_moves_again,
    beliefs={"move-kept": _unchanged, "players-swapped": _swapped},
)
KINDS = (TREE, ALWAYS, REASON, MOVE_AFTER)
