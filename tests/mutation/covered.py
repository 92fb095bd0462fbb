"""The modules that mutants are planted into, and the tests that must kill the mutants."""

from tests.mutation.mutants import ROOT


def _modules_of(room: str) -> tuple[str, ...]:
    """Return all modules of a room and of its packages, as paths from the root."""
    folder = ROOT / "grader" / room
    modules = (path for path in folder.rglob("*.py") if path != folder / "__init__.py")
    return tuple(sorted(str(path.relative_to(ROOT)) for path in modules))


COVERED: dict[tuple[str, ...], tuple[str, ...]] = {
    _modules_of("solvers"): (
        "tests/solvers",
        "tests/questions",
        "tests/exercises/test_checking.py",
    ),
    ("grader/exercises/marking.py", "grader/exercises/follow_through.py"): (
        "tests/exercises",
        "tests/questions/test_told.py",
    ),
    _modules_of("exercises/checking"): ("tests/exercises/test_checking.py", "tests/cli/test_transcripts.py"),
    _modules_of("questions"): (
        "tests/questions",
        "tests/exercises",
        "tests/solvers/test_mistaken.py",
        "tests/answers/test_forms.py",
        "tests/generation/test_given.py",
        "tests/solvers/explaining",
        "tests/exam/test_composing.py",
    ),
    ("grader/generation/selection.py",): (
        "tests/generation/test_separation.py",
        "tests/generation/test_measures.py",
        "tests/questions/test_drawn.py",
    ),
    _modules_of("answers"): (
        "tests/answers",
        "tests/exercises",
        "tests/questions/test_told.py",
        "tests/questions/test_uct.py",
        "tests/questions/test_unknown_payoffs.py",
        "tests/questions/test_drawn.py",
        "tests/generation/test_separation.py",
        "tests/publishing/lms",
        "tests/publishing/test_feedback.py",
        "tests/scanning/test_reader.py",
        "tests/scanning/test_decisions.py",
        "tests/grading/test_model.py",
        "tests/test_languages.py",
    ),
}
"""Modules -> the tests that judge their mutants: the fastest first, without those that take too long."""
