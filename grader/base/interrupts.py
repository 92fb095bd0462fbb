"""Ctrl-C: the program says so once, and ends within two seconds from any state."""

import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread
from time import sleep
from typing import Any

GRACE_SECONDS = 1.5
"""How long the program may take to end by itself after Ctrl-C."""

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ends."""

STOPPED = "Stopped."
"""The sentence about Ctrl-C; a command may continue it with a hint."""


class InterruptWatch:
    """Ends the program if it does not end by itself after Ctrl-C.

    Python raises `KeyboardInterrupt` only between two of its own instructions, in the main thread: it comes
    late in a library, and it is lost in a destructor. The system writes to a pipe at once, and a thread that
    reads it is not held up by either.
    """

    def __init__(self) -> None:
        self._interrupt_count = self._expected_count = 0
        self.is_announced = False
        """Whether the sentence about Ctrl-C was printed."""

    def start(self) -> None:
        """Watch from now on; to be called once, in the main thread. Windows has no such pipe."""
        sys.unraisablehook = _hide_interrupts
        if os.name == "posix":
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
            Thread(target=self._listen, args=(reader,), daemon=True).start()
            # The last step at exit: the work is done, and Python is about to let Ctrl-C kill the program.
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)

    def announce(self, write: Callable[[str], object]) -> None:
        """Print once that the program was stopped."""
        if not self.is_announced:
            self.is_announced = True
            write(STOPPED)

    @contextmanager
    def expecting(self) -> Iterator[None]:
        """Let Ctrl-C end a part of the program only; it continues after that."""
        try:
            yield
        except KeyboardInterrupt:
            self._expected_count += 1

    def finish(self) -> None:
        """Ignore Ctrl-C from now on, because the program is ending."""
        signal.signal(signal.SIGINT, _ignore)  # SIG_IGN would keep the signal from the thread as well

    def _listen(self, reader: int) -> None:
        """End the program at the first SIGINT that Python does not handle within `GRACE_SECONDS`."""
        while True:
            self._interrupt_count += os.read(reader, 1024).count(signal.SIGINT)
            if self._interrupt_count > self._expected_count:
                sleep(GRACE_SECONDS)
                if self._interrupt_count > self._expected_count:
                    end_children()
                    self.announce(lambda sentence: os.write(2, f"{sentence}\n".encode()))
                    os._exit(INTERRUPTED)


WATCH = InterruptWatch()
"""The watch of this program; without `start` it watches nothing."""


@contextmanager
def delayed_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until the end of a step that must not be left half done.

    To block the signal is not enough: another thread takes it, and Python raises `KeyboardInterrupt` in the
    main thread all the same. Other threads than the main one are never interrupted.
    """
    if current_thread() is not main_thread():
        yield
        return
    interrupts: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _frame: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if interrupts and callable(previous):
            previous(signal.SIGINT, None)


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is or follows from Ctrl-C, as Python 3.11 raises others in `__set_name__`."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def end_children() -> None:
    """End all worker processes of this program at once."""
    processes = sys.modules.get("multiprocessing")  # without it there are no workers
    for child in processes.active_children() if processes is not None else ():
        child.kill()


def _hide_interrupts(fault: Any) -> None:
    """Report an exception that Python cannot raise, unless it is Ctrl-C: the watch ends the program."""
    if not isinstance(fault.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(fault)


def _ignore(*_: object) -> None:
    pass
