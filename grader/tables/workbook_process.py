"""Write the first visible sheet of an .ods or .xls file, given as bytes, as JSON: a program of its own."""

import json
from collections.abc import Iterator
from io import BytesIO

MAX_MEMORY_BYTES = 4 * 2**30
"""The most memory that a workbook may take, where a process can be limited."""


def _sheet_lines(data: bytes) -> Iterator[object]:
    """Yield the title of the sheet (None if no sheet is visible), if there are others, and then every row.

    A date is an object with its text; every other cell is a string, a number or a truth value.
    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(BytesIO(data))
    sheets = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    visible = [each.name for each in sheets if each.visible == SheetVisibleEnum.Visible]
    if not visible:
        yield [None, False]
        return
    yield [visible[0], len(sheets) > 1]
    yield from book.get_sheet_by_name(visible[0]).iter_rows()


def main() -> None:
    """Read from standard input and write to standard output; exits with 3 for a file with a password."""
    from python_calamine import PasswordError

    try:
        from resource import RLIMIT_AS, setrlimit

        setrlimit(RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    except (ImportError, ValueError, OSError):  # Windows has no limits, and some systems allow none
        pass
    with open(0, "rb") as source, open(1, "w", encoding="ascii") as target:
        try:
            for line in _sheet_lines(source.read()):
                target.write(json.dumps(line, default=lambda date: {"date": str(date)}) + "\n")
        except PasswordError:
            raise SystemExit(3) from None


if __name__ == "__main__":
    main()
