"""The names of a tree as students type them, and as canonical replies write them."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from grader.answers.reply_words import MAX_CACHED_LENGTH, words
from grader.base.numbers import to_plain_characters
from grader.base.safe_text import skeleton
from grader.trees.tree import Tree

_BARE = re.compile(r"[^\W\d_]\w*")
_WORD = re.compile(r"[A-Za-z]\w*", re.ASCII)
_APART = re.compile(r"[A-Za-z]\w*\s+\w", re.ASCII)
"""Where two words may be one name, in a tree whose names are plain words."""
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\W\d_]+|\d+|[^\w\s]')
_AWKWARD = r"[^\x20-\x7e\xa1-\u1fff\u2c00-\ud7ff\uf900-\ufdff\U00010000-\U000effff]|\xad"
"""Compiled when the first name comes that is not ASCII: few are not, and so large a set takes long."""
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)


def fold(text: str) -> str:
    """A name without case, blanks and underscores: `Min_1`, `MIN 1` and `min1` are one.

    `center` is `centre`: both are written where one of them is meant.
    """
    return _fold_cached(text) if len(text) <= MAX_CACHED_LENGTH else _fold(text)


def _fold(text: str) -> str:
    """Reduce a text to the form in which labels are compared: without case, blanks and `_`."""
    return (
        "".join(to_plain_characters(skeleton(text)).split())
        .replace("_", "")
        .casefold()
        .replace("center", "centre")
    )


_fold_cached = lru_cache(maxsize=20_000)(_fold)


def quote_name(name: str) -> str:
    r"""A name in quotes: quotes and backslashes escaped, unusual characters as `\u{200f}`."""
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    if not (text.isascii() and text.isprintable()):
        text = re.sub(_AWKWARD, lambda match: f"\\u{{{ord(match.group()):x}}}", text)
    return f'"{text}"'


def unquote_name(text: str) -> str:
    """Return the text between the quotes of any style."""
    inner = text[1:-1]
    return _ESCAPE.sub(_unescaped, inner) if "\\" in inner and text[0] == '"' else inner


def _unescaped(match: re.Match[str]) -> str:
    """Return the character of an escape; a code that no character has stays as it is written."""
    code = match[1]
    if code is None:
        return str(match[2])
    return chr(int(code, 16)) if int(code, 16) < 0x110000 else match.group()


class Vocabulary:
    """What a reply can call the nodes of one tree.

    - `exact`: the nodes of every name as it is spelled, given or derived. Numbers of leaves
      are not names: they are looked up by counting.
    - `loose`: the nodes of every name with case, blanks and underscores left out.
    - `labels`, `loose_labels`: the same for the moves, whose nodes are those the moves lead to.
    - `has_twins`: whether some names differ in case, blanks and underscores alone.
    - `has_letters`: whether some name is one letter that also means something in a reply, such as `V`.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.exact: dict[str, tuple[int, ...]] = {}
        self.loose: dict[str, tuple[int, ...]] = {}
        self.labels: dict[str, tuple[int, ...]] = {}
        self.loose_labels: dict[str, tuple[int, ...]] = {}
        for node, label in enumerate(tree.moves):
            if self.is_named(node):
                _enter(self.exact, self.loose, tree.names[node], node)
            if label is not None:
                _enter(self.labels, self.loose_labels, label, node)
        for leaf in tree.leaves:
            self._enter_by_sight(leaf)
        self.has_twins = any(
            len(nodes) > 1 for loose in (self.loose, self.loose_labels) for nodes in loose.values()
        )
        self._starts: dict[str, int] = {}
        self.has_letters, self._are_words = False, True
        for name in (*self.exact, *self.labels):
            self.has_letters = self.has_letters or is_letter(fold(name))
            is_word = _WORD.fullmatch(name) is not None and not _is_reserved(name)
            self._are_words = self._are_words and is_word
            pieces = _pieces(name)
            if pieces:
                start = fold(pieces[0])
                self._starts[start] = max(self._starts.get(start, 0), len(pieces))

    def _enter_by_sight(self, leaf: int) -> None:
        """Let a leaf without a name be called by its unknown payoff, or by the label of the move to it.

        Not by a label that another thing has, unless that is a leaf, too.
        """
        tree, payoff, label = self.tree, self.tree.payoffs[leaf], self.tree.moves[leaf]
        if self.is_named(leaf):
            return
        if isinstance(payoff, str) and payoff.isalnum():
            _enter(self.exact, self.loose, payoff, leaf)
        if label is not None and not label.isdigit() and label != payoff:
            leaves = self.labels[label]
            if all(tree.paths[node] for node in leaves) and {*self.exact.get(label, ())} <= {*leaves}:
                _enter(self.exact, self.loose, label, leaf)

    def nodes(self, name: str, labels: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The nodes that have a name as it is spelled, and those that have it in any spelling.

        With `labels`, those to which a move of this name leads as well.
        """
        exact, loose = self.exact.get(name, ()), self.loose.get(fold(name), ())
        if labels:
            exact = tuple(dict.fromkeys((*exact, *self.labels.get(name, ()))))
            loose = tuple(dict.fromkeys((*loose, *self.loose_labels.get(fold(name), ()))))
        return exact, loose

    def is_named(self, node: int) -> bool:
        """Return whether a node has a name, given or derived; a leaf without one only has its number."""
        return self.tree.given[node] is not None or self.tree.players[node] is not None

    def has_name(self, name: str) -> bool:
        """Return whether this is the name of a node or a move, in any spelling."""
        return any(self.nodes(name, labels=True))

    def has_only_names(self, text: str) -> bool:
        """Return whether all words of a text, or the signs that it consists of, are names."""
        return all(map(self.has_name, re.findall(r"[\w']+", text) or [text]))

    def name_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the places of names that are not plain words: `Min 1`, `node-3`, a name `and`.

        Quoted names are left alone, and so is `Min1` written as one word.
        """
        starts = self._starts
        if not starts or (self._are_words and text.isascii() and not _APART.search(text)):
            return
        pieces = list(_PIECE.finditer(text))
        place = 0
        while place < len(pieces):
            max_pieces = starts.get(fold(pieces[place].group()), 0)
            for count in range(min(max_pieces, len(pieces) - place), 0, -1):
                begin, end = pieces[place].start(), pieces[place + count - 1].end()
                while text[end : end + 1] == "_":
                    end += 1
                if "\n" in text[begin:end] or not self._is_name(text, begin, end):
                    continue
                if not _BARE.fullmatch(text, begin, end) or _is_reserved(text[begin:end]):
                    yield begin, end
                place += count - 1
                break
            place += 1

    def _is_name(self, text: str, begin: int, end: int) -> bool:
        """Return whether a stretch of text is a name, and not the middle of a longer word."""
        if _only_in_quotes(text[begin:end]):
            return False
        if begin and (text[begin - 1].isalnum() or text[begin - 1] == "_") and text[begin].isalnum():
            return False
        if end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
            return False
        folded = fold(text[begin:end])
        return folded in self.loose or folded in self.loose_labels

    def write(self, node: int, guarded: bool = False) -> str:
        """Return the canonical text for a node: its name, in quotes if necessary, or its leaf number.

        A leaf number that is also somebody's name is written `#5`, and a name that is also the label of
        another move is in quotes. With `write_guarded_text` no neighbour can change it: it has `#` or
        quotes anyway.
        """
        tree = self.tree
        if not self.is_named(node):
            return self.write_path(tree.paths[node], guarded)
        name = tree.names[node]
        clear = not guarded and self.loose_labels.get(fold(name), (node,)) == (node,)
        return write_name(name) if clear else quote_name(name)

    def write_guarded_text(self, write: Callable[[Callable[[int], str]], str]) -> str:
        """The text that `write` makes with the canonical text of nodes.

        Where two things next to each other would read as a third name, all names get quotes.
        """
        text = write(self.write)
        return write(self.write_guarded) if self.makes_names(text) else text

    def makes_names(self, text: str) -> bool:
        """Return whether adjacent words of a text form another name."""
        return any(not is_letter(text[begin:end]) for begin, end in self.name_spans(text))

    @property
    def empty_text(self) -> str:
        """The canonical text for an empty answer: `none`, or `{}` where something is called none."""
        return "{}" if "none" in self.loose or "none" in self.loose_labels else "none"

    def write_all(self, nodes: Sequence[int]) -> str:
        """Canonical text for several nodes with blanks between them."""
        return self.write_guarded_text(lambda name: " ".join(map(name, nodes)))

    def write_guarded(self, node: int) -> str:
        """Canonical text for a node that no neighbour can change: a name in quotes, or `#5`."""
        return self.write(node, guarded=True)

    def write_path(self, path: int, guarded: bool = False) -> str:
        """Return the canonical text for the number of a leaf or move; guarded text has a `#` anyway."""
        text = str(path)
        return f"#{text}" if guarded or text in self.loose or text in self.loose_labels else text


@lru_cache(maxsize=20_000)
def _pieces(name: str) -> list[str]:
    """Split a name into the words by which replies are searched for it.

    Empty if the name is one token of a reply anyway, or counts only in quotes.
    """
    pieces = _PIECE.findall(to_plain_characters(name))
    if _only_in_quotes(name) or (len(pieces) == 1 and (name.isdigit() or not _is_reserved(name))):
        return []
    return pieces


def _only_in_quotes(name: str) -> bool:
    """Return whether a name is read only in quotes: a sign, or a number, which is looked up separately."""
    return not any(sign.isalnum() for sign in name) or fold(name).removeprefix("#").isdigit()


def _enter(
    exact: dict[str, tuple[int, ...]], loose: dict[str, tuple[int, ...]], name: str, node: int
) -> None:
    """Add a node to those with this name, and to those with this name once it is folded."""
    exact[name] = (*exact.get(name, ()), node)
    folded = fold(name)
    if folded:
        loose[folded] = (*loose.get(folded, ()), node)


def _is_reserved(name: str) -> bool:
    return name.casefold() in words("en").known


def is_letter(name: str) -> bool:
    """Return whether a name is a letter that is also a word of replies, where the name has precedence."""
    return len(name) == 1 and name.isalpha() and _is_reserved(name)


@lru_cache(maxsize=20_000)
def write_name(name: str) -> str:
    """A name as canonical text: bare when it is one plain word that means nothing else, else in quotes."""
    is_word = _BARE.fullmatch(name) is not None and to_plain_characters(name) == name
    return name if is_word and (is_letter(name) or not _is_reserved(name)) else quote_name(name)


_MAX_VOCABULARIES = 32
_vocabularies: dict[int, Vocabulary] = {}


def vocabulary(tree: Tree) -> Vocabulary:
    """Return the vocabulary of a tree from a cache of the last trees.

    The cache is by identity, because a hash of the whole tree costs more than reading a reply.
    """
    cached = _vocabularies.get(id(tree))
    if cached is None:
        if len(_vocabularies) >= _MAX_VOCABULARIES:
            _vocabularies.clear()
        cached = _vocabularies[id(tree)] = Vocabulary(tree)
    return cached
