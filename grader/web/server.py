"""A local server for one page and its messages, at an address with a secret token."""

import re
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import BoundedSemaphore
from typing import Any, Protocol
from urllib.parse import urlsplit

from grader.web.messages.message_fields import MAX_MESSAGE_LENGTH

LOOPBACK = "127.0.0.1"

EVERY_ADDRESS = "0.0.0.0"
"""The host that listens on every address of this machine."""

MAX_WAITING_CONNECTIONS = 256
"""How many connections may wait to be accepted: a class opens the page at the same moment."""

PARALLEL_MESSAGES = 4
"""The messages that are answered at the same time; others wait, so that no few large ones hold up all."""

TOKEN = re.compile(r"[A-Za-z0-9_-]{12,64}")
"""A token is a part of a path, and has to be hard to guess."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


NO_HEADERS: Mapping[str, str] = {}

WRONG_HOST = "This machine is not known by this name. Use the address that the program printed."


class MessageResponder(Protocol):
    """Answers the messages of a page."""

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text."""


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A page at `/TOKEN/`, and what answers its messages to `/TOKEN/ask`.

    The token is random unless one is given.
    `translated` returns the page at `/TOKEN/NAME`, the same one in another language, or None.
    """

    document: str
    policy: str
    desk: MessageResponder
    token: str = field(default_factory=new_token)
    translated: Callable[[str], str | None] = lambda _name: None
    max_message_length: int = MAX_MESSAGE_LENGTH

    @property
    def path(self) -> str:
        """Return the path of the page, with the token."""
        return f"/{self.token}/"


class Server(ThreadingHTTPServer):
    """Serves a page and answers its messages, and likewise other pages, each with a token of its own.

    Raises `OSError` if the address cannot be used.
    """

    daemon_threads = True
    request_queue_size = MAX_WAITING_CONNECTIONS

    def __init__(self, page: ServedPage, host: str = LOOPBACK, port: int = 0) -> None:
        self.pages, self.host = [page], host
        self.answering = BoundedSemaphore(PARALLEL_MESSAGES)
        super().__init__((host, port), _Handler)

    @property
    def path(self) -> str:
        """Return the path of the first page, with the token."""
        return self.pages[0].path

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that breaks off; report any other error with its traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def names_this_machine(host: str, served: str) -> bool:
    """Return whether the `Host` of a request names this machine: by an IP address, or by a name of its own.

    The page of an attacker can have a domain that leads to this machine, but then it is named by that domain.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:  # half an IPv6 address
        return False
    own = socket.gethostname().lower()
    with suppress(ValueError):
        return bool(ip_address(name))
    return name in {"localhost", own, f"{own.partition('.')[0]}.local", served.lower()}


def network_address() -> str | None:
    """Return the address of this machine in the local network; None if it is in no network."""
    # Connecting a UDP socket sends nothing: it asks the system which address would be used.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address that belongs to no machine
        return str(probe.getsockname()[0])
    return None


class _Handler(BaseHTTPRequestHandler):
    """Handles one request."""

    server: Server
    timeout = 30
    server_version = "gametree"
    sys_version = ""

    def do_GET(self) -> None:
        """Send the page; a query, which mail programs append, changes nothing, and a last slash is added."""
        found = self._find_page()
        if found is None:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")
            return
        page, name = found
        if not self._is_host_known():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, WRONG_HOST)
        elif name is None:
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", "text/plain", page.policy, {"Location": page.path})
        elif (document := page.translated(name) if name else page.document) is not None:
            self._send(HTTPStatus.OK, document.encode(), "text/html", page.policy)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def do_POST(self) -> None:
        """Send the answer to a message."""
        length = self.headers.get("Content-Length", "")
        media = self.headers.get("Content-Type", "").partition(";")[0].strip()
        is_number = length.isascii() and length.isdigit() and len(length) <= 9
        found = self._find_page()
        if found is None or found[1] != "ask":
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")
        elif not self._is_host_known():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, WRONG_HOST)
        elif not self._is_from_this_page():
            self._refuse(HTTPStatus.FORBIDDEN, "Only the page itself may ask.")
        elif not is_number or int(length) > found[0].max_message_length:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This message is too long.")
        elif media != "application/json":  # a form on another site cannot send this type
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Messages are JSON.")
        else:
            text = self.rfile.read(int(length)).decode("utf-8", "replace")
            with self.server.answering:
                answer = found[0].desk.reply(text)
            self._send(HTTPStatus.OK, answer.encode(), "application/json", found[0].policy)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Log nothing, because requests may reveal the replies of students."""

    def _find_page(self) -> tuple[ServedPage, str | None] | None:
        """Return the page that is asked for, and the name after its token; None without a last slash."""
        token, slash, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        for page in self.server.pages:
            # Compared in constant time: the duration must not reveal a token.
            if secrets.compare_digest(token.encode(), page.token.encode()):
                return page, name if slash else None
        return None

    def _is_host_known(self) -> bool:
        host = self.headers.get("Host")
        return host is None or names_this_machine(host, self.server.host)

    def _is_from_this_page(self) -> bool:
        """Return whether a browser sent this message from a page of this server, or no browser sent it."""
        origin = self.headers.get("Origin")
        return origin is None or origin == f"http://{self.headers.get('Host')}"

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, reason.encode(), "text/plain", self.server.pages[0].policy)

    def _send(
        self,
        status: HTTPStatus,
        content: bytes,
        media_type: str,
        policy: str,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> None:
        """Send a response with the usual headers; `policy` is its content security policy."""
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", f"{policy}; frame-ancestors 'none'")
        for name, value in {**HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
