"""Errors that mean that this machine, or its shell, allows too little memory."""

import errno

LITTLE_MEMORY = (
    b"Error: there is not enough memory for this, or no thread can be started.\n"
    b"Hint: `ulimit -v` and `ulimit -u` say how much this shell allows.\n"
)
"""The message, ready to be written: there may be no memory to make it."""

_SIGNS = (
    "can't start new thread",
    "failed to map segment",
    "annot allocate memory",
    "without exception set",  # Python itself had no room for the exception
    "without setting an exception",
)


def lacks_memory(error: BaseException) -> bool:
    """Return whether an error was raised because there is too little memory."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    is_vague = isinstance(error, ImportError | RuntimeError | SystemError)
    return is_vague and any(sign in str(error) for sign in _SIGNS)
