"""The executors that mark: a thread of this process, separate processes, or a Dask cluster."""

import faulthandler
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import cache
from typing import Any, TypeAlias

from grader.base.processes import WorkerProcesses, work_for_parent

MAX_WORKER_BYTES = 4 * 2**30
"""The most bytes of address space of a process that marks."""

MAX_UNIT_SECONDS = 60.0
"""The longest that a process may take for one group of replies before it is ended."""

SCHEDULER_TIMEOUT_SECONDS = 10.0
"""The seconds in which the scheduler of a cluster has to answer."""

StartExecutor: TypeAlias = Callable[[], Executor]
"""Start an executor; called again if one has broken."""


class ExecutorError(ValueError):
    """An unknown executor, one whose package is not installed, or one that cannot be started."""


def executor_named(name: str, jobs: int) -> StartExecutor:
    """Return how to start the executor `here`, `processes` (the default), or `dask:ADDRESS`.

    - `processes`: as many as `jobs`, each limited in memory and time, started afresh and not forked.
    - `here`: a thread of this process; a reply that crashes or hangs also ends the program.
    - `dask:ADDRESS`: the workers of a cluster, which have to see the exam's folder under the same path.

    Raises `ExecutorError`.
    """
    if name == "processes":
        return lambda: WorkerProcesses(jobs, limit_worker)
    if name == "here":
        return lambda: ThreadPoolExecutor(1)
    kind, colon, address = name.partition(":")
    if kind == "dask" and colon and address:
        return lambda: _dask(address)
    raise ExecutorError(f"there is no executor {name[:60]!r}; there are processes, here and dask:ADDRESS")


def _dask(address: str) -> Executor:
    """Connect to a Dask cluster. Raises `ExecutorError` without the package or a scheduler."""
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError(
            "a Dask cluster needs the package distributed: pip install 'gametree-grader[dask]'"
        ) from None
    connect: Callable[..., Any] = Client
    try:
        return _Cluster(connect(address, timeout=SCHEDULER_TIMEOUT_SECONDS, set_as_default=False))
    except OSError as error:
        raise ExecutorError(f"there is no Dask scheduler at {address}: {error}") from None


def end_executor(executor: Executor) -> None:
    """Give up an executor whose work is not needed; its processes end at once."""
    if isinstance(executor, WorkerProcesses):
        executor.end()
    else:
        executor.shutdown(wait=False, cancel_futures=True)


class _Cluster(Executor):
    """The workers of a Dask cluster; giving the executor back closes the connection."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Hand work to the cluster, which does it again elsewhere when a worker dies."""
        future: Future[Any] = self._executor.submit(function, *arguments, **keywords)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the connection; the cluster itself goes on."""
        del cancel_futures  # Dask drops work that no client waits for
        self._executor.shutdown(wait=wait)
        self._client.close()


def limit_worker() -> None:
    """Limit the memory of this worker process; it ignores Ctrl-C and ends with its parent."""
    work_for_parent()
    _LIMITED.append(True)
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = MAX_WORKER_BYTES if hard == resource.RLIM_INFINITY else min(MAX_WORKER_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


_LIMITED: list[bool] = []
"""Not empty in a limited worker process."""


def start_watchdog() -> None:
    """End this worker process in `MAX_UNIT_SECONDS`; a call restarts the clock."""
    if _LIMITED:
        faulthandler.dump_traceback_later(MAX_UNIT_SECONDS, exit=True, file=_silence())


def stop_watchdog() -> None:
    """Remove the time limit of this worker process."""
    if _LIMITED:
        faulthandler.cancel_dump_traceback_later()


@cache
def _silence() -> int:
    """Return a file descriptor that swallows the traceback of a worker that is ended."""
    return os.open(os.devnull, os.O_WRONLY)
