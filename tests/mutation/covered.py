"""The modules that mutants are planted into, and the tests that are to kill them."""

from tests.mutation.mutants import ROOT


def _in(room: str) -> tuple[str, ...]:
    """All modules of a room and of the packages in it."""
    folder = ROOT / "grader" / room
    modules = (path for path in folder.rglob("*.py") if path != folder / "__init__.py")
    return tuple(sorted(str(path.relative_to(ROOT)) for path in modules))


COVERED: dict[tuple[str, ...], tuple[str, ...]] = {
    _in("solvers"): (
        "tests/solvers",
        "tests/questions",
        "tests/exercises/test_checking.py",
    ),
    ("grader/exercises/marking.py", "grader/exercises/follow_through.py"): (
        "tests/exercises",
        "tests/questions/test_told.py",
    ),
    _in("exercises/checking"): ("tests/exercises/test_checking.py", "tests/cli/test_transcripts.py"),
    _in("questions"): (
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
    _in("answers"): (
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
"""Files -> the tests that are run for their mutants; the quickest first, those that take long not at all."""
