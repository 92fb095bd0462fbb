"""Read, solve, check, draw, explain, generate and grade adversarial-search exercises."""

__version__ = "0.1.0"
