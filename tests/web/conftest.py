"""What the tests of pages share: a page that is served, and a browser to look at it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from threading import Thread

import pytest

from grader.web.pages import (
    GraderConnection,
    PageKinds,
    content_security_policy,
    page,
    page_files,
    translated_page,
)
from grader.web.question_pool import EXAM, QuestionPool
from grader.web.server import ServedPage, Server

TOUCHED = ("pruned-paths", "best-move", "pruned-branches", "visiting-order", "best-path")
"""Kinds that are answered by touching nodes one after the other."""

BESIDE = (
    "node-values", "strategy.optimal", "reorder.order", "uct.visits", "feasible-pattern.payoffs",
    "possible-values", "true-false.pruning", "search-budget.depth",
)  # fmt: skip
"""Kinds that are answered in other ways."""

KINDS = (*TOUCHED, *BESIDE)


@dataclass(frozen=True, slots=True)
class Served:
    """A page at an address, and the questions behind it."""

    address: str
    pool: QuestionPool
    server: Server


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """The page of some kinds, served as `gametree web` serves it."""
    pool = QuestionPool(4, "browser", kinds=KINDS)
    first = {KINDS[0]: {EXAM: pool.questions(KINDS[0], EXAM, 1)[0]}}
    way, kinds = GraderConnection("server", pages=page_files(pool.language)), PageKinds(KINDS, first)
    shown, translated = page(kinds, way, pool.language), partial(translated_page, kinds, way)
    whole = ServedPage(shown, content_security_policy(way), pool.handler(), translated=translated)
    with Server(whole) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Served(f"http://127.0.0.1:{server.server_port}{server.path}", pool, server)
        server.shutdown()
