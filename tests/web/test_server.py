"""The laws of the server: one page and its messages for those who know the address, and nothing else."""

import http.client
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.web.messages.handler import MAX_MESSAGE_LENGTH
from grader.web.question_pool import QuestionPool
from grader.web.server import Server
from tests.cli.running import gametree
from tests.web.conftest import Served


def sent(
    served: Served, method: str, path: str, body: bytes = b"", media: str = "application/json"
) -> http.client.HTTPResponse:
    """The answer to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port, timeout=60)
    connection.request(method, path, body, {"Content-Type": media})
    return connection.getresponse()


def test_the_page_is_for_those_who_know_its_address(served: Served) -> None:
    """Without the token there is nothing, neither to read nor to ask, and the answer does not tell why."""
    path = served.server.path
    assert sent(served, "GET", path).status == 200
    for wrong in (
        "/",
        "/ask",
        f"{path}ask",
        f"{path}index.html",
        path.swapcase(),
        f"{path}../etc",
    ):
        answer = sent(served, "GET", wrong)
        assert (answer.status, answer.read()) == (404, b"There is nothing here.")
    assert sent(served, "POST", "/ask", b"{}").status == 404
    assert len(path) > 12


def test_an_address_that_was_copied_badly_opens_the_page(served: Served) -> None:
    """Without its last slash, or with a query that a mail program appended, an address opens the page."""
    path = served.server.path
    without_slash = sent(served, "GET", path[:-1])
    assert (without_slash.status, without_slash.headers["Location"]) == (301, path)
    assert sent(served, "GET", f"{path}?utm_source=mail").status == 200
    assert sent(served, "GET", "/?x=1").status == 404


def test_a_class_that_answers_at_once_is_answered(served: Served) -> None:
    """Of eighty messages that arrive together, each gets its answer and none is reset."""
    body = b'{"ask": "solve", "tree": "MAX (3 2)"}'

    def value(_number: int) -> str:
        return str(json.loads(sent(served, "POST", f"{served.server.path}ask", body).read())["value"])

    with ThreadPoolExecutor(80) as students:
        assert list(students.map(value, range(80))) == ["3"] * 80


def test_another_site_cannot_ask(served: Served) -> None:
    """A message that a browser sends for a page of another address is refused, even with the token."""
    connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port, timeout=60)
    own = f"http://127.0.0.1:{served.server.server_port}"
    for origin, status in ((own, 200), ("https://example.org", 403), ("null", 403)):
        headers = {"Content-Type": "application/json", "Origin": origin}
        connection.request("POST", f"{served.server.path}ask", b"{}", headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == status


def test_a_token_survives_a_restart() -> None:
    """Two servers with one token have one address, so that open pages go on after a restart."""
    with Server("", "", QuestionPool(1, "x").handler(), token="0p3nTheGameTrees") as one:
        assert one.path == "/0p3nTheGameTrees/"
    for token in ("short", "with/slashes/in/it", "ä" * 12):
        ran = gametree("web", "--no-open", "--token", token)
        assert (ran.code, ran.out) == (2, "")
        assert "not a valid token" in ran.err


def test_messages_are_answered(served: Served) -> None:
    """A message gets the answer of the grader as JSON; bad ones get errors, and never a broken connection."""
    ask = f"{served.server.path}ask"
    answer = json.loads(sent(served, "POST", ask, b'{"ask": "solve", "tree": "MAX (3 2)"}').read())
    assert answer["value"] == "3"
    for body in (b"", b"\xff\xfe", b"[]", b"{" * 10_000):
        assert json.loads(sent(served, "POST", ask, body).read())["errors"]
    assert sent(served, "POST", ask, b"{}", "text/plain").status == 415  # as a form of another site sends it
    connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port, timeout=60)
    connection.putrequest("POST", ask)
    connection.putheader("Content-Length", str(MAX_MESSAGE_LENGTH + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413


def test_the_page_may_load_nothing_from_elsewhere(served: Served) -> None:
    """The policy of the page, in its header and in itself, names no other address and no inline script."""
    answer = sent(served, "GET", served.server.path)
    policy, page = answer.headers["Content-Security-Policy"], answer.read().decode()
    assert "default-src 'none'" in policy
    assert re.findall(r"script-src [^;]*", policy) == re.findall(r"script-src '[^;]*'", policy)
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert "://" not in policy
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page) == []
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--kinds", "nonsense"], "There is no kind"),
        (["--language", "xx"], "There are no sentences"),
        (["--host", "203.0.113.7"], "cannot be served"),
        (["--port", "99999"], "65535"),
    ],
)
def test_what_cannot_be_served_is_refused(arguments: list[str], told: str) -> None:
    """A kind, a language or an address that is not there is refused with a sentence and exit code 2."""
    ran = gametree("web", "--no-open", "--seed", "x", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
