"""The desk of a page that brings the grader along: its questions are in a file, its language is named."""

import json

from grader.base.catalogues import find_own_catalogue
from grader.base.phrases import Language
from grader.base.records import require_schema
from grader.web.messages.handler import MessageHandler

POOL_SCHEMA = 1
"""Of the file with the questions of a page."""


def make_handler(pool: str, speaking: str) -> MessageHandler:
    """What answers the messages of such a page; both files were written with it.

    `pool` has the exercises by kind and level; `speaking` is a language with its decimal sign, and the
    SHA-256 of a teacher's own catalogue or an empty text.
    """
    record, said = json.loads(pool), json.loads(speaking)
    require_schema(record, POOL_SCHEMA, "pool.json")
    questions = record["questions"]
    language = Language(said["code"], said["comma"], find_own_catalogue(said["code"], said["catalogue"]))
    return MessageHandler(lambda kind, level: questions.get(kind, {}).get(level, ()), language)
