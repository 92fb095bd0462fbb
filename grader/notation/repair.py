"""Read on after a mistake in the grammar, so that a text's mistakes are all found at once."""

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from lark import Token
from lark.exceptions import UnexpectedToken

from grader.notation import laws as faults
from grader.notation.builder import ENOUGH, Builder, Enough
from grader.notation.diagnostics import clipped
from grader.notation.layout import CROOKED
from grader.notation.lexer import token_of
from grader.notation.misspelling import misspelt

if TYPE_CHECKING:
    from lark import Lark

_CLOSERS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "LESSTHAN": "MORETHAN"}
_SIGNS = {"RPAR": ")", "RSQB": "]", "RBRACE": "}", "MORETHAN": ">", "LPAR": "(", "NUMBER": "0"}
_NAMES = {
    "LPAR": "parenthesis",
    "LSQB": "square bracket",
    "LBRACE": "brace",
    "LESSTHAN": "angle bracket",
    "RPAR": "parenthesis",
    "RSQB": "square bracket",
    "RBRACE": "brace",
    "MORETHAN": "angle bracket",
}
_HEAD = re.compile(
    r"""(?P<player>[a-z]+[1-9]?|.)[ \t]*(?P<name>"[^"\n]*"|[^\s()\[\]{}<>=~:,#"@≤≥]+)?""", re.I
)

_BRACED = re.compile(r"[ \t]*\{\s*[\d.+({-]")
"""Children in curly brackets, where attributes belong."""

_AHEAD = 50
"""How far ahead the meaning of a player's word is looked for."""

_ATTEMPTS = 20
"""How often a text is searched for a way to match its brackets."""


def read_on(parser: "Lark", builder: Builder, text: str) -> None:
    """Read a text that the grammar refuses, noting every mistake in `builder`.

    After a mistake the parser is put back on its way with the smallest repair that fits:
    an empty body, a missing bracket, a placeholder for something left out, or one token less.
    """
    builder.begin()
    _Repair(parser, builder, _straightened(_tokens(parser, text), text, builder)).run()


def _tokens(parser: "Lark", text: str) -> Iterator[Token]:
    """The tokens of a text, layout included."""
    interactive: Any = parser.parse_interactive(text)  # Lark does not type its lexer thread
    found: Iterator[Token] = interactive.lexer_thread.lex(None)
    return found


def _straightened(tokens: Iterator[Token], text: str, builder: Builder) -> str:
    """The text with closing brackets that are too many left out and those of the wrong kind put right.

    A closing bracket that does not fit its opening one is too many when all the others
    match without it. What is not closed stays as it is.
    """
    signs = [token for token in tokens if token.type in _NAMES]
    open_signs: list[Token] = []
    changed: dict[int, str] = {}
    attempts = 0
    for place, token in enumerate(signs):
        kind, start = token.type, cast(int, token.start_pos)
        if kind in _CLOSERS:
            open_signs.append(token)
            continue
        wanted = [_CLOSERS[sign.type] for sign in open_signs[-2:]]
        if wanted and kind == wanted[-1]:
            open_signs.pop()
            continue
        attempts += 1
        fits = attempts <= _ATTEMPTS and bool(wanted) and _match(open_signs, signs[place + 1 :])
        if kind in wanted and not fits:
            del open_signs[-2:]
        elif wanted and not fits:
            changed[start] = _SIGNS[wanted[-1]]
            builder.wrong(
                token,
                "mismatched-bracket",
                f"a {_NAMES[open_signs.pop().type]} is closed with a {_NAMES[kind]}",
                f"close it with {_SIGNS[wanted[-1]]}",
            )
        else:
            changed[start] = " "
            if place == 0 or cast(int, signs[place - 1].start_pos) not in changed:
                builder.wrong(
                    token,
                    "unopened-bracket",
                    f"this closing {_NAMES[kind]} was never opened",
                    "take it away, or look for a bracket that closes too early",
                )
    if not changed:
        return text
    letters = list(text)
    for start, letter in changed.items():
        letters[start] = letter
    return "".join(letters)


def _match(open_signs: list[Token], signs: list[Token]) -> bool:
    """Whether brackets all find their partners, when some are open already."""
    wanted = [_CLOSERS[sign.type] for sign in open_signs]
    for sign in signs:
        if sign.type in _CLOSERS:
            wanted.append(_CLOSERS[sign.type])
        elif not wanted or wanted.pop() != sign.type:
            return False
    return not wanted


@dataclass(slots=True)
class _Bracket:
    """An open bracket: its token, the player it belongs to, and the indentation of its line."""

    token: Token
    player: Token | None
    indentation: int


class _Repair:
    """One careful walk through the tokens of a text."""

    def __init__(self, parser: "Lark", builder: Builder, text: str) -> None:
        self._parser = parser
        self._interactive = parser.parse_interactive(text)
        self._builder = builder
        self._text = text
        self._brackets: list[_Bracket] = []
        self._indents: list[bool] = []
        self._suspect: _Bracket | None = None
        self._previous: Token | None = None
        self._player: Token | None = None
        self._seen = -1
        self._indentation = 0
        self._header = self._skipping = False
        self._trouble = False
        self._repairs = 0

    def run(self) -> None:
        """Feed all tokens, then the end."""
        for token in _tokens(self._parser, self._text):
            self._take(token)
        self._close_all()
        self._take(self._make("$END", "", len(self._text)))

    def _take(self, token: Token) -> None:
        """Feed one token, repairing what does not fit."""
        kind = token.type
        if self._header:
            self._take_fact(token)
            return
        if self._skipping and kind not in ("_NEWLINE", "_DEDENT", "$END"):
            return
        self._skipping = False
        self._see_line(token)
        if kind == CROOKED:
            self._crooked(token)
        elif kind == "_DEDENT":
            self._close_all()
            if not (self._indents and self._indents.pop()):
                self._feed_or_repair(token)
        elif kind in _CLOSERS.values():
            self._match(token)
            self._feed_or_repair(token)
        else:
            self._feed_or_repair(token)
        self._previous = token

    def _take_fact(self, token: Token) -> None:
        """Feed a token of a header line; one that does not belong there spoils the value of the line."""
        if token.type == "_NEWLINE":
            for bracket in self._brackets[::-1]:
                self._feed(self._make(_CLOSERS[bracket.token.type], "", self._place(token)))
                self._feed(self._make("NUMBER", "0", self._place(token)))
            self._brackets.clear()
            self._header = self._skipping = False
            self._feed(token)
        elif not self._skipping and not self._feed(token):
            self._skipping = True
            self._feed(self._make("NUMBER", "0", self._place(token)))
        elif not self._skipping and token.type == "LSQB":
            self._brackets.append(_Bracket(token, None, 0))
        elif not self._skipping and token.type == "RSQB":
            self._brackets.pop()

    def _see_line(self, token: Token) -> None:
        """At the first token of a line, note whether an open bracket looks forgotten."""
        start = self._place(token)
        line_end = max(self._text.rfind(end, max(0, self._seen), start) for end in "\r\n")
        first = self._seen < 0
        self._seen = start
        if not len(token) or (line_end < 0 and not first):
            return
        self._indentation = start - line_end
        if (
            self._suspect is None
            and self._brackets
            and self._brackets[-1].token is not self._previous
            and token.type not in _CLOSERS.values()
            and self._indentation <= self._brackets[-1].indentation
        ):
            self._suspect = self._brackets[-1]

    def _feed(self, token: Token) -> bool:
        """Feed one token to the parser; False when it does not fit."""
        try:
            self._interactive.feed_token(token)
        except UnexpectedToken:
            return False
        return True

    def _could(self, *kinds: str) -> bool:
        """Whether the parser would take tokens of these types, one after the other."""
        state = self._interactive.parser_state.copy(deepcopy_values=False)
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        try:
            for kind in kinds:
                state.feed_token(self._make(kind, "", 0), kind == "$END")
        except UnexpectedToken:
            return False
        return True

    def _make(self, kind: str, text: str, start: int) -> Token:
        """A token that is not in the text."""
        return token_of(kind, text, start)

    def _place(self, token: Token) -> int:
        """Where a token stands; a layout token stands where its line begins."""
        return cast(int, token.start_pos)

    def _feed_or_repair(self, token: Token) -> None:
        """Feed a token that belongs to the tree."""
        kind = token.type
        if self._feed(token):
            self._trouble = False
        elif not self._repair(token):
            return
        inside = bool(self._brackets) and self._brackets[-1].token.type in ("LBRACE", "LESSTHAN")
        if kind in _CLOSERS:
            body = not inside and kind in ("LPAR", "LSQB")
            self._brackets.append(_Bracket(token, self._player if body else None, self._indentation))
            self._player = None if body else self._player
        elif kind == "_INDENT":
            self._indents.append(False)
            self._player = None
        elif kind == "HEADER":
            self._header = True
        elif kind == "PLAYER":
            self._player = token

    def _repair(self, token: Token) -> bool:
        """Find the smallest repair after which a token fits; False when the token was left out."""
        self._repairs += 1
        if self._repairs > ENOUGH:
            raise Enough
        kind = token.type
        if kind == "HEADER" or (kind == "$END" and self._trouble):
            self._leave_out(token)
            return False
        top = self._brackets[-1] if self._brackets else None
        if kind == "PLAYER" and self._could("WORD") and self._named(token):
            return True
        if self._player is not None and not self._could("NUMBER") and self._could("LPAR", "RPAR"):
            if kind == "COLON":
                self._player_word(self._player)
                self._empty_body(token)
                return False
            if self._could("LPAR", "RPAR", kind):
                self._childless(self._player, token)
                self._empty_body(token)
                return self._feed(token)
        if top is not None and top.token.type in ("LBRACE", "LESSTHAN", "LSQB"):
            closer = _CLOSERS[top.token.type]
            if self._could(closer, kind):
                self._unclosed(top, 1)
                self._brackets.pop()
                self._feed(self._make(closer, _SIGNS[closer], self._place(token)))
                return self._feed(token)
        if kind not in ("COLON", "RELATION") and self._could("NUMBER", kind):
            if not self._trouble:
                self._missing(token)
            self._feed(self._make("NUMBER", "0", self._place(token)))
            self._damage()
            return self._feed(token)
        self._leave_out(token)
        return False

    def _damage(self) -> None:
        """What is read around here differs from what was meant: its laws are not judged."""
        builder = self._builder
        builder.damaged.add(max(builder.parent, 0))
        builder.damaged.add(max(len(builder.places) - 1, 0))

    def _named(self, token: Token) -> bool:
        """Take the word of a player for a name where a name may stand and a value or brackets follow."""
        rest = self._text[cast(int, token.end_pos) :][:_AHEAD].lstrip()
        if self._could("WORD", "PLAYER") or not rest.startswith(tuple("([{=<>≤≥")):
            return False
        self._player_word(token)
        return self._feed(self._make("WORD", str(token), self._place(token)))

    def _player_word(self, token: Token) -> None:
        self._builder.wrong(
            token,
            "player-word",
            f"{token} is the word of a player and cannot be a name",
            f'a name like that goes in quotes: "{token}"; or is there a bracket missing in front of it?',
        )

    def _empty_body(self, token: Token) -> None:
        """End a node that has no children."""
        for kind in ("LPAR", "RPAR"):
            self._feed(self._make(kind, _SIGNS[kind], self._place(token)))
        self._player = None
        self._damage()

    def _childless(self, player: Token, token: Token) -> None:
        """A player without children."""
        who = self._head(player)
        fault = faults.empty_node(0, who)
        hint = fault.hint
        if token.type in ("WORD", "STRING") and " " in who:
            hint = f"a name of several words goes in quotes; otherwise {hint}"
        elif self._text[cast(int, player.end_pos) :][:_AHEAD].lstrip().startswith("="):
            hint = f'a leaf called {player} goes in quotes, "{player}"=3; otherwise {hint}'
        elif _BRACED.match(self._text, self._place(player) + len(who)):
            hint = f"curly brackets hold attributes, {{eval=4}}; children go in ( ) or [ ]: {who} (3 12 8)"
        start = self._place(player)
        self._builder.wrong_at(start, start + len(who), fault.code, fault.message, hint)

    def _head(self, player: Token) -> str:
        """A player and its name as they stand in the text."""
        found = _HEAD.match(self._text, self._place(player))
        return clipped(found[0].rstrip()) if found else str(player)

    def _unclosed(self, bracket: _Bracket, times: int) -> None:
        """A bracket without its partner."""
        token = bracket.token
        line = self._text.count("\n", 0, self._place(token)) + 1
        name = _NAMES[token.type]
        if bracket.player is not None:
            owner = self._head(bracket.player)
            hint = f"did you forget a closing {name} for {owner} opened in line {line}?"
        else:
            hint = f"did you forget the closing {name} for the one opened in line {line}?"
        message = "a bracket is not closed" if times == 1 else f"{times} brackets are not closed"
        if token.type == "LESSTHAN":
            hint += "; a claim is written B<=3"
        self._builder.wrong(token, "unclosed-bracket", message, hint)
        self._damage()
        self._builder.damaged.add(len(self._builder.places))

    def _missing(self, token: Token) -> None:
        """Something left out in front of a token."""
        previous = self._previous
        code, message, hint = "missing", "something is missing here", "write a leaf or a node"
        if previous is not None and previous.type == "COLON":
            message, hint = (
                "nothing stands behind the label",
                "its leaf or node follows on the same line: a1: 3",
            )
        elif previous is not None and previous.type == "TILDE":
            message, hint = "nothing stands behind the cross", "its leaf or node follows on the same line: ~4"
        elif previous is not None and previous.type == "RELATION":
            message, hint = f"no value stands behind {previous}", "write the value: =3"
        elif previous is not None and previous.type == "COMMA":
            message, hint = "a child is missing behind the comma", "write the child, or leave the comma out"
        elif token.type == "COMMA":
            message, hint = (
                "a child is missing in front of the comma",
                "write the child, or leave the comma out",
            )
        elif token.type in ("MORETHAN", "RSQB"):
            message, hint = "a number is missing here", "write it: <1, 2, 6>"
        anchor = previous if previous is not None and len(previous) else token
        self._builder.wrong(anchor, code, message, hint)

    def _leave_out(self, token: Token) -> None:
        """Leave a token out, and say so unless the one before it was left out too."""
        self._damage()
        kind = token.type
        if kind in ("_NEWLINE", "_DEDENT", "$END"):
            return
        trouble, self._trouble = self._trouble, True
        if kind == "_INDENT":
            self._indents.append(True)
            self._deeper(token)
            return
        if kind == "HEADER":
            self._skipping = True
            hint = "move the line up"
            self._builder.wrong(token, "header-place", "header lines stand before the tree", hint)
            return
        if trouble:
            return
        message = f"{clipped(token)} cannot stand here"
        hint = "a tree is written MAX A (MIN B (3 12 8) MIN C (2 4 6)), or ((3 12 8) (2 4 6))"
        if kind == "COLON":
            message = "no label stands in front of this colon"
            hint = "a label is a word, a text in quotes or a probability, and stands before its branch: a1: 3"
        elif kind == "RELATION":
            hint = "a claim stands behind a node's name, before its children: MIN B=3 (3 12 8)"
        elif kind == "LBRACE":
            hint = "attributes stand behind a name or a number, before the children: MIN B {eval=4} (3 12 8)"
        elif kind == "TILDE":
            hint = "a cross stands in front of the crossed-out leaf or node: ~4"
        elif self._brackets and self._brackets[-1].token.type == "LBRACE":
            hint = "attributes are written {eval=4, f=[2, -1], n=10, w=6}"
        elif self._brackets and self._brackets[-1].token.type == "LESSTHAN":
            hint = "a vector holds numbers: <1, 2, 6>"
        self._builder.wrong(token, "unexpected", message, hint)

    def _deeper(self, token: Token) -> None:
        """Deeper lines below something that cannot have children there."""
        previous = self._previous
        if previous is not None and previous.type in ("COLON", "TILDE"):
            self._missing(token)
            return
        if previous is not None and previous.type in ("RPAR", "RSQB"):
            self._builder.wrong(
                token,
                "indentation",
                "this line is set deeper, but the node above it has its children in brackets already",
                "set it as deep as the line above, or write the children in one way",
            )
            return
        if previous is not None:
            words = self._builder.words_before()
            if previous.type == "WORD" and previous not in words[-1:]:
                words = (*words[-1:], previous)  # which the parser has not made a leaf of yet
            if mistake := misspelt(words, cast(int, previous.end_pos), self._text):
                self._builder.mistakes.append(mistake)
                return
        self._builder.wrong(
            token,
            "leaf-with-children",
            "this line is set deeper, but a leaf stands above it",
            "set it as deep as the line above, or write who moves there: MAX, MIN or CHANCE",
        )

    def _crooked(self, token: Token) -> None:
        """A line whose depth belongs to no level."""
        self._builder.wrong(
            token,
            "indentation",
            "this line begins in a column where no line above it begins",
            "children of one node are set equally deep; do not mix tabs and blanks",
        )
        self._damage()

    # Brackets.

    def _match(self, token: Token) -> None:
        """Pop the partner of a closing bracket; one inside it that is still open is closed here."""
        if self._brackets and _CLOSERS[self._brackets[-1].token.type] != token.type:
            inner = self._brackets.pop()
            self._unclosed(inner, 1)
            self._close(_CLOSERS[inner.token.type], self._place(token))
        if self._brackets:
            self._brackets.pop()

    def _close_all(self) -> None:
        """At the end of the text, close what is still open."""
        if not self._brackets:
            return
        bracket = self._suspect or self._brackets[-1]
        self._unclosed(bracket, len(self._brackets))
        while self._brackets:
            self._close(_CLOSERS[self._brackets.pop().token.type], len(self._text))
        self._trouble = True

    def _close(self, kind: str, place: int) -> None:
        """Feed a closing bracket that is not in the text, with what it takes to make it fit."""
        if self._could(kind):
            repairs: tuple[str, ...] = ()
        elif self._could("NUMBER", kind):
            repairs = ("NUMBER",)
        elif self._could("LPAR", "RPAR", kind):
            repairs = ("LPAR", "RPAR")
        else:
            return
        for sign in (*repairs, kind):
            self._feed(self._make(sign, _SIGNS[sign], place))
        self._damage()
