"""Nodes, branches and values as parts of a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.base.numbers import Bound
from grader.base.phrases import ENGLISH, Language, Phrase
from grader.trees.tree import Player, Tree, Value
from grader.trees.tree_builder import HIDDEN_PAYOFF

BOUNDS = {"alpha": Phrase("alpha"), "beta": Phrase("beta")}
"""The names of the two bounds of a window."""


def bound_equation(side: str, bound: Bound, language: Language = ENGLISH) -> str:
    """Write a bound of a window: `alpha = 3`, `bêta = ∞`."""
    return f"{language.term(BOUNDS[side])} = {language.number(bound)}"


def node_name(tree: Tree, node: int, language: Language) -> str:
    """Return the name of a node; a root without a name is "root" in the language."""
    given = node or tree.given[node] is not None or tree.names[node] != "root"
    return tree.names[node] if given else language.term("root")


def node_title(tree: Tree, node: int, language: Language = ENGLISH) -> str:
    """Return a node as in a lecture: `MIN B`, `chance node B`, `Min1`, `the root`, `leaf 5`, `leaf 5 (x)`.

    A hidden payoff has no letter. A node at the depth limit has only its name: the whole tree goes on there.
    """
    name, player, payoff = tree.names[node], tree.players[node], tree.payoffs[node]
    if name == "root" and (player is not None or node in tree.estimates) and not node:
        return language.term("the root")
    if player is None and node not in tree.estimates:
        if isinstance(payoff, str) and payoff != HIDDEN_PAYOFF:
            return language.term("leaf {name} ({payoff})", name=name, payoff=payoff)
        return language.term("leaf {name}", name=name)
    if node in tree.estimates or tree.given[node] is None or player is None:
        return name
    return named_node(player, name, language)


def named_node(player: Player, name: str, language: Language = ENGLISH) -> str:
    """Return an inner node with the name that the tree gives it: `MIN B`, `chance node B`."""
    if player is Player.CHANCE:
        return language.term("chance node {name}", name=name)
    return language.term("{player} {name}", player=player, name=name)


def value_text(value: Value | Bound, language: Language = ENGLISH) -> str:
    """Return a value as text: a number, an infinity, or a vector in angle brackets."""
    if isinstance(value, tuple):
        return f"<{language.number_separator.join(map(language.number, value))}>"
    return language.number(value)


def bracket_factor(number: str) -> str:
    """Return a factor of a product, in brackets if it begins with a sign."""
    return number if number[0].isdigit() else f"({number})"


_NODE_FIELDS = frozenset({"node", "parent", "child", "owner", "leaf", "where"})


@dataclass(frozen=True, slots=True)
class TreeSpeaker:
    """Fills in sentences about the nodes of a tree."""

    tree: Tree
    language: Language

    def say(
        self, one: str, many: str = "", count: int | None = None, /, **fields: Value | Bound | str
    ) -> str:
        """Return a sentence in the language with its fields filled in.

        The fields `node`, `parent`, `child`, `owner`, `leaf` and `where` are nodes; `where` may be the
        root without its name. All other fields are values, or text.
        """
        texts = {name: self._field_text(name, field) for name, field in fields.items()}
        return self.language.say(one, many, count, **texts)

    def _field_text(self, name: str, field: Value | Bound | str) -> str:
        """Return a value of a placeholder as text: a node by its title if the placeholder stands for nodes.

        Otherwise numbers are written in the language. An empty `where` is the root.
        """
        if isinstance(field, str):
            return field
        if name == "where" and not field:
            return self.language.term("the root")
        if name in _NODE_FIELDS and isinstance(field, int):
            return node_title(self.tree, field, self.language)
        return value_text(field, self.language)


def value_list(values: Sequence[Value | Bound], language: Language) -> str:
    """Return several values as text: `3`, `2.5, 3 and 4`; with a decimal comma `2,5; 3 and 4`."""
    return language.join_and([value_text(value, language) for value in values])


def value_choice(values: Sequence[Value | Bound], language: Language) -> str:
    """Return values of which one counts: `3`, `2.5 or 3`, `2.5, 3 or 4`."""
    return language.join_or([value_text(value, language) for value in values])


def node_list(tree: Tree, nodes: Sequence[int], language: Language) -> str:
    """Return several nodes as text: `MIN B, MIN C and leaf 5`."""
    return language.join_and([node_title(tree, node, language) for node in nodes])


def branch_list(tree: Tree, nodes: Sequence[int], language: Language) -> str:
    """Return several branches as text: `leaves 5 and 6`, or `MIN C with leaves 4 to 6`."""
    if all(tree.players[node] is None and node not in tree.estimates for node in nodes):
        names = language.join_and([tree.names[node] for node in nodes])
        return language.term("leaf {names}", "leaves {names}", len(nodes), names=names)
    return language.join_and([_with_leaves(tree, node, language) for node in nodes])


def _with_leaves(tree: Tree, node: int, language: Language) -> str:
    """Return the title of a node with the leaves below it."""
    name = node_title(tree, node, language)
    if tree.players[node] is None:
        return name
    leaves = [tree.names[leaf] for leaf in tree.leaves_below(node)]
    first, last = leaves[0], leaves[-1]
    if len(leaves) == 1:
        return language.term("{node} with leaf {leaf}", node=name, leaf=first)
    if len(leaves) == 2:
        return language.term("{node} with leaves {first} and {last}", node=name, first=first, last=last)
    if first.isdecimal() and leaves != sorted(leaves, key=lambda number: (len(number), number)):
        # the children were reordered, and their leaves have kept their numbers
        return language.term("{node} with leaves {names}", node=name, names=language.join_and(leaves))
    return language.term("{node} with leaves {first} to {last}", node=name, first=first, last=last)
