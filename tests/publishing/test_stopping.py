"""The laws of builds that are stopped from outside: nothing is lost, nothing goes on unseen."""

import os
import signal
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import pytest

from grader.publishing.building import BuildError, build
from tests.publishing.conftest import ALL, Site
from tests.publishing.test_building import contents

ROOT = Path(__file__).parents[2]

BUILD = """
import sys
from pathlib import Path
from grader.publishing.building import build
from tests.publishing.conftest import ALL, example

def stop(stage, done, _total):
    if (stage, done) == ("growing questions", 1):
        print("here", flush=True)
        sys.stdin.read()

blueprint, roster = example(5)
build(blueprint, roster, Path(sys.argv[1]), formats=ALL, exports=(), jobs=2, progress=stop)
"""
"""Builds the exam of the site, and stands still when its workers are at work."""


def finished(site: Site, folder: Path) -> dict[str, bytes]:
    """What is in a folder after the exam of the site was built there."""
    build(site.blueprint, site.roster, folder, formats=ALL, exports=())
    return contents(folder)


def test_a_killed_worker_is_an_error(site: Site, tmp_path: Path) -> None:
    """A build whose worker is killed says so, and goes on where it was when it is run again."""

    def kill(stage: str, done: int, _total: int) -> None:
        if (stage, done) == ("growing questions", 1):
            for worker in active_children():
                worker.kill()

    with pytest.raises(BuildError, match="ended from outside"):
        build(site.blueprint, site.roster, tmp_path, formats=ALL, exports=(), jobs=2, progress=kill)
    assert finished(site, tmp_path) == contents(site.folder)


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal")
def test_workers_do_not_outlive_their_build(site: Site, tmp_path: Path) -> None:
    """When a build is killed its workers end, and the next build in the folder makes the right bytes."""
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"here\n"
        process.kill()
        # Its workers have the same standard output, which ends with the last of them.
        process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert finished(site, tmp_path) == contents(site.folder)
