"""The laws of the server: one page and its messages for those who know the address, and nothing else."""

import http.client
import json
import re

import pytest

from grader.web.messages.handler import MAX_MESSAGE_LENGTH
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
        path[:-1],
        f"{path}ask",
        f"{path}index.html",
        path.swapcase(),
        f"{path}../etc",
    ):
        answer = sent(served, "GET", wrong)
        assert (answer.status, answer.read()) == (404, b"There is nothing here.")
    assert sent(served, "POST", "/ask", b"{}").status == 404
    assert len(path) > 12


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
