"""Help for the schema of a TOML document: a list of all its fields, and an example with their meanings."""

import re

from grader.tables.schema import Schema, SchemaTable

_LINE = re.compile(r"(?:# )?(?:(?P<header>\[+[\w.]+\]+)|(?P<field>\w+) = )")
_MAX_ALIGNED_WIDTH = 44
"""Comments are aligned after the lines of a block that have at most this many characters."""


def schema_reference(schema: Schema) -> str:
    """Return every table with its fields, their meanings and examples, and then every message."""
    tables = "\n\n".join(_table_reference(header, table) for header, table in schema.body.within())
    width = max(map(len, schema.codes))
    messages = "\n".join(f"  {code:<{width}}  {meaning}" for code, meaning in schema.codes.items())
    return f"THE FIELDS OF A {schema.body.name.upper()}\n\n{tables}\n\nMESSAGES\n\n{messages}"


def _table_reference(header: str, table: SchemaTable) -> str:
    """Return the help about a table: its header, and two lines for each field."""
    width = max(len(field.name) for field in table.fields)
    lines = [f"{header}  {table.meaning}".strip(), ""]
    for field in table.fields:
        without = f" Default: {field.default}." if field.default else ""
        lines.append(
            f"  {field.name:<{width}}  {field.meaning}{' Needed.' if field.is_required else without}"
        )
        lines.append(f"  {'':<{width}}  {field.value.description.rstrip(',')}: {field.example_line}")
    return "\n".join(lines)


def comment_document(schema: Schema, text: str) -> str:
    """Return the document with the meaning of each table and field as a comment on its first occurrence."""
    meanings = {(header, ""): table.meaning for header, table in schema.body.within()}
    meanings |= {
        (header, field.name): field.meaning
        for header, table in schema.body.within()
        for field in table.fields
    }
    header, is_quoted, blocks = "", False, []
    for block in text.split("\n\n"):
        lines: list[tuple[str, str]] = []
        for line in block.split("\n"):
            match, opens = None if is_quoted else _LINE.match(line), line.count('"""') == 1
            is_quoted ^= opens
            meaning = ""
            if match is not None:
                header = match["header"] or header
                meaning = meanings.pop((header, match["field"] or ""), "")
            if meaning and opens:  # after the quotes it would be part of the text
                lines.append((f"# {meaning}", ""))
            lines.append((line, "" if opens or " # " in line else meaning))
        widths = (len(line) for line, comment in lines if comment and len(line) <= _MAX_ALIGNED_WIDTH)
        width = max(widths, default=0)
        blocks.append(
            "\n".join(f"{line:<{width}}  # {comment}" if comment else line for line, comment in lines)
        )
    return "\n\n".join(blocks)
