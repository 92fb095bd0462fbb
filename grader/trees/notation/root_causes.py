"""Drops mistakes that are only effects of others: one slip can cause many messages."""

from collections.abc import Set

from grader.trees.notation.diagnostics import Complaint

_BRACKETS = frozenset(("unclosed-bracket", "unopened-bracket"))

_SYNTAX = _BRACKETS | {
    "empty-node",
    "indentation",
    "leaf-with-children",
    "mismatched-bracket",
    "missing",
    "player-unknown",
    "player-word",
    "unexpected",
}
"""Mistakes in the syntax of a text."""

_STRUCTURE = frozenset(
    ("group-without-player", "players-mixed", "probability-missing", "probability-place", "several-trees")
)
"""Mistakes that a tree seems to have if nodes have wrong parents."""

_EFFECTS: dict[str, Set[str]] = {
    **dict.fromkeys(_SYNTAX, frozenset(("several-trees",))),
    **dict.fromkeys(_BRACKETS, _STRUCTURE),
    "indentation": {"several-trees", "empty-node"},
    "player-unknown": {"claim-at-leaf"} | _STRUCTURE,
    "several-trees": _STRUCTURE - {"several-trees"},
    "unclosed-quote": _SYNTAX | _STRUCTURE,
}
"""The codes that are effects of a code anywhere in the text."""

_REACH = {"leaf-with-children": 60}
"""Within this many characters after a syntax mistake, another one is its effect."""

_USUAL_REACH = 6
"""The same for all other codes."""


def root_causes(mistakes: list[Complaint]) -> list[Complaint]:
    """Return the mistakes in reading order, without effects of others.

    Effects are:

    1. a syntax mistake shortly after another one,
    2. a code that is an effect of another code in this text,
    3. an unopened bracket after a syntax mistake, if a node is empty or something is missing,
    4. further mistakes in the indentation after the first one.
    """
    codes = {mistake.code for mistake in mistakes}
    effects = set[str]().union(*(_EFFECTS.get(code, ()) for code in codes))
    causes: list[Complaint] = []
    end: int | None = None
    for mistake in sorted(mistakes, key=lambda mistake: mistake.start):
        code = mistake.code
        is_near = end is not None and mistake.start < end + _REACH.get(code, _USUAL_REACH)
        if (code in _SYNTAX and is_near) or code in effects:
            continue
        if code == "unopened-bracket" and end is not None and not codes.isdisjoint(("empty-node", "missing")):
            continue
        causes.append(mistake)
        if code == "indentation":
            effects |= {"indentation", "leaf-with-children"}
        if code in _SYNTAX:
            end = mistake.end
    return causes
