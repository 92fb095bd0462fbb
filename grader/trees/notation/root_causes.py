"""Tell the causes among the mistakes in a text from their effects: one slip makes much look wrong."""

from collections.abc import Set

from grader.trees.notation.diagnostics import Complaint

_BRACKETS = frozenset(("unclosed-bracket", "unopened-bracket"))

_ARRANGEMENT = _BRACKETS | {
    "empty-node",
    "indentation",
    "leaf-with-children",
    "mismatched-bracket",
    "missing",
    "player-unknown",
    "player-word",
    "unexpected",
}
"""Mistakes in how the pieces are put together."""

_STRUCTURE = frozenset(
    ("group-without-player", "players-mixed", "probability-missing", "probability-place", "several-trees")
)
"""Mistakes that a tree seems to have when its nodes hang in the wrong places."""

_EFFECTS: dict[str, Set[str]] = {
    **dict.fromkeys(_ARRANGEMENT, frozenset(("several-trees",))),
    **dict.fromkeys(_BRACKETS, _STRUCTURE),
    "indentation": {"several-trees", "empty-node"},
    "player-unknown": {"claim-at-leaf"} | _STRUCTURE,
    "several-trees": _STRUCTURE - {"several-trees"},
    "unclosed-quote": _ARRANGEMENT | _STRUCTURE,
}
"""What a mistake of a code makes look wrong, wherever it stands in the text."""

_NEAR = {"leaf-with-children": 60}
"""How many characters behind a mistake in the arrangement another one is taken for its effect."""

_NEXT = 6
"""The same for all the others."""


def root_causes(mistakes: list[Complaint]) -> list[Complaint]:
    """The mistakes in reading order, without those that are only the effect of another one."""
    codes = {mistake.code for mistake in mistakes}
    effects = set[str]().union(*(_EFFECTS.get(code, ()) for code in codes))
    kept: list[Complaint] = []
    end: int | None = None
    for mistake in sorted(mistakes, key=lambda mistake: mistake.start):
        code = mistake.code
        if code in _ARRANGEMENT and end is not None and mistake.start < end + _NEAR.get(code, _NEXT):
            continue
        if code in effects:
            continue
        if code == "unopened-bracket" and end is not None and not codes.isdisjoint(("empty-node", "missing")):
            continue
        kept.append(mistake)
        if code == "indentation":
            effects |= {"indentation", "leaf-with-children"}
        if code in _ARRANGEMENT:
            end = mistake.end
    return kept
