"""What a picture says: the words at its nodes and branches, and the whole picture in words."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from grader.base.numbers import INFINITY
from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.base.safe_text import MAX_LABEL_LENGTH, safe_line
from grader.pictures.view import ClaimMark, CrossMark, Names, NodeValue, Range, View
from grader.solvers.explaining.node_wording import node_name
from grader.trees.tree import Attributes, Player, Tree, Value

MAX_DESCRIBED_NODES = 400
"""Trees of more nodes are described by their size alone: nobody listens to a thousand branches."""

# At a node ------------------------------------------------------------------------------------------

_RELATIONS = {"<=": "≤ ", ">=": "≥ ", "=": ""}


def spell_value(
    shown: NodeValue | str | None, language: Language = ENGLISH, longest: int = MAX_LABEL_LENGTH
) -> str:
    """A value as it is printed: `−7/3`, `(1, 2, 6)`, `≤ 2`, `2 … 5`, a letter; empty for none."""
    match shown:
        case None:
            return ""
        case str():
            return safe_line(shown, longest)
        case Range(low, high):
            if low == -INFINITY and high == INFINITY:
                return "?"
            if low == high:
                return spell_value(low, language)
            if low == -INFINITY:
                return f"≤ {spell_value(high, language)}"
            if high == INFINITY:
                return f"≥ {spell_value(low, language)}"
            return f"{spell_value(low, language)} … {spell_value(high, language)}"
        case tuple():
            return f"({language.number_separator.join(spell_value(number, language) for number in shown)})"
        case _:
            return language.number(shown)


class NodeWords(NamedTuple):
    """Everything that is written at one node and on the branch above it; empty where there is nothing.

    `branch` is the label of the branch: its move, its probability, or both; `board`: the signs of each row.
    """

    name: str
    payoff: str
    notes: tuple[str, ...]
    board: tuple[tuple[str, ...], ...]
    value: str
    window: str
    claim: str
    move: str
    probability: str
    branch: str

    def each(self, change: Callable[[str], str]) -> "NodeWords":
        """The same words, every one of them changed."""

        def changed(words: Any) -> Any:
            return change(words) if isinstance(words, str) else tuple(map(changed, words))

        return NodeWords(*map(changed, self))


def words_at_nodes(tree: Tree, view: View, names: Names) -> tuple[NodeWords, ...]:
    """What a picture writes at every node, ready to print: signs are typographic, names made harmless.

    A leaf's value is its payoff, so `value` is empty there unless the payoff is unknown
    or a claim about it is wrong.
    """
    probabilities = _probabilities(tree, view.language) if tree.has_chance else [""] * len(tree)
    return tuple(_words(tree, node, view, names, probabilities[node]) for node in range(len(tree)))


def _words(tree: Tree, node: int, view: View, names: Names, probability: str) -> NodeWords:
    language, player, payoff, value = view.language, tree.players[node], tree.payoffs[node], view.values[node]
    every = names == "all" and player is not None
    name = node_name(tree, node, language) if every else tree.given[node]
    if name == payoff:  # a leaf of which nothing is known but its name
        name = None
    known = player is None and not isinstance(payoff, str) and view.claim_marks[node] in (None, "right")
    window, claim, attributes = view.windows[node], view.claims[node], tree.attributes[node]
    move = tree.moves[node]
    move = "" if move is None else safe_line(move)
    said = () if attributes is None else attribute_words(attributes, language)
    notes = tuple(f"{word} = {spell_value(number, language)}" for word, number in said)
    return NodeWords(
        name="" if name is None or names == "none" else safe_line(name),
        payoff=spell_value(payoff, language),
        notes=(*notes, *map(safe_line, view.notes[node])) if view.notes else notes,
        board=() if attributes is None else board_squares(attributes.board),
        value="" if known else spell_value(value, language),
        window=""
        if window is None
        else f"[{language.number_separator.join(spell_value(bound, language) for bound in window)}]",
        claim="" if claim is None else _RELATIONS[claim.relation] + spell_value(claim.value, language),
        move=move,
        probability=probability,
        branch=language.number_separator.join((move, probability))
        if move and probability
        else move or probability,
    )


def board_squares(board: str | None) -> tuple[tuple[str, ...], ...]:
    """The rows of a board, and the signs in each: one for every square, or words with blanks between."""
    rows = [safe_line(row) for row in (board or "").split("/")]
    return tuple(tuple(row.split() if " " in row.strip() else row.strip()) for row in rows if row.strip())


def attribute_words(attributes: Attributes, language: Language) -> tuple[tuple[str, Value], ...]:
    """The attributes of a node with their words."""
    said = (
        (language.term("eval"), attributes.evaluation),
        ("f", attributes.features),
        ("n", attributes.visits),
        ("w", attributes.wins),
    )
    return tuple((word, number) for word, number in said if number is not None)


def _probabilities(tree: Tree, language: Language) -> list[str]:
    """The probability of every branch; those of one chance node are all fractions if one is no decimal."""
    written = [""] * len(tree)
    for parent in tree.internal:
        if tree.players[parent] is not Player.CHANCE:
            continue
        shares = [(child, tree.probabilities[child]) for child in tree.children[parent]]
        broken = any("/" in language.number(share) for _, share in shares if share is not None)
        for child, share in shares:
            if share is not None:
                written[child] = str(share) if broken else language.number(share)
    return written


# The whole picture ----------------------------------------------------------------------------------


def describe(tree: Tree, view: View | None = None, said: Sequence[NodeWords] | None = None) -> str:
    """The picture in words, for those who cannot see it: the tree, and nothing but what the view shows.

    `said` is what `words_at_nodes` says with some names, the given ones or all, where that is known already.
    """
    view = View.question(tree) if view is None else view
    language = view.language
    if not len(tree):
        return language.say("There is no tree.")
    size = language.say(
        "A game tree of {plies} with {leaves}.",
        plies=language.term("{count} ply", "{count} plies", max(tree.depths)),
        leaves=language.term("{count} leaf", "{count} leaves", len(tree.leaves)),
    )
    if len(tree) > MAX_DESCRIBED_NODES:
        return size
    words = words_at_nodes(tree, view, "given") if said is None else said
    sentences = [size]
    for node in tree.internal:
        outcomes = [_outcome(tree, child, view, words[child]) for child in tree.children[node]]
        sentences.append(
            language.term(  # it starts with a name, which keeps its letters
                "{node} leads to {outcomes}.",
                node=_with_notes(tree, node, view, words[node]),
                outcomes=language.number_separator.join(outcomes),
            )
        )
    if not tree.internal:
        sentences.append(language.say("It is worth {leaf}.", leaf=_with_notes(tree, 0, view, words[0])))
    if view.current is not None:
        here = _called(tree, view.current, words[view.current], language)
        sentences.append(language.say("The search is at {node}.", node=here))
    return paragraph(*sentences)


def _called(tree: Tree, node: int, words: NodeWords, language: Language) -> str:
    player = tree.players[node]
    if player is None:
        return f"{words.name} = {words.payoff}" if words.name else words.payoff
    given = tree.given[node] is not None and words.name  # words may have a name for every node
    return f"{player} {words.name}" if given else safe_line(node_name(tree, node, language))


_CROSSED: dict[CrossMark | None, Phrase] = {
    None: Phrase("{outcome} [crossed out]"),
    "right": Phrase("{outcome} [rightly crossed out]"),
    "extra": Phrase("{outcome} [wrongly crossed out]"),
    "missing": Phrase("{outcome} [a missing cross]"),
}


def _outcome(tree: Tree, node: int, view: View, words: NodeWords) -> str:
    """A branch and what is at its end: `left: with probability 1/2 MIN B [crossed out]`."""
    language, mark = view.language, view.cross_marks[node]
    leaf = tree.players[node] is None
    outcome = _with_notes(tree, node, view, words) if leaf else _called(tree, node, words, language)
    if words.probability:
        outcome = language.term(
            "with probability {probability} {outcome}", probability=words.probability, outcome=outcome
        )
    if words.move:
        outcome = f"{words.move}: {outcome}"
    return language.term(_CROSSED[mark], outcome=outcome) if mark or view.pruned[node] else outcome


_CLAIMED: dict[ClaimMark | None, Phrase] = {
    None: Phrase("said to be {claim}"),
    "right": Phrase("said to be {claim}, which is right"),
    "wrong": Phrase("said to be {claim}, which is wrong"),
    "follows": Phrase("said to be {claim}, which only follows from what is said of the nodes below"),
}


def _with_notes(tree: Tree, node: int, view: View, words: NodeWords) -> str:
    """A node with what is written at it: `MIN B (value ≤ 2; window [3, ∞])`."""
    language, mark = view.language, view.claim_marks[node]
    notes = []
    if words.claim:
        notes.append(language.term(_CLAIMED[mark], claim=words.claim))
    if words.value and not (words.claim and mark == "right"):
        notes.append(language.term("value {value}", value=words.value))
    if words.window:
        notes.append(language.term("window {window}", window=words.window))
    notes += words.notes
    if words.board:
        notes.append(language.term("board {rows}", rows=" / ".join(" ".join(row) for row in words.board)))
    called = _called(tree, node, words, language)
    return f"{called} ({'; '.join(notes)})" if notes else called
