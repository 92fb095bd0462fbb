"""The core runs in a browser: without arrays, typesetter, command line, workbooks and processes."""

import subprocess
import sys

PROGRAM = """
import sys
ARRAYS = {
    f"grader.solvers.{name}" for name in ("integers", "levels", "lockstep", "lockstep_mistakes")
}  # loaded when called
for name in ("numpy", "typst", "typer", "openpyxl", "babel", "multiprocessing.resource_tracker"):
    sys.modules[name] = None  # whoever imports one of them fails
import importlib
import pkgutil
import grader
for room in ("base", "trees", "solvers", "answers", "questions", "exercises", "pictures", "web.messages"):
    module = importlib.import_module(f"grader.{room}")
    for found in pkgutil.walk_packages(module.__path__, f"grader.{room}."):
        if found.name not in ARRAYS:
            importlib.import_module(found.name)

from grader.exercises.exercise import make_exercise
from grader.questions import all_kinds
from grader.questions.case import Case
from grader.pictures.text import text_picture
from grader.pictures.view import View

tree = grader.read_tree("MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6) MIN D=2 (14 5 2))")
solution = grader.solve(tree, grader.Rules())
judgement = grader.judge(tree, grader.Rules())
assert judgement.ok
assert "</svg>" in grader.svg(tree, view=View.from_judgement(judgement))
assert grader.explain(solution).steps
for kind in all_kinds():
    if kind.objection(Case(tree.bare(), grader.Rules())) is None:
        exercise = make_exercise(kind, tree, grader.Rules())
        marked = grader.mark(exercise, exercise.key)
        assert marked.points == marked.maximum
        assert "</svg>" in grader.svg(exercise.public.tree)
from grader.web.messages.handler import HANDLERS, MessageHandler

record = exercise.to_json()
handler = MessageHandler(lambda kind, level, place: [record])
message = {"tree": "MAX A=3 (3 2)", "exercise": record, "reply": "3", "number": 1, "kind": "", "level": ""}
for asked in HANDLERS:
    answer = handler.answer({**message, "ask": asked, "notes": [], "seen": [], "start": 0, "pool": [record]})
    assert "errors" not in answer
print(text_picture(solution.tree, solution))
"""


def test_the_core_needs_the_core_alone() -> None:
    """Without what a browser lacks all of the core loads, and reads, marks and draws."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr
    assert "▽ C ≤ 2" in run.stdout
