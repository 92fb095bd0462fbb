"""The catalogue of kinds and the guide's table say what the kinds are now."""

from grader.questions import KIND_NAMES, all_kinds
from grader.questions.titles import GROUPS
from tests import catalogue


def test_the_catalogue_is_current() -> None:
    """Every file of the catalogue is what `python -m tests.catalogue` would write, and there is no other."""
    files = catalogue.written()
    for path, text in files.items():
        assert path.is_file(), f"{path.name} is missing: run python -m tests.catalogue"
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python -m tests.catalogue"
    assert set(catalogue.PICTURES.glob("*.svg")) == {path for path in files if path.suffix == ".svg"}


def test_every_kind_is_in_a_group() -> None:
    """Each kind is in the guide and in the catalogue, in one group."""
    page = catalogue.PAGE.read_text(encoding="utf-8")
    grouped = [name for names in GROUPS.values() for name in names]
    for name in KIND_NAMES:
        found = grouped.count(name)
        assert found == 1, f"{name} is in {found} of the GROUPS in grader/questions/titles.py, not in one"
    strange = {*grouped} - {*KIND_NAMES}
    assert not strange, f"GROUPS in grader/questions/titles.py names kinds that do not exist: {strange}"
    for kind in all_kinds():
        assert f"### {kind.code}\n" in page, f"{kind.code} is missing: run python -m tests.catalogue"
        assert f"`{kind.name}`" in catalogue.GUIDE.read_text(encoding="utf-8")
