"""The pictures of the README: a page of the example midterm, and a page of feedback on it.

    python -m tests.readme_pictures

writes `docs/paper.png` and `docs/feedback.png` anew.
"""

import re
import tempfile
from contextlib import closing
from pathlib import Path

import pypdfium2
from PIL import Image

from grader.base.shipped import shipped_folder
from grader.exam.blueprint_fields import EXAMPLE_SECRET
from tests import example_class
from tests.cli.running import gametree

DOCS = Path(__file__).parents[1] / "docs"
STUDENT = "004238"
DOTS_PER_INCH = 96
GREYS = 16


def write_picture(pdf: Path, picture: Path) -> None:
    """Write the first page of a PDF as a small picture with few greys."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        page = document[0].render(scale=DOTS_PER_INCH / 72).to_pil()
    page.convert("RGB").quantize(GREYS, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> None:
    """Build and grade the example midterm, and write both pictures."""
    exams = shipped_folder("problems") / "exams"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "midterm")
        text = (exams / "midterm.toml").read_text(encoding="utf-8")
        text = re.sub(r"^example = .*\n", "", text, flags=re.MULTILINE)
        blueprint = Path(scratch, "midterm.toml")
        blueprint.write_text(text.replace(EXAMPLE_SECRET, "the pictures of the README"), encoding="utf-8")
        replies, roster = Path(scratch, "responses.csv"), str(exams / "class.csv")
        commands = [
            ("exam", "build", str(blueprint), "--roster", roster, "-o", str(folder), "--lms", "none"),
            ("grade", str(folder), str(replies)),
            ("gradebook", "feedback", str(folder), "--release", "--format", "pdf", "--student", STUDENT),
        ]
        for command in commands:
            if command[0] == "grade":
                replies.write_text(example_class.written_for(folder), encoding="utf-8")
            ran = gametree(*command)
            assert ran.code == 0, ran.err
        write_picture(next(folder.glob("publish/papers/alan-turing-*.pdf")), DOCS / "paper.png")
        write_picture(next(folder.glob("grades/feedback/*.pdf")), DOCS / "feedback.png")


if __name__ == "__main__":
    main()
