"""Start the message handler of a page that runs the grader in the browser."""

import json
from typing import TYPE_CHECKING

from grader.base.catalogues import find_own_catalogue
from grader.base.phrases import Language
from grader.base.records import require_schema
from grader.web.messages.handler import MessageHandler

if TYPE_CHECKING:
    from grader.web.messages.program_check import ProgramChecker

POOL_SCHEMA = 1
"""The schema of the file with the questions of a page."""


def make_checker(speaking: str) -> "ProgramChecker":
    """Make the checker of programs in a worker of its own."""
    from grader.web.messages.program_check import ProgramChecker  # the worker that marks does without it

    checker = ProgramChecker(_language(speaking))
    checker.warm_up()
    return checker


def _language(speaking: str) -> Language:
    setting = json.loads(speaking)
    code = setting["code"]
    return Language(code, setting["comma"], find_own_catalogue(code, setting["catalogue"]))


def make_handler(pool: str, speaking: str) -> MessageHandler:
    """Make the message handler from two JSON texts that were written with the page.

    `pool` has the exercises by kind and level; `speaking` has the code of a language, its decimal sign, and
    the SHA-256 of a teacher's own catalogue or an empty text.
    """
    record = json.loads(pool)
    require_schema(record, POOL_SCHEMA, "pool.json")
    questions = record["questions"]
    return MessageHandler(lambda kind, level: questions.get(kind, {}).get(level, ()), _language(speaking))
