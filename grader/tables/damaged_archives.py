"""One error for every way in which a packed file can be damaged."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError

from grader.tables.rows import TableError

_DAMAGED: tuple[type[Exception], ...] = (
    *(EOFError, LZMAError, NotImplementedError, RuntimeError, UnicodeDecodeError),
    *(zipfile.BadZipFile, zlib.error, OSError),
)


@contextmanager
def refuse_damaged(message: str, *others: type[Exception]) -> Iterator[None]:
    """Turn the exceptions of unpackers, and the others given, into `TableError`."""
    try:
        yield
    except TableError:
        raise
    except (*_DAMAGED, *others) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # a fault of the disk; bzip2 raises `OSError` without a number for damaged data
        hint = "Save it again, or as CSV, and give that."
        raise TableError(f"{message}: {str(error)[:120]}", hint, "workbook") from None
