"""Replies to every single question, as people write them: read as they are meant, or shown to a person."""

from collections import defaultdict

import pytest

from grader.answers.form import Ambiguous, Malformed
from grader.questions import all_kinds, kind_by_code
from tests.answers.reply_tables import lines

FOR_A_PERSON = "?"
"""How a table says that a reply is not clear."""

LEAST = 0.97
"""The share of clear replies that is read at least."""

ASKED = lines("asked")


def test_every_question_has_thirty_replies() -> None:
    """Each ask of each kind has at least thirty different replies in the tables, some of them unclear."""
    replies: dict[str, set[str]] = defaultdict(set)
    unclear: dict[str, int] = defaultdict(int)
    for line in (*lines("replies"), *lines("clear"), *ASKED):
        for ask in line.asks:
            replies[ask].add(line.reply)
            unclear[ask] += line.reading == FOR_A_PERSON or line.reading.startswith(("MALFORMED", "AMBIG"))
    assert {kind.code: len(replies[kind.code]) for kind in all_kinds() if len(replies[kind.code]) < 30} == {}
    assert [kind.code for kind in all_kinds() if not unclear[kind.code]] == []


def test_clear_replies_are_read_and_none_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 97 of 100 clear replies are read as meant, by every question they are for, and none otherwise.

    Unclear replies are left to a person.
    """
    unread, wrong, clear = [], [], 0
    for line in ASKED:
        clear += line.reading != FOR_A_PERSON
        for form in {kind_by_code(ask).form for ask in line.asks}:
            answer = form.read(line.reply, line.tree, line.terms)
            if isinstance(answer, Malformed | Ambiguous):
                if line.reading != FOR_A_PERSON:
                    unread.append(f"{line.place}: {line.reply}")
            elif form.write(answer, line.tree) != line.reading:
                wrong.append(f"{line.place}: {line.reply} => {form.write(answer, line.tree)}")
    with capsys.disabled():
        print(f"\n{clear - len(set(unread))} of {clear} clear replies are read, {len(wrong)} wrongly")
    assert not wrong, "\n".join(wrong)
    assert clear - len(set(unread)) >= LEAST * clear, "\n".join(unread)
