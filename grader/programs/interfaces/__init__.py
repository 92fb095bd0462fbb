"""How courses call a search: one module for each interface."""

INTERFACES = (
    "pacman",
    "mit",
    "isolation",
    "cs50",
    "dice",
    "aima",
    "multiplayer",
    "chance",
    "values",
    "nodes",
    "lists",
)
"""The modules of this folder, the most specific first: the first that recognises a file is used for it."""
