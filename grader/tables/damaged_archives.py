"""Files that are packed in others: whatever is wrong with one of them is said, and nothing else is raised."""

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
def refuse_damaged(wrong: str, *others: type[Exception]) -> Iterator[None]:
    """Raise `TableError` where the unpacker, or one of the other exceptions, shows damage meanwhile."""
    try:
        yield
    except TableError:
        raise
    except (*_DAMAGED, *others) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk, and not what bzip2 says of damaged data
        hint = "Save it again, or as CSV, and give that."
        raise TableError(f"{wrong}: {str(error)[:120]}", hint, "workbook") from None
