"""Continues after syntax errors, so that all mistakes of a text are found at once."""

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark.exceptions import UnexpectedToken

from grader.trees.notation.bracket_typos import BRACKET_NAMES, CLOSING_SIGNS, correct_brackets
from grader.trees.notation.builder import GrammarBuilder
from grader.trees.notation.claim_typos import correct_claims
from grader.trees.notation.diagnostics import HINTS, MAX_MISTAKES, clip
from grader.trees.notation.indentation import CLOSERS, CROOKED
from grader.trees.notation.laws import empty_node
from grader.trees.notation.lexer import Piece, make_token
from grader.trees.notation.misspelling import misspelt_player
from grader.trees.notation.token_reading import TooManyMistakes

if TYPE_CHECKING:
    from lark import Lark

_INSERTED_SIGNS = {**CLOSING_SIGNS, "LPAR": "(", "NUMBER": "0"}
"""The texts of tokens that a repair inserts."""

_MISSING_AFTER = {
    "COLON": ("nothing follows the label", "its leaf or node follows on the same line: a1: 3"),
    "TILDE": ("nothing follows the cross", "its leaf or node follows on the same line: ~4"),
    "RELATION": ("no value follows {sign}", "write the value: =3"),
    "COMMA": ("a child is missing after the comma", "write the child, or leave the comma out"),
}
_MISSING_BEFORE = {
    "COMMA": ("a child is missing before the comma", "write the child, or leave the comma out"),
    "MORETHAN": ("a number is missing here", "write it: <1, 2, 6>"),
    "RSQB": ("a number is missing here", "write it: <1, 2, 6>"),
}
_MISSING = ("something is missing here", "write a leaf or a node")
"""The messages and hints about a missing part: by the sign before it, else by the one after it."""

_SIGN_PLACES = {
    "COLON": "a label is a word, a text in quotes or a probability, and comes before its branch: a1: 3",
    "RELATION": "a claim comes after a node's name, before its children: MIN B=3 (3 12 8)",
    "LBRACE": "attributes come after a name or a number, before the children: MIN B {eval=4} (3 12 8)",
    "TILDE": "a cross comes before the crossed-out leaf or node: ~4",
}
"""The hints about the places of signs."""

_BRACKET_CONTENTS = {"LBRACE": HINTS["attribute-value"], "LESSTHAN": "a vector contains numbers: <1, 2, 6>"}
"""The hints about the contents of brackets."""

_HEAD = re.compile(
    r"""(?P<player>[a-z]+[1-9]?|.)[ \t]*(?P<name>"[^"\n]*"|[^\s()\[\]{}<>=~:,#"@≤≥]+)?""", re.I
)

_BRACED_CHILDREN = re.compile(r"[ \t]*\{\s*[\d.+({-]")
"""Children in braces, which are for attributes."""

_LOOKAHEAD = 50
"""How many characters after a player's word can tell its meaning."""


def recover(parser: "Lark", builder: GrammarBuilder, text: str) -> None:
    """Read a text with syntax errors, noting every mistake in `builder`.

    After a mistake the parser continues with the smallest repair that fits:
    an empty body, a missing bracket, a placeholder for a missing part, or one token less.
    """
    builder.begin()
    text = correct_claims(text, builder)
    text = correct_brackets(text, _tokens(parser, text), builder)
    _Repair(parser, builder, text).run()


def _tokens(parser: "Lark", text: str) -> Iterator[Piece]:
    """Return the tokens of a text, with those of its layout."""
    interactive: Any = parser.parse_interactive(text)  # Lark does not type its lexer thread
    tokens: Iterator[Piece] = interactive.lexer_thread.lex(None)
    return tokens


@dataclass(slots=True)
class _Bracket:
    """An open bracket: its token, the player it belongs to, and the indentation of its line."""

    token: Piece
    player: Piece | None
    indentation: int


class _Repair:
    """Feeds the tokens of a text to the parser, and repairs what does not fit."""

    def __init__(self, parser: "Lark", builder: GrammarBuilder, text: str) -> None:
        self._parser = parser
        self._interactive = parser.parse_interactive(text)
        self._builder = builder
        self._text = text
        self._brackets: list[_Bracket] = []
        self._indents: list[bool] = []
        self._likely_unclosed: _Bracket | None = None
        self._previous = make_token("", "", 0)
        self._player: Piece | None = None
        self._last_start = -1
        self._indentation = 0
        self._in_header = self._skipping = False
        self._recovering = False
        self._repairs = 0

    def run(self) -> None:
        """Feed all tokens, and the end of the text."""
        for token in _tokens(self._parser, self._text):
            self._take(token)
        self._close_all()
        self._take(make_token("$END", "", len(self._text)))

    def _take(self, token: Piece) -> None:
        """Feed one token, or skip or repair it."""
        kind = token.type
        if self._in_header:
            self._take_fact(token)
            return
        if self._skipping and kind not in ("_NEWLINE", "_DEDENT", "$END"):
            return
        self._skipping = False
        self._watch_indentation(token)
        if kind == CROOKED:
            message = "the indentation of this line matches no line above it"
            self._builder.note_mistake(token, "indentation", message)
            self._damage()
        elif kind == "_DEDENT":
            self._close_all()
            if not (self._indents and self._indents.pop()):
                self._feed_or_repair(token)
        else:
            if kind in CLOSERS.values():
                self._match(token)
            self._feed_or_repair(token)
        self._previous = token

    def _take_fact(self, token: Piece) -> None:
        """Feed a token of a header line; two numbers, which no header takes, replace what does not fit."""
        if token.type == "_NEWLINE":
            for bracket in self._brackets[::-1]:
                self._insert(token.start_pos, CLOSERS[bracket.token.type], "NUMBER")
            self._brackets.clear()
            self._in_header = self._skipping = False
            self._feed(token)
        elif self._skipping:
            return
        elif not self._feed(token):
            self._skipping = True
            self._insert(token.start_pos, "NUMBER", "NUMBER")
        elif token.type == "LSQB":
            self._brackets.append(_Bracket(token, None, 0))
        elif token.type == "RSQB":
            self._brackets.pop()

    def _watch_indentation(self, token: Piece) -> None:
        """At the first token of a line, check if its indentation shows an unclosed bracket."""
        start = token.start_pos
        line_end = max(self._text.rfind(end, max(0, self._last_start), start) for end in "\r\n")
        first = self._last_start < 0
        self._last_start = start
        if not len(token) or (line_end < 0 and not first):
            return
        self._indentation = start - line_end
        if (
            self._likely_unclosed is None
            and self._brackets
            and self._brackets[-1].token is not self._previous
            and token.type not in CLOSERS.values()
            and self._indentation <= self._brackets[-1].indentation
        ):
            self._likely_unclosed = self._brackets[-1]

    def _feed(self, token: Piece) -> bool:
        """Feed one token to the parser; return False if it does not fit."""
        try:
            self._interactive.feed_token(token)
        except UnexpectedToken:
            return False
        return True

    def _accepts(self, *kinds: str) -> bool:
        """Return whether the parser accepts tokens of these types next."""
        state = self._interactive.parser_state.copy(deepcopy_values=False)
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        try:
            for kind in kinds:
                state.feed_token(make_token(kind, "", 0), kind == "$END")
        except UnexpectedToken:
            return False
        return True

    def _insert(self, place: int, *kinds: str) -> None:
        """Feed tokens that are not in the text."""
        for kind in kinds:
            self._feed(make_token(kind, _INSERTED_SIGNS[kind], place))

    def _feed_or_repair(self, token: Piece) -> None:
        """Feed or repair a token, and keep track of brackets, indents and players."""
        kind = token.type
        if self._feed(token):
            self._recovering = False
        elif not self._repair(token):
            return
        inside = bool(self._brackets) and self._brackets[-1].token.type in ("LBRACE", "LESSTHAN")
        if kind in CLOSERS:
            body = not inside and kind in ("LPAR", "LSQB")
            self._brackets.append(_Bracket(token, self._player if body else None, self._indentation))
            self._player = None if body else self._player
        elif kind == "_INDENT":
            self._indents.append(False)
            self._player = None
        elif kind == "HEADER":
            self._in_header = True
        elif kind == "PLAYER":
            self._player = token

    def _repair(self, token: Piece) -> bool:
        """Make a token fit by the first repair that works; return False if it was left out instead.

        1. Read the word of a player as a name.
        2. Give a player without children an empty body.
        3. Close an open brace or bracket of numbers.
        4. Insert a number for a missing part.
        """
        self._repairs += 1
        if self._repairs > MAX_MISTAKES:
            raise TooManyMistakes
        kind = token.type
        if kind == "HEADER" or (kind == "$END" and self._recovering):
            self._leave_out(token)
            return False
        top = self._brackets[-1] if self._brackets else None
        if kind == "PLAYER" and self._accepts("WORD") and self._take_player_as_name(token):
            return True
        if self._player is not None and not self._accepts("NUMBER") and self._accepts("LPAR", "RPAR"):
            if kind == "COLON":
                self._note_player_word(self._player)
                self._empty_body(token)
                return False
            if self._accepts("LPAR", "RPAR", kind):
                self._note_childless(self._player, token)
                self._empty_body(token)
                return self._feed(token)
        if top is not None and top.token.type in ("LBRACE", "LESSTHAN", "LSQB"):
            closer = CLOSERS[top.token.type]
            if self._accepts(closer, kind):
                self._note_unclosed(top, 1)
                self._brackets.pop()
                self._insert(token.start_pos, closer)
                return self._feed(token)
        if kind not in ("COLON", "RELATION") and self._accepts("NUMBER", kind):
            if not self._recovering:
                self._note_missing(token)
            self._insert(token.start_pos, "NUMBER")
            self._damage()
            return self._feed(token)
        self._leave_out(token)
        return False

    def _damage(self) -> None:
        """Exempt the nodes near a repair from the laws, because they are read differently than meant."""
        builder = self._builder
        builder.damaged.add(max(builder.parent, 0))
        builder.damaged.add(max(len(builder.places) - 1, 0))

    def _take_player_as_name(self, token: Piece) -> bool:
        """Note and read the word of a player as a name, if a name fits and a value or brackets follow."""
        if self._accepts("WORD", "PLAYER") or not self._text_after(token).startswith(tuple("([{=<>≤≥")):
            return False
        self._note_player_word(token)
        return self._feed(make_token("WORD", str(token), token.start_pos))

    def _text_after(self, token: Piece) -> str:
        """Return the beginning of the text after a token."""
        return self._text[token.end_pos :][:_LOOKAHEAD].lstrip()

    def _note_player_word(self, token: Piece) -> None:
        """Note that the word of a player is used as a name."""
        message = f"{token} is the word of a player and cannot be a name"
        hint = f'a name like that goes in quotes: "{token}"; or is a bracket missing before it?'
        self._builder.note_mistake(token, "player-word", message, hint)

    def _empty_body(self, token: Piece) -> None:
        """Insert an empty body for a node without children."""
        self._insert(token.start_pos, "LPAR", "RPAR")
        self._player = None
        self._damage()

    def _note_childless(self, player: Piece, token: Piece) -> None:
        """Note a player without children."""
        head = self._head(player)
        violation = empty_node(0, head)
        hint = violation.hint
        if token.type in ("WORD", "STRING") and " " in head:
            hint = f"a name of several words goes in quotes; otherwise {hint}"
        elif self._text_after(player).startswith("="):
            hint = f'a leaf called {player} goes in quotes, "{player}"=3; otherwise {hint}'
        elif _BRACED_CHILDREN.match(self._text, player.start_pos + len(head)):
            hint = f"curly brackets hold attributes, {{eval=4}}; children go in ( ) or [ ]: {head} (3 12 8)"
        end = player.start_pos + len(head)
        self._builder.note_mistake_at(player.start_pos, end, violation.code, violation.message, hint)

    def _head(self, player: Piece) -> str:
        """Return a player and its name in their original spelling."""
        match = _HEAD.match(self._text, player.start_pos)
        return clip(match[0].rstrip()) if match else str(player)

    def _note_unclosed(self, bracket: _Bracket, count: int) -> None:
        """Note that `count` brackets are not closed, at the one that probably lacks its end."""
        token = bracket.token
        line = self._text.count("\n", 0, token.start_pos) + 1
        article, owner = ("the", "the one") if bracket.player is None else ("a", self._head(bracket.player))
        hint = (
            f"did you forget {article} closing {BRACKET_NAMES[token.type]} for {owner} opened in line {line}?"
        )
        message = "a bracket is not closed" if count == 1 else f"{count} brackets are not closed"
        if token.type == "LESSTHAN":
            hint += "; a claim is written B<=3"
        self._builder.note_mistake(token, "unclosed-bracket", message, hint)
        self._damage()
        self._builder.damaged.add(len(self._builder.places))

    def _note_missing(self, token: Piece) -> None:
        """Note a missing part before a token."""
        previous = self._previous
        message, hint = _MISSING_AFTER.get(previous.type) or _MISSING_BEFORE.get(token.type, _MISSING)
        self._builder.note_mistake(previous or token, "missing", message.format(sign=previous), hint)

    def _leave_out(self, token: Piece) -> None:
        """Skip a token, and note that unless the one before it was skipped too."""
        self._damage()
        kind = token.type
        if kind in ("_NEWLINE", "_DEDENT", "$END"):
            return
        was_recovering, self._recovering = self._recovering, True
        if kind == "_INDENT":
            self._indents.append(True)
            self._note_deeper_line(token)
            return
        if kind == "HEADER":
            self._skipping = True
            self._builder.note_mistake(token, "header-place", "header lines come before the tree")
            return
        if was_recovering:
            return
        message = f"{clip(token)} cannot stand here"
        if kind == "COLON":
            message = "no label comes before this colon"
        hint = _SIGN_PLACES.get(kind, "")
        if not hint and self._brackets:
            hint = _BRACKET_CONTENTS.get(self._brackets[-1].token.type, "")
        self._builder.note_mistake(token, "unexpected", message, hint)

    def _note_deeper_line(self, token: Piece) -> None:
        """Note deeper lines below a token that cannot have children there."""
        previous = self._previous
        if previous.type in ("COLON", "TILDE"):
            self._note_missing(token)
            return
        if previous.type in ("RPAR", "RSQB"):
            message = "this line is indented more, but the node above it already has children in brackets"
            hint = "indent it like the line above, or write the children in one way"
            self._builder.note_mistake(token, "indentation", message, hint)
            return
        words = self._builder.words_before()
        if previous.type == "WORD" and previous not in words[-1:]:
            words = (*words[-1:], previous)  # which is not in the tree yet
        if mistake := misspelt_player(words, previous.end_pos, self._text):
            self._builder.mistakes.append(mistake)
            return
        message = "this line is indented more, but the node above it is a leaf"
        hint = f"indent it like the line above, or {HINTS['leaf-with-children']}"
        self._builder.note_mistake(token, "leaf-with-children", message, hint)

    def _match(self, token: Piece) -> None:
        """Pop the partner of a closing bracket; note and close an unclosed one inside it."""
        if self._brackets and CLOSERS[self._brackets[-1].token.type] != token.type:
            inner = self._brackets.pop()
            self._note_unclosed(inner, 1)
            self._close(CLOSERS[inner.token.type], token.start_pos)
        if self._brackets:
            self._brackets.pop()

    def _close_all(self) -> None:
        """Close all open brackets at the end of a block or of the text; note one mistake for all of them."""
        if not self._brackets:
            return
        bracket = self._likely_unclosed or self._brackets[-1]
        self._note_unclosed(bracket, len(self._brackets))
        while self._brackets:
            self._close(CLOSERS[self._brackets.pop().token.type], len(self._text))
        self._recovering = True

    def _close(self, kind: str, place: int) -> None:
        """Insert a closing bracket, preceded by a number or an empty body if needed; notes no mistake."""
        for repairs in ((), ("NUMBER",), ("LPAR", "RPAR")):
            if self._accepts(*repairs, kind):
                self._insert(place, *repairs, kind)
                self._damage()
                return
