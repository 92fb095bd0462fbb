"""Names that hold a colon in the completion of Bash, which takes them for three words."""

import os
from collections.abc import MutableMapping

COMPLETING = "_GAMETREE_COMPLETE"
"""What is set while a shell asks what a word may become."""

_CUT = "_GAMETREE_CUT"
"""What is set when the shell completes only what stands behind the colon."""


def join_words(front: str, environment: MutableMapping[str, str] = os.environ) -> None:
    """Put together what Bash has taken apart: `bank`, `:` and `aima` are one word, `bank:` being the `front`.

    Of the word that is to be completed the front is left out: Bash puts it before whatever it is told.
    """
    if environment.get(COMPLETING) != "complete_bash":
        return
    words, at = environment.get("COMP_WORDS", "").split("\n"), int(environment.get("COMP_CWORD", "0"))
    words = words[: at + 1]
    for place in range(len(words) - 2, 0, -1):
        if words[place] + words[place + 1] != front:
            continue
        if place + 3 < len(words):
            words[place : place + 3] = ["".join(words[place : place + 3])]
        else:
            words[place:] = ["".join(words[place + 2 :])]
            environment[_CUT] = front
    environment["COMP_WORDS"], environment["COMP_CWORD"] = "\n".join(words), str(len(words) - 1)


def completed(names: tuple[str, ...], front: str, incomplete: str) -> list[str]:
    """What a word may become: a name with its front, or without, where the shell has the front already."""
    if os.environ.get(_CUT) == front:
        return [name for name in names if name.startswith(incomplete)]
    return [name for name in (front + name for name in names) if name.startswith(incomplete)]
