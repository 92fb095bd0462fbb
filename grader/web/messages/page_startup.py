"""Start the message handler of a page that runs the grader in the browser."""

import json
from typing import TYPE_CHECKING

from grader.base.catalogues import find_own_catalogue
from grader.base.phrases import Language
from grader.web.messages.handler import MessageHandler

if TYPE_CHECKING:
    from grader.web.messages.program_check import ProgramChecker


def make_checker(speaking: str) -> "ProgramChecker":
    """Make the checker of programs in a worker of its own."""
    from grader.web.messages.program_check import ProgramChecker  # the worker that marks does without it

    checker = ProgramChecker(_language(speaking))
    checker.warm_up()
    return checker


def make_handler(speaking: str) -> MessageHandler:
    """Make the message handler of a page, which fetches its questions from files.

    `speaking` is JSON with the code of a language, its decimal sign, and the SHA-256 of a teacher's own
    catalogue or an empty text.
    """
    return MessageHandler(language=_language(speaking))


def _language(speaking: str) -> Language:
    """Return the language that the page speaks, from JSON as `make_handler` gets it."""
    setting = json.loads(speaking)
    code = setting["code"]
    return Language(code, setting["comma"], find_own_catalogue(code, setting["catalogue"]))
