"""What a TOML document may say, for people: a list of all its fields, and an example with their meanings."""

import re

from grader.tables.schema import Schema, SchemaTable

_LINE = re.compile(r"(?:# )?(?:(?P<header>\[+[\w.]+\]+)|(?P<field>\w+) = )")
_WIDEST = 44
"""The columns up to which a field is as wide as the others of its block."""


def schema_reference(schema: Schema) -> str:
    """Every table with its fields: what they mean, and how they may be written; then every message."""
    tables = "\n\n".join(_explained(header, table) for header, table in schema.body.within())
    width = max(map(len, schema.codes))
    messages = "\n".join(f"  {code:<{width}}  {meaning}" for code, meaning in schema.codes.items())
    return f"THE FIELDS OF A {schema.body.name.upper()}\n\n{tables}\n\nMESSAGES\n\n{messages}"


def _explained(header: str, table: SchemaTable) -> str:
    width = max(len(field.name) for field in table.fields)
    lines = [f"{header}  {table.meaning}".strip(), ""]
    for field in table.fields:
        lines.append(f"  {field.name:<{width}}  {field.meaning}{' Needed.' if field.is_required else ''}")
        lines.append(f"  {'':<{width}}  {field.value.description.rstrip(',')}: {field.example_line}")
    return "\n".join(lines)


def comment_document(schema: Schema, text: str) -> str:
    """A document with meanings beside its lines: each where it belongs first, commented out or not."""
    meanings = {(header, ""): table.meaning for header, table in schema.body.within()}
    meanings |= {
        (header, field.name): field.meaning
        for header, table in schema.body.within()
        for field in table.fields
    }
    header, quoted, blocks = "", False, []
    for block in text.split("\n\n"):
        told: list[tuple[str, str]] = []
        for line in block.split("\n"):
            found, opens = None if quoted else _LINE.match(line), line.count('"""') == 1
            quoted ^= opens
            meaning = ""
            if found is not None:
                header = found["header"] or header
                meaning = meanings.pop((header, found["field"] or ""), "")
            if meaning and opens:  # behind the quotes it would be part of the text
                told.append((f"# {meaning}", ""))
            told.append((line, "" if opens or " # " in line else meaning))
        width = max((len(line) for line, meaning in told if meaning and len(line) <= _WIDEST), default=0)
        blocks.append("\n".join(f"{line:<{width}}  # {said}" if said else line for line, said in told))
    return "\n\n".join(blocks)
