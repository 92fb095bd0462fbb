"""Draws a variant of the question, reads what was typed, and marks it with gametree-grader."""

from pathlib import Path
from typing import Any

from grader.publishing.lms.autograding import VariantPool

POOL = VariantPool.read(Path(__file__).with_name("variants.json"))


def generate(data: dict[str, Any]) -> None:
    """Choose the variant by PrairieLearn's seed, and show it."""
    POOL.draw(data)


def parse(data: dict[str, Any]) -> None:
    """Give back what cannot be read, with the reason; it costs nothing."""
    POOL.parse(data)


def grade(data: dict[str, Any]) -> None:
    """Mark every part, following through where the exam does."""
    POOL.grade(data)
