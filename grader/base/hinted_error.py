"""Errors with a message and a hint."""


class HintedError(Exception):
    """An error; `hint` says what to do, or is empty."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)  # both, so that a worker process can send a copy
        self.message, self.hint = message, hint

    def __str__(self) -> str:
        return self.message
