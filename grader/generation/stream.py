"""Where chance comes from: an HMAC-SHA-256 counter stream that gives the same draws on every machine."""

import hashlib
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from math import prod
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Draws: TypeAlias = NDArray[numpy.signedinteger[Any]]

T = TypeVar("T")

Seed: TypeAlias = str | int
"""What a person gives to get the same exercises again; 7 and "7" are the same seed."""

NARROW_WORD_BYTES, WIDE_WORD_BYTES = 4, 8
"""The bytes of a word from which one number is drawn, below small and below large limits."""

SPARE_BITS = 8
"""The bits of a word beyond those of the limit, so that few words have to be refused."""

MAX_SHARED_BITS = 40
"""The most bits of a product of limits that share a word; at most one such word in 2^24 is refused."""

BLOCKS_PER_BATCH = 8
"""So many blocks are made together in the time of one alone."""

_BLOCK = 32
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Stream:
    """An endless sequence of draws fixed by a seed and a purpose.

    Block number k is HMAC-SHA-256(key, "block" + k in 8 bytes, big end first); the bytes of the blocks,
    one block after the other, are what the draws are made of. The key of a seed is
    HMAC-SHA-256("gametree", seed in UTF-8); the key of a substream is HMAC-SHA-256(key, "sub" + purpose).
    HMAC: RFC 2104. A counter under a keyed hash as a generator: NIST SP 800-90A, section 10.1.2.

    The one mutable thing in it is the place up to which it has been read.
    """

    __slots__ = ("_at", "_block", "_inner", "_key", "_number", "_outer")

    def __init__(self, seed: Seed) -> None:
        if not isinstance(seed, str | Integral):
            raise TypeError(f"a seed is a text or a whole number, not {seed!r}")
        self._start(b"gametree")
        self._start(self._digest(str(seed).encode("utf-8", "surrogatepass")))

    def _start(self, key: bytes) -> None:
        padded = key.ljust(64, b"\0")
        self._key = key
        # The two states that HMAC copies: SHA-256 twice, started with a key of at most 64 bytes.
        self._inner, self._outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))
        self._at = 0
        self._number = -1
        self._block = b""

    def sub(self, *purpose: Seed) -> "Stream":
        """A stream of its own for one purpose, such as `("payoffs", 17)`.

        It depends on the seed and the purpose alone, not on what was drawn from this stream before.
        """
        parts = [str(part).encode("utf-8", "surrogatepass") for part in purpose]
        message = b"sub" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        stream = Stream.__new__(Stream)
        stream._start(self._digest(message))
        return stream

    def _digest(self, message: bytes) -> bytes:
        """HMAC-SHA-256 of a message under the key."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    def read(self, count: int) -> bytes:
        """The next `count` bytes."""
        first, offset = divmod(self._at, _BLOCK)
        self._at += count
        if offset + count <= _BLOCK:
            return self._numbered(first)[offset : offset + count]
        last = (self._at - 1) // _BLOCK
        return self._blocks(first, last)[offset : offset + count]

    def _blocks(self, first: int, last: int) -> bytes:
        """The blocks from one number to another, one after the other."""
        # PBKDF2 (RFC 8018) of one iteration is HMAC over a salt and a counter of 4 bytes that starts at 1:
        # all blocks but the first in one call. No Python has to have it, and some machines forbid so few.
        derive = getattr(hashlib, "pbkdf2_hmac", None)
        if derive is not None and last <= BLOCKS_PER_BATCH * (last - first):
            try:
                following = derive("sha256", self._key, b"block\0\0\0\0", 1, _BLOCK * last)
            except ValueError:
                pass
            else:
                skipped = _BLOCK * max(first - 1, 0)
                return (b"" if first else self._numbered(0)) + bytes(following[skipped:])
        return b"".join([self._numbered(number) for number in range(first, last + 1)])

    def _numbered(self, number: int) -> bytes:
        if number != self._number:
            self._number, self._block = number, self._digest(b"block" + number.to_bytes(8, "big"))
        return self._block

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`, every one equally likely.

        One word of 4 bytes (8 or more for a limit beyond 2^24) is read, big end first, and read again while
        it lies in the last, incomplete run of `limit` words; the draw is its remainder.
        Raises `ValueError` for a limit below 1.
        """
        if limit < 1:
            raise ValueError("there is no number to draw below 1")
        width = _width(limit)
        ceiling = (1 << 8 * width) // limit * limit
        while True:
            word = int.from_bytes(self.read(width), "big")
            if word < ceiling:
                return word % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choose(self, things: Sequence[T]) -> T:
        """One of some things, every one equally likely."""
        return things[self.below(len(things))]

    def shuffle(self, things: Sequence[T]) -> tuple[T, ...]:
        """The same things in another order, every order equally likely (Fisher and Yates)."""
        return self.sample(things, len(things))

    def sample(self, things: Sequence[T], count: int) -> tuple[T, ...]:
        """Some of the things, none twice, in random order: the first `count` of a shuffle."""
        pool = list(things)
        drawn = self.below_each(tuple(len(pool) - place for place in range(count)))
        for place, further in enumerate(drawn):
            other = place + further
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:count])

    def below_each(self, limits: Sequence[int]) -> tuple[int, ...]:
        """A whole number below each limit, independent of each other, from as few words as possible.

        As many limits as have a product of at most 2^40 share one draw below that product, which is then
        taken apart: the first of them is its remainder, the second the remainder of the quotient, and so on.
        """
        drawn: list[int] = []
        for shared in _shared(tuple(limits)):
            both = self.below(prod(shared))
            for limit in shared:
                both, rest = divmod(both, limit)
                drawn.append(rest)
        return tuple(drawn)

    def below_each_many(self, limits: Sequence[int], rows: int) -> "Draws":
        """The draws of `[below_each(limits) for _ in range(rows)]`, as a matrix of rows by limits.

        Exactly those numbers, and the stream then stands where it would stand after them.
        """
        return below_each_many([self], limits, rows)


def sample_many(streams: Sequence[Stream], size: int, count: int, rows: int) -> "Draws":
    """What each of some streams samples, its rows below those of the one before.

    The rows of one are `[stream.sample(range(size), count) for _ in range(rows)]`.
    """
    import numpy

    limits = [size - place for place in range(count)]
    drawn = below_each_many(streams, limits, rows)
    rows *= len(streams)
    # One column for each row, so that the swaps of a step walk through memory that lies together.
    narrow = numpy.min_scalar_type(-size)
    pool = numpy.repeat(numpy.arange(size, dtype=narrow), rows).reshape(size, rows)
    flat = pool.reshape(-1)
    every = numpy.arange(rows)
    for place, further in enumerate(drawn.T):
        other = (further + place) * rows + every
        taken = flat[other]
        flat[other] = pool[place]
        pool[place] = taken
    return pool[:count].T


def below_each_many(streams: Sequence[Stream], limits: Sequence[int], rows: int) -> "Draws":
    """What each of some streams draws, its rows below those of the one before."""
    import numpy

    groups = _shared(tuple(limits))
    products = [prod(shared) for shared in groups]
    widths = [_width(product) for product in products]
    drawn = numpy.empty((len(limits), rows * len(streams)), numpy.int64)
    if max(products, default=1) <= 1 << 8 * WIDE_WORD_BYTES - SPARE_BITS:
        starts = [stream._at for stream in streams]
        read = b"".join([stream.read(sum(widths) * rows) for stream in streams])
        row = numpy.frombuffer(read, numpy.uint8).reshape(drawn.shape[1], sum(widths))
        first = at = 0
        for shared, product, width in zip(groups, products, widths, strict=True):
            words = numpy.ascontiguousarray(row[:, at : at + width]).view(f">u{width}")[:, 0]
            at += width
            left = words.astype(numpy.uint64)
            # No word of this width is 2^64 or more, and a ceiling of 2^64 refuses none of them.
            if (1 << 8 * width) % product and bool((left >= (1 << 8 * width) // product * product).any()):
                break
            # The product itself need not be taken off: each limit sees no more than its own digit.
            for limit in shared:
                quotient = left // limit
                drawn[first] = left - quotient * limit
                left, first = quotient, first + 1
        else:
            return drawn.T
        # A word was refused, so every later draw of its stream moves up: too rare to deserve a fast way.
        for stream, start in zip(streams, starts, strict=True):
            stream._at = start
    for place, stream in enumerate(streams):
        for number in range(rows * place, rows * (place + 1)):
            drawn[:, number] = stream.below_each(limits)
    return drawn.T


@cache
def _shared(limits: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The limits in groups of neighbours that share a word: as many as have a product of at most 2^40."""
    groups: list[tuple[int, ...]] = []
    product = 0
    for limit in limits:
        if groups and product * limit <= 1 << MAX_SHARED_BITS:
            groups[-1] = (*groups[-1], limit)
            product *= limit
        else:
            groups.append((limit,))
            product = limit
    return tuple(groups)


def _width(limit: int) -> int:
    """The bytes of a word for a draw below a limit: 4, 8 or more, with 8 bits or more to spare."""
    for width in (NARROW_WORD_BYTES, WIDE_WORD_BYTES):
        if limit <= 1 << 8 * width - SPARE_BITS:
            return width
    return (limit.bit_length() + SPARE_BITS + 7) // 8
