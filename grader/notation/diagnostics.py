"""What is wrong with a text and where, in words a teacher would use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import east_asian_width

from grader.base.phrases import ENGLISH, Language, Phrase
from grader.base.safe_text import UNSHOWN
from grader.tree import PLIES

MOST = 50
"""How many diagnostics are reported in full; one more then says how many there are besides."""

WINDOW = 100
"""How many characters of a long line are shown around the place."""

_ODD = rf"{UNSHOWN}|[\u200c\u200d]"
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake in a text.

    - `code`: stable and listed in `CODES`.
    - `message`: what is wrong.
    - `line`, `column`: the place, counted from 1; both 0 where a text has places of another kind.
    - `excerpt`: the offending line with a caret line under it (a window of it when it is long);
      in JSON the path of the offending value.
    - `hint`: what to do about it.
    """

    code: str
    message: str
    line: int
    column: int
    excerpt: str
    hint: str

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else self.excerpt
        said = f"{place}: " if place else ""
        lines = [f"{said}{self.message} [{self.code}]"]
        if self.line and self.excerpt.split("\n")[0].strip():
            lines += [f"    {line}".rstrip() for line in self.excerpt.split("\n")]
        lines += [f"  {self.hint}"] if self.hint else []
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Everything that is wrong with a text, in reading order; never empty."""

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
    """A mistake on its way to becoming a `Diagnostic`: its place is still a range of characters.

    An empty hint is the usual one of its code.
    """

    start: int
    end: int
    code: str
    message: str
    hint: str = ""


def report(text: str, complaints: list[Complaint], more: int = 0) -> Diagnostics:
    """The diagnostics for the complaints about a text, in reading order; `more` counts those left out."""
    unique = {(complaint.start, complaint.code): complaint for complaint in reversed(complaints)}
    ordered = sorted(unique.values(), key=lambda complaint: complaint.start)
    items = [_diagnostic(text, complaint) for complaint in ordered[:MOST]]
    return Diagnostics(tuple(capped(items, len(ordered) - len(items) + more)))


def capped(items: list[Diagnostic], more: int = 0) -> list[Diagnostic]:
    """At most `MOST` diagnostics, and one that counts the others; `more` counts those already left out."""
    more += max(0, len(items) - MOST)
    if not more:
        return items
    last = items[:MOST][-1]
    words = f"and {more} more mistake{'s' * (more > 1)}"
    return [
        *items[:MOST],
        Diagnostic("more", words, last.line, last.column, last.excerpt, "correct the ones above first"),
    ]


def _diagnostic(text: str, complaint: Complaint) -> Diagnostic:
    """A complaint with its line and column looked up."""
    start = min(complaint.start, len(text))
    lines = text[:start].replace("\r\n", "\n").replace("\r", "\n")
    column = len(lines) - lines.rfind("\n")
    end_match = _LINE_END.search(text, start)
    finish = end_match.start() if end_match else len(text)
    excerpt = _excerpt(text, start - column + 1, finish, start, max(complaint.end, start + 1))
    hint = complaint.hint or HINTS.get(complaint.code, "")
    line = lines.count("\n") + 1
    return Diagnostic(complaint.code, complaint.message, line, column, excerpt, hint)


def _excerpt(text: str, begin: int, finish: int, start: int, end: int) -> str:
    """The line from `begin` to `finish` and carets under `start` to `end`, clipped to a window."""
    left, right = begin, finish
    if right - left > WINDOW:
        left = max(begin, min(start - WINDOW // 3, finish - WINDOW))
        right = min(finish, left + WINDOW)
    before = shown(text[left:start])
    line = before + shown(text[start:right])
    carets = max(1, columns(shown(text[start : min(end, right)])))
    front, back = "… " * (left > begin), " …" * (right < finish)
    return f"{front}{line}{back}\n{' ' * columns(front + before)}{'^' * carets}"


def shown(text: str) -> str:
    """Text that a terminal can show: tabs as blanks, other control characters as a replacement character."""
    return text if text.isascii() and text.isprintable() else re.sub(_ODD, "\ufffd", text.replace("\t", " "))


def columns(text: str) -> int:
    """How many terminal columns a text takes."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def clipped(text: str, most: int = 30) -> str:
    """A word from a text for use in a message, shortened when it is long."""
    return shown(text if len(text) <= most else f"{text[: most - 1]}…")


Reader: TypeAlias = Literal["text", "repeated", "bytes", "json", "efg", "write-efg"]


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake: its code, what it means, and an example that has exactly this mistake.

    `reader` says who finds it: `text` and `bytes` (the example in Latin-1) are the notation's own
    readers, `json` and `efg` those of the exchange formats; for `write-efg` the example is a tree
    that cannot be written, for `repeated` a piece of text that stands there too often.
    """

    code: str
    meaning: str
    example: str
    reader: Reader = "text"


CODES: tuple[Code, ...] = (
    Code("no-tree", Phrase("the text holds no tree"), "# nothing but a comment"),
    Code("several-trees", Phrase("the text holds more than one tree"), "3 12 8"),
    # Characters, words and numbers.
    Code("not-utf-8", Phrase("the file is not UTF-8"), 'MAX ("é" 3)', "bytes"),
    Code("control-character", Phrase("a character that cannot be seen"), "MAX (3\x00 4)"),
    Code(
        "unsafe-character",
        Phrase("an invisible character, or one that hides others"),
        'MAX "A\u202eB" (3 4)',
    ),
    Code("unclosed-quote", Phrase("a quote is not closed on its line"), 'MAX "A (3 12 8)'),
    Code(
        "bad-escape",
        Phrase("a backslash before something other than a quote or a backslash"),
        r'MAX "A\n" (3 12)',
    ),
    Code("bad-word", Phrase("a word that is neither a number nor a name"), "MAX A-B (3 12 8)"),
    Code("bad-number", Phrase("a number that cannot be read, or is too long"), "MAX A (3-2 8)"),
    Code("player-word", Phrase("the word of a player where a name belongs"), "MAX max (3 12 8)"),
    Code(
        "player-unknown",
        Phrase("a word that is no player, where one belongs"),
        "MAX A (MN B (3 12 8) MIN C (2 4 6))",
    ),
    # Brackets and lines.
    Code("unclosed-bracket", Phrase("a bracket is not closed"), "MAX A (MIN B (3 12 8) MIN C (2 4 6)"),
    Code("unopened-bracket", Phrase("a bracket closes that was never opened"), "MAX A (3 12 8))"),
    Code("mismatched-bracket", Phrase("a bracket is closed with one of another kind"), "MAX A (3 12 8]"),
    Code(
        "indentation",
        Phrase("a line begins in a column where no line above it begins"),
        "MAX\n    MIN (3)\n  MIN (4)",
    ),
    Code(
        "unclear-group",
        Phrase("a single group on a deeper line: children, or one child?"),
        "MAX A\n  (3 12 8)",
    ),
    Code("empty-node", Phrase("a node has no children"), "MAX A (MIN B 3 12 8)"),
    Code("leaf-with-children", Phrase("a leaf has children, or a node has no player"), "MAX A (B(3 12 8) 4)"),
    Code("missing", Phrase("something is left out"), "MAX A (3, , 8)"),
    Code("unexpected", Phrase("something stands where it cannot stand"), "(MAX (3 12)=12 8)"),
    # The header.
    Code("header-unknown", Phrase("a header line of a kind that does not exist"), '@author "me"\n3'),
    Code("header-value", Phrase("a header line with a value it cannot have"), "@ties sometimes\n3"),
    Code("header-twice", Phrase("two header lines of one kind"), "@ties cut\n@ties keep\n3"),
    Code("header-place", Phrase("a header line behind the tree"), 'MAX (3 12 8)\n@title "Figure 5.2"'),
    Code("rules-clash", Phrase("rules that do not go together"), "@returns hard\n@ties keep\nMAX (3 12 8)"),
    # Nodes.
    Code("name-twice", Phrase("two nodes have one name"), "MAX A (MIN B (3) MIN B (12))"),
    Code("bad-name", Phrase("a name is empty or cannot be printed"), 'MAX "" (3 12 8)'),
    Code("players-mixed", Phrase("MAX or MIN in a game of several players"), "MAX (P2 (<1, 2>) P2 (<3, 4>))"),
    Code(
        "group-without-player",
        Phrase("a group without a player in a game of several"),
        "P1 ((<1, 2> <3, 4>))",
    ),
    Code("payoff-kind", Phrase("a number where a vector is needed, or the other way round"), "P1 (<1, 2> 3)"),
    Code("vector-length", Phrase("a vector of the wrong length"), "P1 (<1, 2> <1, 2, 6>)"),
    Code("label-twice", Phrase("two labels of one kind, or two crosses, on a branch"), "MAX (a: b: 3 12)"),
    Code("probability-place", Phrase("a probability, but no chance node above"), "MAX (1/2: 3, 1/2: 12)"),
    Code(
        "probability-missing",
        Phrase("some branches of a chance node have a probability"),
        "CHANCE (1/2: 3, 12)",
    ),
    Code("probability-negative", Phrase("a probability below 0"), "CHANCE (-1/2: 3, 3/2: 12)"),
    Code(
        "probability-sum", Phrase("probabilities that do not sum to 1"), "CHANCE (0.33: 3, 0.33: 12, 0.33: 8)"
    ),
    # Claims and attributes.
    Code("claim-twice", Phrase("two values at one node"), "MAX A=3=4 (3 4)"),
    Code("claim-at-leaf", Phrase("a claim at a leaf"), "MAX A (3 e<=4)"),
    Code(
        "claim-kind",
        Phrase("a claim that is no value, or of another kind than the payoffs"),
        "MAX A=<1, 2> (3 4)",
    ),
    Code("attribute-unknown", Phrase("an attribute that does not exist"), "MAX A {colour=4} (3 4)"),
    Code("attribute-twice", Phrase("an attribute is given twice"), "MAX A {n=4, n=5} (3 4)"),
    Code("attribute-value", Phrase("an attribute with a value it cannot have"), "MAX A {n=-1} (3 4)"),
    # Limits.
    Code("too-deep", Phrase("the tree has too many plies"), "(" * (PLIES + 9)),
    Code("too-many-leaves", Phrase("the tree has too many leaves"), "3 ", "repeated"),
    Code("more", Phrase("there are more mistakes than these"), f"({'; ' * (MOST + 10)})"),
    # Exchange.
    Code("json-syntax", "the text is not JSON", '{"schema": 1, "tree": ', "json"),
    Code("json-key", "a key is unknown, missing or repeated", '{"schema": 1}', "json"),
    Code("json-value", "a value of the wrong kind", '{"schema": 1, "tree": [3, 12, 8]}', "json"),
    Code("efg-syntax", "the text is no .efg file of version 2", 'EFG 2 R "" { "A" "B" } p', "efg"),
    Code("efg-players", "an .efg file with players that cannot be", 'EFG 2 R "" { } t "" 0', "efg"),
    Code(
        "efg-information-set",
        "an .efg file in which a player does not know where the game stands",
        """EFG 2 R "" { "A" "B" } p "" 1 1 "" { "" "" } 0
p "" 2 1 "" { "" } 0 t "" 1 "" { 3, -3 }
p "" 2 1 "" { "" } 0 t "" 2 "" { 2, -2 }""",
        "efg",
    ),
    Code(
        "efg-payoff-inside",
        "an .efg file with payoffs before the end",
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "" } 1 "" { 3, -3 } t "" 0',
        "efg",
    ),
    Code(
        "efg-payoffs",
        "an .efg file whose payoffs do not fit",
        'EFG 2 R "" { "A" "B" } t "" 1 "" { 3 }',
        "efg",
    ),
    Code("efg-unknown", "a tree with an unknown payoff has no .efg file", "MAX A (3 x 8)", "write-efg"),
)
"""Every kind of mistake the readers report; the codes are stable."""

HINTS = {
    "no-tree": Phrase("write one: MAX A (3 12 8)"),
    "several-trees": Phrase("put the children of one node in brackets: MAX (3 12 8)"),
    "not-utf-8": Phrase("save it as UTF-8"),
    "control-character": Phrase("take it away; it was perhaps pasted with the text"),
    "unsafe-character": Phrase("take it away; it was perhaps pasted with the text"),
    "unclosed-quote": Phrase('end it with "'),
    "bad-escape": Phrase(r"write \\ for a backslash"),
    "bad-number": Phrase(
        "numbers are written 3, -2, 2.5, 7/3 or 1e-3; a name that begins with a digit goes in quotes"
    ),
    "player-unknown": Phrase("players are MAX, MIN, CHANCE and P1 to P9"),
    "unopened-bracket": Phrase("take it away, or look for a bracket that closes too early"),
    "indentation": Phrase("children of one node are set equally deep; do not mix tabs and blanks"),
    "unclear-group": Phrase("open the bracket on the line of the node, or write the player of the group"),
    "leaf-with-children": Phrase("write who moves there: MAX, MIN or CHANCE"),
    "unexpected": Phrase("a tree is written MAX A (MIN B (3 12 8) MIN C (2 4 6)), or ((3 12 8) (2 4 6))"),
    "header-twice": Phrase("keep one of the lines"),
    "header-place": Phrase("move the line above the tree"),
    "rules-clash": Phrase("change one of the header lines"),
    "name-twice": Phrase("give one of them another name; a leaf may also stay without one"),
    "players-mixed": Phrase("a tree is a game of MAX and MIN or a game of P1, P2, ... P9, not both"),
    "group-without-player": Phrase("write P1, P2, ... or CHANCE in front of the bracket"),
    "payoff-kind": Phrase("write a vector with one number for each player, such as <1, 2>"),
    "vector-length": Phrase("every vector has one number for each of the 2 to 9 players"),
    "label-twice": Phrase(
        "a branch has at most one move label, one probability and one cross: heads: 1/2: ~3"
    ),
    "probability-missing": Phrase(
        "give all of them (1/2: 3, 1/2: 5), or none when they are equally likely; "
        "a move label stands before it: heads: 1/2: 3"
    ),
    "probability-negative": Phrase("probabilities lie between 0 and 1"),
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
"""What to do about a mistake of a kind, where nothing about it asks for something else."""


def told_to(language: Language, code: str, message: str, hint: str) -> tuple[str, str]:
    """What a student reads of a mistake, and what to do about it.

    In English that is what the reader has found out; in another language what every mistake of its code has
    in common, which with the place is enough to find it.
    """
    found = None if language == ENGLISH else next((each for each in CODES if each.code == code), None)
    if found is None:
        return message, hint
    usual = HINTS.get(code, "")
    return language.say(found.meaning), language.term(usual) if usual else ""
