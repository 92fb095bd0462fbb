"""Tests of a search for a course: a pytest file, a Gradescope autograder and a PrairieLearn question."""

import json
import uuid
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.phrases import ENGLISH
from grader.base.shipped import shipped_folder
from grader.programs.checking import CheckOptions, check_program
from grader.programs.interface import load_interface
from grader.programs.records import program_points, rubric
from grader.programs.sentences import comparison_sentences, counterexample_title, note_sentences, sentence_of
from grader.programs.submissions import read_programs
from grader.programs.verdict import PARTS, Verdict
from grader.publishing.lms.autograding import to_platform_float
from grader.publishing.lms.vendoring import wheel
from grader.tables.rows import TableError
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Ties

SETTINGS = "settings.json"
TIE_RULES: Mapping[Ties | None, str] = {
    "cut": "Alpha-beta prunes when alpha equals beta.",
    "keep": "Alpha-beta does not prune when alpha equals beta, only when alpha is larger.",
    None: "Alpha-beta may prune when alpha equals beta, or not.",
}
"""The tie rule in words for students."""

_NAMESPACE = uuid.UUID("0a5de3b1-6d0c-5f0f-8d1e-3d8a8d6a4c22")
_SCRIPTS: Mapping[str, str] = {
    "pytest/test_search.py": "programs/test_search.py",
    "gradescope/setup.sh": "gradescope/setup.sh",
    "gradescope/run_autograder": "gradescope/run_autograder",
    "gradescope/autograder.py": "programs/gradescope.py",
    "prairielearn/tests/grade.py": "programs/prairielearn.py",
}
"""The path of every script in the export, and that of its template."""


def export_files(interface: str, ties: Ties | None, points: int) -> dict[str, bytes]:
    """Return the files by their paths; each of the three folders works without the others."""
    from grader.base.templating import html_environment  # not in the containers, which import this module

    templates = shipped_folder("templates")
    files = {path: (templates / name).read_bytes() for path, name in _SCRIPTS.items()}
    own = Path(interface) if interface.endswith(".py") else None
    settings = canonical_json({"interface": own.name if own else interface, "points": points, "ties": ties})
    name, data = wheel(ENGLISH)
    for folder in ("pytest", "gradescope", "prairielearn/tests"):
        files[f"{folder}/{SETTINGS}"] = settings.encode()
        if own is not None:
            files[f"{folder}/{own.name}"] = own.read_bytes()
        if folder != "pytest":
            files[f"{folder}/{name}"] = data
    stub = load_interface(interface).stub
    files["pytest/search.py"] = stub.encode()
    question = html_environment().get_template("programs/question.html.j2")
    files["prairielearn/question.html"] = question.render(stub=stub, tie_rule=TIE_RULES[ties]).encode()
    files["prairielearn/info.json"] = json.dumps(_about(interface), indent=4).encode() + b"\n"
    return files


def _about(interface: str) -> dict[str, Any]:
    """Return the description of the PrairieLearn question; the external grader runs `tests/grade.py`."""
    return {
        "uuid": str(uuid.uuid5(_NAMESPACE, interface)),
        "title": "A search program",
        "topic": "Adversarial search",
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": "prairielearn/grader-python",
            "entrypoint": "python3 /grade/tests/grade.py /grade",
            "timeout": 120,
        },
    }


def _settings(folder: Path) -> dict[str, Any]:
    return dict(parse_json((folder / SETTINGS).read_bytes()))


def check_exported(folder: Path, submission: Path) -> tuple[Verdict, int]:
    """Check a submission by the settings in the folder of a script; return the verdict and the full points.

    Raises `TableError` if there is not exactly one program.
    """
    settings = _settings(folder)
    interface = settings["interface"]
    if interface.endswith(".py"):
        interface = str(folder / interface)
    programs = list(read_programs(submission))
    if len(programs) != 1:
        raise TableError(f"hand in one file with a search; there are {len(programs)}")
    return check_program(programs[0], CheckOptions(interface, ties=settings["ties"])), settings["points"]


def gradescope_results(folder: Path, submission: Path) -> dict[str, Any]:
    """Return the JSON value for `results.json` of Gradescope: a test for each line of the rubric.

    A submission that cannot be read fails one test, which is worth all points.
    """
    try:
        verdict, full = check_exported(folder, submission)
    except TableError as error:
        full = _settings(folder)["points"]
        test = {"name": "Program", "score": 0, "max_score": full, "status": "failed", "output": str(error)}
        return {"tests": [test], "stdout_visibility": "hidden"}
    tests = [
        {
            "name": str(PARTS[part]),
            "score": to_platform_float(points),
            "max_score": to_platform_float(maximum),
            "status": "passed" if points == maximum else "failed",
            "output": "",
        }
        for part, points, maximum in rubric(verdict, full)
    ]
    about = {"output": _explanation(verdict), "output_format": "text", "stdout_visibility": "hidden"}
    return {**about, "tests": tests}


def prairielearn_results(folder: Path, submission: Path) -> dict[str, Any]:
    """Return the JSON value for `results.json` of PrairieLearn's external grader.

    A submission that cannot be read is not gradable, with the reason.
    """
    try:
        verdict, full = check_exported(folder, submission)
    except TableError as error:
        return {"gradable": False, "message": str(error)}
    tests = [
        {
            "name": str(PARTS[part]),
            "points": to_platform_float(points),
            "max_points": to_platform_float(maximum),
        }
        for part, points, maximum in rubric(verdict, full)
    ]
    score = to_platform_float(Fraction(program_points(verdict, full) or 0) / full)
    return {"gradable": True, "score": score, "message": _explanation(verdict), "tests": tests}


def _explanation(verdict: Verdict) -> str:
    """Return the judgement, the smallest tree and the first difference as lines of text."""
    lines = [sentence_of(verdict)]
    if verdict.counterexample is not None:
        lines += ["", counterexample_title(verdict), write_tree(verdict.counterexample.whole)]
    if (comparison := verdict.counterexample_comparison) is not None:
        lines += ["", *comparison_sentences(verdict, comparison)]
    return "\n".join((*lines, *note_sentences(verdict)))
