"""Why a point is lost: the reasons that kinds give, with everything that a reason may refer to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from grader.answers.form import Item, Terms
from grader.base.numbers import Bound
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.solvers.explaining.node_wording import branch_list, node_title, value_text
from grader.solvers.explaining.steps import Account, explain
from grader.solvers.explaining.value_reasons import value_reason, value_sentence
from grader.solvers.solution import Solution, solve
from grader.trees.rules import Rules
from grader.trees.tree import Tree, Value

MAX_LISTED_CHOICES = 3
"""The maximum number of rejected choices that are listed one by one."""

CORRECT_ANSWER = Phrase("The correct answer is {answer}.")
FOLLOWS_FROM_BELOW = Phrase("Your value is consistent with your own entries below it.")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is right, wrong or missing.

    `because` are whole sentences. If they hold for several branches, `one` and `many` are the claim about
    one or several of them (`{what}`), and `nodes` are the branches.
    """

    because: str
    one: Phrase | None = None
    many: Phrase | None = None
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True)
class SolvedExercise:
    """An exercise with its solution; the search is explained once, when the first reason needs it."""

    case: Case
    terms: Terms
    key: Any

    @property
    def tree(self) -> Tree:
        """The tree that is asked about."""
        return self.case.tree

    @property
    def rules(self) -> Rules:
        """The rules that decide the answer."""
        return self.case.rules

    @property
    def given(self) -> Given:
        """The data other than the tree."""
        return self.case.given

    @property
    def language(self) -> Language:
        """How the student is spoken to."""
        return self.terms.language

    @cached_property
    def solution(self) -> Solution:
        """The tree, solved."""
        return solve(self.tree, self.rules)

    @cached_property
    def account(self) -> Account:
        """The search, told."""
        return explain(self.solution, self.language)

    @cached_property
    def values(self) -> Sequence[Value]:
        """The exact value of every node."""
        return [value for value in self.solution.values if value is not None]

    def node_title(self, node: int) -> str:
        """Return the player and the name of a node."""
        return node_title(self.tree, node, self.language)

    def value_text(self, value: Value | Bound) -> str:
        """A value as text."""
        return value_text(value, self.language)

    def list_values(self, nodes: Iterable[int], values: Sequence[Value | None]) -> str:
        """The nodes of some that have a value, with it: `MIN B with 3 and MIN C with 5`."""
        worth = [
            self.language.term(
                "{child} with {value}", child=self.node_title(node), value=self.value_text(value)
            )
            for node in nodes
            if (value := values[node]) is not None
        ]
        return self.language.join_and(worth)

    def state_reason(self, reason: Reason) -> str:
        """A reason in whole sentences."""
        claim = self.claim(reason)
        return paragraph(claim, reason.because)

    def claim(self, reason: Reason) -> str:
        """Return the claim about the branches of a reason; empty if it has none."""
        if reason.one is None or reason.many is None:
            return ""
        branches = branch_list(self.tree, reason.nodes, self.language)
        if len(reason.nodes) == 1:
            branches = self.node_title(reason.nodes[0])
        return self.language.say(reason.one, reason.many, len(reason.nodes), what=branches)

    def pruned_ancestor(self, node: int) -> int | None:
        """The topmost node of the cut branch that a node belongs to, None when it is visited."""
        while node >= 0 and node not in self.account.cuts:
            node = self.tree.parents[node]
        return node if node >= 0 else None


# The reasons that several kinds share


def why_pruned(solved: SolvedExercise, item: Item) -> Reason | None:
    """Why a leaf or branch is pruned, or why it is visited; None for an item without a node."""
    node, say = item.node, solved.language.say
    if node is None:
        return None
    top, visit = solved.pruned_ancestor(node), solved.account.visits.get(node)
    if item.verdict == "missing" and top is not None:
        return Reason(solved.account.cuts[top], PRUNED, ARE_PRUNED, (node,))
    if visit is not None:
        return Reason(visit, VISITED, ARE_VISITED, (node,))
    if top is not None and top != node:
        because = say("It is below {node}, which is pruned as a whole.", node=solved.node_title(top))
        return Reason(because, PRUNED, ARE_PRUNED, (node,))
    return Reason("", PRUNED, ARE_PRUNED, (node,))


PRUNED, ARE_PRUNED = plural_phrase("{what} is pruned.", "{what} are pruned.")
VISITED, ARE_VISITED = plural_phrase("{what} is visited.", "{what} are visited.")


def why_node_value(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain the value of a node."""
    because = value_sentence(solved.tree, item.node or 0, solved.values, solved.language)
    if item.verdict == "follows":
        because = paragraph(because, solved.language.say(FOLLOWS_FROM_BELOW))
    return Reason(because)


def why_line(solved: SolvedExercise, item: Item, choices: int | None = None) -> Reason | None:
    """Explain the line of best play, choice by choice, at most `choices` of them."""
    tree, values = solved.tree, solved.values
    line = solved.solution.principal_variations[0][: None if choices is None else choices + 1]
    sentences = []
    for node, child in pairwise(line):
        if len(tree.children[node]) > 1:
            why = value_reason(tree, node, values, solved.language)
            move = solved.language.say(
                "So the move at {node} is to {child}.",
                node=solved.node_title(node),
                child=solved.node_title(child),
            )
            sentences.append(paragraph(why, move))
    return Reason(paragraph(*sentences))


def why_game_value(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain the value of the game: every choice on the line of best play, down to the payoff."""
    tree, values, say = solved.tree, solved.values, solved.language.say
    line = solved.solution.principal_variations[0]
    worth_it = say("{node} is worth {value}.", node=solved.node_title(0), value=solved.value_text(values[0]))
    sentences = [worth_it, *(_choice(solved, node, child) for node, child in pairwise(line))]
    if tree.children[line[-1]]:  # a chance node, where the line of certain play ends
        sentences.append(value_sentence(tree, line[-1], values, solved.language))
    return Reason(paragraph(*sentences))


def _choice(solved: SolvedExercise, node: int, chosen: int) -> str:
    """Explain one choice and the alternatives.

    `At MAX A, the best move is to MIN C, worth 13, rather than to MIN B with -5.`
    """
    say, values = solved.language.say, solved.values
    rest = [child for child in solved.tree.children[node] if child != chosen]
    move = {
        "node": solved.node_title(node),
        "child": solved.node_title(chosen),
        "value": solved.value_text(values[chosen]),
    }
    if not rest:
        return say("At {node}, the best move is to {child}, worth {value}.", **move)
    if len(rest) > MAX_LISTED_CHOICES:
        takes = say("At {node}, the best move is to {child}, worth {value}.", **move)
        return paragraph(takes, value_reason(solved.tree, node, values, solved.language))
    others = solved.list_values(rest, values)
    return say(
        "At {node}, the best move is to {child}, worth {value}, rather than to {others}.",
        others=others,
        **move,
    )


# Worked solutions


Steps: TypeAlias = Callable[[SolvedExercise], tuple[str, ...]]
"""The sentences of a solution, or some of them."""


def search_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Every step of the search."""
    return tuple(step.words for step in solved.account.steps)


def cutoff_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Every cut of the search, with its reason."""
    return solved.account.cutoffs


def bottom_up_nodes(tree: Tree) -> tuple[int, ...]:
    """Inner nodes from the lowest level to the root, each level from the left, as people work them out."""
    return tuple(sorted(tree.internal, key=lambda node: (-tree.depths[node], node)))


def value_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain the value of every inner node, from the leaves to the root."""
    tree = solved.tree
    return tuple(value_sentence(tree, node, solved.values, solved.language) for node in bottom_up_nodes(tree))


@dataclass(frozen=True, slots=True)
class WorkedSolution:
    """How an answer is worked out, in sentences: every step of it, and those that decide it if not all do."""

    steps: Steps
    deciding: Steps | None = None

    def deciding_steps(self, solved: SolvedExercise) -> tuple[str, ...]:
        """Return the sentences that decide the answer."""
        return (self.deciding or self.steps)(solved)

    def change(self, change_steps: Callable[[Steps], Steps]) -> "WorkedSolution":
        """Return the solution with all its steps changed in the same way."""
        return WorkedSolution(change_steps(self.steps), self.deciding and change_steps(self.deciding))


SEARCH_SOLUTION = WorkedSolution(search_steps, cutoff_steps)
VALUE_SOLUTION = WorkedSolution(value_steps)
