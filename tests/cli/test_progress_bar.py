"""Bars on stderr: every stage has one, and who does not watch reads a line when it takes long."""

import io
import sys
from time import sleep

import pytest

from grader.cli.shared import progress_bar
from grader.cli.shared.progress_bar import count_bar, iterate_with_bar, open_ended_bar, stage_bars


class Screen(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        """Somebody watches."""
        return True

    def lines(self) -> list[str]:
        """What every line shows in the end; the last one must be ended."""
        *lines, rest = self.getvalue().split("\n")
        assert rest == ""
        return [line.rpartition("\r")[2] for line in lines]


def test_a_bar_ends_full_and_on_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """After all things are done the bar says 100 %, and what is said next starts a line."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    assert list(iterate_with_bar("abc", 3, "Growing")) == ["a", "b", "c"]
    (line,) = screen.lines()
    assert "Growing" in line
    assert "100%" in line


def test_every_stage_has_its_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages are told how far they are, not how much more; an error leaves no line open."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())

    def stopped() -> None:
        with stage_bars() as tell:
            for stage, done in (("growing", 0), ("growing", 1), ("growing", 4), ("printing", 1)):
                tell(stage, done, 4)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stopped()
    growing, printing = screen.lines()
    assert "growing" in growing
    assert "100%" in growing
    assert "printing" in printing
    assert "25%" in printing


def test_nothing_is_shown_of_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done in one step has no bar."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with count_bar("Growing", 1) as tell:
        tell(1)
    assert screen.getvalue() == ""


def test_nothing_is_shown_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """A bar in a log file helps nobody."""
    with stage_bars() as tell:
        tell("growing", 3, 4)
    assert list(iterate_with_bar("ab", 2, "Growing")) == ["a", "b"]
    assert capsys.readouterr().err == ""


def test_what_takes_long_says_so_in_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal a line says how far it is after every pause, also when nothing new was done."""
    monkeypatch.setattr(progress_bar, "MAX_SILENT_SECONDS", 0.02)
    with open_ended_bar("Breeding", "candidates") as tell:
        tell(1200)
        sleep(0.2)
    with count_bar("Growing", 30) as more:
        more(1)
        sleep(0.2)
    lines = capsys.readouterr().err.splitlines()
    bred = [line for line in lines if line.startswith("Breeding: 1,200 candidates so far, ")]
    grown = [line for line in lines if line.startswith("Growing: 1 of 30, ")]
    assert len(bred) >= 2
    assert len(grown) >= 2
    assert len(bred) + len(grown) == len(lines)
