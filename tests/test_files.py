"""Writing files: whole or not at all, and nothing but the file is touched."""

import os
from pathlib import Path

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
