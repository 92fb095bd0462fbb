"""Every step of a search in words, as a lecturer would say it, with the reason for each cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from grader.base.numbers import INFINITY, Bound, exact
from grader.base.phrases import ENGLISH, Language
from grader.naming import branches, called, listed, listed_values, sentence, written
from grader.solvers.limit import evaluation
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
    - `cuts`: for every branch that was cut off (its topmost node), the sentence that says why.
    - `visits`: for every visited node, the sentence that says why it had to be entered.
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


def why_value(tree: Tree, node: int, values: Sequence[Value], language: Language = ENGLISH) -> str:
    """How the value of an internal node comes about from the values of its children."""
    player, children = tree.players[node], tree.children[node]
    below = [values[child] for child in children]
    if node in tree.estimates:
        return f"it is at the depth limit, and {evaluated(tree, node, language)}"
    if player is None:
        return f"the payoff of {called(tree, node)} is {written(values[node], language)}"
    if player is Player.CHANCE:
        weighed = " + ".join(
            f"{written(tree.probabilities[child] or 0, language)} × {_bracketed(value, language)}"
            for child, value in zip(children, below, strict=True)
        )
        return f"the expected value is {weighed} = {written(values[node], language)}"
    if len(children) == 1:
        return f"there is only one move, to {called(tree, children[0])}, worth {written(below[0], language)}"
    if player.seat is not None:
        own = [value[player.seat] for value in below if isinstance(value, tuple)]
        return f"{player} compares its own payoffs, {listed_values(own, language)}, and takes the largest"
    extreme = "largest" if player is Player.MAX else "smallest"
    return f"{player} takes the {extreme} of {listed_values(below, language)}"


def evaluated(tree: Tree, node: int, language: Language = ENGLISH) -> str:
    """`its static evaluation is 3 × 2 + 1 × (-1) = 5`, of a node at the depth limit."""
    attributes, weights = tree.attributes[node], tree.header.weights
    features = None if attributes is None or attributes.evaluation is not None else attributes.features
    terms = [
        f"{written(weight, language)} × {_bracketed(feature, language)}"
        for weight, feature in zip(weights or (), features or (), strict=False)
    ]
    payoff = written(evaluation(tree, node), language)
    return f"its static evaluation is {' + '.join(terms)}{' = ' * bool(terms)}{payoff}"


def _bracketed(value: Value, language: Language) -> str:
    text = written(value, language)
    return f"({text})" if text.startswith("-") else text


def _from_the_leaves(tree: Tree, values: Sequence[Value], language: Language) -> tuple[Step, ...]:
    """The values from the leaves upwards, children before their parent."""
    best = best_children(tree, values)
    steps: list[Step] = []
    for node in sorted(tree.internal, key=lambda node: (tree.ends[node], -tree.depths[node])):
        chosen = best[node]
        words = f"{sentence(called(tree, node))} is worth {written(values[node], language)}"
        words += f": {why_value(tree, node, values, language)}"
        if len(chosen) > 1:
            words += (
                f"; {listed([called(tree, child) for child in chosen])} are equally good for "
                f"{tree.players[node]}"
                + (f", and {called(tree, chosen[0])} stands furthest left" if several_players(tree) else "")
            )
        steps.append(Step(node, f"{words}.", len(steps) + 1))
    if not steps:
        return (Step(0, f"The tree is a single leaf, worth {written(values[0], language)}.", 1),)
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
        self.running: dict[int, Bound] = {}
        self.windows: dict[int, tuple[Bound, Bound]] = {}
        # Who can already get alpha, and to how little beta can already be held: the node that
        # chooses and the child it chooses; a chance node that asks for it stands as its own child.
        self.alpha_from: dict[int, tuple[int, int]] = {}
        self.beta_from: dict[int, tuple[int, int]] = {}

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

    def _written(self, value: Bound) -> str:
        return written(value, self.language)

    def _bounds(self, alpha: Bound, beta: Bound) -> str:
        """`alpha = 2, beta = 3`."""
        return f"alpha = {self._written(alpha)}{self.language.between}beta = {self._written(beta)}"

    def _say(self, node: int, words: str) -> None:
        self.steps.append(Step(node, words, self.events))

    def _go_on(self, words: str) -> None:
        """What the latest event adds to the step before it."""
        last = self.steps[-1]
        self.steps[-1] = Step(last.node, last.words + words, self.events)

    def _enter(self, event: Enter) -> None:
        node, tree = event.node, self.tree
        parent = tree.parents[node]
        self.windows[node] = (event.alpha, event.beta)
        if parent >= 0:
            self._inherit(node, parent)
        self.visits[node] = self._why_open(node)
        if tree.players[node] is None and parent >= 0:
            return  # a leaf is entered and left in one breath
        is_open = self._bounds(event.alpha, event.beta)
        if parent < 0:
            root = called(tree, 0)
            start = root if root == "the root" else f"the root, {root},"
            words = f"Start at {start} with {is_open}"
            if isinstance(event.alpha, float) and isinstance(event.beta, float):
                words += ": nothing is known yet."
            else:
                words += ": no payoff lies outside these bounds."
        elif tree.players[parent] is Player.CHANCE:
            words = f"Go down to {called(tree, node)}. {self._demand(node)}"
        else:
            known = self._known(node)
            told = f": {listed(known)}" if known else ""
            words = f"Go down to {called(tree, node)} with {is_open}{told}."
        self._say(node, words)

    def _inherit(self, node: int, parent: int) -> None:
        """Pass on who stands behind alpha and beta; below a chance node that is the chance node itself."""
        if self.tree.players[parent] is not Player.CHANCE:
            for source in (self.alpha_from, self.beta_from):
                if parent in source:
                    source[node] = source[parent]
            return
        alpha, beta = self.windows[parent]
        low, high = self.windows[node]
        bottom, top = self.rules.bounds or (-INFINITY, INFINITY)
        if low > bottom and alpha > -INFINITY:
            self.alpha_from[node] = (parent, parent)
        if high < top and beta < INFINITY:
            self.beta_from[node] = (parent, parent)

    def _demand(self, node: int) -> str:
        """What a chance node's window asks of the outcome that is entered next."""
        tree, parent = self.tree, self.tree.parents[node]
        probability = self._written(tree.probabilities[node] or 0)
        low, high = self.windows[node]
        alpha, beta = self.windows[parent]
        asked, mover = [], called(tree, parent)
        if node in self.alpha_from:
            more = self._written(alpha)
            asked.append(f"above {self._written(low)} to make {mover} worth more than {more}")
        if node in self.beta_from:
            less = self._written(beta)
            asked.append(f"below {self._written(high)} to make {mover} worth less than {less}")
        needs = f" and must be {listed(asked)}" if asked else ""
        return f"This outcome has probability {probability}{needs}: {self._bounds(low, high)}."

    def _known(self, node: int) -> tuple[str, ...]:
        """Who stands behind the window of a node."""
        alpha, beta = self.windows[node]
        sides = (("alpha", alpha), ("beta", beta))
        sources = [(self._source(node, side), side, bound) for side, bound in sides]
        return tuple(self._gets(*source) for source in sources if source[0] is not None)

    def _source(self, node: int, side: str) -> tuple[int, int] | None:
        return (self.alpha_from if side == "alpha" else self.beta_from).get(node)

    def _gets(self, source: tuple[int, int] | None, side: str, bound: Bound) -> str:
        """`MAX can already get 3 at the root by choosing MIN B`: who stands behind alpha or beta."""
        text = self._written(bound)
        if source is None:
            return f"no payoff is {'below' if side == 'alpha' else 'above'} {text}"
        owner, child = source
        if owner == child:
            extent = "more" if side == "alpha" else "less"
            return f"{called(self.tree, owner)} needs {extent} than {text} from this outcome"
        where = "the root" if owner == 0 else called(self.tree, owner)
        ability = "MAX can already get" if side == "alpha" else "MIN can already hold MAX to"
        return f"{ability} {text} at {where} by choosing {called(self.tree, child)}"

    def _why_open(self, node: int) -> str:
        """Why a node cannot be skipped when the search comes to it."""
        parent = self.tree.parents[node]
        alpha, beta = self.windows[node]
        if parent < 0:
            return "the search starts there"
        known = listed(self._known(node) or ("nothing is known yet",))
        if alpha == beta:
            return f"{known}; under ties = keep an equal value is not cut off"
        below, above = isinstance(alpha, float), isinstance(beta, float)
        if below and above:
            return f"{known}, so it may be worth anything"
        tree, name, mover = self.tree, called(self.tree, node), called(self.tree, parent)
        cut = self.rules.ties == "cut"
        ends = f"{self._written(alpha)}{self.language.between}{self._written(beta)}"
        window = f"the open window ({ends})" if cut else f"the window [{ends}]"
        if tree.players[parent] is Player.CHANCE:
            return f"{known}, and {name} may still be worth something in {window}"
        if parent not in self.running:
            return f"{known}, and {mover}, which has no value yet, may still end in {window}"
        verb = "lift" if tree.players[parent] is Player.MAX else "lower"
        has = self._written(self.running[parent])
        return f"{known}, and {name} could still {verb} {mover} from {has} into {window}"

    def _leave(self, event: Leave, following: Event | None) -> None:
        node, tree = event.node, self.tree
        parent, value = tree.parents[node], event.value
        name, number = sentence(called(tree, node)), self._written(value)
        if node in tree.estimates:
            words = f"{name} is at the depth limit; {evaluated(tree, node, self.language)}"
        elif tree.players[node] is None:
            words = f"{name} is worth {number}"
        else:
            words = f"{name} returns {number}{self._bound_note(node, value)}"
        if parent < 0:
            self._say(node, f"{words}: {self._verdict()}.")
            return
        player = tree.players[parent]
        if player is Player.CHANCE:
            self._say(node, f"{words}.")
            return
        best = self.running.get(parent)
        better = best is None or (value > best if player is Player.MAX else value < best)
        if better:
            self.running[parent] = value
        mover = called(tree, parent)
        if isinstance(following, Update) and following.node == parent:
            self._say(node, f"{words}{self._window_words(following, best)}.")
        elif isinstance(following, Cut) and following.node == parent:
            self._say(node, f"{words}.")
        elif best is None:
            had = f"so {mover} has {self._written(value)} so far"
            self._say(node, f"{words}, {had}. {self._no_news(parent, value)}.")
        elif better:
            had = f"better than the {self._written(best)} that {mover} had"
            self._say(node, f"{words}, {had}. {self._no_news(parent, value)}.")
        else:
            same = "the same as" if value == best else "no better than"
            self._say(
                node, f"{words}, {same} the {self._written(best)} that {mover} already has: nothing changes."
            )

    def _no_news(self, node: int, value: Bound) -> str:
        """Why a better value changes no window: it is outside, or it is inside a cut with nothing to skip."""
        low = self.tree.players[node] is Player.MIN
        alpha, beta = self.windows[node]
        side, bound, other, far = ("alpha", alpha, "beta", beta) if low else ("beta", beta, "alpha", alpha)
        past = value < bound if low else value > bound
        if past or (value == bound and self.rules.ties == "cut"):
            return f"That reaches {side} = {self._written(bound)}, but no child is left to prune"
        return f"That is no better than {other} = {self._written(far)}, so the window stays"

    def _bound_note(self, node: int, value: Bound) -> str:
        """What a returned value is when it is not the node's exact value."""
        truth = self.values[node]
        if truth is None or truth == value or isinstance(truth, tuple):
            return ""
        return f" (only a bound: it is worth at {'most' if value > truth else 'least'} that much)"

    def _verdict(self) -> str:
        tree, best = self.tree, self.optimal[0]
        words = "that is the value of the game"
        if tree.estimates:
            words = f"that is the estimate at depth {self.rules.depth}"
        if best:
            noun = "move is to" if len(best) == 1 else "moves are to"
            words += f", and the best {noun} {listed([called(tree, child) for child in best])}"
        return words

    def _window_words(self, event: Update, before: Bound | None) -> str:
        """`, the best for MAX A so far: alpha rises from 2 to 3`."""
        node, rises = event.node, event.bound == "alpha"
        alpha, beta = self.windows[node]
        old = self._written(alpha if rises else beta)
        extent = "at least" if rises else "at most"
        extent = f"{called(self.tree, node)} is worth {extent} {self._written(event.value)}"
        news = f", so {extent}" if before is None else f", better than {self._written(before)}: {extent}"
        moves = "rises" if rises else "falls"
        return f"{news}. {sentence(event.bound)} {moves} from {old} to {self._written(event.value)}"

    def _update(self, event: Update) -> None:
        """Bring the window up to date; the words were said when the child was left."""
        alpha, beta = self.windows[event.node]
        if event.bound == "alpha":
            self.windows[event.node] = (event.value, beta)
            self.alpha_from[event.node] = (event.node, event.child)
        else:
            self.windows[event.node] = (alpha, event.value)
            self.beta_from[event.node] = (event.node, event.child)
        self._go_on("")

    def _gather(self, event: Gather) -> None:
        tree, node = self.tree, event.node
        self.running[node] = event.total
        probability = self._written(tree.probabilities[event.child] or 0)
        words = (
            f" With probability {probability} it brings {called(tree, node)} to {self._written(event.total)}"
        )
        if event.remaining:
            words += f"; probability {self._written(event.remaining)} is still to come"
            if self.rules.bounds is not None:
                low, high = (exact(event.total + event.remaining * bound) for bound in self.rules.bounds)
                words += f", so it ends between {self._written(low)} and {self._written(high)}"
        self._go_on(f"{words}.")

    def _cut(self, event: Cut) -> None:
        node = event.node
        if not event.skipped:
            return  # the comparison came out, but nothing was left to skip
        words = f"{self._found(event)} {self._against(event)}"
        words += f": {'its other' if node in self.running else 'its'} {self._fate(event)}."
        for child in event.skipped:
            self.cuts[child] = words
        self._say(node, words)

    def _found(self, event: Cut) -> str:
        tree, node = self.tree, event.node
        player, value = tree.players[node], self._written(event.value)
        if player is not Player.CHANCE:
            return f"{sentence(called(tree, node))} has found {value}."
        extent = "more" if event.value <= event.alpha else "less"
        return f"{sentence(called(tree, node))} cannot be worth {extent} than {value} any more."

    def _against(self, event: Cut) -> str:
        """The comparison, and what follows from it: whose better choice, and what will not be chosen."""
        tree, node, rules = self.tree, event.node, self.rules
        player, parent = tree.players[node], tree.parents[node]
        low = player is Player.MIN or (player is Player.CHANCE and event.value <= event.alpha)
        side, bound = ("alpha", event.alpha) if low else ("beta", event.beta)
        tie = event.value == bound
        source = self._source(node, side)
        claim = self._gets(source, side, bound)
        below, above = ("≤", "≥") if rules.ties == "cut" else ("<", ">")
        if player is Player.CHANCE or tree.has_chance or rules.test == "value":
            shown = (
                f"({self._written(event.value)} {below if low else above} {side} = {self._written(bound)})"
            )
        else:
            shown = f"(alpha = {self._written(event.alpha)} {above} beta = {self._written(event.beta)})"
        if source is None:
            return f"{sentence(claim)} {shown}, so it cannot get better"
        owner = source[0]
        if owner == source[1]:
            return f"{sentence(claim)}, and cannot get it here {shown}"
        rival = "MAX" if side == "alpha" else "MIN"
        if tie:
            ending = f"so {called(tree, node)} cannot be better for {rival}"
        elif owner == parent:
            ending = f"so {called(tree, node)} will never be chosen"
        else:
            ending = f"so play will never come to {called(tree, node)}"
        return f"{sentence(claim)} {shown}, {ending}"

    def _fate(self, event: Cut) -> str:
        count = len(event.skipped)
        noun = "outcome" if self.tree.players[event.node] is Player.CHANCE else "child"
        many = {"outcome": "outcomes", "child": "children"}[noun]
        told = branches(self.tree, event.skipped)
        return f"{noun}, {told}, is pruned" if count == 1 else f"{many}, {told}, are pruned"
