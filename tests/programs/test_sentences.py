"""What is said of common mistakes is true, and names the line."""

import pytest

from grader.programs.sentences import sentence_of
from tests.programs.checks import check

SEARCH = """
INF = float("inf")
def alphabeta(node, depth, alpha, beta, maximizing):
    if not isinstance(node, list):
        return node
    if maximizing:
        best = -INF
        for child in node:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            if best >= beta:
                return best
            alpha = max(alpha, best)
        return best
    best = INF
    for child in node:
        best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
        if best <= alpha:
            return best
        beta = min(beta, best)
    return best
"""
ENTRY = "def alphabeta(node, depth):\n    return search(node, depth, {}, True)\n"

CHANGES: dict[str, tuple[list[tuple[str, str]], str, str]] = {
    "zero at MAX": ([("best = -INF", "best = 0")], "best-start", "line 7 of"),
    "zero everywhere": (
        [("best = -INF", "best = 0"), ("best = INF", "best = 0")],
        "best-start",
        "lines 7 and 14 of",
    ),
    "alpha from zero": (
        [("alphabeta(", "search("), ("", ENTRY.format("0, INF"))],
        "window-start",
        "line 22 of",
    ),
    "an empty window": (
        [("alphabeta(", "search("), ("", ENTRY.format("0, 0"))],
        "window-start",
        "line 22 of",
    ),
    "swapped in calls": (
        [("alpha, beta, False", "beta, alpha, False"), ("alpha, beta, True", "beta, alpha, True")],
        "window-swapped",
        "lines 9 and 16 of",
    ),
    "swapped at MIN": ([("alpha, beta, True", "beta, alpha, True")], "window-swapped", "line 16 of"),
    "a test turned round at MAX": ([("best >= beta", "best <= beta")], "reversed-test", "line 10 of"),
    "both tests turned round": (
        [("best >= beta", "best <= beta"), ("best <= alpha", "best >= alpha")],
        "reversed-test",
        "lines 10 and 17 of",
    ),
    "a return in the loop": ([("beta = min(beta, best)", "return best")], "first-child-only", "line 19 of"),
    "global bounds": (
        [
            (
                "alphabeta(node, depth, alpha, beta, maximizing):",
                "search(node, maximizing):\n    global alpha, beta",
            ),
            ("alphabeta(child, depth - 1, alpha, beta, ", "search(child, "),
            ("", "alpha, beta = -INF, INF\ndef alphabeta(node, depth):\n    return search(node, True)\n"),
        ],
        "window-shared",
        "line 4 of",
    ),
    "alpha is never updated": (
        [("            alpha = max(alpha, best)\n", "")],
        "only-at-max",
        "must update and pass",
    ),
    "no test at all": (
        [
            ("if best >= beta:\n                return best", "pass"),
            ("if best <= alpha:\n            return best", "pass"),
        ],
        "never-prunes",
        "lines 8 and 14 of",
    ),
}
"""Replaced texts (an empty one stands for the end of the file), the mistake, and a part of the sentence."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_common_mistake_is_named_alone(name: str) -> None:
    """The mistake that was made is the only one that is named, with its lines or what to do."""
    changes, mistake, part = CHANGES[name]
    text = SEARCH
    for old, new in changes:
        assert old in text
        text = text.replace(old, new) if old else text + new
    verdict = check(text)
    assert (verdict.ruling, verdict.mistakes) == ("wrong", (mistake,))
    assert part in sentence_of(verdict)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("return INF", "No mistake that is known here"),
        (
            "for child in node:\n        alphabeta(child, depth - 1, not maximizing)\n    return None",
            "neither a value",
        ),
        ("return None", "not written yet"),
        ("best = max(alphabeta(child, depth - 1, not maximizing) for child in node)", "a return is missing"),
    ],
)
def test_what_comes_back_is_said_as_it_is(body: str, part: str) -> None:
    """An infinity is a value, None from a written function is no answer, and a stub is not written."""
    lead = "INF = float('inf')\ndef alphabeta(node, depth, maximizing):\n"
    verdict = check(f"{lead}    if not isinstance(node, list):\n        return node\n    {body}\n")
    assert part in sentence_of(verdict)


def test_a_file_without_any_function_is_told_so() -> None:
    """The list of the functions of a file says that there are none."""
    assert sentence_of(check("x = 1\n")).endswith("its functions are: none.")
