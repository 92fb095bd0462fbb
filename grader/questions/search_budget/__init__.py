"""What can a search afford: how deep does it come, how many nodes are there, how large is a game?"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers.numeral import Numeral, discredit_wrong_decimals, matches_rounded_key, write_numeral
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.number_questions import (
    COUNT,
    format_given,
    number_of,
    treeless_question,
    whole_number_objection,
)
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.search_budget.game_sizes import SIZE, STATES
from grader.questions.wording import asks
from grader.solvers.budget import (
    Model,
    affordable_nodes,
    depth_reached,
    rounded_depth,
    rounded_root,
    tree_nodes,
)
from grader.solvers.budget_by_logarithms import (
    depth_by_logarithms,
    leaves_in_best_order,
    nearest_by_logarithms,
    root_by_logarithms,
)
from grader.solvers.move_ordering import fewest_leaves

# What students read -------------------------------------------------------------------------------

DEPTH_QUESTIONS: Mapping[str, Phrase] = {
    "complete": Phrase("What is the deepest level, in plies, that the search can complete?"),
    "nearest": Phrase(
        "At which depth, rounded to the nearest whole ply, does the search use exactly the time available?"
    ),
}
MODELS: Mapping[Model, Phrase] = {
    Model.MINIMAX: Phrase(
        "Minimax visits all b^d leaves of a tree of depth d with b children at every node. "
        "Here b = {branching}."
    ),
    Model.HALF_DEPTH: Phrase(
        "With good move ordering, alpha-beta search visits about b^(d/2) leaves of a tree of depth d with b "
        "children at every node. Here b = {branching}."
    ),
    Model.KNUTH_MOORE: Phrase(
        "With perfect move ordering, alpha-beta search visits b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves of a tree of "
        "depth d with b children at every node. Here b = {branching}."
    ),
}
TIME_GIVEN = plural_phrase(
    "A program visits {rate} leaves per second and has {count} second for a move.",
    "A program visits {rate} leaves per second and has {count} seconds for a move.",
)
LEAVES_IN_TIME = plural_phrase(
    "There is time for {seconds} · {rate} = {leaves} leaf.",
    "There is time for {seconds} · {rate} = {leaves} leaves.",
)
LOGARITHMS: Mapping[Model, Phrase] = {
    Model.MINIMAX: Phrase("b^d = {leaves} gives d = ln {leaves} / ln {branching} = {plies} (rounded)."),
    Model.HALF_DEPTH: Phrase(
        "b^(d/2) = {leaves} gives d = 2 · ln {leaves} / ln {branching} = {plies} (rounded)."
    ),
}
LEAVES_REQUIRED = plural_phrase(
    "Depth {depth} requires {here} leaf, and depth {next} requires {there}.",
    "Depth {depth} requires {here} leaves, and depth {next} requires {there}.",
)
ROUNDED_DEPTH = Phrase("The depth is {depth}.")
DEEPEST_SEARCH = Phrase("The deepest complete search has depth {depth}.")
BRANCHING_QUESTION = Phrase("What is the effective branching factor?")
BRANCHING_DEFINITION = Phrase(
    "The effective branching factor of a search to depth d is the number b for which b^d equals the number "
    "of leaves visited."
)
LEAVES_AT_DEPTH = Phrase("A search to a depth of {depth} plies visited {leaves} leaves.")
ROUND_TO_ONE_DECIMAL = Phrase("Round to one decimal place.")
ROUNDED_NUMBER_COUNTS = Phrase("An answer that is correct to one decimal place is accepted.")
ROOT_OF_LEAVES = Phrase("The branching factor b satisfies b^{depth} = {leaves}, so b is about {branching}.")
NODES_QUESTION = Phrase("How many nodes does the tree have, including the root and the leaves?")
UNIFORM_TREE = Phrase(
    "In a game tree, every inner node has {branching} children, and all leaves are {depth} plies below "
    "the root."
)
LEVELS_ADDED = Phrase("Level by level from the root, there are {levels} = {nodes} nodes.")
LEAVES_QUESTION = Phrase("How many leaves does alpha-beta search visit?")
UNIFORM_TREE_OF_TWO = Phrase(
    "In a game tree of MAX and MIN, every inner node has {branching} children, and all leaves are "
    "{depth} plies below the root."
)
BEST_ORDER = Phrase("The children of every node are in the best order.")
LEAVES_IN_BEST_ORDER = Phrase(
    "With the children in the best order, b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves are visited: "
    "{high} + {low} − 1 = {leaves}."
)

# How deep does it come? --------------------------------------------------------------------------


def _leaves(given: Given) -> int:
    """The leaves that there is time for."""
    return affordable_nodes(given["seconds"], given["rate"])


def _budget_objection(given: Given) -> str | None:
    """Return why the budget cannot be asked about, or None.

    Seconds, rate, branching, model and rounding must be given; the exact model has no nearest depth.
    """
    if reason := whole_number_objection(given, {"seconds": 10**6, "rate": 10**12, "branching": 1000}):
        return reason
    model, rounded = given.get("model"), given.text("rounded", "complete")
    if model not in [str(each) for each in Model] or rounded not in DEPTH_QUESTIONS:
        return "the model of how many leaves are visited is not given, or how depths are rounded"
    if rounded == "nearest" and model == Model.KNUTH_MOORE:
        return "the exact model has a value at whole depths only"
    return None if given["branching"] > 1 else "there is nothing to choose"


def _model_sentence(case: Case, language: Language) -> str:
    """Say how many leaves the search visits, by the number of children and the depth."""
    return language.say(MODELS[case.given["model"]], branching=language.number(case.given["branching"]))


def _time_sentence(case: Case, language: Language) -> str:
    return language.say(*TIME_GIVEN, case.given["seconds"], rate=language.number(case.given["rate"]))


def _depth(given: Given, model: Model | None = None, leaves: int = 0, branching: int = 0) -> Number:
    """Return the depth under a model for these numbers, by default the given ones."""
    model, leaves = model or Model(given["model"]), leaves or _leaves(given)
    branching = branching or given["branching"]
    if given.get("rounded") == "nearest":
        return rounded_depth(leaves, branching, model)
    return depth_reached(leaves, branching, model)


def _depth_again(given: Given) -> Number:
    model, leaves, branching = Model(given["model"]), _leaves(given), given["branching"]
    if given.get("rounded") == "nearest":
        return nearest_by_logarithms(leaves, branching, model)
    return depth_by_logarithms(leaves, branching, model)


def _depth_with_half_the_branching(given: Given) -> Number | None:
    """With half the branching in place of half the exponent; None if that does not apply."""
    if given["model"] == Model.MINIMAX or given["branching"] < 4:
        return None
    return _depth(given, Model.MINIMAX, branching=given["branching"] // 2)


def _depth_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Say how many leaves fit into the time, what the model needs for a depth, and which depth that gives."""
    given, say = solved.given, solved.language.say
    leaves, model, depth = _leaves(given), Model(given["model"]), int(solved.key.value)
    sentences = [
        say(
            *LEAVES_IN_TIME,
            leaves,
            leaves=solved.value_text(leaves),
            **format_given(solved, "seconds", "rate"),
        )
    ]
    if model is not Model.KNUTH_MOORE:
        sentences.append(
            say(
                LOGARITHMS[model],
                leaves=solved.value_text(leaves),
                branching=solved.value_text(given["branching"]),
                plies=solved.value_text(rounded_depth(leaves, given["branching"], model, 2)),
            )
        )
    else:
        required = fewest_leaves(given["branching"], depth)
        sentences.append(
            say(
                *LEAVES_REQUIRED,
                required,
                depth=depth,
                next=depth + 1,
                here=solved.value_text(required),
                there=solved.value_text(fewest_leaves(given["branching"], depth + 1)),
            )
        )
    sentences.append(say(ROUNDED_DEPTH if given.get("rounded") == "nearest" else DEEPEST_SEARCH, depth=depth))
    return tuple(sentences)


MIN_DEPTH_DISTANCE = Fraction(1, 10)
"""How far a depth with digits is from where another whole depth begins, and the share of leaves to spare."""


def depth_survives_rounding(given: Given) -> bool:
    """Return whether students who round what they work out on the way come to the same depth.

    A formula without a depth in digits gives the same for a tenth more and a tenth fewer leaves.
    """
    model, leaves = Model(given["model"]), _leaves(given)
    if model is Model.KNUTH_MOORE:
        spare = int(leaves * MIN_DEPTH_DISTANCE)
        return _depth(given, leaves=leaves - spare) == _depth(given, leaves=leaves + spare)
    depth = rounded_depth(leaves, given["branching"], model, 2)
    beyond = (depth + (Fraction(1, 2) if given.get("rounded") == "nearest" else 0)) % 1
    return MIN_DEPTH_DISTANCE <= beyond <= 1 - MIN_DEPTH_DISTANCE


def _draw_budget(draw: Draw) -> Mapping[str, Any] | None:
    """Draw a budget whose depth survives rounding; None if it does not."""
    model = draw.choose(tuple(Model))
    budget = {
        "seconds": draw.choose((10, 20, 30, 60, 100, 120, 180)),
        "rate": draw.choose((10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)),
        "branching": draw.between(4, 40),
        "model": str(model),
        "rounded": draw.fixed.get("rounded", "complete"),
    }
    return (
        budget
        if _budget_objection(Given(budget)) is None and depth_survives_rounding(Given(budget))
        else None
    )


DEPTH = treeless_question(
    "depth",
    "How deep can a search go in the time available?",
    _budget_objection,
    asks(
        lambda case, language: language.say(DEPTH_QUESTIONS[case.given.get("rounded", "complete")]),
        _model_sentence,
        _time_sentence,
    ),
    (_depth, _depth_again),
    {
        "nothing-pruned": lambda given: (
            None if given["model"] == Model.MINIMAX else _depth(given, Model.MINIMAX)
        ),
        "all-pruned": lambda given: (
            _depth(given, Model.HALF_DEPTH) if given["model"] == Model.MINIMAX else None
        ),
        "branching-halved": _depth_with_half_the_branching,
        "one-ply-more": lambda given: _depth(given) + 1,
        "time-left-out": lambda given: _depth(given, leaves=given["rate"]) if given["seconds"] > 1 else None,
    },
    _depth_steps,
    _draw_budget,
    form=number_of("ply depth", Phrase("plies")),
    letter="d",
    given_names=("branching", "model", "rate", "rounded", "seconds"),
)

# The effective branching factor ----------------------------------------------------------------


def _leaves_sentence(case: Case, language: Language) -> str:
    leaves = language.number(case.given["leaves"])
    return language.say(LEAVES_AT_DEPTH, depth=case.given["depth"], leaves=leaves)


def _root(given: Given, degree: int) -> Number:
    return rounded_root(given["leaves"], degree, 1)


def _interpreted_root(case: Case, reply: Numeral) -> Numeral:
    leaves, depth = case.given["leaves"], case.given["depth"]
    return discredit_wrong_decimals(reply, 1, lambda places: rounded_root(leaves, depth, places))


def _branching_steps(solved: SolvedExercise) -> tuple[str, ...]:
    branching = solved.language.reply(write_numeral(solved.key))
    given = format_given(solved, "depth", "leaves")
    return (solved.language.say(ROOT_OF_LEAVES, branching=branching, **given),)


def _draw_branching(draw: Draw) -> Mapping[str, Any]:
    branching, depth = draw.between(6, 40), draw.between(4, 8)
    leaves = fewest_leaves(branching, depth)
    # In a good but not perfect order a search visits a few times as many.
    return {"leaves": leaves * draw.between(1, 3) + draw.below(leaves), "depth": depth}


BRANCHING = treeless_question(
    "branching",
    "What is the effective branching factor of a search?",
    lambda given: whole_number_objection(given, {"leaves": 10**18, "depth": 60}, minimum=2),
    asks(BRANCHING_QUESTION, _leaves_sentence, BRANCHING_DEFINITION, demands=(ROUND_TO_ONE_DECIMAL,)),
    (
        lambda given: _root(given, given["depth"]),
        lambda given: root_by_logarithms(given["leaves"], given["depth"], 1),
    ),
    {
        "leaves-over-depth": lambda given: normalize_number(
            Fraction(round(Fraction(10 * given["leaves"], given["depth"])), 10)
        ),
        "square-root": lambda given: None if given["depth"] == 2 else _root(given, 2),
        "one-ply-less": lambda given: _root(given, given["depth"] - 1),
    },
    _branching_steps,
    _draw_branching,
    of=lambda root: Numeral(root, 1),
    form=replace(
        COUNT,
        is_same=matches_rounded_key,
        example="6.3",
        marking_rule=ROUNDED_NUMBER_COUNTS,
    ),
    letter="b",
    given_names=("depth", "leaves"),
    interpret_reply=_interpreted_root,
)

# How many nodes are there? -----------------------------------------------------------------------


def _nodes_again(given: Given) -> Number:
    """As a geometric sum: (b^(d+1) - 1) / (b - 1)."""
    top: int = given["branching"] ** (given["depth"] + 1) - 1
    return normalize_number(Fraction(top, given["branching"] - 1))


def _nodes_steps(solved: SolvedExercise) -> tuple[str, ...]:
    branching, depth = solved.given["branching"], solved.given["depth"]
    levels = " + ".join(str(branching**level) for level in range(depth + 1))
    return (solved.language.say(LEVELS_ADDED, levels=levels, nodes=solved.value_text(solved.key.value)),)


def _draw_uniform(draw: Draw) -> Mapping[str, Any]:
    """Draw three plies, or four with fewer children, so that all numbers have four to six digits."""
    depth, minimum, maximum = draw.choose(((3, 15, 99), (4, 6, 31)))
    return {"branching": draw.between(minimum, maximum), "depth": depth}


NODE_COUNT = treeless_question(
    "nodes",
    "How many nodes does a uniform game tree have?",
    lambda given: whole_number_objection(given, {"branching": 1000, "depth": 30}, minimum=2),
    asks(NODES_QUESTION, UNIFORM_TREE),
    (lambda given: tree_nodes(given["branching"], given["depth"]), _nodes_again),
    {
        "last-level-alone": lambda given: given["branching"] ** given["depth"],
        "root-left-out": lambda given: tree_nodes(given["branching"], given["depth"]) - 1,
        "one-ply-less": lambda given: tree_nodes(given["branching"], given["depth"] - 1),
        "branching-times-depth": lambda given: given["branching"] * given["depth"] + 1,
    },
    _nodes_steps,
    _draw_uniform,
    form=number_of("node", Phrase("nodes")),
    given_names=("branching", "depth"),
)

# How many leaves must be visited? ----------------------------------------------------------------


def _least_steps(solved: SolvedExercise) -> tuple[str, ...]:
    branching, depth = solved.given["branching"], solved.given["depth"]
    high, low = branching ** ((depth + 1) // 2), branching ** (depth // 2)
    leaves = solved.value_text(solved.key.value)
    return (solved.language.say(LEAVES_IN_BEST_ORDER, high=high, low=low, leaves=leaves),)


LEAVES = treeless_question(
    "leaves",
    "How many leaves does alpha-beta search visit with perfect ordering?",
    lambda given: whole_number_objection(given, {"branching": 1000, "depth": 30}, minimum=2),
    asks(LEAVES_QUESTION, UNIFORM_TREE_OF_TWO, BEST_ORDER),
    (
        lambda given: fewest_leaves(given["branching"], given["depth"]),
        lambda given: leaves_in_best_order(given["branching"], given["depth"]),
    ),
    {
        "never-prunes": lambda given: given["branching"] ** given["depth"],
        "root-of-all": lambda given: given["branching"] ** (given["depth"] // 2),
        "one-line-counted-twice": lambda given: fewest_leaves(given["branching"], given["depth"]) + 1,
    },
    _least_steps,
    lambda draw: {"branching": draw.between(15, 60), "depth": draw.between(4, 6)},
    form=number_of("leaf", Phrase("leaves")),
    given_names=("branching", "depth"),
)

KINDS = (DEPTH, BRANCHING, NODE_COUNT, LEAVES, STATES, SIZE)
"""Questions about the cost of a search and the size of a game."""
