"""Errors that say what went wrong, and what to do about it."""


class HintedError(Exception):
    """What went wrong; `hint` says what to do, and is empty where nobody can tell."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)  # both, so that a worker process can send a copy
        self.message, self.hint = message, hint

    def __str__(self) -> str:
        return self.message
