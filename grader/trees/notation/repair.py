"""Read on after a mistake in the grammar, so that a text's mistakes are all found at once."""

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark.exceptions import UnexpectedToken

from grader.trees.notation.builder import MAX_MISTAKES, GrammarBuilder, TooManyMistakes
from grader.trees.notation.claim_typos import correct_claims
from grader.trees.notation.diagnostics import HINTS, clip
from grader.trees.notation.indentation import CLOSERS, CROOKED
from grader.trees.notation.laws import empty_node
from grader.trees.notation.lexer import Piece, make_token
from grader.trees.notation.misspelling import misspelt_player

if TYPE_CHECKING:
    from lark import Lark

_SIGNS = {"RPAR": ")", "RSQB": "]", "RBRACE": "}", "MORETHAN": ">", "LPAR": "(", "NUMBER": "0"}
_NAMES = {"LPAR": "parenthesis", "LSQB": "square bracket", "LBRACE": "brace", "LESSTHAN": "angle bracket"}
_NAMES |= {closer: _NAMES[opener] for opener, closer in CLOSERS.items()}

_MISSING_BEHIND = {
    "COLON": ("nothing stands behind the label", "its leaf or node follows on the same line: a1: 3"),
    "TILDE": ("nothing stands behind the cross", "its leaf or node follows on the same line: ~4"),
    "RELATION": ("no value stands behind {sign}", "write the value: =3"),
    "COMMA": ("a child is missing behind the comma", "write the child, or leave the comma out"),
}
_MISSING_BEFORE = {
    "COMMA": ("a child is missing in front of the comma", "write the child, or leave the comma out"),
    "MORETHAN": ("a number is missing here", "write it: <1, 2, 6>"),
    "RSQB": ("a number is missing here", "write it: <1, 2, 6>"),
}
_MISSING = ("something is missing here", "write a leaf or a node")
"""What is said of something left out, and what to do: by the sign in front of it, else by the one behind."""

_PLACES = {
    "COLON": "a label is a word, a text in quotes or a probability, and stands before its branch: a1: 3",
    "RELATION": "a claim stands behind a node's name, before its children: MIN B=3 (3 12 8)",
    "LBRACE": "attributes stand behind a name or a number, before the children: MIN B {eval=4} (3 12 8)",
    "TILDE": "a cross stands in front of the crossed-out leaf or node: ~4",
}
"""Where a sign may stand."""

_CONTENTS = {"LBRACE": HINTS["attribute-value"], "LESSTHAN": "a vector holds numbers: <1, 2, 6>"}
"""What may stand behind an open bracket."""

_HEAD = re.compile(
    r"""(?P<player>[a-z]+[1-9]?|.)[ \t]*(?P<name>"[^"\n]*"|[^\s()\[\]{}<>=~:,#"@≤≥]+)?""", re.I
)

_BRACED = re.compile(r"[ \t]*\{\s*[\d.+({-]")
"""Children in curly brackets, where attributes belong."""

_AHEAD = 50
"""How far ahead the meaning of a player's word is looked for."""

_ATTEMPTS = 20
"""How often a text is searched for a way to match its brackets."""


def recover(parser: "Lark", builder: GrammarBuilder, text: str) -> None:
    """Read a text that the grammar refuses, noting every mistake in `builder`.

    After a mistake the parser is put back on its way with the smallest repair that fits:
    an empty body, a missing bracket, a placeholder for something left out, or one token less.
    """
    builder.begin()
    text = correct_claims(text, builder)
    _Repair(parser, builder, _straightened(_tokens(parser, text), text, builder)).run()


def _tokens(parser: "Lark", text: str) -> Iterator[Piece]:
    """The tokens of a text, layout included."""
    interactive: Any = parser.parse_interactive(text)  # Lark does not type its lexer thread
    found: Iterator[Piece] = interactive.lexer_thread.lex(None)
    return found


def _straightened(tokens: Iterator[Piece], text: str, builder: GrammarBuilder) -> str:
    """The text with closing brackets that are too many left out and those of the wrong kind put right.

    A closing bracket that does not fit its opening one is too many when all the others
    match without it. What is not closed stays as it is.
    """
    signs = [token for token in tokens if token.type in _NAMES]
    open_signs: list[Piece] = []
    changed: dict[int, str] = {}
    attempts = 0
    for place, token in enumerate(signs):
        kind, start = token.type, token.start_pos
        if kind in CLOSERS:
            open_signs.append(token)
            continue
        wanted = [CLOSERS[sign.type] for sign in open_signs[-2:]]
        if wanted and kind == wanted[-1]:
            open_signs.pop()
            continue
        attempts += 1
        fits = attempts <= _ATTEMPTS and bool(wanted) and _match(open_signs, signs[place + 1 :])
        if kind in wanted and not fits:
            del open_signs[-2:]
        elif wanted and not fits:
            changed[start] = _SIGNS[wanted[-1]]
            wrong = f"a {_NAMES[open_signs.pop().type]} is closed with a {_NAMES[kind]}"
            builder.note_mistake(token, "mismatched-bracket", wrong, f"close it with {changed[start]}")
        else:
            changed[start] = " "
            if place == 0 or signs[place - 1].start_pos not in changed:
                builder.note_mistake(
                    token, "unopened-bracket", f"this closing {_NAMES[kind]} was never opened"
                )
    if not changed:
        return text
    letters = list(text)
    for start, letter in changed.items():
        letters[start] = letter
    return "".join(letters)


def _match(open_signs: list[Piece], signs: list[Piece]) -> bool:
    """Whether brackets all find their partners, when some are open already."""
    wanted = [CLOSERS[sign.type] for sign in open_signs]
    for sign in signs:
        if sign.type in CLOSERS:
            wanted.append(CLOSERS[sign.type])
        elif not wanted or wanted.pop() != sign.type:
            return False
    return not wanted


@dataclass(slots=True)
class _Bracket:
    """An open bracket: its token, the player it belongs to, and the indentation of its line."""

    token: Piece
    player: Piece | None
    indentation: int


class _Repair:
    """One careful walk through the tokens of a text."""

    def __init__(self, parser: "Lark", builder: GrammarBuilder, text: str) -> None:
        self._parser = parser
        self._interactive = parser.parse_interactive(text)
        self._builder = builder
        self._text = text
        self._brackets: list[_Bracket] = []
        self._indents: list[bool] = []
        self._suspect: _Bracket | None = None
        self._previous = make_token("", "", 0)
        self._player: Piece | None = None
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
        self._take(make_token("$END", "", len(self._text)))

    def _take(self, token: Piece) -> None:
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
            wrong = "this line begins in a column where no line above it begins"
            self._builder.note_mistake(token, "indentation", wrong)
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
        """Feed a token of a header line; one that does not belong there spoils the value of the line."""
        if token.type == "_NEWLINE":
            for bracket in self._brackets[::-1]:
                self._put(token.start_pos, CLOSERS[bracket.token.type], "NUMBER")
            self._brackets.clear()
            self._header = self._skipping = False
            self._feed(token)
        elif not self._skipping and not self._feed(token):
            self._skipping = True
            self._put(token.start_pos, "NUMBER")
        elif not self._skipping and token.type == "LSQB":
            self._brackets.append(_Bracket(token, None, 0))
        elif not self._skipping and token.type == "RSQB":
            self._brackets.pop()

    def _see_line(self, token: Piece) -> None:
        """At the first token of a line, note whether an open bracket looks forgotten."""
        start = token.start_pos
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
            and token.type not in CLOSERS.values()
            and self._indentation <= self._brackets[-1].indentation
        ):
            self._suspect = self._brackets[-1]

    def _feed(self, token: Piece) -> bool:
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
                state.feed_token(make_token(kind, "", 0), kind == "$END")
        except UnexpectedToken:
            return False
        return True

    def _put(self, place: int, *kinds: str) -> None:
        """Feed signs that are not in the text."""
        for kind in kinds:
            self._feed(make_token(kind, _SIGNS[kind], place))

    def _feed_or_repair(self, token: Piece) -> None:
        """Feed a token that belongs to the tree."""
        kind = token.type
        if self._feed(token):
            self._trouble = False
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
            self._header = True
        elif kind == "PLAYER":
            self._player = token

    def _repair(self, token: Piece) -> bool:
        """Find the smallest repair after which a token fits; False when the token was left out."""
        self._repairs += 1
        if self._repairs > MAX_MISTAKES:
            raise TooManyMistakes
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
            closer = CLOSERS[top.token.type]
            if self._could(closer, kind):
                self._unclosed(top, 1)
                self._brackets.pop()
                self._put(token.start_pos, closer)
                return self._feed(token)
        if kind not in ("COLON", "RELATION") and self._could("NUMBER", kind):
            if not self._trouble:
                self._missing(token)
            self._put(token.start_pos, "NUMBER")
            self._damage()
            return self._feed(token)
        self._leave_out(token)
        return False

    def _damage(self) -> None:
        """What is read around here differs from what was meant: its laws are not judged."""
        builder = self._builder
        builder.damaged.add(max(builder.parent, 0))
        builder.damaged.add(max(len(builder.places) - 1, 0))

    def _named(self, token: Piece) -> bool:
        """Take the word of a player for a name where a name may stand and a value or brackets follow."""
        if self._could("WORD", "PLAYER") or not self._behind(token).startswith(tuple("([{=<>≤≥")):
            return False
        self._player_word(token)
        return self._feed(make_token("WORD", str(token), token.start_pos))

    def _behind(self, token: Piece) -> str:
        """The text behind a token, as far as it tells what was meant."""
        return self._text[token.end_pos :][:_AHEAD].lstrip()

    def _player_word(self, token: Piece) -> None:
        wrong = f"{token} is the word of a player and cannot be a name"
        hint = f'a name like that goes in quotes: "{token}"; or is there a bracket missing in front of it?'
        self._builder.note_mistake(token, "player-word", wrong, hint)

    def _empty_body(self, token: Piece) -> None:
        """End a node that has no children."""
        self._put(token.start_pos, "LPAR", "RPAR")
        self._player = None
        self._damage()

    def _childless(self, player: Piece, token: Piece) -> None:
        """A player without children."""
        who = self._head(player)
        fault = empty_node(0, who)
        hint = fault.hint
        if token.type in ("WORD", "STRING") and " " in who:
            hint = f"a name of several words goes in quotes; otherwise {hint}"
        elif self._behind(player).startswith("="):
            hint = f'a leaf called {player} goes in quotes, "{player}"=3; otherwise {hint}'
        elif _BRACED.match(self._text, player.start_pos + len(who)):
            hint = f"curly brackets hold attributes, {{eval=4}}; children go in ( ) or [ ]: {who} (3 12 8)"
        end = player.start_pos + len(who)
        self._builder.note_mistake_at(player.start_pos, end, fault.code, fault.message, hint)

    def _head(self, player: Piece) -> str:
        """A player and its name as they stand in the text."""
        found = _HEAD.match(self._text, player.start_pos)
        return clip(found[0].rstrip()) if found else str(player)

    def _unclosed(self, bracket: _Bracket, times: int) -> None:
        """A bracket without its partner."""
        token = bracket.token
        line = self._text.count("\n", 0, token.start_pos) + 1
        which, owner = ("the", "the one") if bracket.player is None else ("a", self._head(bracket.player))
        hint = f"did you forget {which} closing {_NAMES[token.type]} for {owner} opened in line {line}?"
        message = "a bracket is not closed" if times == 1 else f"{times} brackets are not closed"
        if token.type == "LESSTHAN":
            hint += "; a claim is written B<=3"
        self._builder.note_mistake(token, "unclosed-bracket", message, hint)
        self._damage()
        self._builder.damaged.add(len(self._builder.places))

    def _missing(self, token: Piece) -> None:
        """Something left out in front of a token."""
        previous = self._previous
        wrong, hint = _MISSING_BEHIND.get(previous.type) or _MISSING_BEFORE.get(token.type, _MISSING)
        self._builder.note_mistake(
            previous if previous else token, "missing", wrong.format(sign=previous), hint
        )

    def _leave_out(self, token: Piece) -> None:
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
            self._builder.note_mistake(token, "header-place", "header lines stand before the tree")
            return
        if trouble:
            return
        message = f"{clip(token)} cannot stand here"
        if kind == "COLON":
            message = "no label stands in front of this colon"
        hint = _PLACES.get(kind, "")
        if not hint and self._brackets:
            hint = _CONTENTS.get(self._brackets[-1].token.type, "")
        self._builder.note_mistake(token, "unexpected", message, hint)

    def _deeper(self, token: Piece) -> None:
        """Deeper lines below something that cannot have children there."""
        previous = self._previous
        if previous.type in ("COLON", "TILDE"):
            self._missing(token)
            return
        if previous.type in ("RPAR", "RSQB"):
            wrong = "this line is set deeper, but the node above it has its children in brackets already"
            hint = "set it as deep as the line above, or write the children in one way"
            self._builder.note_mistake(token, "indentation", wrong, hint)
            return
        words = self._builder.words_before()
        if previous.type == "WORD" and previous not in words[-1:]:
            words = (*words[-1:], previous)  # which the parser has not made a leaf of yet
        if mistake := misspelt_player(words, previous.end_pos, self._text):
            self._builder.mistakes.append(mistake)
            return
        wrong = "this line is set deeper, but a leaf stands above it"
        hint = f"set it as deep as the line above, or {HINTS['leaf-with-children']}"
        self._builder.note_mistake(token, "leaf-with-children", wrong, hint)

    def _match(self, token: Piece) -> None:
        """Pop the partner of a closing bracket; one inside it that is still open is closed here."""
        if self._brackets and CLOSERS[self._brackets[-1].token.type] != token.type:
            inner = self._brackets.pop()
            self._unclosed(inner, 1)
            self._close(CLOSERS[inner.token.type], token.start_pos)
        if self._brackets:
            self._brackets.pop()

    def _close_all(self) -> None:
        """At the end of the text, close what is still open."""
        if not self._brackets:
            return
        bracket = self._suspect or self._brackets[-1]
        self._unclosed(bracket, len(self._brackets))
        while self._brackets:
            self._close(CLOSERS[self._brackets.pop().token.type], len(self._text))
        self._trouble = True

    def _close(self, kind: str, place: int) -> None:
        """Feed a closing bracket that is not in the text, with what it takes to make it fit."""
        for repairs in ((), ("NUMBER",), ("LPAR", "RPAR")):
            if self._could(*repairs, kind):
                self._put(place, *repairs, kind)
                self._damage()
                return
