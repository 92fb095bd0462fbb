"""Replies as people write them: each is read as it is meant, or shown to a person."""

from collections import defaultdict

import pytest

from grader.answers.form import Ambiguous, AnyForm, Malformed
from grader.questions import all_kinds, kind_by_code
from tests.answers.reply_tables import Line, lines

FOR_A_PERSON = "?"
"""How a table says that a reply is not clear."""

LEAST = 0.97
"""The share of clear replies that is read at least."""

ASKED = lines("asked")

DECIDED = lines("decided")


def test_three_hundred_replies_were_decided_first() -> None:
    """Twelve replies to each of 25 questions were decided before the program was tried on them."""
    assert len(DECIDED) == len({(line.asks, line.tree, line.reply) for line in DECIDED}) == 300
    assert len({(line.asks, line.tree) for line in DECIDED}) == 25


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


@pytest.mark.parametrize("folder", ["clear", "asked", "decided"])
def test_clear_replies_are_read_and_none_wrongly(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At least 97 of 100 clear replies are read as meant, by every question they are for, and none otherwise.

    Unclear replies are left to a person; those that were decided before they were tried always.
    """
    unread, wrong, clear = [], [], 0
    for line in lines(folder):
        clear += line.reading != FOR_A_PERSON
        for form in {kind_by_code(ask).form for ask in line.asks} or {line.form}:
            reading = read(form, line)
            if reading == FOR_A_PERSON != line.reading:
                unread.append(f"{line.place}: {line.reply}")
            elif reading != line.reading:
                wrong.append(f"{line.place}: {line.reply} => {reading}, not {line.reading}")
    with capsys.disabled():
        print(f"\n{clear - len(set(unread))} of {clear} clear replies are read, {len(wrong)} wrongly")
    assert not wrong, "\n".join(wrong)
    assert clear - len(set(unread)) >= LEAST * clear, "\n".join(unread)


def read(form: AnyForm, line: Line) -> str:
    """How a form reads the reply of a line, in the words of the tables.

    Where one thing is asked for, several are for a person, unless marking finds that they earn alike.
    """
    answer = form.read(line.reply, line.tree, line.terms)
    if isinstance(answer, Malformed | Ambiguous):
        return FOR_A_PERSON
    several = form.single_answers and len(form.single_answers(answer)) > 1 and not line.terms.every
    if several and line.file == "decided":
        return FOR_A_PERSON
    return form.write(answer, line.tree)
