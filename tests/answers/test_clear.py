"""What a teacher understands at once, as the files in `clear/` say it is meant."""

from pathlib import Path

import pytest

from grader.answers.form import Ambiguous, Malformed
from tests.answers.test_replies import lines

CLEAR = lines(Path(__file__).with_name("clear"))

LEAST = 0.97
"""The share of clear replies that is read at least."""


def test_clear_replies_are_read_and_none_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 97 of 100 clear replies are read as what they mean, and none as anything else."""
    unread, wrong = [], []
    for place, form, tree, terms, reply, meaning in CLEAR:
        answer = form.read(reply, tree, terms)
        if isinstance(answer, Malformed | Ambiguous):
            unread.append(f"{place}: {reply}")
        elif form.write(answer, tree) != meaning:
            wrong.append(f"{place}: {reply} => {form.write(answer, tree)}, not {meaning}")
    count = len(CLEAR)
    with capsys.disabled():
        print(f"\n{count - len(unread)} of {count} clear replies are read, {len(wrong)} of them wrongly")
    assert count >= 436
    assert not wrong, "\n".join(wrong)
    assert count - len(unread) >= LEAST * count, "\n".join(unread)
