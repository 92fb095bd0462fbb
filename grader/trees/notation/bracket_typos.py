"""Corrects closing brackets that are too many or of the wrong kind."""

from collections.abc import Iterator

from grader.trees.notation.builder import GrammarBuilder
from grader.trees.notation.indentation import CLOSERS
from grader.trees.notation.lexer import Piece

CLOSING_SIGNS = {"RPAR": ")", "RSQB": "]", "RBRACE": "}", "MORETHAN": ">"}

_OPENING_NAMES = {
    "LPAR": "parenthesis",
    "LSQB": "square bracket",
    "LBRACE": "brace",
    "LESSTHAN": "angle bracket",
}
BRACKET_NAMES = _OPENING_NAMES | {closer: _OPENING_NAMES[opener] for opener, closer in CLOSERS.items()}

_MAX_SEARCHES = 20
"""How often the rest of a text is searched for a way to match its brackets."""


def correct_brackets(text: str, tokens: Iterator[Piece], builder: GrammarBuilder) -> str:
    """Return the text without surplus closing brackets, and with the right kind of the others.

    A closing bracket that does not fit its opening one is surplus if all the others match without it.
    Unclosed brackets stay unchanged.
    """
    brackets = [token for token in tokens if token.type in BRACKET_NAMES]
    open_brackets: list[Piece] = []
    changed: dict[int, str] = {}
    attempts = 0
    for place, token in enumerate(brackets):
        kind, start = token.type, token.start_pos
        if kind in CLOSERS:
            open_brackets.append(token)
            continue
        expected = [CLOSERS[sign.type] for sign in open_brackets[-2:]]
        if expected and kind == expected[-1]:
            open_brackets.pop()
            continue
        attempts += 1
        fits = (
            attempts <= _MAX_SEARCHES and bool(expected) and _all_match(open_brackets, brackets[place + 1 :])
        )
        if kind in expected and not fits:
            del open_brackets[-2:]
        elif expected and not fits:
            changed[start] = CLOSING_SIGNS[expected[-1]]
            message = f"a {BRACKET_NAMES[open_brackets.pop().type]} is closed with a {BRACKET_NAMES[kind]}"
            builder.note_mistake(token, "mismatched-bracket", message, f"close it with {changed[start]}")
        else:
            changed[start] = " "
            if place == 0 or brackets[place - 1].start_pos not in changed:
                message = f"this closing {BRACKET_NAMES[kind]} was never opened"
                builder.note_mistake(token, "unopened-bracket", message)
    return "".join(changed.get(place, sign) for place, sign in enumerate(text)) if changed else text


def _all_match(open_signs: list[Piece], signs: list[Piece]) -> bool:
    """Return whether all brackets match after these open ones."""
    wanted = [CLOSERS[sign.type] for sign in open_signs]
    for sign in signs:
        if sign.type in CLOSERS:
            wanted.append(CLOSERS[sign.type])
        elif not wanted or wanted.pop() != sign.type:
            return False
    return not wanted
