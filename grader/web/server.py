"""A local server for one page and its messages, at an address with a secret token."""

import re
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
"""What a token may be: it is a part of a path, and nobody may guess it."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


NO_HEADERS: Mapping[str, str] = {}


class MessageResponder(Protocol):
    """Answers the messages of a page."""

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text."""


class Server(ThreadingHTTPServer):
    """Serves a page at `/TOKEN/`, and answers its messages to `/TOKEN/ask`.

    `translated` returns the page at `/TOKEN/NAME`, the same one in another language, or None.
    The token is random unless one is given. Raises `OSError` if the address cannot be used.
    """

    daemon_threads = True
    request_queue_size = MAX_WAITING_CONNECTIONS

    def __init__(
        self,
        page: str,
        policy: str,
        desk: MessageResponder,
        host: str = LOOPBACK,
        port: int = 0,
        token: str | None = None,
        translated: Callable[[str], str | None] = lambda _name: None,
    ) -> None:
        self.page, self.policy, self.desk, self.translated = page.encode(), policy, desk, translated
        self.token = token or secrets.token_urlsafe(12)
        self.answering = BoundedSemaphore(PARALLEL_MESSAGES)
        super().__init__((host, port), _Handler)

    @property
    def path(self) -> str:
        """Return the path of the page, with the token."""
        return f"/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that breaks off; report any other error with its traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def network_address() -> str | None:
    """Return the address of this machine in the local network; None if it is in no network."""
    # Connecting a UDP socket sends nothing: it asks the system which address would be used.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
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
        if self._is_path(self.server.path):
            self._send(HTTPStatus.OK, self.server.page, "text/html")
        elif self._is_path(self.server.path.rstrip("/")):
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", "text/plain", {"Location": self.server.path})
        elif (page := self._translated_page()) is not None:
            self._send(HTTPStatus.OK, page.encode(), "text/html")
        else:
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")

    def do_POST(self) -> None:
        """Send the answer to a message."""
        length = self.headers.get("Content-Length", "")
        media = self.headers.get("Content-Type", "").partition(";")[0].strip()
        is_number = length.isascii() and length.isdigit() and len(length) <= 9
        if not self._is_path(f"{self.server.path}ask"):
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")
        elif not self._is_from_this_page():
            self._send(HTTPStatus.FORBIDDEN, b"Only the page itself may ask.", "text/plain")
        elif not is_number or int(length) > MAX_MESSAGE_LENGTH:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"This message is too long.", "text/plain")
        elif media != "application/json":  # a form on another site cannot send this type
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, b"Messages are JSON.", "text/plain")
        else:
            text = self.rfile.read(int(length)).decode("utf-8", "replace")
            with self.server.answering:
                answer = self.server.desk.reply(text)
            self._send(HTTPStatus.OK, answer.encode(), "application/json")

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Log nothing, because requests may reveal the replies of students."""

    def _is_path(self, path: str) -> bool:
        # Compared in constant time: the duration must not reveal the token.
        return secrets.compare_digest(self.path.partition("?")[0].encode(), path.encode())

    def _translated_page(self) -> str | None:
        """Return the page in another language that is asked for, if it is one."""
        folder, _, name = self.path.partition("?")[0].rpartition("/")
        is_below_token = secrets.compare_digest(f"{folder}/".encode(), self.server.path.encode())
        return self.server.translated(name) if is_below_token else None

    def _is_from_this_page(self) -> bool:
        """Return if a browser sent this message from a page of this server, or no browser sent it."""
        origin = self.headers.get("Origin")
        return origin is None or urlsplit(origin).netloc == self.headers.get("Host")

    def _send(
        self, status: HTTPStatus, content: bytes, media_type: str, headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", f"{self.server.policy}; frame-ancestors 'none'")
        for name, value in {**HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
