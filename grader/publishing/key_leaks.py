"""Secrets in published files: seeds, note codes and answers."""

import re
import zlib
from collections.abc import Iterator

from grader.base.canonical_json import canonical_json
from grader.exam.paper import Paper

MIN_SEARCHED_KEY_LENGTH = 12
"""The shortest key that is searched for in published files; shorter ones occur everywhere."""

_STREAM = re.compile(rb"\nstream\r?\n(.*?)\nendstream", re.DOTALL)

_NUMBERS = re.compile(rb"\[[-+.\d\s]*\]")
"""An array of numbers in a PDF, such as element parts, widths and dashes; it holds no text."""


def find_leaks(data: bytes, paper: Paper) -> Iterator[str]:
    """Find secrets in a published file: seeds, note codes, and answers that are long enough to search for."""
    text = inflate_streams(data)
    public_text = canonical_json(paper.public.to_json()).encode()
    for question in paper.questions:
        for part in question.parts:
            hidden = [("a seed", part.seed or ""), *(("a note code", code) for code in part.beliefs)]
            replies = (part.key, *part.beliefs.values())
            printed = map(part.public.terms.language.reply, replies)
            hidden += [
                ("an answer", reply)
                for reply in dict.fromkeys((*replies, *printed))
                if len(reply) >= MIN_SEARCHED_KEY_LENGTH
            ]
            for name, secret in hidden:
                if secret and secret.encode() in text and secret.encode() not in public_text:
                    yield f"{name} of question {question.label}"


def inflate_streams(data: bytes) -> bytes:
    """Return the bytes of a file; a PDF also with its streams inflated, and without arrays of numbers."""
    if not data.startswith(b"%PDF"):
        return data
    parts = [data]
    for stream in _STREAM.findall(data):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            parts.append(stream)
    return _NUMBERS.sub(b"", b"\n".join(parts))
