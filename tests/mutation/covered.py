"""The modules that mutants are planted into, and the tests that are to kill them."""

from tests.mutation.mutants import ROOT

_KINDS = (
    *("beliefs", "best_move", "best_path", "carries", "chance_cuts", "expected_values", "given", "kind"),
    *("node_values", "pruned_branches", "pruned_paths", "root_value", "search_answers", "valuing"),
    *("visited_count", "visiting_order", "why", "windows", "wording"),
)


def _in(room: str) -> tuple[str, ...]:
    """All modules of a room."""
    return tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "grader" / room).glob("[!_]*.py")))


COVERED: dict[tuple[str, ...], tuple[str, ...]] = {
    _in("solvers"): ("tests/solvers", "tests/kinds", "tests/marking/test_checking.py"),
    ("grader/marking.py", "grader/following.py"): ("tests/marking", "tests/kinds/test_told.py"),
    _in("checking"): ("tests/marking/test_checking.py", "tests/cli/test_transcripts.py"),
    tuple(f"grader/kinds/{name}.py" for name in _KINDS): (
        "tests/kinds",
        "tests/marking",
        "tests/solvers/test_mistaken.py",
        "tests/answers/test_forms.py",
    ),
    ("grader/generation/separation.py",): (
        "tests/generation/test_separation.py",
        "tests/generation/test_measures.py",
    ),
    _in("answers"): ("tests/answers", "tests/marking", "tests/kinds/test_told.py"),
}
"""Files -> the tests that are run for their mutants; the quickest first, those that take long not at all."""
