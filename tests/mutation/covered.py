"""The modules that mutants are planted into, and the tests that are to kill them."""

_KINDS = ("tests/kinds", "tests/marking", "tests/solvers/test_mistaken.py", "tests/answers/test_forms.py")

COVERED: dict[tuple[str, ...], tuple[str, ...]] = {
    tuple(
        f"grader/solvers/{name}.py"
        for name in (
            *("sweep", "alphabeta", "relevance", "expectiminimax", "minimax", "maxn", "integers"),
            *(
                "limit",
                "unknowns",
                "values",
                "backing",
                "solvable",
                "solution",
                "trace",
                "searching",
                "weighing",
            ),
        )
    ): tuple(
        f"tests/solvers/test_{name}.py"
        for name in (
            *(
                "values",
                "backing",
                "relevance",
                "limit",
                "solution",
                "unknowns",
                "star1",
                "weighing",
                "definition",
            ),
            "laws",
        )
    ),
    ("grader/solvers/star1.py", "grader/solvers/mistaken.py"): (
        *(f"tests/solvers/test_{name}.py" for name in ("star1", "weighing", "definition", "mistaken")),
        "tests/kinds",
    ),
    **{
        (f"grader/solvers/{name}.py",): (f"tests/solvers/test_{name}.py",)
        for name in (
            *("belief_state", "cut_reasons", "deepening", "depth_limited", "feasible", "fixed_opponent"),
            *("maxn_ties", "scaling", "uct", "unknown_leaf"),
        )
    },
    ("grader/solvers/budget.py", "grader/solvers/reorder.py"): (
        "tests/solvers/test_budget.py",
        "tests/solvers/test_reorder.py",
    ),
    ("grader/solvers/possible_values.py", "grader/solvers/provisional.py"): (
        "tests/solvers/test_possible_values.py",
    ),
    ("grader/solvers/strategies.py",): (
        "tests/solvers/test_fixed_opponent.py",
        "tests/solvers/test_belief_state.py",
    ),
    ("grader/solvers/levels.py", "grader/solvers/lockstep.py"): ("tests/solvers/test_arrays.py",),
    ("grader/marking.py", "grader/following.py"): ("tests/marking",),
    tuple(f"grader/checking/{name}.py" for name in ("claims", "crosses", "judgement")): (
        "tests/marking/test_checking.py",
    ),
    tuple(
        f"grader/kinds/{name}.py"
        for name in (
            *("beliefs", "best_move", "best_path", "carries", "chance_cuts", "expected_values", "given"),
            *("kind", "node_values", "pruned_branches", "pruned_paths", "root_value", "search_answers"),
            *("valuing", "visited_count", "visiting_order", "why", "windows", "wording"),
        )
    ): _KINDS,
    ("grader/generation/separation.py",): ("tests/generation/test_separation.py",),
}
"""Files -> the tests that are run for their mutants; the quickest first, those that take long not at all."""
