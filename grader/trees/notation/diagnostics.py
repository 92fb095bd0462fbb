"""Diagnostics of a text: mistakes with places, messages and hints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from grader.base.json_records import JsonRecord
from grader.base.line_wrapping import display_width
from grader.base.phrases import ENGLISH, Language, Phrase
from grader.base.safe_text import NEVER_SHOWN

MAX_DIAGNOSTICS = 50
"""The most diagnostics that are reported; one more counts the rest."""

MAX_MISTAKES = 1000
"""After this many mistakes the text is not a tree at all, and reading stops."""

MAX_EXCERPT_LENGTH = 100
"""The most characters of a long line that an excerpt shows."""

_UNPRINTABLE = rf"{NEVER_SHOWN}|[\u200c\u200d]"
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Diagnostic(JsonRecord):
    """One mistake in a text.

    - `code`: stable and listed in `CODES`.
    - `message`: the description of the mistake.
    - `line`, `column`: the place, counted from 1; both 0 if a format has places of another kind.
    - `excerpt`: the line with a caret line under it, clipped if long; in JSON the path of the value.
    - `hint`: what to do about it.
    """

    code: Annotated[str, "code"]
    message: Annotated[str, "message"]
    line: Annotated[int, "line"]
    column: Annotated[int, "column"]
    excerpt: Annotated[str, "excerpt"]
    hint: Annotated[str, "hint"]

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else self.excerpt
        prefix = f"{place}: " if place else ""
        lines = [f"{prefix}{self.message} [{self.code}]"]
        if self.line and self.excerpt.split("\n")[0].strip():
            lines += [f"    {line}".rstrip() for line in self.excerpt.split("\n")]
        lines += [f"  {self.hint}"] if self.hint else []
        return "\n".join(map(terminal_text, lines))  # names in the text may hold control characters


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """All mistakes in a text, in reading order; never empty."""

    items: tuple[Diagnostic, ...]

    def __post_init__(self) -> None:
        if not self.items:
            raise ValueError("a text without mistakes has no diagnostics")

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))


@dataclass(frozen=True, slots=True)
class Complaint:
    """A mistake at a range of characters, from which a `Diagnostic` is made.

    An empty hint means the usual one of its code.
    """

    start: int
    end: int
    code: str
    message: str
    hint: str = ""


def to_diagnostics(text: str, complaints: list[Complaint]) -> Diagnostics:
    """Return the diagnostics for the complaints about a text, in reading order."""
    unique = {(complaint.start, complaint.code): complaint for complaint in reversed(complaints)}
    ordered = sorted(unique.values(), key=lambda complaint: complaint.start)
    items = [_diagnostic(text, complaint) for complaint in ordered[:MAX_DIAGNOSTICS]]
    return Diagnostics(tuple(cap_diagnostics(items, len(ordered) - len(items))))


def cap_diagnostics(items: list[Diagnostic], more: int) -> list[Diagnostic]:
    """Return at most `MAX_DIAGNOSTICS` diagnostics, and one that counts the rest and `more`."""
    more += max(0, len(items) - MAX_DIAGNOSTICS)
    if not more:
        return items
    last = items[:MAX_DIAGNOSTICS][-1]
    words = f"and {more} more mistake{'s' * (more > 1)}"
    return [
        *items[:MAX_DIAGNOSTICS],
        Diagnostic("more", words, last.line, last.column, last.excerpt, "correct the ones above first"),
    ]


def _diagnostic(text: str, complaint: Complaint) -> Diagnostic:
    """Return the diagnostic of a complaint, with line, column and excerpt."""
    start = min(complaint.start, len(text))
    lines = text[:start].replace("\r\n", "\n").replace("\r", "\n")
    column = len(lines) - lines.rfind("\n")
    match = _LINE_END.search(text, start)
    line_end = match.start() if match else len(text)
    excerpt = _excerpt(text, start - column + 1, line_end, start, max(complaint.end, start + 1))
    hint = complaint.hint or HINTS.get(complaint.code, "")
    line = lines.count("\n") + 1
    return Diagnostic(complaint.code, complaint.message, line, column, excerpt, hint)


def _excerpt(text: str, line_start: int, line_end: int, start: int, end: int) -> str:
    """Return the line with carets under `start` to `end`, clipped to `MAX_EXCERPT_LENGTH` characters."""
    left, right = line_start, line_end
    if right - left > MAX_EXCERPT_LENGTH:
        left = max(line_start, min(start - MAX_EXCERPT_LENGTH // 3, line_end - MAX_EXCERPT_LENGTH))
        right = min(line_end, left + MAX_EXCERPT_LENGTH)
    before = terminal_text(text[left:start])
    line = before + terminal_text(text[start:right])
    carets = max(1, display_width(terminal_text(text[start : min(end, right)])))
    front, back = "… " * (left > line_start), " …" * (right < line_end)
    return f"{front}{line}{back}\n{' ' * display_width(front + before)}{'^' * carets}"


def terminal_text(text: str) -> str:
    """Make text printable: tabs become blanks, other control characters replacement characters."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNPRINTABLE, "\ufffd", text.replace("\t", " "))


def clip(text: str, limit: int = 30) -> str:
    """Shorten a word of a text for use in a message."""
    return terminal_text(text if len(text) <= limit else f"{text[: limit - 1]}…")


CODES = {
    "no-tree": Phrase("the text holds no tree"),
    "several-trees": Phrase("the text holds more than one tree"),
    # Characters, words and numbers.
    "not-utf-8": Phrase("the file is not UTF-8"),
    "control-character": Phrase("an invisible character"),
    "unsafe-character": Phrase("a character that is invisible or hides others"),
    "unclosed-quote": Phrase("a quote is not closed on its line"),
    "bad-escape": Phrase("a backslash before something other than a quote or a backslash"),
    "bad-word": Phrase("a word that is neither a number nor a name"),
    "bad-number": Phrase("a number that cannot be read, or is too long"),
    "player-word": Phrase("the word for a player where a label is expected"),
    "player-unknown": Phrase("a word that is not a player, where a player is expected"),
    # Brackets and lines.
    "unclosed-bracket": Phrase("a bracket is not closed"),
    "unopened-bracket": Phrase("a bracket is closed that was never opened"),
    "mismatched-bracket": Phrase("a bracket is closed with one of a different kind"),
    "indentation": Phrase("a line begins in a column where no line above it begins"),
    "unclear-group": Phrase("a single group on a deeper line: children, or one child?"),
    "empty-node": Phrase("a node has no children"),
    "leaf-with-children": Phrase("a leaf has children, or a node has no player"),
    "missing": Phrase("something is missing"),
    "unexpected": Phrase("something is in a place where it cannot be"),
    # The header.
    "header-unknown": Phrase("a header line of a kind that does not exist"),
    "header-value": Phrase("a header line with a value it cannot have"),
    "header-twice": Phrase("two header lines of one kind"),
    "header-place": Phrase("a header line after the tree"),
    "rules-clash": Phrase("rules that contradict each other"),
    # Nodes.
    "name-twice": Phrase("two nodes have one name"),
    "bad-name": Phrase("a name is empty or cannot be printed"),
    "players-mixed": Phrase("MAX or MIN in a game of several players"),
    "group-without-player": Phrase("a group without a player in a game of several"),
    "payoff-kind": Phrase("a number where a vector is needed, or the reverse"),
    "vector-length": Phrase("a vector of the wrong length"),
    "label-twice": Phrase("two labels of one kind, or two crosses, on a branch"),
    "probability-place": Phrase("a probability, but no chance node above"),
    "probability-missing": Phrase("some branches of a chance node have a probability"),
    "probability-negative": Phrase("a probability below 0"),
    "probability-sum": Phrase("probabilities that do not sum to 1"),
    # Claims and attributes.
    "claim-twice": Phrase("two values at one node"),
    "claim-at-leaf": Phrase("a claim at a leaf"),
    "claim-kind": Phrase("a claim that is not a value, or not of the kind of the payoffs"),
    "attribute-unknown": Phrase("an attribute that does not exist"),
    "attribute-twice": Phrase("an attribute is given twice"),
    "attribute-value": Phrase("an attribute with a value it cannot have"),
    # Limits.
    "too-deep": Phrase("the tree has too many plies"),
    "too-many-leaves": Phrase("the tree has too many leaves"),
    "more": Phrase("there are more mistakes than these"),
    # Exchange.
    "json-syntax": "the text is not JSON",
    "json-key": "a key is unknown, missing or repeated",
    "json-value": "a value of the wrong kind",
    "efg-syntax": "the text is not an .efg file of version 2",
    "efg-players": "an .efg file with impossible players",
    "efg-information-set": "an .efg file in which a player does not know the state of the game",
    "efg-payoff-inside": "an .efg file with payoffs before the end",
    "efg-payoffs": "an .efg file whose payoffs do not fit",
    "efg-unknown": "a tree with an unknown payoff has no .efg file",
}
"""The stable code of every kind of mistake, and its meaning."""

HINTS = {
    "no-tree": Phrase("write one: MAX A (3 12 8)"),
    "several-trees": Phrase("put the children of one node in brackets: MAX (3 12 8)"),
    "not-utf-8": Phrase("save it as UTF-8"),
    "control-character": Phrase("remove it; it may have been pasted with the text"),
    "unsafe-character": Phrase("remove it; it may have been pasted with the text"),
    "unclosed-quote": Phrase('end it with "'),
    "bad-escape": Phrase(r"write \\ for a backslash"),
    "bad-number": Phrase(
        "numbers are written 3, -2, 2.5, 7/3 or 1e-3; a label that begins with a digit goes in quotes"
    ),
    "player-unknown": Phrase("players are MAX, MIN, CHANCE and P1 to P9"),
    "unopened-bracket": Phrase("remove it, or look for a bracket that closes too early"),
    "indentation": Phrase("indent the children of one node equally; do not mix tabs and spaces"),
    "unclear-group": Phrase("open the bracket on the line of the node, or write the player of the group"),
    "leaf-with-children": Phrase("write who moves there: MAX, MIN or CHANCE"),
    "unexpected": Phrase("a tree is written MAX A (MIN B (3 12 8) MIN C (2 4 6)), or ((3 12 8) (2 4 6))"),
    "header-twice": Phrase("keep one of the lines"),
    "header-place": Phrase("move the line above the tree"),
    "rules-clash": Phrase("change one of the header lines"),
    "name-twice": Phrase("give one of them another name; a leaf may also stay without one"),
    "players-mixed": Phrase("a tree is a game of MAX and MIN or a game of P1, P2, ... P9, not both"),
    "group-without-player": Phrase("write P1, P2, ... or CHANCE before the bracket"),
    "payoff-kind": Phrase("write a vector with one number for each player, such as <1, 2>"),
    "vector-length": Phrase("every vector has one number for each of the 2 to 9 players"),
    "label-twice": Phrase(
        "a branch has at most one move label, one probability and one cross: heads: 1/2: ~3"
    ),
    "probability-missing": Phrase(
        "give all of them (1/2: 3, 1/2: 5), or none if they are equally likely; "
        "a move label comes before it: heads: 1/2: 3"
    ),
    "probability-negative": Phrase("probabilities are between 0 and 1"),
    "claim-twice": Phrase("keep one: =3, <=3 or >=3"),
    "claim-at-leaf": Phrase(
        "a leaf's payoff is its value: 3, or with a name e=3; claims stand at MAX, MIN and CHANCE nodes"
    ),
    "claim-kind": Phrase("claim what the node is worth: =3, or =<1, 2> in a game of several players"),
    "attribute-unknown": Phrase(
        "eval is a static evaluation, f a list of features, n a number of visits, "
        "w a number of wins, board a position"
    ),
    "attribute-twice": Phrase("keep one of them"),
    "attribute-value": Phrase('attributes are written {eval=4, f=[2, -1], n=10, w=6, board="X.O/.X./..O"}'),
    "too-deep": Phrase("check for opening brackets that are never closed; nothing further was read"),
    "too-many-leaves": Phrase("search a part of it; nothing further was read"),
    "json-syntax": "check quotes, commas and brackets around this place",
    "efg-syntax": 'nodes look like p "name" 1 1 "" { "left" "right" } 0, or t "" 1 "" { 3, -3 }',
}
"""The usual hint for a code, unless a mistake has its own."""


def diagnostic_in_language(language: Language, code: str, message: str, hint: str) -> tuple[str, str]:
    """Return the message and the hint for a mistake in a language.

    In English these are its own; in another language those of its code, which suffice with its place.
    """
    if language.code == ENGLISH.code or code not in CODES:
        return message, hint
    usual = HINTS.get(code, "")
    return language.say(CODES[code]), language.term(usual) if usual else ""
