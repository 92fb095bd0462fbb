"""What a student can learn from a mark: a sentence for every lost item, and one for every misconception."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from grader.answers.form import Item, Verdict
from grader.exercise import Exercise
from grader.explaining import Account, explain, why_value
from grader.kinds.beliefs import belief_named
from grader.marking.mark import Mark, Note
from grader.solvers.solution import Solution, solve
from grader.tree import Tree
from grader.words import branches, called, sentence, written


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
        """What there is to say about every item by itself; of an order, only where it first goes wrong."""
        texts = ["" if item.verdict == "right" else self._tell(self, item) for item in mark.items]
        if self._tell is Feedback._order:
            lost = [place for place, text in enumerate(texts) if text]
            for place in lost[1:]:
                texts[place] = "It comes after the first wrong leaf."
        return tuple(texts)

    @property
    def _tell(self) -> Callable[["Feedback", Item], str]:
        return _BY_FORM[self.exercise.kind.form.name]

    def diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """What the notes of a mark say, as sentences; empty without notes."""
        if not mark.notes:
            return ()
        several = len(mark.notes) > 1
        lead = "It cannot be told which of these it was:" if several else ""
        return tuple(text for text in (lead, *map(_about, mark.notes)) if text)

    @cached_property
    def _solution(self) -> Solution:
        return solve(self.exercise.public.tree, self.exercise.public.rules)

    @cached_property
    def _account(self) -> Account:
        return explain(self._solution)

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
        why = why_value(self._tree, node, values)
        worth = f"{sentence(called(self._tree, node))} is worth {written(values[node])}: {why}."
        follows = " Your value follows from your own entries below it." if item.verdict == "follows" else ""
        return worth + follows

    def _line(self, _item: Item) -> str:
        """The line of best play, choice by choice, as far as the kind asks for it."""
        tree, values = self._tree, [value for value in self._solution.values if value is not None]
        line = self._solution.principal_variations[0]
        choices = line[:-1] if self.exercise.kind.form.name == "path" else line[:1]
        told = [
            f"At {called(tree, node)}, {why_value(tree, node, values)}: the move is to {called(tree, child)}."
            for node, child in zip(choices, line[1:], strict=False)
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
        why = self._account.visits[node]
        follows = " Yours follows from your own entries around it." if item.verdict == "follows" else ""
        window = f"{sentence(name)} is entered with [{written(alpha)}, {written(beta)}]"
        return f"{window}: {why}. It returns {written(returned)}.{follows}"

    def _order(self, item: Item) -> str:
        """Which leaf comes next at this place, and why it is not the one that the student wrote."""
        tree, account = self._tree, self._account
        texts = []
        if item.said and item.node is not None and (top := self._cut_above(item.node)) is not None:
            texts.append(f"{sentence(called(tree, item.node))} is pruned. {account.cuts[top]}")
        if item.right:
            leaf = tree.leaves[int(item.right) - 1]
            texts.append(f"Next is {called(tree, leaf)}: {account.visits[leaf]}.")
        elif not texts:
            texts.append("The search has come to its end here.")
        return " ".join(texts)

    def _count(self, _item: Item) -> str:
        visited, pruned = self._solution.visited_leaves, self._solution.pruned_paths
        if visited is None or pruned is None:
            return ""
        return (
            f"The search looks at {len(visited)} leaves ({' '.join(map(str, visited))}) "
            f"and never at the other {len(pruned)}."
        )


_BY_FORM: Mapping[str, Callable[[Feedback, Item], str]] = {
    "number": Feedback._value,
    "count": Feedback._count,
    "move": Feedback._line,
    "path": Feedback._line,
    "paths": Feedback._pruning,
    "branches": Feedback._pruning,
    "table": Feedback._value,
    "windows": Feedback._window,
    "order": Feedback._order,
}


def _once(text: str, told: set[str]) -> str:
    """A text whose reason, all behind its first sentence, was not told before; else its first sentence."""
    head, _, reason = text.partition(". ")
    if reason and reason in told:
        return f"{head}, for the same reason."
    told.add(reason)
    return text


def _about(note: Note) -> str:
    belief = belief_named(note.code.partition(".")[2])
    extent = "" if note.match == "equal" else "Mostly, "
    return sentence(f"{extent}{belief.seems}. {sentence(belief.instead)}.")
