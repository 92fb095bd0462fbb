"""The desk of a page that brings the grader along: its questions are in a file, its language is named."""

import json

from grader.base.catalogues import at_hand
from grader.base.phrases import Language
from grader.base.records import require_schema
from grader.web.messages.asking import Desk

POOL_SCHEMA = 1
"""Of the file with the questions of a page."""


def desk(pool: str, speaking: str) -> Desk:
    """What answers the messages of such a page; both files were written with it.

    `pool` has the exercises by kind and level; `speaking` is a language with its decimal sign, and the
    SHA-256 of a teacher's own catalogue or an empty text.
    """
    record, said = json.loads(pool), json.loads(speaking)
    require_schema(record, POOL_SCHEMA, "pool.json")
    questions = record["questions"]
    language = Language(said["code"], said["comma"], at_hand(said["code"], said["catalogue"]))
    return Desk(lambda kind, level: questions.get(kind, {}).get(level, ()), language)
