"""The law of a ready lecture: what its plan speaks of is there, and works."""

import re
from pathlib import Path

import pytest

from tests.cli.running import gametree


def test_a_lecture_has_what_its_plan_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file of the plan exists, the quiz is a correct exam, and the chosen rules hold everywhere."""
    monkeypatch.chdir(tmp_path)
    ran = gametree("unit", "-o", "lecture", "--ties", "keep", "--language", "de", "--interface", "values")
    assert ran.code == 0, ran.err
    plan = Path("lecture/README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:slides|quiz|homework|exam|exam-preview)\b[\w./-]*)`", plan)
    assert len(set(named)) > 10
    assert [name for name in named if not Path("lecture", name).exists()] == []
    assert gametree("exam", "verify", "lecture/quiz", "--blueprint", "lecture/quiz.toml").code == 0
    for name in ("quiz", "exam"):
        blueprint = Path(f"lecture/{name}.toml").read_text(encoding="utf-8")
        assert ('language = "de"' in blueprint, 'ties = "keep"' in blueprint) == (True, True)
        assert Path(f"lecture/{name}.toml").stat().st_mode & 0o077 == 0
    for page in Path("lecture/slides").iterdir():
        assert '<html lang="de">' in page.read_text(encoding="utf-8")
    stub = gametree("code", "interfaces", "values").out
    assert Path("lecture/homework/pytest/search.py").read_text(encoding="utf-8").strip() == stub.strip()
    assert gametree("unit", "-o", "lecture").code == 2
