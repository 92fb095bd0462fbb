"""How nodes, branches and values are called in a sentence."""

from collections.abc import Sequence

from grader.base.numbers import Bound
from grader.base.phrases import ENGLISH, Language
from grader.tree import Tree, Value


def called(tree: Tree, node: int) -> str:
    """How a lecturer calls a node: `MIN B`, `Min1`, `the root`, `leaf e`, `leaf 5`, `leaf 5 (x)`.

    A node at the depth limit is called by its name alone, for in the whole tree it is no leaf.
    """
    name, player, payoff = tree.names[node], tree.players[node], tree.payoffs[node]
    if node in tree.estimates:
        return "the root" if name == "root" else name
    if player is None:
        return f"leaf {name} ({payoff})" if isinstance(payoff, str) else f"leaf {name}"
    if node == 0 and name == "root":
        return "the root"
    if tree.given[node] is None:
        return name
    return f"{player} {name}"


def listed(words: Sequence[str], between: str = ", ") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{between.join(words[:-1])} and {words[-1]}"


def written(value: Value | Bound, language: Language = ENGLISH) -> str:
    """A value as text: a number, an infinity, or a vector in angle brackets."""
    if isinstance(value, tuple):
        return f"<{language.between.join(map(language.number, value))}>"
    return language.number(value).replace("inf", "∞")


def listed_values(values: Sequence[Value | Bound], language: Language = ENGLISH) -> str:
    """`3`, `2.5 and 3`, `2.5, 3 and 4`; with a decimal comma `2,5; 3 and 4`."""
    return listed([written(value, language) for value in values], language.between)


def branches(tree: Tree, nodes: Sequence[int]) -> str:
    """Several branches as text: `leaves 5 and 6`, or `MIN C with leaves 4 to 6`."""
    if all(tree.players[node] is None and node not in tree.estimates for node in nodes):
        noun = "leaf" if len(nodes) == 1 else "leaves"
        return f"{noun} {listed([tree.names[node] for node in nodes])}"
    return listed([_with_leaves(tree, node) for node in nodes])


def _with_leaves(tree: Tree, node: int) -> str:
    if tree.players[node] is None:
        return called(tree, node)
    below = tree.leaves_below(node)
    first, last = tree.names[below[0]], tree.names[below[-1]]
    if len(below) == 1:
        return f"{called(tree, node)} with leaf {first}"
    return f"{called(tree, node)} with leaves {first} {'and' if len(below) == 2 else 'to'} {last}"


def sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]
