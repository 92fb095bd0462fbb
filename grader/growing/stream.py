"""Where chance comes from: an HMAC-SHA-256 counter stream that gives the same draws on every machine."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Draws: TypeAlias = NDArray[numpy.int64]

T = TypeVar("T")

Seed: TypeAlias = str | int
"""What a person gives to get the same exercises again; 7 and "7" are the same seed."""

WORD = 4
"""The bytes of one draw below a number of at most 2^32; larger numbers take more."""

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
        self._start(_Keyed(b"gametree").digest(str(seed).encode("utf-8", "surrogatepass")))

    def _start(self, key: bytes) -> None:
        keyed = _Keyed(key)
        self._key = key
        self._inner, self._outer = keyed.inner, keyed.outer
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
        stream._start(_Keyed(self._key).digest(message))
        return stream

    def read(self, count: int) -> bytes:
        """The next `count` bytes."""
        first, offset = divmod(self._at, _BLOCK)
        self._at += count
        if offset + count <= _BLOCK:
            return self._numbered(first)[offset : offset + count]
        last = (self._at - 1) // _BLOCK
        blocks = b"".join([self._numbered(number) for number in range(first, last + 1)])
        return blocks[offset : offset + count]

    def _numbered(self, number: int) -> bytes:
        if number != self._number:
            inner = self._inner.copy()
            inner.update(b"block" + number.to_bytes(8, "big"))
            outer = self._outer.copy()
            outer.update(inner.digest())
            self._number, self._block = number, outer.digest()
        return self._block

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`, every one equally likely.

        One word of 4 bytes (more for a limit beyond 2^32) is read, big end first, and read again while it
        lies in the last, incomplete run of `limit` words; the draw is its remainder.
        Raises `ValueError` for a limit below 1.
        """
        if limit < 1:
            raise ValueError("there is no number to draw below 1")
        width = WORD if limit <= 1 << 8 * WORD else (limit.bit_length() + 7) // 8 + 1
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
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:count])

    def below_many(self, limits: Sequence[int], rows: int) -> "Draws":
        """The draws of `[[below(limit) for limit in limits] for _ in range(rows)]`, as a matrix.

        Exactly those numbers, and the stream then stands where it would stand after them.
        """
        import numpy

        start, columns = self._at, len(limits)
        if max(limits, default=1) <= 1 << 8 * WORD:
            words = numpy.frombuffer(self.read(WORD * rows * columns), dtype=">u4").reshape(rows, columns)
            divisors = numpy.array(limits, dtype=numpy.int64)
            drawn = words.astype(numpy.int64)
            if bool((drawn < (1 << 8 * WORD) // divisors * divisors).all()):
                return drawn % divisors
            # A word was refused, so every later draw moves up; this is too rare to deserve a fast way.
            self._at = start
        slow = [[self.below(limit) for limit in limits] for _ in range(rows)]
        return numpy.array(slow, dtype=numpy.int64).reshape(rows, columns)

    def sample_many(self, size: int, count: int, rows: int) -> "Draws":
        """The draws of `[sample(range(size), count) for _ in range(rows)]`, as a matrix."""
        import numpy

        drawn = self.below_many([size - place for place in range(count)], rows)
        pool = numpy.tile(numpy.arange(size), (rows, 1))
        every = numpy.arange(rows)
        for place in range(count):
            other = place + drawn[:, place]
            held = pool[:, place].copy()
            pool[:, place] = pool[every, other]
            pool[every, other] = held
        return pool[:, :count]


class _Keyed:
    """SHA-256 twice, started with a key of at most 64 bytes: the two states that HMAC copies."""

    __slots__ = ("inner", "outer")

    # Any, because hashlib's type for a running hash has no public name on every Python.
    inner: Any
    outer: Any

    def __init__(self, key: bytes) -> None:
        padded = key.ljust(64, b"\0")
        self.inner = sha256(padded.translate(_INNER))
        self.outer = sha256(padded.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """HMAC-SHA-256 of a message; used once, since it advances both states."""
        self.inner.update(message)
        self.outer.update(self.inner.digest())
        return bytes(self.outer.digest())
