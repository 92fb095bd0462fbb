"""Complete names with a colon in Bash, which splits them into three words."""

import os

COMPLETING = "_GAMETREE_COMPLETE"
"""The environment variable that is set while a shell asks for completions."""

_PREFIX_TYPED = "_GAMETREE_CUT"
"""The environment variable that is set when the shell completes only the part after the colon."""


def join_words(prefix: str) -> None:
    """Join what Bash has split: with the prefix `bank:` the words `bank`, `:` and `aima` become one.

    The word that is to be completed loses its prefix, because Bash keeps that on the line itself.
    """
    environment = os.environ
    if environment.get(COMPLETING) != "complete_bash":
        return
    words, current = environment.get("COMP_WORDS", "").split("\n"), int(environment.get("COMP_CWORD", "0"))
    words = words[: current + 1]
    for index in range(len(words) - 2, 0, -1):
        if words[index] + words[index + 1] != prefix:
            continue
        if index + 3 < len(words):
            words[index : index + 3] = ["".join(words[index : index + 3])]
        else:
            words[index:] = ["".join(words[index + 2 :])]
            environment[_PREFIX_TYPED] = prefix
    environment["COMP_WORDS"], environment["COMP_CWORD"] = "\n".join(words), str(len(words) - 1)


def completed(names: tuple[str, ...], prefix: str, incomplete: str) -> list[str]:
    """The names that complete a word, with the prefix unless the shell has it already."""
    if os.environ.get(_PREFIX_TYPED) == prefix:
        return [name for name in names if name.startswith(incomplete)]
    return [name for name in (prefix + name for name in names) if name.startswith(incomplete)]
