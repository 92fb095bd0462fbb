"""What all tests share: golden files, how many examples are tried, which tests are slow or come first."""

import gc
import os
import tempfile
from collections.abc import Generator, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.web.driving import CHROMIUM, MISSING, Browser, browser

# A busy machine is no failure. The fast run tries the same examples everywhere, the slow one new ones.
settings.register_profile(
    "fast",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", parent=settings.get_profile("fast"), derandomize=False, max_examples=400
)

IN_MEMORY = Path("/dev/shm")
"""Where Linux has a folder that is on no disk: what tests write there nobody waits for."""

ROOM = 2 * 2**30
"""So many bytes have to be free there; a fast run writes a fifth of it."""

FULL_COLLECTION_THRESHOLD = 100
"""After how many collections of the middle generation all objects are looked at; Python does after 10."""

SLOWEST = Path(__file__).with_name("slowest.txt")
FIRST = 20
"""How many of the slowest tests are run before all others."""


def a_part(parts: int) -> settings:
    """The settings of a law whose examples are dear: the fast run tries one of so many parts of them."""
    fast = settings().max_examples == settings.get_profile("fast").max_examples
    return settings(max_examples=settings().max_examples // (parts if fast else 1))


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add `--golden` and `--slowest`; without pytest-xdist, the options that ask for it mean nothing."""
    parser.addoption("--golden", action="store_true", help="write the golden files anew instead of comparing")
    parser.addoption(
        "--slowest", action="store_true", help=f"write {SLOWEST.name} anew from what this run took"
    )
    if not pluginmanager.has_plugin("xdist"):
        for option in ("--numprocesses", "--dist"):
            parser.addoption(option, help="needs pytest-xdist")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """What is measured or takes all day runs alone: nothing beside it, and its output as it comes."""
    return 0 if is_long(config) else None


def is_long(config: pytest.Config) -> bool:
    """Whether the slow tests or those that measure are run, which have the disk that users have."""
    return is_campaign(config) or "benchmark" in config.option.markexpr.replace("not benchmark", "")


def has_room(folder: Path) -> bool:
    """Whether a folder is there, holds what a fast run writes, and lets programs in it run."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    told = os.statvfs(folder)
    return told.f_bavail * told.f_frsize >= ROOM and not told.f_flag & os.ST_NOEXEC


def is_campaign(config: pytest.Config) -> bool:
    """Whether the slow tests are run."""
    chosen: str = config.option.markexpr
    return "slow" in chosen and "not slow" not in chosen


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile that goes with what is run, and take the time if it is asked for."""
    settings.load_profile("thorough" if is_campaign(config) else "fast")
    if not is_long(config) and "TMPDIR" not in os.environ and has_room(IN_MEMORY):
        os.environ["TMPDIR"], tempfile.tempdir = str(IN_MEMORY), None
    if config.getoption("--slowest") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Slowest())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what is, and put the slowest tests first."""
    campaign = is_campaign(config)
    for _, cases in groupby(items, lambda item: (item.path, getattr(item, "originalname", item.name))):
        table = [case for case in cases if isinstance(case, pytest.Function)]
        mark = next((mark for case in table for mark in case.iter_markers("sampled")), None)
        fast = set(range(len(table))) if mark is None else sample(table, *mark.args)
        for place, case in enumerate(table):
            random = getattr(case.function, "is_hypothesis_test", False)
            if place not in fast or (campaign and (mark is not None or random)):
                case.add_marker(pytest.mark.slow)
    places = {name: place for place, name in enumerate(SLOWEST.read_text(encoding="utf-8").splitlines())}
    items.sort(key=lambda item: places.get(item.nodeid, len(places)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the collector of garbage the list of tests: while it grows, and mostly while the tests run.

    What lives long is a million objects, mostly modules and tests, which a full collection visits one by one:
    with Python's own thresholds that takes a tenth of a run. Hypothesis would miss what is frozen.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.set_threshold(700, 10, FULL_COLLECTION_THRESHOLD)
        gc.enable()


def sample(table: Sequence[pytest.Function], count: int | None = None) -> set[int]:
    """The places of so many cases, evenly spread; or of a few in which every value of every parameter is."""
    if count is not None:
        return {place * len(table) // count for place in range(min(count, len(table)))}
    values = [{(name, id(value)) for name, value in case.callspec.params.items()} for case in table]
    chosen: set[int] = set()
    seen: set[tuple[str, int]] = set()
    for enough in (min(map(len, values)), 1):  # the diagonal first, then what it leaves out
        for place, own in enumerate(values):
            if len(own - seen) >= enough:
                chosen.add(place)
                seen |= own
    return chosen


class Slowest:
    """Writes down which tests took longest."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test took itself: what its fixtures took stands for its neighbours as well."""
        if report.when == "call":
            self.seconds[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        names = sorted(self.seconds, key=lambda name: -self.seconds[name])[:FIRST]
        SLOWEST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


class Golden:
    """Compares a text with a golden file, or writes the file anew."""

    def __init__(self, writing: bool) -> None:
        self.writing = writing

    def hold(self, path: Path, text: str) -> None:
        """The text is what the file says; with `--golden` the file is made to say it."""
        if self.writing:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing; `pytest --golden` writes it"
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.name} differs; `pytest --golden` writes it anew"
        )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests; each opens a page of its own."""
    if CHROMIUM is None:
        pytest.skip(MISSING)
    with browser() as driven:
        yield driven


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """The comparison with golden files."""
    return Golden(request.config.getoption("--golden"))
