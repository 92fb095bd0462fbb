"""What is taken off a reply that cannot be read as it stands; one line to add another."""

import re
from collections.abc import Iterator
from functools import partial

from grader.answers.vocabulary import Vocabulary
from grader.base.safe_text import without_unseen

_SIGNS = (
    (r"(?i)(?<!\w)(\d+)(and|und)(?=\d)", r"\1 \2 "),  # 5and6
    (r"(?i)(?<=\d)(and|und)(\d+)(?!\w)", r" \1 \2"),
    (r"(?i)(?<!\w)(?:leaf|l|path|move)_?(\d+)(?!\w)", r"\1"),  # leaf5, L5
    (r"[\"'](\d+)[\"']", r"\1"),
)
_WRAPPERS = tuple((re.compile(pattern), instead) for pattern, instead in _SIGNS)
"""Patterns and what stands for them; a name of the tree is never taken off."""


def unwrapped(text: str, names: Vocabulary) -> Iterator[str]:
    """A reply with less and less around it, as long as there is something to take off."""
    bare = without_unseen(text)
    if bare != text:
        yield bare
    text = bare
    for pattern, instead in _WRAPPERS:
        text = pattern.sub(partial(_taken_off, names, instead), text)
    if text != bare and text.strip():
        yield text


def _taken_off(names: Vocabulary, instead: str, found: re.Match[str]) -> str:
    """What stands for a match: itself where something is called so, or like a part of it."""
    parts = (found.group(), *found.groups())
    named = any(any(names.nodes(part, labels=True)) for part in parts)
    return found.group() if named else found.expand(instead)
