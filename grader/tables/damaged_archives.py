"""One error for every way in which a packed file can be damaged."""

import errno
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError
from typing import Literal

from grader.tables.rows import TableError

_DAMAGED: tuple[type[Exception], ...] = (
    *(ArithmeticError, EOFError, LookupError, NotImplementedError, OSError, RuntimeError, ValueError),
    *(LZMAError, struct.error, zipfile.BadZipFile, zlib.error),
)
"""What `zipfile` raises of damaged bytes: `NotImplementedError` of a compression that it does not know."""

SAVE_AGAIN = "Save it again, or as CSV, and give that."
PACK_AGAIN = "Pack the files again with another program."


@contextmanager
def refuse_damaged(
    message: str,
    *others: type[Exception],
    hint: str = SAVE_AGAIN,
    fault: Literal["workbook", "columns"] = "workbook",
) -> Iterator[None]:
    """Turn the exceptions of unpackers, and the others given, into `TableError`.

    An `OSError` of the disk is not the fault of the data, and stays as it is.
    """
    try:
        yield
    except TableError:
        raise
    except (*_DAMAGED, *others) as error:
        # A fault of the disk has a number; damaged data has none in bzip2, and in zipfile that of a seek
        # to a place before the file.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise TableError(f"{message}: {str(error)[:120]}", hint, fault) from None
