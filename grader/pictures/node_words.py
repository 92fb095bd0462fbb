"""The words of a picture: those at its nodes and branches, and its description for screen readers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from grader.base.numbers import INFINITY
from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.base.safe_text import MAX_LABEL_LENGTH, safe_line
from grader.pictures.view import ClaimMark, CrossMark, Names, NodeValue, Range, View
from grader.solvers.explaining.node_wording import named_node, node_name, value_text
from grader.trees.annotations import Attributes
from grader.trees.tree import Player, Tree

MAX_DESCRIBED_NODES = 400
"""Larger trees are described only by their size: a list of a thousand branches helps no listener."""

# At a node ------------------------------------------------------------------------------------------

_RELATIONS = {"<=": "≤ ", ">=": "≥ ", "=": ""}


def spell_value(
    value: NodeValue | str | None, language: Language = ENGLISH, max_length: int = MAX_LABEL_LENGTH
) -> str:
    """Return a value as it is printed: `−7/3`, `<1, 2, 6>`, `≤ 2`, `2 … 5`, a letter; empty for None."""
    match value:
        case None:
            return ""
        case str():
            return safe_line(value, max_length)
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
            return value_text(value, language)
        case _:
            return language.number(value)


class NodeWords(NamedTuple):
    """All words at one node and on the branch above it, which may be empty.

    - `branch`: the label of the branch: its move, its probability, or both.
    - `board`: the signs of each row.
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
        """Return the words with a change applied to each text."""

        def apply(words: Any) -> Any:
            return change(words) if isinstance(words, str) else tuple(map(apply, words))

        return NodeWords(*map(apply, self))


def words_at_nodes(tree: Tree, view: View, names: Names) -> tuple[NodeWords, ...]:
    """Return the words at every node, ready to print: with typographic signs, and safe names.

    A leaf's value is its payoff, so `value` is empty there unless the payoff is unknown
    or a claim about it is wrong.
    """
    probabilities = _probabilities(tree, view.language) if tree.has_chance else [""] * len(tree)
    return tuple(_words(tree, node, view, names, probabilities[node]) for node in range(len(tree)))


def _words(tree: Tree, node: int, view: View, names: Names, probability: str) -> NodeWords:
    """Return all words at a node and its branch; empty texts where there are none."""
    language, player, payoff, value = view.language, tree.players[node], tree.payoffs[node], view.values[node]
    name = node_name(tree, node, language) if names == "all" and player is not None else tree.given[node]
    if name == payoff:  # a leaf with an unknown payoff
        name = None
    is_known = player is None and not isinstance(payoff, str) and view.claim_marks[node] in (None, "right")
    window, claim, attributes = view.windows[node], view.claims[node], tree.attributes[node]
    move = safe_line(tree.moves[node] or "")
    notes = () if attributes is None else attribute_words(attributes, language)
    return NodeWords(
        name="" if name is None or names == "none" else safe_line(name),
        payoff=spell_value(payoff, language),
        notes=(*notes, *map(safe_line, view.notes[node])) if view.notes else notes,
        board=() if attributes is None else board_squares(attributes.board),
        value="" if is_known else spell_value(value, language),
        window=""
        if window is None
        else f"[{language.number_separator.join(spell_value(bound, language) for bound in window)}]",
        claim="" if claim is None else _RELATIONS[claim.relation] + spell_value(claim.value, language),
        move=move,
        probability=probability,
        branch=language.number_separator.join(filter(None, (move, probability))),
    )


def board_squares(board: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a board: one character per square, or words that blanks separate."""
    rows = [safe_line(row) for row in (board or "").split("/")]
    return tuple(tuple(row.split() if " " in row.strip() else row.strip()) for row in rows if row.strip())


def attribute_words(attributes: Attributes, language: Language) -> tuple[str, ...]:
    """Return the attributes of a node, each with its word: `eval = 4`, `f = (2, −1)`, `n = 10`."""
    features = language.number_separator.join(map(language.number, attributes.features or ()))
    texts = (
        (language.term("eval"), spell_value(attributes.evaluation, language)),
        ("f", f"({features})" if features else ""),
        ("n", spell_value(attributes.visits, language)),
        ("w", spell_value(attributes.wins, language)),
    )
    return tuple(f"{word} = {text}" for word, text in texts if text)


def _probabilities(tree: Tree, language: Language) -> list[str]:
    """Return the probability on every branch.

    Those of one chance node are all fractions if one of them has no finite decimal.
    """
    texts = [""] * len(tree)
    for parent in tree.internal:
        if tree.players[parent] is not Player.CHANCE:
            continue
        shares = [
            (child, share)
            for child in tree.children[parent]
            if (share := tree.probabilities[child]) is not None
        ]
        has_fraction = any("/" in language.number(share) for _, share in shares)
        for child, share in shares:
            texts[child] = str(share) if has_fraction else language.number(share)
    return texts


# The whole picture ----------------------------------------------------------------------------------


def describe(tree: Tree, view: View | None = None, words: Sequence[NodeWords] | None = None) -> str:
    """Describe a picture for people who cannot see it: the tree, and what the view shows.

    `words` may be the result of `words_at_nodes` with the given or all names.
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
    words = words_at_nodes(tree, view, "given") if words is None else words
    sentences = [size, *(inner.sentence for inner in describe_inner_nodes(tree, view, words).values())]
    if not tree.internal:
        sentences.append(language.say("It is worth {leaf}.", leaf=_node_with_notes(tree, 0, view, words[0])))
    if view.current is not None:
        current = _node_label(tree, view.current, words[view.current], language)
        sentences.append(language.say("The search is at {node}.", node=current))
    return paragraph(*sentences)


_LEADS_TO = Phrase("{node} leads to {outcomes}.")


class InnerNode(NamedTuple):
    """An inner node in words: its label, and each of its branches with its end."""

    label: str
    outcomes: str
    sentence: str


def describe_inner_nodes(tree: Tree, view: View, words: Sequence[NodeWords]) -> dict[int, InnerNode]:
    """Describe every inner node and what it leads to; `words` is as for `describe`."""
    language = view.language
    described = {}
    for node in tree.internal:
        label = _node_with_notes(tree, node, view, words[node])
        outcomes = language.join(
            describe_outcome(tree, child, view, words[child]) for child in tree.children[node]
        )
        # `say` would capitalise a name at the start, but "chance node" is a word.
        write = language.say if tree.players[node] is Player.CHANCE else language.term
        sentence = write(_LEADS_TO, node=label, outcomes=outcomes)
        described[node] = InnerNode(label, outcomes, sentence)
    return described


def _node_label(tree: Tree, node: int, words: NodeWords, language: Language) -> str:
    """Return the name of a node in a sentence: a leaf with its payoff, an inner node with its player."""
    player = tree.players[node]
    if player is None:
        return f"{words.name} = {words.payoff}" if words.name else words.payoff
    if tree.given[node] is not None and words.name:  # `words` may have names by the program
        return named_node(player, words.name, language)
    return safe_line(node_name(tree, node, language))


_CROSSED: dict[CrossMark | None, Phrase] = {
    None: Phrase("{outcome} [pruned]"),
    "right": Phrase("{outcome} [correctly marked as pruned]"),
    "extra": Phrase("{outcome} [incorrectly marked as pruned]"),
    "missing": Phrase("{outcome} [not marked as pruned]"),
}


def describe_outcome(tree: Tree, node: int, view: View, words: NodeWords) -> str:
    """Describe a branch with its end: `left: MIN B with probability 1/2 [pruned]`.

    A leaf has its notes; those of an inner node are in its own description.
    """
    language, mark = view.language, view.cross_marks[node]
    is_leaf = tree.players[node] is None
    outcome = (
        _node_with_notes(tree, node, view, words) if is_leaf else _node_label(tree, node, words, language)
    )
    if words.probability:
        outcome = language.term(
            "{outcome} with probability {probability}", probability=words.probability, outcome=outcome
        )
    if words.move:
        outcome = language.with_label(words.move, outcome)
    return language.term(_CROSSED[mark], outcome=outcome) if mark or view.pruned[node] else outcome


_CLAIMED: dict[ClaimMark | None, Phrase] = {
    None: Phrase("claimed value {claim}"),
    "right": Phrase("claimed value {claim}, which is correct"),
    "wrong": Phrase("claimed value {claim}, which is incorrect"),
    "follows": Phrase("claimed value {claim}, which is only consistent with the claims below"),
}


def _node_with_notes(tree: Tree, node: int, view: View, words: NodeWords) -> str:
    """Describe a node with its notes: `MIN B (claimed value 3; value 2; window [3, ∞])`.

    The notes are the claim, the value (unless a correct claim has said it), the window, others, the board.
    """
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
    label = _node_label(tree, node, words, language)
    return language.with_note(label, language.join_notes(notes)) if notes else label
