"""The random draws: an HMAC-SHA-256 counter stream that is the same on every machine."""

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
"""A text or number that always gives the same exercises; 7 and "7" are the same seed."""

NARROW_WORD_BYTES, WIDE_WORD_BYTES = 4, 8
"""The bytes of a word from which one number is drawn, below small and below large limits."""

SPARE_BITS = 8
"""The bits of a word beyond those of the limit, so that few words have to be refused."""

MAX_SHARED_BITS = 40
"""The most bits of a product of limits that share a word; at most one such word in 2^24 is refused."""

BLOCKS_PER_BATCH = 8
"""How many blocks are computed together in the time of a single one."""

_BLOCK = 32
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Stream:
    """An endless sequence of draws fixed by a seed and a purpose.

    Block number k is HMAC-SHA-256(key, "block" + k in 8 bytes, big end first); the bytes of the blocks,
    one block after the other, are what the draws are made of. The key of a seed is
    HMAC-SHA-256("gametree", seed in UTF-8); the key of a substream is HMAC-SHA-256(key, "sub" + purpose).
    HMAC: RFC 2104. A counter under a keyed hash as a generator: NIST SP 800-90A, section 10.1.2.

    Only the position up to which it has been read is mutable.
    """

    __slots__ = ("_at", "_block", "_inner", "_key", "_number", "_outer")

    def __init__(self, seed: Seed) -> None:
        if not isinstance(seed, str | Integral):
            raise TypeError(f"a seed is a text or a whole number, not {seed!r}")
        self._start(b"gametree")
        self._start(self._digest(str(seed).encode("utf-8", "surrogatepass")))

    def _start(self, key: bytes) -> None:
        """Start the stream of a key from its first block."""
        padded = key.ljust(64, b"\0")
        self._key = key
        # The two states that HMAC copies: SHA-256 twice, started with a key of at most 64 bytes.
        self._inner, self._outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))
        self._at = 0
        self._number = -1
        self._block = b""

    def sub(self, *purpose: Seed) -> "Stream":
        """Return the stream for one purpose, such as `("payoffs", 17)`.

        It depends on the seed and the purpose alone, not on earlier draws from this stream.
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
        """Return the next `count` bytes."""
        first, offset = divmod(self._at, _BLOCK)
        self._at += count
        if offset + count <= _BLOCK:
            return self._numbered(first)[offset : offset + count]
        last = (self._at - 1) // _BLOCK
        return self._blocks(first, last)[offset : offset + count]

    def _blocks(self, first: int, last: int) -> bytes:
        """Return the blocks from one number to another, joined."""
        # PBKDF2 (RFC 8018) of one iteration is HMAC over a salt and a counter of 4 bytes that starts at 1:
        # all blocks but the first in one call. Not every Python has it, and some refuse one iteration.
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
        """Draw a whole number from 0 to `limit - 1`, every one equally likely.

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
        """Draw a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choose(self, items: Sequence[T]) -> T:
        """Draw one of the items, every one equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order, every order equally likely (Fisher and Yates)."""
        return self.sample(items, len(items))

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw some of the items, none twice, in random order: the first `count` of a shuffle."""
        pool = list(items)
        offsets = self.below_each(tuple(len(pool) - place for place in range(count)))
        for place, offset in enumerate(offsets):
            other = place + offset
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:count])

    def below_each(self, limits: Sequence[int]) -> tuple[int, ...]:
        """Draw a whole number below each limit, independent of each other, from as few words as possible.

        As many limits as have a product of at most 2^40 share one draw below that product. Its remainder
        by the first limit is the first number, the remainder of the quotient by the second limit the second.
        """
        numbers: list[int] = []
        for group in _grouped_limits(tuple(limits)):
            joint = self.below(prod(group))
            for limit in group:
                joint, remainder = divmod(joint, limit)
                numbers.append(remainder)
        return tuple(numbers)

    def below_each_many(self, limits: Sequence[int], rows: int) -> "Draws":
        """Return the draws of `[below_each(limits) for _ in range(rows)]`, as a matrix of rows by limits.

        The stream is then read up to the same position.
        """
        import numpy

        groups = _grouped_limits(tuple(limits))
        products = [prod(group) for group in groups]
        widths = [_width(product) for product in products]
        numbers = numpy.empty((len(limits), rows), numpy.int64)
        start = self._at
        if max(products, default=1) <= 1 << 8 * WIDE_WORD_BYTES - SPARE_BITS:
            read = self.read(sum(widths) * rows)
            row = numpy.frombuffer(read, numpy.uint8).reshape(rows, sum(widths))
            column = start_byte = 0
            for group, product, width in zip(groups, products, widths, strict=True):
                words = numpy.ascontiguousarray(row[:, start_byte : start_byte + width]).view(f">u{width}")
                start_byte += width
                joint = words[:, 0].astype(numpy.uint64)
                # No word of this width is 2^64 or more, and a ceiling of 2^64 refuses none of them.
                if (1 << 8 * width) % product and bool(
                    (joint >= (1 << 8 * width) // product * product).any()
                ):
                    break
                # The remainder by the product need not be taken first: it has the same digits.
                for limit in group:
                    quotient = joint // limit
                    numbers[column] = joint - quotient * limit
                    joint, column = quotient, column + 1
            else:
                return numbers.T
            # A word was refused, so every later draw moves up: too rare to need a fast path.
            self._at = start
        for number in range(rows):
            numbers[:, number] = self.below_each(limits)
        return numbers.T

    def sample_many(self, size: int, count: int, rows: int) -> "Draws":
        """Return the draws of `[sample(range(size), count) for _ in range(rows)]`, as a matrix."""
        import numpy

        offsets = self.below_each_many([size - place for place in range(count)], rows)
        # Transposed, so that the swaps of one step are contiguous in memory.
        narrow = numpy.min_scalar_type(-size)
        pool = numpy.repeat(numpy.arange(size, dtype=narrow), rows).reshape(size, rows)
        flat = pool.reshape(-1)
        every = numpy.arange(rows)
        for place, offset in enumerate(offsets.T):
            other = (offset + place) * rows + every
            swapped = flat[other]
            flat[other] = pool[place]
            pool[place] = swapped
        return pool[:count].T


@cache
def _grouped_limits(limits: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Group neighbouring limits that share a word: as many as have a product of at most 2^40."""
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
    """Return the bytes of a word for a draw below a limit: 4, 8 or more, with 8 bits or more to spare."""
    for width in (NARROW_WORD_BYTES, WIDE_WORD_BYTES):
        if limit <= 1 << 8 * width - SPARE_BITS:
            return width
    return (limit.bit_length() + SPARE_BITS + 7) // 8
