"""Which states, and which moves? Result(b, a) and Actions(b) as sets, each member named in a picture."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from grader.answers.branches import BRANCHES, Branches
from grader.base.phrases import Language, Phrase
from grader.questions.belief_state.worlds import (
    ACTIONS,
    BY_RULE,
    belief_of,
    belief_sentence,
    draw_belief,
    draw_world,
    moves_sentences,
    valid_world,
    world_objection,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt
from grader.solvers.partial_observation import BeliefState, actions
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

STATE_LABELS = ("P", "Q", "R", "S", "T", "U")
"""What states are called where they are named in replies: a number would be a leaf number."""

MAX_DRAWS = 80
"""How often a belief is drawn before a world is given up."""

WHOLE = Phrase("Only the complete answer earns points: all of them and no others.")

SET = replace(
    BRANCHES,
    ask=Phrase("Write their labels, or none if there are none."),
    example="P R",
    policies=("exact",),
    earlier_policies=(),
    credit_sentence=lambda terms, _tree: terms.language.say(WHOLE),
    from_drawing=None,
    screen_input="",
    by_payoffs=None,
    counts_leaves=False,
    answer_count=lambda _key, tree: 2 ** len(tree.leaves) - 2,
    payoff_blind_answers=lambda tree, _rules: {
        "everything": frozenset(range(1, len(tree))),
        "nothing": frozenset(),
    },
)
"""A set of some things that hang below one node, not of none and not of all; each such set comes as often."""


def member_tree(members: Sequence[str]) -> Tree:
    """A node with everything below it that may belong to the answer."""
    planting = TreeBuilder()
    root = planting.add(-1, Player.MAX, name="b")
    for name in members:
        planting.add(root, None, name, name=name)
    return planting.tree()


def _members(tree: Tree, names: Sequence[str]) -> Branches:
    return frozenset(tree.index[name] for name in names)


def belief_of_reply(tree: Tree, found: Branches) -> BeliefState:
    """The names of what belongs to an answer."""
    return frozenset(tree.names[node] for node in found)


def set_question(
    ask: str,
    question: str,
    everything: Callable[[Given], Sequence[str]],
    prompt: Callable[[Given, Language], Prompt],
    ways: tuple[Callable[[Given], BeliefState], Callable[[Given], BeliefState]],
    beliefs: dict[str, Callable[[Given], BeliefState]],
    told: Callable[[SolvedExercise], tuple[str, ...]],
    draw: Callable[[Draw], Given | None],
    suits: Callable[[Given], str | None],
    **more: Any,
) -> Kind[Branches]:
    """A question about a set; `everything` is what may belong to it, in the order of the picture."""

    def suited(case: Case) -> str | None:
        why = suits(case.given)
        if why is None and (
            not len(case.tree) or sorted(case.tree.names[1:]) != sorted(everything(case.given))
        ):
            why = "the tree does not show everything that may belong to the answer"
        return why

    def keyed(found: Callable[[Given], BeliefState]) -> Callable[[Case], Branches]:
        return lambda case: _members(case.tree, sorted(found(case.given)))

    def drawn(stream: Draw, case: Case) -> Case | None:
        given = draw(stream)
        return None if given is None else Case(member_tree(everything(given)), case.rules, given)

    def pictured(solved: SolvedExercise) -> KeyPicture:
        caption = solved.language.say("Thick: the correct answer.")
        return KeyPicture(solved.tree, caption, shows_backed_up_values=False, line=(0, *sorted(solved.key)))

    return Kind(
        ask=ask,
        question=question,
        form=SET,
        objection=suited,
        prompt=lambda case, language: prompt(case.given, language),
        key=keyed(ways[0]),
        independent_key=keyed(ways[1]),
        beliefs={name: only_where_wrong(keyed(ways[0]), keyed(found)) for name, found in beliefs.items()},
        worked_solution=WorkedSolution(told, told),
        key_picture=pictured,
        draw=drawn,
        annotates_tree=True,
        needs_tree=False,
        **more,
    )


# Actions(b) -----------------------------------------------------------------------------------------


def _rule(given: Given, other: bool = False) -> str:
    legal: str = given.get("legal", "intersection")
    return {"union": "intersection", "intersection": "union"}[legal] if other else legal


def all_moves(given: Given) -> tuple[str, ...]:
    """All moves of a world in the order of the alphabet, as the question lists them.

    So the same moves are the same answer in every world, and each answer can come as often.
    """
    return tuple(sorted({move for moves in valid_world(given).moves.values() for move in moves}))


def available_moves(given: Given, other: bool = False) -> BeliefState:
    """Actions(b) by the rule that is given, or by the other one."""
    return frozenset(actions(valid_world(given), belief_of(given), _rule(given, other)))  # type: ignore[arg-type]  # one of the two


def independent_available_moves(given: Given) -> BeliefState:
    """The same, as the union or the intersection of sets."""
    world = valid_world(given)
    sets = [frozenset(world.moves.get(state, {})) for state in belief_of(given)]
    return frozenset.union(*sets) if _rule(given) == "union" else frozenset.intersection(*sets)


def ask_moves(given: Given, language: Language) -> Prompt:
    """The moves, what Actions(b) is, and which of the moves in the picture belong to it."""
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(BY_RULE[_rule(given)]),
            belief_sentence(given, language),
        ),
        say("The picture shows all actions below b. Which of them are in Actions(b)?"),
    )


def draw_moves(draw: Draw) -> Given | None:
    """A world in which the two rules differ, and neither all moves nor none are right."""
    made = draw_world(draw, actions=len(ACTIONS), illegal=True)
    for _ in range(MAX_DRAWS):
        given = Given(
            {**made, "belief": draw_belief(draw, 2), "legal": draw.choose(("union", "intersection"))}
        )
        if available_moves(given) != available_moves(given, other=True) and 0 < len(
            available_moves(given)
        ) < len(all_moves(given)):
            return given
    return None


def moves_objection(given: Given) -> str | None:
    """Whether there is a world with moves."""
    return world_objection(given) or (None if all_moves(given) else "there is no move in this world")


# Result(b, a) ---------------------------------------------------------------------------------------

STAYS_IF_ILLEGAL = Phrase(
    "If the agent tries an action in a state where it is illegal, the agent stays in that state."
)


def ask_states(given: Given, language: Language) -> Prompt:
    """The moves, the belief, and which of the states in the picture one may be in after a move."""
    say = language.say
    return Prompt(
        (
            *moves_sentences(valid_world(given), language),
            say(STAYS_IF_ILLEGAL),
            belief_sentence(given, language),
        ),
        say(
            "The picture shows all states below b. "
            "Which of them are in Result(b, {action}), the belief state after the action {action}?",
            action=given["action"],
        ),
    )


def draw_states(
    draw: Draw, after: Callable[[Given], BeliefState], wrong: Sequence[Callable[[Given], BeliefState]]
) -> Given | None:
    """A belief and a move with which every mistake shows."""
    made = draw_world(draw, actions=2, illegal=True, states=STATE_LABELS)
    for _ in range(MAX_DRAWS):
        belief, action = (
            draw_belief(draw, draw.between(2, 5), STATE_LABELS),
            draw.choose(draw.names(ACTIONS[:2])),
        )
        given = Given({**made, "belief": belief, "action": action})
        if action not in actions(valid_world(given), belief_of(given), "union"):
            continue
        found = after(given)
        if len(found) < len(STATE_LABELS) and all(each(given) != found for each in wrong):
            return given
    return None
