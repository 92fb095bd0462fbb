"""The laws of the server: one page and its messages for those who know the address, and nothing else."""

import http.client
import json
import re
import socket
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from grader.web.messages.message_fields import MAX_MESSAGE_LENGTH
from grader.web.question_pool import QuestionPool
from grader.web.server import MAX_WAITING_CONNECTIONS, ServedPage, Server, network_address
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
    with Server(ServedPage("", "", QuestionPool(1, "x").handler(), "0p3nTheGameTrees")) as one:
        assert one.path == "/0p3nTheGameTrees/"
    for token in ("short", "with/slashes/in/it", "ä" * 12):
        ran = gametree("web", "--no-open", "--token", token)
        assert (ran.code, ran.out) == (2, "")
        assert "cannot be used" in ran.err


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
        (["--token", "short"], "'short' cannot be used"),
        (["--token", "with/a/slash/in/it"], "cannot be used"),
    ],
)
def test_what_cannot_be_served_is_refused(arguments: list[str], told: str) -> None:
    """A kind, a language or an address that is not there is refused with a sentence and exit code 2."""
    ran = gametree("web", "--no-open", "--seed", "x", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


class Echo:
    """Answers each message with itself."""

    def reply(self, text: str) -> str:
        """Answer a message."""
        return text


def test_a_class_opens_the_page_together() -> None:
    """As many connections as a class makes at once are kept until they are accepted, and all get the page."""
    with Server(ServedPage("page", "policy", Echo())) as server, ExitStack() as stack:
        waiting = [
            stack.enter_context(socket.create_connection(server.server_address[:2], timeout=20))
            for _ in range(MAX_WAITING_CONNECTIONS)
        ]
        for connection in waiting:
            connection.sendall(f"GET {server.path} HTTP/1.0\r\n\r\n".encode())
        threading.Thread(target=server.serve_forever, daemon=True).start()
        answers = [connection.makefile("rb").read() for connection in waiting]
        server.shutdown()
    assert all(answer.endswith(b"page") for answer in answers)


@pytest.mark.parametrize(
    "sent", [b"", b"GET /", b"GET {path} HTTP/1.0\r\n\r\n", b"POST {path}ask HTTP/1.0\r\n"]
)
def test_a_broken_connection_is_no_news(sent: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever closes a page while it is sent leaves nothing in the terminal of the teacher."""
    with Server(ServedPage("x" * 10_000_000, "policy", Echo())) as server:
        before = set(threading.enumerate())
        with socket.create_connection(server.server_address[:2]) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset
            connection.sendall(sent.replace(b"{path}", server.path.encode()))
            server.handle_request()
        for thread in set(threading.enumerate()) - before:
            thread.join(20)
            assert not thread.is_alive()
    assert capfd.readouterr() == ("", "")


def test_an_error_of_the_program_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    """What is wrong with the program itself is shown with its traceback."""
    with Server(ServedPage("page", "policy", Echo())) as server:
        try:
            raise ValueError("ours")
        except ValueError:
            server.handle_error(None, ("127.0.0.1", 1))
    assert "ValueError: ours" in capfd.readouterr().err


def test_a_restart_ends_no_open_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--token` the address stays after a restart; the one in the local network is printed, too."""
    monkeypatch.setattr(Server, "serve_forever", lambda _server: None)
    monkeypatch.setattr("grader.web.server.network_address", lambda: "10.1.2.3")
    web = ["web", "--no-open", "--kinds", "best-move", "--host", "0.0.0.0", "--token", "a-class-of-2026"]
    printed = gametree(*web)
    address = re.fullmatch(r"http://127\.0\.0\.1(:\d+/a-class-of-2026/)\n", printed.out)
    assert address is not None
    assert f"In the local network: http://10.1.2.3{address[1]}\n" in printed.err
    port = address[1].split("/")[0].removeprefix(":")
    again = gametree(*web, "--port", port)
    assert again.out == printed.out
    alone = gametree("web", "--no-open", "--kinds", "best-move")
    assert "local network" not in alone.err


def test_the_address_in_the_network_is_an_address() -> None:
    """It is four numbers, or there is no network."""
    address = network_address()
    assert address is None or socket.inet_aton(address)
