"""The drawn solutions on keys, read as somebody reads them who cannot see them: they show the answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise, make_exercise
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.publishing.keys import key_data
from grader.questions import all_kinds, kind_by_code
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Order, Rules, Ties
from grader.trees.tree import Player, Tree
from tests.questions.asking import drawn as kinds_draw

SEEDS = 8


@dataclass(frozen=True)
class Drawn:
    """What a picture says in words: at every node what is written there, and which branches are crossed."""

    part: Exercise
    tree: Tree
    said: tuple[tuple[str, ...], ...]
    crossed: frozenset[int]
    svg: str

    def value(self, node: int) -> str:
        """What stands at a node as its value, as in a reply; a payoff at a leaf, empty for nothing."""
        values = [each.removeprefix("value ") for each in self.said[node] if each.startswith("value ")]
        return values[0] if values else ""

    def number(self, node: int) -> Fraction:
        """The value of a node that is known."""
        return Fraction(self.value(node))

    def ends(self, node: int) -> set[Fraction]:
        """The value of a node, or both ends of where it lies as far as it has ends."""
        return {Fraction(end.lstrip("≤≥ ")) for end in self.value(node).split(" … ")}

    def notes(self, node: int) -> list[str]:
        """All else that stands at a node."""
        return [each for each in self.said[node] if not each.startswith("value ")]

    def cut(self) -> set[int]:
        """All leaves at crossed branches or below them, by their leaf numbers."""
        return {
            self.tree.paths[leaf]
            for leaf in self.tree.leaves
            if self.crossed & {leaf, *self.tree.ancestors(leaf)}
        }

    def thick(self) -> int:
        """How many branches are drawn thick."""
        return sum(path.count("M") for path in re.findall(r'<path d="([^"]*)" stroke-width="3"', self.svg))


def drawn(part: Exercise) -> Drawn | None:
    """The solution on the key of a paper with one question; None where nothing is drawn."""
    made = key_data(Paper(Heading("A quiz"), "A", (Question("1", "A question", (part,)),)))
    found: list[dict[str, Any]] = made["questions"][0]["pictures"]
    if not found:
        return None
    (picture,) = found
    tree = part.public.tree
    said: list[tuple[str, ...]] = [()] * len(tree)
    crossed = set[int]()
    words = re.sub(r"; board [^)]*| \(board [^)]*\)", "", picture["description"].replace("−", "-"))
    _, *sentences = words.removesuffix(".").split(". ")
    for node, sentence in zip(tree.internal, sentences, strict=False):
        head, tail = sentence.split(" leads to ")
        said[node] = _noted(head)
        for child, outcome in zip(tree.children[node], _parted(tail, ", "), strict=True):
            if outcome.endswith(" [pruned]"):
                crossed.add(child)
            if not tree.children[child]:
                plain = outcome.removesuffix(" [pruned]")
                payoff = re.split(r" = |: |probability \S+ ", plain.split(" (value")[0].split(" (board")[0])[
                    -1
                ]
                said[child] = (f"value {payoff}", *_noted(plain))
    if not tree.internal:
        said[0] = (f"value {sentences[0].split()[3]}",)
    return Drawn(part, tree, tuple(said), frozenset(crossed), picture["svg"])


def _noted(words: str) -> tuple[str, ...]:
    """What stands in brackets behind the name of a node."""
    found = re.fullmatch(r"[^(]*? \((.*)\)", words)
    return tuple(found[1].split("; ")) if found and not words.startswith("(") else ()


def _parted(words: str, sign: str) -> list[str]:
    """Words between signs that stand in no brackets."""
    return re.split(rf"{sign}(?![^()]*\)|[^<>]*>)", words)


# What is read off, for every form of answer ----------------------------------------------------------


def entries(part: Exercise) -> dict[str, str]:
    """The entries of a table: what stands behind each name, which may be quoted."""
    return dict(entry.replace('"', "").split("=") for entry in part.key.split())


def paths(part: Exercise) -> set[int]:
    """The leaf numbers of an answer."""
    return set(map(int, part.key.split())) if part.key != "none" else set()


def is_worth_it(seen: Drawn) -> bool:
    """The root has the value that was asked for."""
    return seen.value(0) == seen.part.key


def is_in_table(seen: Drawn) -> bool:
    """Every entry stands at its node."""
    return all(
        seen.number(seen.tree.index[name]) == Fraction(said) for name, said in entries(seen.part).items()
    )


def is_an_end(seen: Drawn) -> bool:
    """Every entry is the value at its node, or an end of where it lies."""
    return all(
        Fraction(said) in seen.ends(seen.tree.index[name]) for name, said in entries(seen.part).items()
    )


def is_chosen(seen: Drawn) -> bool:
    """The moves of the answer are those that are worth as much as the root, and no others."""
    best = {child for child in seen.tree.children[0] if seen.number(child) == seen.number(0)}
    answer = seen.part.answer(seen.part.key)
    return best == {seen.tree.children[0][place] for place in answer}


def is_cut(seen: Drawn) -> bool:
    """The leaves of the answer are those at or below crossed branches."""
    return seen.cut() == paths(seen.part)


def is_crossed(seen: Drawn) -> bool:
    """The branches of the answer are the crossed ones."""
    return seen.crossed == {
        node for node in range(1, len(seen.tree)) if seen.tree.names[node] in seen.part.key.split()
    }


def is_counted(seen: Drawn) -> bool:
    """As many leaves are left as the answer says."""
    return len(seen.tree.leaves) - len(seen.cut()) == int(seen.part.key)


def is_visited(seen: Drawn) -> bool:
    """The leaves of the answer are those that are left."""
    return set(seen.tree.paths) - seen.cut() - {0} == paths(seen.part)


def is_followed(seen: Drawn) -> bool:
    """Who follows the value of the root comes to a leaf of the answer."""
    node = 0
    while children := seen.tree.children[node]:
        node = next(child for child in children if seen.number(child) == seen.number(0))
    return seen.tree.paths[node] in paths(seen.part)


def is_windowed(seen: Drawn) -> bool:
    """Every window of the answer stands at its node."""
    told = re.findall(r"(\w+) (\[[^]]*\])", seen.part.key.replace("inf", "∞"))
    return all(f"window {window}" in seen.said[seen.tree.index[name]] for name, window in told)


def is_between(seen: Drawn) -> bool:
    """The range that was asked for stands at the node."""
    shown = seen.value(seen.tree.index[seen.part.public.given["node"]])
    low, _, high = shown.partition(" … ")
    if high:
        return seen.part.key == f"{low} <= x <= {high}"
    sign = {"≤": "<=", "≥": ">="}.get(shown[0])
    return seen.part.key == (f"x {sign} {shown[2:]}" if sign else f"x = {shown}")


def is_ordered(seen: Drawn) -> bool:
    """The order that was asked for stands where it is another one, and the search cuts what is crossed."""
    told = dict(entry.split(": ") for entry in seen.part.key.split("; "))
    for node in seen.tree.internal:
        here = " ".join(seen.tree.names[child] for child in seen.tree.children[node])
        if [told.get(seen.tree.names[node], here)] != (seen.notes(node) or [here]):
            return False
    return True


def is_listed(seen: Drawn) -> bool:
    """The order that was asked for stands at every node of the answer."""
    told = (entry.split(": ") for entry in seen.part.key.split("; "))
    return all(order in seen.notes(seen.tree.index[name]) for name, order in told)


def is_flipped(seen: Drawn) -> bool:
    """The move changes for the first time at the depth of the answer."""
    moves = [note.split(": ")[1] for note in seen.notes(0)]
    return next(depth for depth in range(1, len(moves)) if moves[depth] != moves[0]) + 1 == int(seen.part.key)


def is_one_of_theirs(seen: Drawn) -> bool:
    """The player that is asked about gets the payoff of the answer."""
    own = seen.value(0).strip("<>").split(", ")[seen.part.public.given["player"] - 1]
    return own == seen.part.key


def is_gain(seen: Drawn) -> bool:
    """More stands at the root than the minimax value, where that is right."""
    (minimax,) = (note.removeprefix("minimax value ") for note in seen.notes(0))
    return (seen.number(0) > Fraction(minimax)) == (seen.part.key == "true")


def is_kept(seen: Drawn) -> bool:
    """The best moves after are the best ones before, where that is right."""
    children, better = seen.tree.children[0], max if seen.tree.players[0] is Player.MAX else min
    before = [Fraction(seen.notes(child)[-1].removeprefix("before ")) for child in children]
    after = [seen.number(child) for child in children]
    best = [[value == better(values) for value in values] for values in (before, after)]
    return (best[0] == best[1]) == (seen.part.key == "true")


def is_pattern(seen: Drawn) -> bool:
    """The crosses are those that are asked about, and there are payoffs if some lead to them."""
    asked = {seen.tree.index[name] for name in seen.part.public.given["crossed"]}
    filled = not any(seen.value(leaf).isalpha() for leaf in seen.tree.leaves)
    return seen.crossed == asked and filled == (seen.part.key not in ("false", "1", "2", "3", "4"))


def is_strategy(seen: Drawn) -> bool:
    """So many branches are thick as the strategy has moves."""
    return seen.thick() == seen.part.key.count("->")


SHOWN: Mapping[str, Callable[[Drawn], bool]] = {
    **dict.fromkeys(("root-value", "depth-limited.value", "depth-limited.features"), is_worth_it),
    **dict.fromkeys(("imperfect-opponent.minimax-play", "imperfect-opponent.best-reply"), is_worth_it),
    **dict.fromkeys((f"payoff-vectors.{ask}" for ask in ("value", "chance", "general-sum")), is_worth_it),
    **dict.fromkeys((f"board-position.{ask}" for ask in ("value", "evaluation", "utility")), is_worth_it),
    **dict.fromkeys(("node-values", "expected-values", "board-position.values"), is_in_table),
    "windows.own-values": is_an_end,
    **dict.fromkeys(
        ("best-move", "depth-limited.move", "deepening.move", "belief-state.best-move"), is_chosen
    ),
    **dict.fromkeys(("board-position.move", "evaluation-scaling.move"), is_chosen),
    "imperfect-opponent.best-move": is_chosen,
    "best-path": is_followed,
    **dict.fromkeys(("pruned-paths", "chance-cuts", "deepening.pruned"), is_cut),
    **dict.fromkeys(("depth-limited.bounds", "board-position.pruned"), is_cut),
    "pruned-branches": is_crossed,
    **dict.fromkeys(("visited-count", "deepening.visited", "reorder.leaves"), is_counted),
    "visiting-order": is_visited,
    "windows": is_windowed,
    "possible-values": is_between,
    "reorder.order": is_ordered,
    "deepening.order": is_listed,
    "depth-limited.flip": is_flipped,
    "payoff-vectors.ties": is_one_of_theirs,
    "imperfect-opponent.gain": is_gain,
    "evaluation-scaling.tree": is_kept,
    **dict.fromkeys((f"feasible-pattern.{ask}" for ask in ("possible", "why-not", "payoffs")), is_pattern),
    **dict.fromkeys((f"strategy.{ask}" for ask in ("optimal", "answers", "never-lose")), is_strategy),
    "belief-state.strategy": is_strategy,
}
"""How the answer is read off the picture, for every kind whose picture shows it."""

ASIDE = {
    *(f"unknown-leaf.{ask}" for ask in ("pruned", "extreme", "chosen", "matters")),  # true of other numbers
    *(f"cut-reasons.{ask}" for ask in ("where", "cause", "why-not")),  # told of the search that is drawn
    *(f"true-false.{ask}" for ask in ("pruning", "order", "inner-values", "scaling", "optimal-play")),
    *(f"board-position.{ask}" for ask in ("legal", "result", "mover", "over")),  # a position, no values
    *(f"uct.{ask}" for ask in ("scores", "selected", "visits", "wins")),  # held in `test_keys.py`
    *(f"belief-state.{ask}" for ask in ("states", "moves")),  # thick branches to what belongs to the answer
    "payoff-vectors.cut",
}
"""The kinds whose answer does not stand in the picture as such."""


def grown(code: str) -> list[Exercise]:
    """Some exercises of a kind."""
    return [grow(default_recipe(code), seed) for seed in range(SEEDS)]


@pytest.mark.parametrize("code", SHOWN)
def test_the_solution_shows_the_answer(code: str) -> None:
    """Whoever reads the answer off the picture of a key finds the key."""
    for part in grown(code):
        seen = drawn(part)
        assert seen is not None
        assert SHOWN[code](seen), (part.key, seen.said)


def test_every_picture_is_looked_at() -> None:
    """Of every kind that has a picture it is known what is read off it."""
    pictured = {kind.code for kind in all_kinds() if drawn(grow(default_recipe(kind.code), 0)) is not None}
    assert pictured == SHOWN.keys() | ASIDE


def by_the_book(seen: Drawn) -> set[int]:
    """The nodes that alpha-beta search visits, whose children stand as is written beside them."""
    tree, visited = seen.tree, set[int]()

    def search(node: int, alpha: Fraction | float, beta: Fraction | float) -> Fraction | float:
        visited.add(node)
        if not tree.children[node]:
            return seen.number(node)
        upwards = tree.players[node] is Player.MAX
        best: Fraction | float = -float("inf") if upwards else float("inf")
        for child in beside(seen, node):
            below = search(child, alpha, beta)
            best = max(best, below) if upwards else min(best, below)
            alpha, beta = (max(alpha, best), beta) if upwards else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best

    search(0, -float("inf"), float("inf"))
    return visited


def beside(seen: Drawn, node: int) -> list[int]:
    """The children of a node in the order that is written beside it, or as they stand."""
    tree = seen.tree
    for note in seen.notes(node):
        if sorted(note.split()) == sorted(tree.names[child] for child in tree.children[node]):
            return [tree.index[name] for name in note.split()]
    return list(tree.children[node])


@pytest.mark.parametrize("code", ["reorder.order", "reorder.leaves", "deepening.pruned", "deepening.visited"])
def test_the_crosses_are_those_of_the_order_beside_the_nodes(code: str) -> None:
    """Alpha-beta search by the book, in the order that is drawn, cuts what is crossed out."""
    for part in grown(code):
        seen, tree, rules = drawn(part), part.public.tree, part.public.rules
        assert seen is not None
        assert (rules.order, rules.ties) == ("left-to-right", "cut")
        visited = by_the_book(seen)
        cut = {node for node in range(1, len(tree)) if node not in visited and tree.parents[node] in visited}
        assert seen.crossed == cut


@pytest.mark.parametrize("code", ["depth-limited.value", "depth-limited.move", "deepening.move"])
def test_nothing_below_the_limit_has_a_value(code: str) -> None:
    """At the depth limit stands the evaluation, above it what follows, and below it nothing."""
    for part in grown(code):
        seen, tree, depth = drawn(part), part.public.tree, part.public.given["depth"]
        assert seen is not None
        for node in tree.internal:
            children = [seen.value(child) for child in tree.children[node]]
            attributes = tree.attributes[node]
            if tree.depths[node] > depth:
                assert not seen.value(node)
            elif tree.depths[node] == depth:
                assert attributes is not None
                assert attributes.evaluation is not None
                assert seen.number(node) == attributes.evaluation
            else:
                better = max if tree.players[node] is Player.MAX else min
                assert seen.number(node) == better(map(Fraction, children))


@pytest.mark.parametrize("order", ["left-to-right", "right-to-left"])
@pytest.mark.parametrize("ties", ["cut", "keep"])
@pytest.mark.parametrize(
    ("code", "shows"),
    [
        ("reorder.leaves", is_counted),
        ("deepening.pruned", is_cut),
        ("deepening.visited", is_counted),
        ("depth-limited.bounds", is_cut),
    ],
)
def test_every_rule_is_drawn(code: str, shows: Callable[[Drawn], bool], ties: Ties, order: Order) -> None:
    """By whatever rules children are visited and equal values cut: what is crossed out is the key."""
    for seed in range(3):
        tree = tree_of("MAX A (MIN B (MAX D (3 12) MAX E (8 3)) MIN C (MAX F (4 6) MAX G (14 5)))")
        found = kinds_draw(kind_by_code(code), tree, Rules(order=order, ties=ties), seed)
        assert found is not None
        seen = drawn(
            make_exercise(kind_by_code(code), found[0], Rules(order=order, ties=ties), given=found[1])
        )
        assert seen is not None
        assert shows(seen)
