"""One version of a reply while a form reads it, and the messages if it cannot be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.answers.form import Terms
from grader.answers.reply_tokens import Cursor, Token, tokenize
from grader.answers.reply_words import Words, words
from grader.answers.vocabulary import Vocabulary, unquote_name
from grader.base.phrases import BoundPhrase, Phrase, PhraseError, bind_phrase
from grader.base.safe_text import Quotation, quote
from grader.trees.tree import Tree

NAMELESS = Phrase('if there are none, write "none"')
UNCLEAR = Phrase("the answer can be read in more than one way")
MISPLACED = Phrase("{word} is not expected here")
DOUBT = Phrase("a question mark makes it unclear whether this is part of the answer")

WORD = re.compile(r"\w+|[^\w\s]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_LOOK_ALIKES = str.maketrans("АВЕКМНОРСТУХаеорсухѕіјΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXaeopcyxsijABEZHIKMNOPTYXo")
"""Cyrillic and Greek letters with the Latin ones that look like them."""

_QUESTIONED = re.compile(r"[^\s=:<>?]\s*\?")
"""A question mark, unless it stands for a missing value: `C = ?`."""

_BOUND = re.compile("[<>]=?|=[<>]|[≤≥]")
ENDS_EARLY = Phrase("the answer is incomplete")
_NOTHING = frozenset(("NONE", "NO"))


class UnreadableError(PhraseError):
    """A reply that cannot be read; `place` is an index into its text.

    The hint is a phrase as well, with the same values, or a bound phrase, which has its own.
    """

    def __init__(
        self, message: str | BoundPhrase, place: int, hint: str | BoundPhrase = "", /, **values: object
    ) -> None:
        super().__init__(message, **values)
        self.place = place
        self.hint = bind_phrase(hint, values) if hint else None


class UnsureError(PhraseError):
    """A reply that can be read in several ways, all in `answers`.

    If all answers are equal, the reply is read as that one.
    """

    def __init__(self, message: str | BoundPhrase, answers: Sequence[Any], /, **values: object) -> None:
        super().__init__(message, **values)
        self.answers = answers


@dataclass(frozen=True, slots=True)
class Reply:
    """One version of a reply while a form reads it.

    `text` has the length of the `typed` text; pasted signs are replaced by plain ones, and names that are not
    plain words are masked. `ignores_case` says that some names differ only in case, and that the student
    typed a name in another case than the tree.
    """

    typed: str
    text: str
    tree: Tree
    terms: Terms
    vocabulary: Vocabulary
    ignores_case: bool

    def tokens(self, used: frozenset[str], significant: frozenset[str] = frozenset()) -> list[Token]:
        """Return the tokens with the kinds that a form uses; `significant` words are not filler."""
        return [*tokenize(self.text, self.words, used, significant)]

    def cursor(self, used: frozenset[str], lacking: str = ENDS_EARLY, *, valued: bool = False) -> Cursor:
        """A cursor over the tokens; `lacking` is said of a reply that ends too early.

        With `valued`, only numbers can be given, no bounds on them.
        """
        return Cursor(self.tokens(used), lambda token: self.misfit(token, lacking, valued=valued))

    def row(
        self, used: frozenset[str], significant: frozenset[str] = frozenset(), *, valued: bool = False
    ) -> list[Token]:
        """Return all tokens, each of one of the `used` kinds; or those of `none`.

        `significant` is as in `tokens`, `valued` as in `cursor`. Raises `UnreadableError`.
        """
        tokens = self.tokens(used, significant)
        cursor = Cursor(tokens, lambda token: self.misfit(token, valued=valued))
        if cursor.kind in _NOTHING:
            take_nothing(cursor)
            return tokens
        misfit = next((token for token in tokens if token.type in _NOTHING or token.type not in used), None)
        if misfit is not None or not tokens:
            raise self.misfit(misfit, valued=valued)
        return tokens

    def misfit(self, token: Token | None, lacking: str = ENDS_EARLY, *, valued: bool) -> UnreadableError:
        """The complaint about a token that fits nowhere, or if it is None, about the end of the reply.

        `lacking` is its message at the end; `valued` is as in `cursor`.
        """
        if token is None:
            return self.ends_early(lacking)
        place = token.start_pos
        bound = _BOUND.match(self.text, place)
        if bound is not None and valued:
            return UnreadableError(
                "{sign} indicates a bound, but the question asks for a number",
                place,
                "write only the number itself",
                sign=quote(bound.group()),
            )
        hint = NAMELESS if self.text.strip() in ("-", "--", "—", "―") else ""
        return UnreadableError("{word} is not expected here", place, hint, word=self.clip(place))

    def ends_early(self, lacking: str = ENDS_EARLY, hint: str = "") -> UnreadableError:
        """The complaint about a reply that ends before it is complete."""
        return UnreadableError(lacking, len(self.text.rstrip()), hint)

    @property
    def words(self) -> Words:
        """The words that mean something in it."""
        return words(self.terms.language_code)

    @property
    def is_questioned(self) -> bool:
        """Whether a question mark outside of labels makes it doubtful."""
        if "?" not in self.text:
            return False
        bare = _without_quotes(self.text)
        names = [range(*span) for span in self.vocabulary.name_spans(bare)]
        signs = (sign.end() - 1 for sign in _QUESTIONED.finditer(bare))
        return any(all(place not in name for name in names) for place in signs)

    def slice(self, token: Token) -> str:
        """Return the typed text of a token."""
        return self.typed[token.start_pos : token.end_pos]

    def clip(self, place: int) -> Quotation:
        """The word at a place, in quotes, for a message."""
        word = WORD.match(self.typed, place)
        return quote(word.group() if word else self.typed[place:])

    def nodes(self, token: Token, labels: bool = False) -> tuple[int, ...]:
        """The nodes a name can mean, empty when there is none of this name.

        With `labels`, a move's label means the node the move leads to. A name spelled exactly as in
        the tree is that name, unless the reply elsewhere shows that its writer ignores case.
        """
        names, typed = self.vocabulary, self.slice(token)
        if token.type == "STRING":
            typed = unquote_name(typed)
            for known in (names.exact, names.labels) if labels else (names.exact,):
                if typed in known:
                    return known[typed]
        exact, loose = names.nodes(typed, labels)
        if exact and not (len(loose) > len(exact) and self.ignores_case):
            return exact
        return tuple(dict.fromkeys((*exact, *loose)))

    def misplaced(
        self, token: Token, message: str | BoundPhrase = MISPLACED, hint: str | BoundPhrase = ""
    ) -> UnreadableError:
        """The complaint about a token, which is `{word}` in it."""
        return UnreadableError(message, token.start_pos, hint, word=quote(self.slice(token)))

    def require_named_nodes(self, token: Token, labels: bool = False) -> tuple[int, ...]:
        """Return the nodes that a name can mean. Raises `UnreadableError` if there is none."""
        nodes, tree = self.nodes(token, labels), self.tree
        if nodes:
            return nodes
        alike = self.slice(token).translate(_LOOK_ALIKES)
        if any(self.vocabulary.nodes(alike, labels)):
            message = Phrase("{name} is written in another alphabet than the label {label}")
            raise UnreadableError(message, token.start_pos, name=quote(self.slice(token)), label=quote(alike))
        known = [move for child in tree.children[0] if (move := tree.moves[child])] if labels else []
        hint = Phrase("the moves are {moves}")
        if not known:
            known = [self.vocabulary.write(node) for node in tree.by_level[:9]]
            hint = Phrase("its nodes are {nodes}") if known else Phrase("")
        listed = self.terms.language.join(known[:8] + ["..."] * (len(known) > 8))
        raise UnreadableError(
            "nothing in this tree has the label {name}",
            token.start_pos,
            hint,
            name=quote(self.slice(token)),
            moves=listed,
            nodes=listed,
        )

    def several_named(self, token: Token) -> BoundPhrase:
        """The doubt about a name that more than one thing has."""
        return BoundPhrase(
            "{name} is the label of more than one thing in this tree", name=quote(self.slice(token))
        )


def _without_quotes(text: str) -> str:
    """Return the text with empty quotes for the names in quotes, which say nothing but themselves."""
    return _QUOTED.sub('""', text) if '"' in text else text


def words_outside_quotes(text: str) -> list[str]:
    """The words and signs of a reply, without the names in quotes."""
    return WORD.findall(_without_quotes(text))


def take_nothing(cursor: Cursor, *passed: str) -> None:
    """Take `none`, `no leaves`, and the end of the reply; `passed` may be between, too."""
    if cursor.need("NONE", "NO").type == "NO":
        cursor.need("NOUN", "PATH", "CUT")
        passed = ()
    cursor.many("NOUN", "PATH", "CUT", *passed)
    cursor.many("DOT")
    cursor.end()
