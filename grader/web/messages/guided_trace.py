"""A search that a student runs step by step: the question at each step, and the check of an entry."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from grader.base.numbers import (
    INFINITY,
    Bound,
    NumeralError,
    number_to_json,
    read_number,
    to_plain_characters,
)
from grader.base.phrases import Language, Phrase, paragraph
from grader.pictures.node_words import spell_value
from grader.pictures.view import with_numbers_of
from grader.questions.beliefs import BELIEFS
from grader.solvers.explaining.steps import Account
from grader.solvers.mistaken_search import MISCONCEPTIONS, VALUE_BELIEFS, belief_applies, mistaken_search
from grader.solvers.solution import Solution
from grader.solvers.trace import Cut, Enter, Event, Gather, Leave, Search, Update
from grader.trees.tree import Player, Tree

NO_NUMBER = Phrase("{text} is not a number.")
SWAPPED_BOUNDS = Phrase("Alpha is the lower bound and comes first; beta is the upper bound.")
ANOTHER_MOVE = Phrase("The search goes on with the next child that it has not visited yet.")
TOO_EARLY = Phrase("Nothing is pruned here yet: compare alpha with beta.")
TOO_LATE = Phrase("The remaining children are pruned here: compare alpha with beta.")
ANOTHER_WINDOW = Phrase("A node gets the window that its parent has at this moment.")
ANOTHER_VALUE = Phrase("Compare the values that the visited children have returned.")

MAX_NOTES = 2
"""The most misconceptions that are named at one step."""

Asks = Literal["move", "window", "value"]


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One question about a search, which one event of its trace answers.

    - `move`: where the search goes from `node`: to the child `to`, or to none, because it prunes the rest.
    - `window`: alpha and beta with which it enters `node`.
    - `value`: the value that `node` returns.

    `event` is the place of the event in the trace.
    """

    asks: Asks
    node: int
    event: int
    to: int | None = None
    numbers: tuple[Bound, ...] = ()


def guided_steps(search: Search, tree: Tree) -> Iterator[GuidedStep]:
    """Yield the questions about a search: its events in order, without those that follow from others.

    A leaf is entered and left in one step; the next window shows how a value changes its parent.
    """
    for place, event in enumerate(search.trace):
        match event:
            case Enter(node, alpha, beta):
                if node > 0:
                    yield GuidedStep("move", tree.parents[node], place, to=node)
                if tree.children[node]:
                    yield GuidedStep("window", node, place, numbers=(alpha, beta))
            case Cut():
                yield GuidedStep("move", event.node, place)
            case Leave(node, value):
                if tree.children[node]:
                    yield GuidedStep("value", node, place, numbers=(value,))
            case Update() | Gather():
                pass
            case _:
                assert_never(event)


def event_record(event: Event) -> dict[str, Any]:
    """Return an event of a trace as JSON, with its name and its numbers in canonical form."""
    numbers = {"alpha", "beta", "value", "total", "remaining"}
    fields = {name: getattr(event, name) for name in event.__dataclass_fields__}
    return {"event": type(event).__name__.lower()} | {
        name: number_to_json(value) if name in numbers else value for name, value in fields.items()
    }


def leaves_children_open(solution: Solution, place: int) -> bool:
    """Return whether a node has just returned, and its parent decides now whether to visit more children."""
    search, tree = solution.search, solution.tree
    if search is None or not isinstance(event := search.trace[place], Leave):
        return False
    following = search.trace[place + 1 :]
    parent = tree.parents[event.node]
    decision = next((each for each in following if not isinstance(each, Update | Gather)), None)
    return isinstance(decision, Cut | Enter) and parent >= 0


@dataclass(frozen=True, slots=True)
class GuidedTrace:
    """The questions about one search, and the check of entries."""

    solution: Solution
    search: Search
    steps: tuple[GuidedStep, ...]
    language: Language

    @classmethod
    def of(cls, solution: Solution, search: Search, language: Language) -> "GuidedTrace":
        """Return the guided trace of a search that has recorded its events."""
        return cls(solution, search, tuple(guided_steps(search, solution.tree)), language)

    def records(self, account: Account) -> list[dict[str, Any]]:
        """Return what a page needs of every step, with the explanation of its event."""
        events = [step.events for step in account.steps]
        language = with_numbers_of(self.solution.tree, self.language)
        return [
            {
                "asks": step.asks,
                "node": step.node,
                "to": step.to,
                "enters": step.to is not None and self.solution.tree.players[step.to] is not None,
                "numbers": [spell_value(number, language) for number in step.numbers],
                "pruned": list(self._pruned_at(step)),
                "words": next(
                    explained.words
                    for explained, last in zip(account.steps, events, strict=True)
                    if last > step.event
                ),
            }
            for step in self.steps
        ]

    def _pruned_at(self, step: GuidedStep) -> tuple[int, ...]:
        event = self.search.trace[step.event]
        return event.skipped if isinstance(event, Cut) else ()

    def fault(self, number: int, entry: Sequence[str], to: int | None) -> str:
        """Return the fault of an entry at a step, all before it being correct; empty for a correct one.

        `entry` has the numbers as they were written; `to` is the chosen child, None for pruning.
        """
        step = self.steps[number]
        if step.asks == "move":
            return "" if to == step.to else self._move_fault(number, to)
        numbers: list[Bound] = []
        for text in entry:
            bound = self._number(text)
            if bound is None:
                return self.language.say(NO_NUMBER, text=text.strip() or "–")
            numbers.append(bound)
        if tuple(numbers) == step.numbers:
            return ""
        if step.asks == "window" and tuple(reversed(numbers)) == step.numbers:
            return self.language.say(SWAPPED_BOUNDS)
        beliefs = [
            belief
            for belief, search in self._mistaken_searches(number)
            if tuple(numbers) == _numbers_at(search, step)
        ]
        return self._notes(beliefs, ANOTHER_WINDOW if step.asks == "window" else ANOTHER_VALUE)

    def _move_fault(self, number: int, to: int | None) -> str:
        """Return the fault in a move to another node than the next one; None goes back up."""
        step, searches = self.steps[number], self._mistaken_searches(number)
        if to is None and step.to is not None:
            beliefs = [belief for belief, search in searches if not search.visited[step.to]]
            return self._notes(beliefs, TOO_EARLY)
        if to in self._pruned_at(step):
            beliefs = [belief for belief, search in searches if search.visited[to]]
            return self._notes(beliefs, TOO_LATE)
        return self.language.say(ANOTHER_MOVE)

    def _mistaken_searches(self, number: int) -> list[tuple[str, Search]]:
        """Return the mistaken searches that do the same as the correct one at every step before this one.

        Misconceptions about values or the order of visits are left out: the steps show both.
        """
        tree, rules = self.solution.tree, self.solution.rules
        searches = [
            (belief, mistaken_search(tree, rules, belief))
            for belief in MISCONCEPTIONS
            if belief not in (*VALUE_BELIEFS, "right-to-left") and belief_applies(tree, belief)
        ]
        before = self.steps[:number]
        return [
            (belief, search)
            for belief, search in searches
            if all(self._agrees(search, step) for step in before)
        ]

    def _agrees(self, search: Search, step: GuidedStep) -> bool:
        """Return whether a search answers a step as the correct search does."""
        if step.asks != "move":
            return _numbers_at(search, step) == step.numbers
        if step.to is not None:
            return search.visited[step.to]
        return not any(search.visited[node] for node in self._pruned_at(step))

    def _notes(self, beliefs: Sequence[str], otherwise: Phrase) -> str:
        """Name misconceptions if they are few; otherwise say only what to look at."""
        if not 0 < len(beliefs) <= MAX_NOTES:
            return self.language.say(otherwise)
        texts = [
            self.language.say(sentence)
            for belief in beliefs
            for sentence in (BELIEFS[belief].symptom, BELIEFS[belief].correction)
        ]
        return paragraph(*texts)

    def _number(self, text: str) -> Bound | None:
        """Read a typed number or infinity; None for any other text."""
        plain = to_plain_characters(text).strip().lower().removeprefix("+")
        if self.language.comma:
            plain = plain.replace(",", ".")
        if plain in _INFINITIES:
            return _INFINITIES[plain]
        try:
            return read_number(plain)
        except NumeralError:
            return None


_INFINITIES: Mapping[str, Bound] = {
    "inf": INFINITY, "infinity": INFINITY, "∞": INFINITY, "oo": INFINITY,
    "-inf": -INFINITY, "-infinity": -INFINITY, "-∞": -INFINITY, "-oo": -INFINITY,
}  # fmt: skip


def _numbers_at(search: Search, step: GuidedStep) -> tuple[Bound | None, ...]:
    """Return the numbers that are asked for at a step: both ends of a window, or the returned value."""
    if step.asks == "window":
        return search.alphas[step.node], search.betas[step.node]
    return (search.returned[step.node],)


LINES: Mapping[str, str] = {
    "enter": "search(node, α, β):",
    "start": "best ← −∞ (MAX) or ∞ (MIN)",
    "move": "v ← search(child, α, β)",
    "MAX": "MAX: best ← max(best, v); α ← max(α, best)",
    "MIN": "MIN: best ← min(best, v); β ← min(β, best)",
    "soft": "return best",
}
"""The lines of the algorithm that are the same in every language."""

WORDED_LINES: Mapping[str, Phrase] = {
    "leaf": Phrase("if node is a leaf: return its payoff"),
    "start-chance": Phrase("best ← −∞ (MAX), ∞ (MIN) or 0 (chance)"),
    "loop": Phrase("for each child of node, in the order of visits:"),
    "CHANCE": Phrase("chance: best ← best + probability · v"),
    "prune-cut": Phrase("if α ≥ β: leave the loop; the other children are pruned"),
    "prune-keep": Phrase("if α > β: leave the loop; the other children are pruned"),
    "hard": Phrase("return best, but at least α and at most β of the entry"),
}
"""The other lines of the algorithm; some depend on the rules."""


def pseudocode(solution: Solution, language: Language) -> list[dict[str, str]]:
    """Return the lines of the search under the rules of a solution, each with the step that it is for."""
    rules, movers = solution.rules, solution.tree.movers
    start = "start-chance" if Player.CHANCE in movers else "start"
    lines = [(0, "window", "enter"), (1, "", "leaf"), (1, "", start), (1, "", "loop"), (2, "move", "move")]
    lines += [(2, "", str(player)) for player in (Player.MAX, Player.MIN, Player.CHANCE) if player in movers]
    lines += [(2, "prune", f"prune-{rules.ties}"), (1, "value", rules.returns)]
    texts = {**LINES, **{name: language.term(line) for name, line in WORDED_LINES.items()}}
    return [{"step": step, "text": "    " * indent + texts[name]} for indent, step, name in lines]
