"""The stream: fixed bytes, fair draws, and bulk draws that are the single draws."""

import hashlib
import hmac
import itertools
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.generation.stream import Stream


def _block(key: bytes, number: int) -> bytes:
    return hmac.digest(key, b"block" + number.to_bytes(8, "big"), "sha256")


def test_the_first_bytes_of_a_seed_are_written_down() -> None:
    """The bytes of a seed and of its substreams never change, on any Python and machine."""
    assert Stream("midterm").read(16).hex() == "36794608cd9c9e17489746cda71fd536"
    assert Stream("midterm").sub("payoffs", 17).read(16).hex() == "d3b0159b69cbd9b2c9afc9e8df920f0e"
    assert Stream("δένδρο").read(8).hex() == "bf0ac6975f9f9c6c"
    assert Stream(7).read(16) == Stream("7").read(16)
    dice = Stream(7).sub("dice")
    assert [dice.below(6) for _ in range(20)] == [5, 1, 2, 3, 1, 4, 4, 5, 1, 4, 5, 2, 4, 2, 4, 2, 3, 2, 4, 2]
    assert Stream("midterm").sub("order").shuffle("ABCDEFGH") == tuple("BCHFAEGD")


@pytest.mark.parametrize("seed", [3.5, None, b"midterm"])
def test_a_seed_is_a_text_or_a_whole_number(seed: Any) -> None:
    """Anything else is refused in words, for it may be written differently elsewhere."""
    with pytest.raises(TypeError, match="a seed is a text or a whole number"):
        Stream(seed)


def test_blocks_are_hmac_of_a_counter() -> None:
    """The bytes are those of the standard library's HMAC over a counter, keyed as the docstring says."""
    key = hmac.digest(b"gametree", b"midterm", "sha256")
    assert Stream("midterm").read(80) == (_block(key, 0) + _block(key, 1) + _block(key, 2))[:80]
    purpose = b"sub" + (7).to_bytes(4, "big") + b"payoffs" + (2).to_bytes(4, "big") + b"17"
    below = hmac.digest(key, purpose, "sha256")
    assert Stream("midterm").sub("payoffs", 17).read(32) == _block(below, 0)


@given(st.lists(st.integers(0, 100), max_size=12))
def test_reading_in_pieces_is_reading_at_once(counts: list[int]) -> None:
    """How the bytes are asked for does not change them."""
    stream = Stream("pieces")
    pieces = b"".join(stream.read(count) for count in counts)
    assert pieces == Stream("pieces").read(sum(counts))


def _refused(*_args: object) -> bytes:
    raise ValueError("too few iterations")


@pytest.mark.parametrize("derive", [None, _refused], ids=["missing", "refused"])
def test_many_blocks_at_once_are_the_blocks_one_by_one(
    derive: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes are the same where all blocks come of one call, and where there is no such call."""
    pieces = (5, 32, 27, 500, 1, 4096, 33, 90)
    stream = Stream("blocks")
    together = [stream.read(count) for count in pieces]
    monkeypatch.setattr(hashlib, "pbkdf2_hmac", derive)
    stream = Stream("blocks")
    assert [stream.read(count) for count in pieces] == together
    key = hmac.digest(b"gametree", b"blocks", "sha256")
    assert b"".join(together).startswith(b"".join(_block(key, number) for number in range(140)))


def test_purposes_are_told_apart() -> None:
    """Substreams of different purposes differ, also where their texts run together the same way."""
    purposes: list[tuple[str | int, ...]] = [("a", "b"), ("ab",), ("a",), ("", "ab"), ("a", 1), ("a1",), ()]
    stream = Stream("seed")
    first = {stream.sub(*purpose).read(16) for purpose in purposes} | {stream.read(16)}
    assert len(first) == len(purposes) + 1


def test_a_substream_does_not_depend_on_what_was_drawn_before() -> None:
    """Drawing from a stream leaves its substreams as they are."""
    stream = Stream("seed")
    before = stream.sub("x").read(16)
    stream.read(1000)
    assert stream.sub("x").read(16) == before


@given(
    st.integers(),
    st.lists(st.one_of(st.integers(1, 100), st.integers(1, 2**40)), max_size=6),
    st.integers(0, 8),
)
def test_bulk_draws_are_the_single_draws(seed: int, limits: list[int], rows: int) -> None:
    """A matrix holds the very numbers that single draws give, and leaves the stream at the same place."""
    bulk, single = Stream(seed), Stream(seed)
    drawn = bulk.below_each_many(limits, rows)
    assert drawn.tolist() == [list(single.below_each(limits)) for _ in range(rows)]
    assert bulk.read(8) == single.read(8)


@pytest.mark.parametrize("limit", [3 * 2**22 + 1, 2**24, 3 * 2**54 + 1, 2**56, 2**56 + 1, 2**62 + 3])
def test_bulk_draws_are_the_single_draws_where_words_are_refused(limit: int) -> None:
    """Bulk and single draws agree for limits that refuse as many words as any limit can."""
    bulk, single = Stream("refused"), Stream("refused")
    drawn = bulk.below_each_many([limit, 6], 600)
    assert drawn.tolist() == [list(single.below_each([limit, 6])) for _ in range(600)]
    assert bulk.read(8) == single.read(8)
    assert drawn[:, 0].max() < limit
    assert set(drawn[:, 1].tolist()) == set(range(6))


@given(st.lists(st.integers(1, 2**40), max_size=8))
def test_draws_that_share_a_word_are_one_draw_taken_apart(limits: list[int]) -> None:
    """A single limit is an ordinary draw, and no draw reaches its limit."""
    drawn = Stream("apart").below_each(limits)
    assert len(drawn) == len(limits)
    assert all(0 <= number < limit for number, limit in zip(drawn, limits, strict=True))
    assert all(Stream("apart").below_each([limit]) == (Stream("apart").below(limit),) for limit in limits)


def test_draws_that_share_a_word_are_independent() -> None:
    """All pairs of a throw of two dice turn up about equally often."""
    throws = Stream("pairs").below_each_many([6, 6], 7200)
    counts = [0] * 36
    for first, second in throws.tolist():
        counts[6 * first + second] += 1
    assert all(abs(count - 200) < 5 * 200**0.5 for count in counts)


@given(st.integers(), st.integers(1, 30), st.data(), st.integers(0, 5))
def test_bulk_samples_are_the_single_samples(seed: int, size: int, data: st.DataObject, rows: int) -> None:
    """A matrix of samples holds the very samples that single draws give."""
    count = data.draw(st.integers(0, size))
    bulk, single = Stream(seed), Stream(seed)
    drawn = [tuple(row) for row in bulk.sample_many(size, count, rows).tolist()]
    assert drawn == [single.sample(range(size), count) for _ in range(rows)]


def test_draws_are_fair() -> None:
    """Six thousand throws of a die come within four standard deviations of a thousand each."""
    throws = Stream("fair").below_each_many([6], 6000)[:, 0].tolist()
    assert all(abs(throws.count(face) - 1000) < 4 * (6000 * 1 / 6 * 5 / 6) ** 0.5 for face in range(6))


def test_every_order_is_equally_likely() -> None:
    """All 24 orders of four things turn up about equally often among shuffles."""
    stream = Stream("orders")
    orders = [stream.shuffle("ABCD") for _ in range(4800)]
    counts = [orders.count(order) for order in itertools.permutations("ABCD")]
    assert sum(counts) == 4800
    assert all(abs(count - 200) < 5 * 200**0.5 for count in counts)


def test_between_includes_both_ends() -> None:
    """`between` reaches its low and its high end and nothing beyond."""
    stream = Stream("ends")
    assert {stream.between(-2, 2) for _ in range(200)} == {-2, -1, 0, 1, 2}
    with pytest.raises(ValueError, match="below 1"):
        stream.between(2, 1)


def test_the_stream_does_not_know_where_it_runs() -> None:
    """Hash seed, locale and time zone do not change a single draw."""
    code = (
        "from grader.generation.stream import Stream\n"
        "s = Stream('midterm').sub('x')\n"
        "print([s.below(1000) for _ in range(50)], s.shuffle(range(20)))\n"
        "print(s.below_each_many([7, 11], 9).tolist(), s.sample_many(30, 20, 9).tolist())"
    )
    surroundings = [
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Chatham"},
    ]
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | surrounding, capture_output=True, check=True
        ).stdout
        for surrounding in surroundings
    }
    assert len(printed) == 1
