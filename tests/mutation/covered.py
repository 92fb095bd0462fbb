"""The modules that mutants are planted into, and the tests that are to kill them."""

_KINDS = ("tests/kinds", "tests/marking", "tests/solvers/test_mistaken.py", "tests/answers/test_forms.py")

COVERED: dict[tuple[str, ...], tuple[str, ...]] = {
    tuple(
        f"grader/solvers/{name}.py"
        for name in (
            *("sweep", "alphabeta", "relevance", "star1", "expectiminimax", "minimax", "maxn", "integers"),
            *("limit", "unknowns", "values", "backing", "payoffs", "solution", "trace", "searching"),
        )
    ): ("tests/solvers", "--deselect=tests/solvers/test_planted_bugs.py"),
    ("grader/solvers/mistaken.py",): ("tests/solvers/test_mistaken.py", "tests/kinds"),
    ("grader/marking.py", "grader/following.py"): ("tests/marking",),
    tuple(
        f"grader/kinds/{name}.py"
        for name in (
            *("beliefs", "best_move", "best_path", "carries", "chance_cuts", "expected_values", "given"),
            *("kind", "node_values", "pruned_branches", "pruned_paths", "root_value", "searching"),
            *("valuing", "visited_count", "visiting_order", "why", "windows", "wording"),
        )
    ): _KINDS,
    ("grader/generation/separation.py",): ("tests/generation/test_separation.py",),
}
"""Files -> the tests that are run for their mutants; the quickest first, those that take long not at all."""
