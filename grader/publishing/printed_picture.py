"""A picture for the typesetter: its shapes, and its words with their places."""

from typing import Any

from grader.pictures.svg import Picture


def printed_picture(picture: Picture) -> dict[str, Any]:
    """Return the data of a picture for templates: its shapes, and its texts with their places by style."""
    looks: dict[tuple[str, bool, str], dict[str, Any]] = {}
    for text in picture.drawing.texts:
        look = looks.get((text.role, text.muted, text.anchor))
        if look is None:
            style = text.style
            look = {"size": style.size, "bold": style.bold, "italic": style.italic}
            look |= {"muted": text.muted, "anchor": text.anchor, "words": []}
            looks[text.role, text.muted, text.anchor] = look
        look["words"].append((round(text.x, 1), round(text.y, 1), text.words))
    return {
        "svg": picture.shapes,
        "words": [*looks.values()],
        "width": picture.width,
        "height": picture.height,
        "description": picture.description,
    }
