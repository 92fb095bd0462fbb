"""What a teacher understands at once, as the files in `clear/` say it is meant."""

import pytest

from grader.answers.form import Ambiguous, Malformed
from tests.answers.reply_tables import lines

CLEAR = lines("clear")

LEAST = 0.97
"""The share of clear replies that is read at least."""


def test_clear_replies_are_read_and_none_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 97 of 100 clear replies are read as what they mean, and none as anything else."""
    unread, wrong = [], []
    for line in CLEAR:
        answer = line.form.read(line.reply, line.tree, line.terms)
        if isinstance(answer, Malformed | Ambiguous):
            unread.append(f"{line.place}: {line.reply}")
        elif line.form.write(answer, line.tree) != line.reading:
            wrong.append(
                f"{line.place}: {line.reply} => {line.form.write(answer, line.tree)}, not {line.reading}"
            )
    count = len(CLEAR)
    with capsys.disabled():
        print(f"\n{count - len(unread)} of {count} clear replies are read, {len(wrong)} of them wrongly")
    assert count >= 436
    assert not wrong, "\n".join(wrong)
    assert count - len(unread) >= LEAST * count, "\n".join(unread)
