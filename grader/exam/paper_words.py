"""The fixed words of a paper; a blueprint replaces them to speak another language."""

from collections.abc import Mapping
from types import MappingProxyType

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "question": "Question",
        "point": "point",
        "points": "points",
        "name": "Name",
        "identifier": "Student number",
        "variant": "Variant",
        "page": "Page",
        "of": "of",
        "conventions": "Conventions",
        "answer": "Answer",
        "node": "Node",
        "value": "Value",
        "alpha": "alpha",
        "beta": "beta",
        "returned": "Value returned",
        "tree": "Game tree",
        "total": "Total",
        "mark": "Mark",
        "pages": "Pages",
        "section": "Group",
        "cover": "This paper is for",
    }
)
"""Every word by the name that a blueprint gives it."""
