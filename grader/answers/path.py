"""A path from the root to a leaf, by its number, its leaf's name or its steps: `5`, `e`, `A -> B -> e`."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from grader.answers.blank import Blanks
from grader.answers.boxes import leaf_label
from grader.answers.canonical import all_at, only_if_written, path_at
from grader.answers.choices import compare_best, one_of, picked
from grader.answers.form import Asking, Form, Item, Room, Terms
from grader.answers.mention import Mention, Naming, Way
from grader.answers.named_things import choose, flat, parse_mentions, read_mentions
from grader.answers.numeral import numeral
from grader.answers.paths import by_payoffs, every_path
from grader.answers.reply import Reply, UnreadableError, UnsureError, read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import NumeralError
from grader.base.phrases import Phrase
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Token

Path = frozenset[int]
"""Path numbers, counted from 1 at the left: one, or several that are equally good."""

_NAMING = Naming(one=True)


def _read(reply: Reply) -> Path:
    """Read path numbers and names of leaves, or steps from the root separated by anything."""
    tree = reply.tree
    walks = _walks(reply)
    if walks is None:
        return choose(read_mentions(reply, _NAMING), lambda ways: _leaves(reply, ways))
    found = {tree.paths[leaf] for leaf in walks}
    try:
        found_as_leaves = choose(_leaf_mentions(reply), lambda ways: _leaves(reply, ways))
    except (UnreadableError, UnsureError):
        found_as_leaves = frozenset()
    answers = [frozenset((path,)) for path in sorted(found)]
    if found_as_leaves and found_as_leaves not in answers:
        answers.append(found_as_leaves)
    if len(answers) == 1:
        return answers[0]
    raise UnsureError("the last number may be a path number or the payoff of another leaf", answers)


def _leaf_mentions(reply: Reply) -> Sequence[Mention]:
    mentions = read_mentions(reply, _NAMING)
    for mention in mentions:
        if not all(reply.tree.paths[node] for way in mention.ways for node in way):
            raise UnreadableError("this is no leaf", mention.place)
        if any(len(set(way)) < len(way) for way in mention.ways):
            raise UnreadableError("a leaf is named twice", mention.place)
    return mentions


def _leaves(reply: Reply, ways: Iterable[Way]) -> Path:
    tree = reply.tree
    found = set()
    for way in ways:
        for node in way:
            if not tree.paths[node]:
                name = vocabulary(tree).write(node)
                message = "the path stops at {node}, which is no leaf"
                raise UnreadableError(message, 0, "go on down to a leaf", node=name)
            found.add(tree.paths[node])
    return frozenset(found)


def _walks(reply: Reply) -> set[int] | None:
    """The leaves that the reply walks to, step by step from the root; None when it does not walk.

    A step is the name of a child or the label of a move. The last one may also be the leaf's
    path number, or its payoff when no sister shows the same; `leaf 5` rather is the path number.
    """
    tree = reply.tree
    steps = [
        token
        for item in flat(parse_mentions(reply, _NAMING))
        for token in (item if isinstance(item, list) else [item])
    ]
    sharp = {
        id(token)
        for before, token in pairwise(steps)
        if getattr(before, "type", "") in ("NOUN", "PATH") and getattr(token, "type", "") == "NUMERAL"
    }
    names = [
        token
        for token in steps
        if getattr(token, "type", "") in ("WORD", "SPOTTED", "STRING", "NUMERAL", "ORDINAL")
    ]
    if len(names) < 2:
        if len(names) == 1 and names[0].type != "NUMERAL":
            labelled = [node for node in reply.nodes(names[0], labels=True) if node in tree.children[0]]
            leaves = {node for node in labelled if tree.paths[node]}
            return leaves or None
        return None
    if any(getattr(token, "type", "") in ("SEMICOLON", "OR", "AND", "ALL", "HASH", "CUT") for token in steps):
        return None
    moves = _moves(tree, steps)
    if moves is not None:
        return {moves}
    here = {0}
    if 0 in reply.nodes(names[0]):
        names = names[1:]
    for number, token in enumerate(names):
        last = number == len(names) - 1
        below = [child for node in here for child in tree.children[node]]
        here = {child for child in below if id(token) in sharp and token == str(tree.paths[child])}
        here = here or {child for child in below if _steps_to(reply, token, child, last)}
        if not here:
            return None
    return {node for node in here if tree.paths[node]} or None


def _moves(tree: Tree, steps: "Sequence[Token]") -> int | None:
    """The leaf to which moves lead that are numbered from the left at each node: `1-2-2`."""
    kinds = [getattr(token, "type", "") for token in steps]
    if set(kinds[::2]) != {"NUMERAL"} or not set(kinds[1::2]) <= {"DASH", "ARROW"}:
        return None
    node = 0
    for token in steps[::2]:
        children = tree.children[node]
        if not (token.isdigit() and 1 <= int(token) <= len(children)):
            return None
        node = children[int(token) - 1]
    return None if tree.children[node] else node


def _steps_to(reply: Reply, token: "Token", child: int, last: bool) -> bool:
    """Whether a step of the reply may mean this child."""
    tree = reply.tree
    if token.type == "NUMERAL":
        if token in (tree.given[child], tree.moves[child]):
            return True
        if not last or not tree.paths[child]:
            return False
        if token == str(tree.paths[child]):
            return tree.parents[child] != 0 or len(tree.children[0]) == 1
        try:
            value = numeral(str(token)).value
        except NumeralError:
            return False
        sisters = [tree.payoffs[sister] for sister in tree.children[tree.parents[child]]]
        return tree.payoffs[child] == value and sisters.count(value) == 1
    return child in reply.nodes(token, labels=True)


def write(answer: Path, tree: Tree) -> str:
    """The path number; several in ascending order."""
    names = vocabulary(tree)
    texts = [names.write_path(path) for path in sorted(answer)]
    if any(text.startswith("#") for text in texts):
        texts = [f"#{path}" for path in sorted(answer)]  # so that no number is taken for a step
    return " ".join(texts) or names.nothing


def parse(text: str, tree: Tree) -> Path:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    return only_if_written(text, frozenset(all_at(text, tree, path_at)), tree, write)


def compare(reply: Path, key: Path, tree: Tree, terms: Terms) -> tuple[Item, ...]:
    """Right when every path named is a best one and there is one, or when all are if all are asked for."""
    leaves = tree.leaves
    return compare_best(reply, key, terms, lambda path: leaves[path - 1], lambda paths: write(paths, tree))


def blanks(key: Path, tree: Tree, terms: Terms) -> Blanks:
    """An option for every leaf."""
    texts, right = (
        [leaf_label(tree, leaf) for leaf in tree.leaves],
        [path in key for path in every_path(tree)],
    )
    names = [write(frozenset((path,)), tree) for path in sorted(key)]
    return one_of(texts, right, names, PATH.asked(terms.language), terms)


PATH: Form[Path] = Form(
    name="path",
    ask=Phrase("Write the path number of the leaf, its name, or the nodes from the root down to it."),
    example="5",
    read=partial(read_reply, read=_read, write=write, remarks="of words"),
    write=write,
    parse=parse,
    compare=compare,
    guide=Phrase("The path number, the name of the leaf or the nodes on the way all count."),
    room=Room("short"),
    blanks=Asking(blanks, picked(every_path, write)),
    repeats=2,
    counts_leaves=True,
    alternatives=True,
    by_payoffs=by_payoffs,
)
