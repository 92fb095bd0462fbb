"""Start the message handler of a page that runs the grader in the browser."""

import json

from grader.base.catalogues import find_own_catalogue
from grader.base.phrases import Language
from grader.base.records import require_schema
from grader.web.messages.handler import MessageHandler

POOL_SCHEMA = 1
"""The schema of the file with the questions of a page."""


def make_handler(pool: str, speaking: str) -> MessageHandler:
    """Make the message handler from two JSON texts that were written with the page.

    `pool` has the exercises by kind and level; `speaking` has the code of a language, its decimal sign, and
    the SHA-256 of a teacher's own catalogue or an empty text.
    """
    record, setting = json.loads(pool), json.loads(speaking)
    require_schema(record, POOL_SCHEMA, "pool.json")
    questions, code = record["questions"], setting["code"]
    language = Language(code, setting["comma"], find_own_catalogue(code, setting["catalogue"]))
    return MessageHandler(lambda kind, level: questions.get(kind, {}).get(level, ()), language)
