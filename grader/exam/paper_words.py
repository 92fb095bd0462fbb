"""The fixed words of a paper; a blueprint replaces them to speak another language."""

from collections.abc import Mapping
from types import MappingProxyType

from grader.base.phrases import Phrase

WORDS: Mapping[str, Phrase] = MappingProxyType(
    {
        "question": Phrase("Question"),
        "point": Phrase("point"),
        "points": Phrase("points"),
        "name": Phrase("Name"),
        "identifier": Phrase("Student number"),
        "variant": Phrase("Variant"),
        "page": Phrase("Page"),
        "of": Phrase("of"),
        "conventions": Phrase("Conventions"),
        "answer": Phrase("Answer"),
        "node": Phrase("Node"),
        "value": Phrase("Value"),
        "alpha": Phrase("alpha"),
        "beta": Phrase("beta"),
        "returned": Phrase("Value returned"),
        "tree": Phrase("Game tree"),
        "total": Phrase("Total"),
        "mark": Phrase("Mark"),
        "pages": Phrase("Pages"),
        "section": Phrase("Group"),
        "cover": Phrase("This paper is for"),
    }
)
"""Every word by the name that a blueprint gives it."""
