"""Every step of a search in words, as a lecturer would say it, with the reason for each cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from grader.base.numbers import Bound, exact
from grader.base.phrases import ENGLISH, Language
from grader.explaining.board import Board
from grader.explaining.naming import called, listed_nodes, written
from grader.explaining.values import evaluated, worth
from grader.solvers.payoffs import UnknownPayoff, Unsolvable, several_players
from grader.solvers.solution import Solution
from grader.solvers.trace import Cut, Enter, Event, Gather, Leave, Update
from grader.solvers.values import best_children
from grader.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a lecturer says about one node, when `events` events of the trace have happened.

    In a game of several players, where nothing is searched, `events` counts the steps themselves.
    """

    node: int
    words: str
    events: int


@dataclass(frozen=True, slots=True)
class Account:
    """A search told from start to end.

    - `steps`: what happened, in order.
    - `cuts`: for every branch that was cut off (its topmost node), the sentences that say why.
    - `visits`: for every visited node, the sentences that say why it had to be entered.
    """

    steps: tuple[Step, ...]
    cuts: dict[int, str]
    visits: dict[int, str]


def explain(solution: Solution, language: Language = ENGLISH) -> Account:
    """Tell a search in words; in a game of several players, how the values come about.

    Raises `UnknownPayoff` when the search came to an unknown leaf, and `Unsolvable` when the tree
    is so large that it was solved without a trace.
    """
    tree = solution.tree
    if solution.blocked_by is not None:
        raise UnknownPayoff(tree, solution.blocked_by)
    if solution.search is not None:
        if not solution.search.trace:
            raise Unsolvable(f"a search of {len(tree)} nodes is too long to be told step by step")
        return _Teller(solution, language).tell(solution.search.trace)
    values = tuple(value for value in solution.values if value is not None)
    return Account(_from_the_leaves(tree, values, language), {}, {})


def _from_the_leaves(tree: Tree, values: Sequence[Value], language: Language) -> tuple[Step, ...]:
    """The values from the leaves upwards, children before their parent."""
    best = best_children(tree, values)
    steps: list[Step] = []
    for node in sorted(tree.internal, key=lambda node: (tree.ends[node], -tree.depths[node])):
        words, chosen = worth(tree, node, values, language), best[node]
        if len(chosen) > 1:
            nodes, player = listed_nodes(tree, chosen, language), tree.players[node]
            words += " " + language.say("{nodes} are equally good for {player}.", nodes=nodes, player=player)
            if several_players(tree):
                first = called(tree, chosen[0], language)
                words += " " + language.say("{node} counts, because it stands furthest left.", node=first)
        steps.append(Step(node, words, len(steps) + 1))
    if not steps:
        value = written(values[0], language)
        return (Step(0, language.say("The tree is a single leaf, worth {value}.", value=value), 1),)
    return tuple(steps)


class _Teller:
    """Follows a trace and keeps what a lecturer would keep on the board."""

    def __init__(self, solution: Solution, language: Language) -> None:
        self.language = language
        self.tree, self.rules = solution.tree, solution.rules
        self.values, self.optimal = solution.values, solution.best
        self.steps: list[Step] = []
        self.cuts: dict[int, str] = {}
        self.visits: dict[int, str] = {}
        self.events = 0
        self.board = Board(self.tree, self.rules, language)

    def tell(self, trace: Sequence[Event]) -> Account:
        for event, following in zip(trace, (*trace[1:], None), strict=True):
            self.events += 1
            match event:
                case Enter():
                    self._enter(event)
                case Leave():
                    self._leave(event, following)
                case Update():
                    self._update(event)
                case Gather():
                    self._gather(event)
                case Cut():
                    self._cut(event)
                case _:
                    assert_never(event)
        return Account(tuple(self.steps), self.cuts, self.visits)

    def _called(self, node: int) -> str:
        return self.board.called(node)

    def _written(self, value: Bound) -> str:
        return self.board.written(value)

    def _say(self, node: int, *sentences: str) -> None:
        self.steps.append(Step(node, " ".join(filter(None, sentences)), self.events))

    def _go_on(self, *sentences: str) -> None:
        """What the latest event adds to the step before it."""
        last = self.steps[-1]
        self.steps[-1] = Step(last.node, " ".join((last.words, *sentences)), self.events)

    # Going down

    def _enter(self, event: Enter) -> None:
        node, tree, say = event.node, self.tree, self.language.say
        parent = tree.parents[node]
        self.board.enter(node, (event.alpha, event.beta))
        self.visits[node] = self.board.why_open(node)
        if tree.players[node] is None and parent >= 0:
            return  # a leaf is entered and left in one breath
        name, alpha, beta = self._called(node), self._written(event.alpha), self._written(event.beta)
        bounds = f"alpha = {alpha}{self.language.between}beta = {beta}"
        if parent < 0:
            start = (
                say("Start at the root with {bounds}.", bounds=bounds)
                if tree.names[0] == "root"
                else say("Start at the root, {node}, with {bounds}.", node=name, bounds=bounds)
            )
            if isinstance(event.alpha, float) and isinstance(event.beta, float):
                self._say(node, start, say("Nothing is known yet."))
            else:
                self._say(node, start, say("No payoff lies outside these bounds."))
        elif tree.players[parent] is Player.CHANCE:
            self._say(node, say("Go down to {node}.", node=name), *self.board.demand(node, bounds))
        else:
            self._say(
                node,
                say("Go down to {node} with {bounds}.", node=name, bounds=bounds),
                *self.board.known(node),
            )

    # Coming back

    def _leave(self, event: Leave, following: Event | None) -> None:
        node, tree, value = event.node, self.tree, event.value
        parent, comes = tree.parents[node], self._comes(event.node, value)
        if parent < 0:
            self._say(node, comes, *self._verdict())
            return
        player = tree.players[parent]
        if player is Player.CHANCE:
            self._say(node, comes)
            return
        best = self.board.running.get(parent)
        better = best is None or (value > best if player is Player.MAX else value < best)
        if better:
            self.board.running[parent] = value
        if isinstance(following, Update) and following.node == parent:
            self._say(node, comes, *self._news(following, best))
        elif isinstance(following, Cut) and following.node == parent:
            self._say(node, comes)
        elif better:
            self._say(node, comes, self._first_or_better(parent, value, best), self._no_news(parent, value))
        else:
            assert best is not None  # what is not better is compared with something
            self._say(node, comes, self._no_better(parent, value, best))

    def _comes(self, node: int, value: Bound) -> str:
        """What the search comes back with from a node."""
        tree, say, name, number = self.tree, self.language.say, self._called(node), self._written(value)
        if node in tree.estimates:
            return evaluated(tree, node, self.language)
        if tree.players[node] is None:
            return say("{node} is worth {value}.", node=name, value=number)
        truth = self.values[node]
        if truth is None or truth == value or isinstance(truth, tuple):
            return say("{node} returns {value}.", node=name, value=number)
        if value > truth:
            return say(
                "{node} returns {value} (only a bound: it is worth at most that much).",
                node=name,
                value=number,
            )
        return say(
            "{node} returns {value} (only a bound: it is worth at least that much).", node=name, value=number
        )

    def _first_or_better(self, node: int, value: Bound, best: Bound | None) -> str:
        name, say = self._called(node), self.language.say
        if best is None:
            return say("So {node} has {value} so far.", node=name, value=self._written(value))
        return say("That is better than the {value} that {node} had.", node=name, value=self._written(best))

    def _no_better(self, node: int, value: Bound, best: Bound) -> str:
        name, had, say = self._called(node), self._written(best), self.language.say
        if value == best:
            return say(
                "That is the same as the {value} that {node} already has: nothing changes.",
                node=name,
                value=had,
            )
        return say(
            "That is no better than the {value} that {node} already has: nothing changes.",
            node=name,
            value=had,
        )

    def _no_news(self, node: int, value: Bound) -> str:
        """Why a better value changes no window: it is outside, or it is inside a cut with nothing to skip."""
        low, say = self.tree.players[node] is Player.MIN, self.language.say
        alpha, beta = self.board.windows[node]
        side, bound, other, far = ("alpha", alpha, "beta", beta) if low else ("beta", beta, "alpha", alpha)
        past = value < bound if low else value > bound
        if past or (value == bound and self.rules.ties == "cut"):
            return say(
                "That reaches {side} = {bound}, but no child is left to prune.",
                side=side,
                bound=self._written(bound),
            )
        return say(
            "That is no better than {side} = {bound}, so the window stays.",
            side=other,
            bound=self._written(far),
        )

    def _verdict(self) -> tuple[str, ...]:
        say, best = self.language.say, self.optimal[0]
        value = (
            say("That is the estimate at depth {depth}.", depth=self.rules.depth)
            if self.tree.estimates
            else say("That is the value of the game.")
        )
        if not best:
            return (value,)
        nodes = listed_nodes(self.tree, best, self.language)
        return (
            value,
            say("The best move is to {nodes}.", "The best moves are to {nodes}.", len(best), nodes=nodes),
        )

    def _news(self, event: Update, before: Bound | None) -> tuple[str, ...]:
        """What a child's value does to the window: alpha rises from 2 to 3."""
        node, rises, say = event.node, event.bound == "alpha", self.language.say
        alpha, beta = self.board.windows[node]
        name, value = self._called(node), self._written(event.value)
        told = []
        if before is not None:
            told.append(say("That is better than {value}.", value=self._written(before)))
        if rises:
            told.append(say("So {node} is worth at least {value}.", node=name, value=value))
            told.append(say("Alpha rises from {old} to {new}.", old=self._written(alpha), new=value))
        else:
            told.append(say("So {node} is worth at most {value}.", node=name, value=value))
            told.append(say("Beta falls from {old} to {new}.", old=self._written(beta), new=value))
        return tuple(told)

    def _update(self, event: Update) -> None:
        """Bring the window up to date; the words were said when the child was left."""
        self.board.update(event)
        self._go_on()

    def _gather(self, event: Gather) -> None:
        tree, node, say = self.tree, event.node, self.language.say
        self.board.running[node] = event.total
        told = [
            say(
                "With probability {probability} it brings {node} to {total}.",
                probability=self._written(tree.probabilities[event.child] or 0),
                node=self._called(node),
                total=self._written(event.total),
            )
        ]
        if event.remaining:
            rest = self._written(event.remaining)
            told.append(say("Probability {rest} is still to come.", rest=rest))
            if self.rules.bounds is not None:
                low, high = (exact(event.total + event.remaining * bound) for bound in self.rules.bounds)
                ends = {"low": self._written(low), "high": self._written(high)}
                told.append(say("So it ends between {low} and {high}.", **ends))
        self._go_on(*told)

    # Cutting

    def _cut(self, event: Cut) -> None:
        if not event.skipped:
            return  # the comparison came out, but nothing was left to skip
        words = self.board.why_cut(event)
        for child in event.skipped:
            self.cuts[child] = words
        self._say(event.node, words)
