"""What all tests share: the flag for golden files, the profile of Hypothesis, and how many run at once."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure. The fast run tries the same examples everywhere, the slow one new ones.
settings.register_profile(
    "fast", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("slow", parent=settings.get_profile("fast"), derandomize=False)


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile that goes with what is run."""
    settings.load_profile("fast" if "not slow" in config.option.markexpr else "slow")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add `--golden`; without pytest-xdist, the options that ask for it mean nothing."""
    parser.addoption("--golden", action="store_true", help="write the golden files anew instead of comparing")
    if not pluginmanager.has_plugin("xdist"):
        for option in ("--numprocesses", "--dist"):
            parser.addoption(option, help="needs pytest-xdist")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """What is measured or takes all day runs alone: nothing beside it, and its output as it comes."""
    chosen = config.option.markexpr.replace("not slow", "").replace("not benchmark", "")
    return 0 if "slow" in chosen or "benchmark" in chosen else None


class Golden:
    """Compares a text with a golden file, or writes the file anew."""

    def __init__(self, writing: bool) -> None:
        self.writing = writing

    def hold(self, path: Path, text: str) -> None:
        """The text is what the file says; with `--golden` the file is made to say it."""
        if self.writing:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.name} differs; `pytest --golden` writes it anew"
        )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """The comparison with golden files."""
    return Golden(request.config.getoption("--golden"))
