"""Steps that are made ahead, in a thread of their own."""

from collections.abc import Generator
from contextlib import closing
from threading import Thread, current_thread, get_ident

import pytest

from grader.base.prefetch import prefetch


def test_each_is_made_while_the_one_before_is_used() -> None:
    """All items come, in order, made by one other thread that is never more than one of them ahead."""
    used, made = list[int](), list[tuple[int, int]]()

    def steps() -> Generator[int, None, None]:
        for number in range(50):
            made.append((get_ident(), number - len(used)))
            yield number

    for number in prefetch(steps()):
        used.append(number)
    (thread,) = {thread for thread, _ in made}
    assert used == list(range(50))
    assert thread != get_ident()
    assert max(further for _, further in made) <= 1


def test_what_a_step_raises_comes_in_its_turn() -> None:
    """What was made before is used first, and then the error is raised to whoever uses it."""

    def steps() -> Generator[int, None, None]:
        yield 1
        raise ValueError("the second")

    made = prefetch(steps())
    assert next(made) == 1
    with pytest.raises(ValueError, match="the second"):
        next(made)


def test_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no thread can be started, all items come too, and the steps are closed."""
    closed = []

    def steps() -> Generator[int, None, None]:
        try:
            yield from range(3)
        finally:
            closed.append(True)

    monkeypatch.setattr(Thread, "start", no_thread)
    assert list(prefetch(steps())) == [0, 1, 2]
    with closing(prefetch(steps())) as made:
        assert next(made) == 0
    assert closed == [True, True]


def no_thread(_: Thread) -> None:
    """What Python does where the system starts no thread."""
    raise RuntimeError("can't start new thread")


def test_whoever_stops_leaves_nothing_open() -> None:
    """When no more is asked for the steps are closed, where they were made."""
    closed = []

    def steps() -> Generator[int, None, None]:
        thread = current_thread()
        try:
            while True:
                yield 1
        finally:
            closed.append(current_thread() is thread)

    with closing(prefetch(steps())) as made:
        assert next(made) == 1
    assert closed == [True]
