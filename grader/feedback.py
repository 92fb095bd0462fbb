"""What a student can learn from a mark: a sentence for every lost item, and one for every misconception."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from grader.answers import WINDOWS
from grader.answers.form import Ambiguous, Item, Malformed, Verdict
from grader.answers.windows import Window
from grader.base.numbers import Bound
from grader.base.phrases import Language
from grader.exercise import Exercise
from grader.explaining import Account, explain, why_value
from grader.kinds.beliefs import belief_named
from grader.marking import Mark, Note
from grader.naming import branches, called, listed, listed_values, sentence, written
from grader.solvers.solution import Solution, solve
from grader.solvers.trace import Search
from grader.tree import Player, Tree, Value

FEW = 3
"""How many choices that were not taken are told one by one."""


UNSURE = "It cannot be told which of these it was:"
"""What is said before the notes of a mark when there are several."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said about items that share their verdict and its reason; `text` is empty for right ones."""

    verdict: Verdict
    items: tuple[Item, ...]
    text: str


class Feedback:
    """Explains marks of one exercise; the search is told once, when the first sentence needs it."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise

    def sentences(self, mark: Mark) -> tuple[str, ...]:
        """A sentence for every item of a mark that is not right: the comparison that decides; else empty.

        What several items have in common, such as one cut, is explained at the first of them.
        """
        told: set[str] = set()
        return tuple(_once(text, told) for text in self._texts(mark))

    def remarks(self, mark: Mark) -> tuple[Remark, ...]:
        """What is said about the items of a mark, with everything that has one reason said once."""
        pruning = self._tell is Feedback._pruning
        groups: dict[tuple[Verdict, str], list[Item]] = {}
        for item, text in zip(mark.items, self._texts(mark), strict=True):
            reason = self._fate(item, "are") if pruning and text else text
            groups.setdefault((item.verdict, reason), []).append(item)
        remarks = []
        for (verdict, reason), items in groups.items():
            text = reason
            if pruning and reason:
                nodes = [item.node for item in items if item.node is not None]
                several = f"{sentence(branches(self._tree, nodes))} {reason}"
                text = several if len(nodes) > 1 else self._pruning(items[0])
            remarks.append(Remark(verdict, tuple(items), text))
        return tuple(remarks)

    def _texts(self, mark: Mark) -> tuple[str, ...]:
        """What there is to say about every item by itself."""
        lead = self._several(mark)
        return tuple(
            self._within(item) if item.verdict == "right" else lead + self._tell(self, item)
            for item in mark.items
        )

    def _several(self, mark: Mark) -> str:
        """What to say where one move or path is asked for and several are named."""
        form, said = self.exercise.kind.form, sum(bool(item.said) for item in mark.items)
        if not form.alternatives or self.exercise.public.terms.every or said < 2:
            return ""
        return f"{said} {form.name}s are named where one is asked for, and that counts only if each is best. "

    def _within(self, item: Item) -> str:
        """What to say of a right item: nothing, but where a branch was named by all that is below it."""
        if self._tell is not Feedback._pruning or item.node is None or item.said == item.right:
            return ""
        return f"Right, but {called(self._tree, item.node)} alone says it: name the topmost node of a branch."

    @property
    def _tell(self) -> Callable[["Feedback", Item], str]:
        return BY_FORM[self.exercise.kind.form.name]

    def diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """What every note of a mark says; of several only one is true, see `UNSURE`."""
        return tuple(map(_about, mark.notes))

    @cached_property
    def _solution(self) -> Solution:
        return solve(self.exercise.public.tree, self.exercise.public.rules)

    @cached_property
    def _account(self) -> Account:
        return explain(self._solution, self._language)

    @property
    def _language(self) -> Language:
        return self.exercise.public.terms.language

    def _written(self, value: Value | Bound) -> str:
        return written(value, self._language)

    def _why(self, node: int, values: Sequence[Value]) -> str:
        return why_value(self._tree, node, values, self._language)

    @property
    def _tree(self) -> Tree:
        return self._solution.tree

    def _pruning(self, item: Item) -> str:
        """Why a leaf or branch is pruned, or why it is visited."""
        if item.node is None:
            return ""
        return f"{sentence(called(self._tree, item.node))} {self._fate(item, 'is')}"

    def _fate(self, item: Item, are: str) -> str:
        """What becomes of the leaf or branch of an item, and why: the rest of a sentence about it."""
        node = item.node
        if node is None:
            return ""
        top = self._cut_above(node)
        if item.verdict == "missing" and top is not None:
            return f"{are} pruned. {self._account.cuts[top]}"
        why = self._account.visits.get(node)
        if why is not None:
            return f"{are} visited: {why}."
        if top is not None and top != node:
            return f"{are} below {called(self._tree, top)}, which is cut off as a whole."
        return f"{are} pruned."

    def _cut_above(self, node: int) -> int | None:
        """The topmost node of the cut branch that a node belongs to, None when it is visited."""
        while node >= 0 and node not in self._account.cuts:
            node = self._tree.parents[node]
        return node if node >= 0 else None

    def _value(self, item: Item) -> str:
        """How the value of a node comes about."""
        node = 0 if item.node is None else item.node
        values = [value for value in self._solution.values if value is not None]
        why = self._why(node, values)
        worth = f"{sentence(called(self._tree, node))} is worth {self._written(values[node])}: {why}."
        follows = " Your value follows from your own entries below it." if item.verdict == "follows" else ""
        return worth + follows

    def _line(self, _item: Item) -> str:
        """The line of best play, choice by choice."""
        return self._moves(self._solution.principal_variations[0])

    def _first_move(self, _item: Item) -> str:
        """The first choice on the line of best play."""
        return self._moves(self._solution.principal_variations[0][:2])

    def _moves(self, line: Sequence[int]) -> str:
        tree, values = self._tree, [value for value in self._solution.values if value is not None]
        told = [
            f"At {called(tree, node)}, {self._why(node, values)}: the move is to {called(tree, child)}."
            for node, child in pairwise(line)
            if len(tree.children[node]) > 1
        ]
        return " ".join(told)

    def _window(self, item: Item) -> str:
        """The window with which a node is entered, who stands behind it, and what the node returns."""
        node = item.node
        search = self._solution.search
        if node is None or search is None:
            return ""
        name = called(self._tree, node)
        alpha, beta, returned = search.alphas[node], search.betas[node], search.returned[node]
        if alpha is None or beta is None or returned is None:
            return f"{sentence(name)} is never entered."
        ends = self._language.between.join(map(self._written, (alpha, beta)))
        window = f"[{ends}]: {self._account.visits[node]}"
        value = f"{self._written(returned)}: {self._why_returned(node, search)}"
        follows = " Yours follows from your own entries around it." if item.verdict == "follows" else ""
        own = self._own_window(item)
        if own is not None and (own.alpha, own.beta) == (alpha, beta):
            return f"The window is right; {name} returns {value}.{follows}"
        if own is not None and own.returned is not None and own.returned.value == returned:
            return f"The value returned is right; {name} is entered with {window}.{follows}"
        return f"{sentence(name)} is entered with {window}. It returns {value}.{follows}"

    def _own_window(self, item: Item) -> Window | None:
        """What the student wrote for the node of an item, None when that is nothing."""
        public = self.exercise.public
        entries = WINDOWS.read(item.said, public.tree, public.terms) if item.said else ()
        if isinstance(entries, Malformed | Ambiguous):
            return None
        return dict(entries).get(0 if item.node is None else item.node)

    def _why_returned(self, node: int, search: Search) -> str:
        """How the value that a node returns comes about from what its visited children return."""
        tree, rules = self._tree, self._solution.rules
        children = tree.visiting(node, rules.order)
        found = [value for child in children if (value := search.returned[child]) is not None]
        largest = tree.players[node] is Player.MAX
        best = max(found) if largest else min(found)
        extreme = "largest" if largest else "smallest"
        whole = len(found) == len(children)
        told = (
            f"{tree.players[node]} takes the {extreme} of {listed_values(found, self._language)}"
            if len(found) > 1
            else f"its only child returns {self._written(best)}"
            if whole
            else f"its first child returns {self._written(best)}"
        )
        if best != search.returned[node]:
            return f"{told}, but where a node is cut it returns the bound it ran into"
        return told if whole else f"{told}, and is cut there"

    def _order(self, item: Item) -> str:
        """Which leaf comes next where the order breaks, and why it is not the one that the student wrote."""
        tree, account = self._tree, self._account
        texts = []
        if item.said and item.node is not None and (top := self._cut_above(item.node)) is not None:
            texts.append(f"{sentence(called(tree, item.node))} is pruned. {account.cuts[top]}")
        if item.right:
            leaf = tree.leaves[int(item.right) - 1]
            texts.append(f"Here the next leaf is {called(tree, leaf)}: {account.visits[leaf]}.")
        elif not texts:
            texts.append("The search is over before this leaf.")
        return " ".join(texts)

    def _game(self, _item: Item) -> str:
        """The value of the game: what every choice on the line of best play gives, down to the payoff."""
        tree, values = self._tree, [value for value in self._solution.values if value is not None]
        line = self._solution.principal_variations[0]
        told = [self._choice(node, child, values) for node, child in pairwise(line)]
        end = line[-1]
        if tree.children[end]:  # a chance node, where the line of certain play ends
            told.append(f"at {called(tree, end)}, {self._why(end, values)}")
        worth = f"{sentence(called(tree, 0))} is worth {self._written(values[0])}"
        return f"{worth}: {'; '.join(told)}." if told else f"{worth}."

    def _choice(self, node: int, chosen: int, values: Sequence[Value]) -> str:
        """`MAX A takes MIN C, worth 13, over MIN B with -5`."""
        tree = self._tree
        rest = [child for child in tree.children[node] if child != chosen]
        takes = f"{called(tree, node)} takes {called(tree, chosen)}, worth {self._written(values[chosen])}"
        if not rest:
            return takes
        if len(rest) > FEW:
            return f"{takes}; {self._why(node, values)}"
        others = [f"{called(tree, child)} with {self._written(values[child])}" for child in rest]
        return f"{takes}, over {listed(others)}"

    def _answer(self, item: Item) -> str:
        """The right answer, where no comparison decides it."""
        return f"The right answer is {self._language.reply(item.right)}." if item.right else ""

    def _count(self, _item: Item) -> str:
        visited, pruned = self._solution.visited_leaves, self._solution.pruned_paths
        if visited is None or pruned is None:
            return ""
        return (
            f"The search looks at {len(visited)} leaves ({' '.join(map(str, visited))}) "
            f"and never at the other {len(pruned)}."
        )


BY_FORM: Mapping[str, Callable[[Feedback, Item], str]] = {
    "number": Feedback._game,
    "count": Feedback._count,
    "move": Feedback._first_move,
    "path": Feedback._line,
    "paths": Feedback._pruning,
    "branches": Feedback._pruning,
    "table": Feedback._value,
    "windows": Feedback._window,
    "order": Feedback._order,
    "interval": Feedback._answer,
    "vector": Feedback._answer,
}
"""What decides about one item of each form."""


def likeliest(notes: Sequence[Note], held: Mapping[str, int]) -> tuple[Note, ...]:
    """Of notes that cannot be told apart those that most of a student's answers show.

    `held` says of every belief how many of the answers it explains, this one included.
    """
    most = max((held[_belief_of(note)] for note in notes), default=0)
    return tuple(note for note in notes if held[_belief_of(note)] == most)


def beliefs_held(marks: Iterable[Mark]) -> Mapping[str, int]:
    """How many of these marks each belief explains."""
    return Counter(belief for mark in marks for belief in {_belief_of(note) for note in mark.notes})


def _belief_of(note: Note) -> str:
    return note.code.partition(".")[2]


def _once(text: str, told: set[str]) -> str:
    """A text whose reason, all behind its first sentence, was not told before; else its first sentence."""
    head, _, reason = text.partition(". ")
    if reason and reason in told:
        return f"{head}, for the same reason."
    told.add(reason)
    return text


def restates(notes: Iterable[Note]) -> bool:
    """Whether one of these notes gives the right answer away to whoever knows the reply."""
    return any(belief_named(_belief_of(note)).restates for note in notes)


def _about(note: Note) -> str:
    belief = belief_named(_belief_of(note))
    extent = "" if note.match == "equal" else "Mostly, "
    return sentence(f"{extent}{belief.seems}. {sentence(belief.instead)}.")
