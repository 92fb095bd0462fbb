"""A local server for one page and its messages, at an address with a secret token."""

import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol

from grader.web.messages.handler import MAX_MESSAGE_LENGTH

LOOPBACK = "127.0.0.1"

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class MessageResponder(Protocol):
    """Answers the messages of a page."""

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text."""


class Server(ThreadingHTTPServer):
    """Serves a page at `/TOKEN/`, and answers its messages to `/TOKEN/ask`.

    Raises `OSError` if the address cannot be used.
    """

    daemon_threads = True

    def __init__(
        self, page: str, policy: str, desk: MessageResponder, host: str = LOOPBACK, port: int = 0
    ) -> None:
        self.page, self.policy, self.desk = page.encode(), policy, desk
        self.token = secrets.token_urlsafe(12)
        super().__init__((host, port), _Handler)

    @property
    def path(self) -> str:
        """Return the path of the page, with the token."""
        return f"/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """Handles one request."""

    server: Server
    timeout = 30
    server_version = "gametree"
    sys_version = ""

    def do_GET(self) -> None:
        """Send the page."""
        if not self._is_path(self.server.path):
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")
        else:
            self._send(HTTPStatus.OK, self.server.page, "text/html")

    def do_POST(self) -> None:
        """Send the answer to a message."""
        length = self.headers.get("Content-Length", "")
        media = self.headers.get("Content-Type", "").partition(";")[0].strip()
        is_number = length.isascii() and length.isdigit() and len(length) <= 9
        if not self._is_path(f"{self.server.path}ask"):
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")
        elif not is_number or int(length) > MAX_MESSAGE_LENGTH:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"This message is too long.", "text/plain")
        elif media != "application/json":  # a form on another site cannot send this type
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, b"Messages are JSON.", "text/plain")
        else:
            text = self.rfile.read(int(length)).decode("utf-8", "replace")
            self._send(HTTPStatus.OK, self.server.desk.reply(text).encode(), "application/json")

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Log nothing, because requests may reveal the replies of students."""

    def _is_path(self, path: str) -> bool:
        # Compared in constant time: the duration must not reveal the token.
        return secrets.compare_digest(self.path.encode(), path.encode())

    def _send(self, status: HTTPStatus, content: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", f"{self.server.policy}; frame-ancestors 'none'")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
