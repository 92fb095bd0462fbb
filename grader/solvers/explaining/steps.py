"""Every step of a search in words, with the reason for each cutoff."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from grader.base.numbers import Bound, normalize_number
from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.solvers.explaining.node_wording import BOUNDS, TreeSpeaker, bound_equation, node_list
from grader.solvers.explaining.value_reasons import evaluation_text, value_sentence
from grader.solvers.explaining.window_history import WindowHistory
from grader.solvers.solution import Solution
from grader.solvers.solvable import UnknownPayoff, Unsolvable
from grader.solvers.trace import Cut, Enter, Event, Gather, Leave, Update
from grader.solvers.values import best_children
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class Step:
    """The explanation of one step at one node, after `events` events of the trace.

    In a game of several players, which is not searched, `events` counts the steps themselves.
    """

    node: int
    words: str
    events: int


@dataclass(frozen=True, slots=True)
class Account:
    """The explanation of a whole search.

    - `steps`: the steps in order.
    - `cuts`: for the topmost node of every pruned branch, the reason why it was pruned.
    - `cutoffs`: every cutoff in order, with its reason and what it prunes.
    - `visits`: for every visited node, the reason why it had to be visited.
    """

    steps: tuple[Step, ...]
    cuts: dict[int, str]
    cutoffs: tuple[str, ...]
    visits: dict[int, str]


_BOUNDS = {
    "most": Phrase("{node} returns {value}, which is only a bound: its exact value is at most {value}."),
    "least": Phrase("{node} returns {value}, which is only a bound: its exact value is at least {value}."),
}
_NO_BETTER = {
    "same": Phrase("This equals the value {value} that {node} already has, so nothing changes."),
    "worse": Phrase("This is no better than the value {value} that {node} already has, so nothing changes."),
}
_WINDOW_CHANGES = {
    "alpha": (
        Phrase("So {node} is worth at least {value}."),
        Phrase("Alpha rises from {old} to {new}."),
    ),
    "beta": (
        Phrase("So {node} is worth at most {value}."),
        Phrase("Beta falls from {old} to {new}."),
    ),
}
"""The effect of a child's value on the window of its parent."""


def explain(solution: Solution, language: Language = ENGLISH) -> Account:
    """Explain a search in words; in a game of several players, the values from the leaves up.

    Raises `UnknownPayoff` if the search reached an unknown leaf, `Unsolvable` if the tree is so large
    that it was solved without a trace, and `TypeError` for anything but a solution.
    """
    if not isinstance(solution, Solution):
        raise TypeError(f"this is not a solution, such as solve gives: {type(solution).__name__}")
    tree = solution.tree
    if solution.blocked_by is not None:
        raise UnknownPayoff(tree, solution.blocked_by)
    if solution.search is not None:
        if not solution.search.trace:
            raise Unsolvable(
                "a search of {count} nodes is too long to be explained step by step", count=len(tree)
            )
        return _Narrator(solution, language).tell(solution.search.trace)
    values = tuple(value for value in solution.values if value is not None)
    return Account(_from_the_leaves(tree, values, language), {}, (), {})


def _from_the_leaves(tree: Tree, values: Sequence[Value], language: Language) -> tuple[Step, ...]:
    """Explain the values of a game of several players, children before their parent."""
    best, say = best_children(tree, values), TreeSpeaker(tree, language).say
    steps: list[Step] = []
    for node in sorted(tree.internal, key=lambda node: (tree.ends[node], -tree.depths[node])):
        sentences, chosen = [value_sentence(tree, node, values, language)], best[node]
        if len(chosen) > 1:
            nodes, player = node_list(tree, chosen, language), tree.players[node] or ""
            sentences.append(say("{nodes} are equally good for {player}.", nodes=nodes, player=player))
            sentences.append(say("The leftmost of them, {node}, is chosen.", node=chosen[0]))
        steps.append(Step(node, paragraph(*sentences), len(steps) + 1))
    if not steps:
        return (Step(0, say("The tree is a single leaf, worth {value}.", value=values[0]), 1),)
    return tuple(steps)


class _Narrator:
    """Explains the events of a trace one after the other."""

    def __init__(self, solution: Solution, language: Language) -> None:
        self._language = language
        self._tree, self._rules = solution.tree, solution.rules
        self._values, self._optimal = solution.values, solution.best
        self._shown_relation = solution.shown_relation
        self._steps: list[Step] = []
        self._cuts: dict[int, str] = {}
        self._cutoffs: list[str] = []
        self._visits: dict[int, str] = {}
        self._events = 0
        speaker = TreeSpeaker(self._tree, language)
        self._say = speaker.say
        self._history = WindowHistory(speaker, self._rules)

    def tell(self, trace: Sequence[Event]) -> Account:
        """Tell a search in steps and return them, with why each branch was cut and each node visited."""
        for event, following in zip(trace, (*trace[1:], None), strict=True):
            self._events += 1
            match event:
                case Enter():
                    self._enter(event)
                case Leave():
                    self._leave(event, following)
                case Update():
                    self._history.update(event)
                    self._add_to_step()  # the sentences were written when the child was left
                case Gather():
                    self._history.running[event.node] = event.total
                    self._add_to_step(*self._outcome_sentences(event))
                case Cut():
                    reason = self._history.cutoff_reason(event)
                    self._cuts.update(dict.fromkeys(event.skipped, reason))
                    self._cutoffs.append(paragraph(reason, self._history.pruned_sentence(event)))
                    self._step(event.node, self._cutoffs[-1])
                case _:
                    assert_never(event)
        return Account(tuple(self._steps), self._cuts, tuple(self._cutoffs), self._visits)

    def _step(self, node: int, *sentences: str) -> None:
        self._steps.append(Step(node, paragraph(*sentences), self._events))

    def _add_to_step(self, *sentences: str) -> None:
        """Append sentences about the latest event to the previous step."""
        last = self._steps.pop()
        self._step(last.node, last.words, *sentences)

    # Going down

    def _enter(self, event: Enter) -> None:
        """Tell the step of entering a node, with its window and where the bounds come from.

        A leaf below the root has no step here: entering and leaving it is one step.
        """
        node, tree, say = event.node, self._tree, self._say
        parent = tree.parents[node]
        self._history.enter(node, (event.alpha, event.beta))
        self._visits[node] = self._history.entry_reason(node)
        if tree.players[node] is None and parent >= 0:
            return  # entering and leaving a leaf is one step
        language = self._language
        ends = (("alpha", event.alpha), ("beta", event.beta))
        bounds = language.join(bound_equation(side, bound, language) for side, bound in ends)
        if parent < 0:
            start = (
                say("Start at the root with {bounds}.", bounds=bounds)
                if tree.names[0] == "root"
                else say("Start at the root, {node}, with {bounds}.", node=node, bounds=bounds)
            )
            if isinstance(event.alpha, float) and isinstance(event.beta, float):
                self._step(node, start, say("No bounds are known yet."))
            else:
                given = self._rules.window is not None
                self._step(
                    node,
                    start,
                    say("The search is given this window.")
                    if given
                    else say("All payoffs are within these bounds."),
                )
        elif tree.players[parent] is Player.CHANCE:
            self._step(
                node, say("Go down to {node}.", node=node), *self._history.chance_requirements(node, bounds)
            )
        else:
            down = say("Go down to {node} with {bounds}.", node=node, bounds=bounds)
            self._step(node, down, *self._history.window_owners(node))

    # Coming back

    def _leave(self, event: Leave, following: Event | None) -> None:
        """Tell the step of leaving a node: the value it returns, and what this changes at its parent.

        At the root it is what the result means.
        """
        node, value, parent = event.node, event.value, self._tree.parents[event.node]
        effects = self._result_sentences() if parent < 0 else self._effects(parent, value, following)
        self._step(node, self._return_sentence(node, value), *effects)

    def _return_sentence(self, node: int, value: Bound) -> str:
        """Return what a node returns: its value, or the bound that is not its value."""
        tree, say, truth = self._tree, self._say, self._values[node]
        if node in tree.estimates:
            return evaluation_text(tree, node, self._language)
        if tree.players[node] is None:
            return say("{node} is worth {value}.", node=node, value=value)
        if truth is None or truth == value or isinstance(truth, tuple):
            return say("{node} returns {value}.", node=node, value=value)
        bound = _BOUNDS["most" if value > truth else "least"]
        return say(bound, node=node, value=value)

    def _effects(self, node: int, value: Bound, following: Event | None) -> Iterator[str]:
        """Explain the effect of a child's value on its parent, `node`."""
        say, player, best = self._say, self._tree.players[node], self._history.running.get(node)
        if player is Player.CHANCE:
            return  # the next event, `Gather`, explains it
        minimizes = player is Player.MIN
        if best is not None and (value >= best if minimizes else value <= best):
            yield say(_NO_BETTER["same" if value == best else "worse"], node=node, value=best)
            return  # and it cannot cut, or the better value would have cut before
        self._history.running[node] = value
        if isinstance(following, Update) and following.node == node:
            if best is not None:
                yield say("This is better than {value}.", value=best)
            old = self._history.windows[node][following.bound == "beta"]
            for phrase in _WINDOW_CHANGES[following.bound]:
                yield say(phrase, node=node, value=value, old=old, new=value)
        elif not isinstance(following, Cut) or following.node != node:
            if best is None:
                yield say("So the value of {node} so far is {value}.", node=node, value=value)
            else:
                yield say("This is better than {value}, the earlier value of {node}.", node=node, value=best)
            yield self._unchanged_window_reason(node, value, minimizes)

    def _unchanged_window_reason(self, node: int, value: Bound, minimizes: bool) -> str:
        """Explain why a better value does not change the window: it meets the bound, or is still outside."""
        alpha, beta = self._history.windows[node]
        side, bound, own_side, own_bound = ("alpha", alpha, "beta", beta)
        if not minimizes:
            side, bound, own_side, own_bound = ("beta", beta, "alpha", alpha)
        exceeds = value < bound if minimizes else value > bound
        if exceeds or (value == bound and self._rules.ties == "cut"):
            return self._say(
                "With {side} = {bound}, this allows a cutoff, but no child is left to prune.",
                side=self._language.term(BOUNDS[side]),
                bound=bound,
            )
        return self._say(
            "This is no better than {side} = {bound}, so the window does not change.",
            side=self._language.term(BOUNDS[own_side]),
            bound=own_bound,
        )

    def _result_sentences(self) -> Iterator[str]:
        """Yield what the final value means and which moves are best; one sentence if it is only a bound."""
        say, best = self._say, self._optimal[0]
        if self._shown_relation != "=":
            yield say("Only a search with a wider window shows the exact value.")
            return
        if self._tree.estimates:
            yield say("This is the estimate from a search to depth {depth}.", depth=self._rules.depth or 0)
        else:
            yield say("This is the value of the game.")
        if best:
            nodes = node_list(self._tree, best, self._language)
            yield say(
                "The best move is to {nodes}.", "The best moves are to {nodes}.", len(best), nodes=nodes
            )

    def _outcome_sentences(self, event: Gather) -> Iterator[str]:
        """Yield what one outcome adds at a chance node, and between which values the result still lies."""
        say, probability = self._say, self._tree.probabilities[event.child] or 0
        yield say(
            "Weighted by its probability, {probability}, this value brings the sum at {node} to {total}.",
            probability=probability,
            node=event.node,
            total=event.total,
        )
        if event.remaining:
            yield say("The remaining outcomes have a total probability of {rest}.", rest=event.remaining)
            if self._rules.bounds is not None:
                low, high = (
                    normalize_number(event.total + event.remaining * bound) for bound in self._rules.bounds
                )
                yield say("So the final value is between {low} and {high}.", low=low, high=high)
