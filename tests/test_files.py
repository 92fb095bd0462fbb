"""Writing files: whole or not at all, and nothing but the file is touched."""

import os
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from grader.base.files import atomic_writer, write_file


def test_a_file_stopped_half_way_is_as_before(tmp_path: Path) -> None:
    """Whoever is stopped while writing leaves the old bytes, and no other file."""
    place = tmp_path / "key.txt"
    write_file(place, b"old")

    def stopped() -> None:
        with atomic_writer(place) as file:
            file.write(b"ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What a link leads to gets the new bytes."""
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "key.txt", tmp_path / "link.txt"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_file(link, b"new", lasting=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """A place that is no file stays what it is, and gets the bytes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, b"new")
        assert os.read(end, 100) == b"new"
    finally:
        os.close(end)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    """A folder in the place of the file is refused, and nothing is left beside it."""
    with pytest.raises(OSError, match=r"directory|denied"):
        write_file(tmp_path, b"new")
    assert not list(tmp_path.iterdir())


WRITE = """
import sys, time
from pathlib import Path
from select import select
from grader.base.files import atomic_writer
with atomic_writer(Path(sys.argv[1])) as file:
    file.write(sys.argv[2].encode() * 100_000)
    file.flush()
    print("half", flush=True)
    sys.stdin.readline()
    file.write(b"end")
"""
"""Writes a file, and stands still when half of it is written."""


def writing(place: Path, letter: str) -> subprocess.Popen[str]:
    """A program that writes a file."""
    command = [sys.executable, "-c", WRITE, str(place), letter]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def half_written(program: subprocess.Popen[str]) -> bool:
    """Whether a program says that it has written half of its file."""
    assert program.stdout is not None
    return program.stdout.readline() == "half\n"


@pytest.mark.skipif(os.name != "posix", reason="Windows moves no open file")
def test_what_a_killed_program_left_is_used_again(tmp_path: Path) -> None:
    """A program that is killed while it writes leaves nothing that stays when the file is written again."""
    place = tmp_path / "grades.csv"
    with writing(place, "a") as program:
        assert half_written(program)
        program.kill()
    assert [path.name for path in tmp_path.iterdir()] == [".grades.csv.part"]
    write_file(place, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("grades.csv", b"new")]


@pytest.mark.skipif(os.name != "posix", reason="Windows moves no open file")
def test_two_programs_write_one_file(tmp_path: Path) -> None:
    """Of two programs that write a file at once, one waits; the file is that of the last one."""
    place = tmp_path / "grades.csv"
    with writing(place, "a") as first, writing(place, "b") as second:
        waiting = [program for program in (first, second) if select([program.stdout], [], [], 2)[0]]
        assert len(waiting) == 1
        (first_to_write,) = waiting
        assert half_written(first_to_write)
        first_to_write.communicate("\n", timeout=20)
        letters = {first: b"a", second: b"b"}
        other = second if first_to_write is first else first
        assert half_written(other)
        assert place.read_bytes() == letters[first_to_write] * 100_000 + b"end"
        other.communicate("\n", timeout=20)
    assert place.read_bytes() == letters[other] * 100_000 + b"end"
    assert list(tmp_path.iterdir()) == [place]
