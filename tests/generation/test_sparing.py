"""What comes again: not before everything else came, and entries no oftener than chance has it."""

from collections import Counter
from fractions import Fraction

from grader.generation.repeats import RepeatLimiter, TableLimiter
from grader.generation.stream import Stream


def drawn(sparing: RepeatLimiter, draws: Stream, likely: str, wanted: int) -> tuple[Counter[str], int]:
    """How often each letter of `likely` comes, drawn as often as it stands there; how many were refused."""
    came, refused = Counter[str](), 0
    while came.total() < wanted:
        letter = draws.choose(likely)
        if sparing.offer(letter):
            sparing.record(letter)
            came[letter] += 1
        else:
            refused += 1
    return came, refused


def test_what_is_rare_comes_as_often() -> None:
    """Of three things of which one is drawn eighteen times in twenty, each comes as often, or once more."""
    came, _ = drawn(RepeatLimiter(40), Stream("rare"), "a" * 18 + "bc", 60)
    assert max(came.values()) - min(came.values()) <= 1


def test_nothing_new_is_waited_for_in_vain_again_and_again() -> None:
    """Where there are two things alone, a hundred rounds take few more draws than the first ones."""
    came, refused = drawn(RepeatLimiter(40), Stream("two"), "ab", 200)
    assert came == {"a": 100, "b": 100}
    assert refused < 40 + 20 + 10 + 100 * (5 + 4)


def test_something_new_makes_patient_again() -> None:
    """A thing that appears late is waited for as long as the first ones were."""
    sparing = RepeatLimiter(40)
    drawn(sparing, Stream("late"), "ab", 100)
    sparing.record("c")
    accepted = [sparing.offer("a") for _ in range(39)]
    assert not any(accepted)


def test_entries_come_evenly() -> None:
    """An entry that is drawn half of the time comes hardly oftener than the other five."""
    evening, draws, came = TableLimiter(40), Stream("entries"), Counter[tuple[int, str]]()
    for _ in range(200):
        entries = [(node, draws.choose("aaaaabcdef")) for node in range(5)]
        while not evening.offer(entries, Fraction(6)):
            entries = [(node, draws.choose("aaaaabcdef")) for node in range(5)]
        evening.record(entries)
        came.update(entries)
    assert max(came.values()) <= 200 * (1 / 6 + 0.03)


def test_tables_that_share_entries_come_only_when_no_others_do() -> None:
    """Two of four equal entries are waited out, three of four for three times as long, then half as long."""
    one, two, three = ([(node, 1 + (node >= shared)) for node in range(4)] for shared in (1, 2, 3))
    for table, waits in ((one, [0, 0]), (two, [9, 4]), (three, [29, 14])):
        limiter = TableLimiter(10)
        limiter.record([(node, 1) for node in range(4)])
        for refused in waits:
            assert [limiter.offer(table, None) for _ in range(refused + 1)] == [False] * refused + [True]
            limiter.record([])
