"""The page on this machine: a server for one page and its messages, behind an address that nobody guesses."""

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
    """What is behind a page."""

    def reply(self, text: str) -> str:
        """The answer to a message, JSON text as both."""


class Server(ThreadingHTTPServer):
    """Serves a page at `/TOKEN/` and answers the messages that it sends to `/TOKEN/ask`; nothing else.

    Raises `OSError` where the address cannot be used.
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
        """The path of the page, with the token."""
        return f"/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    timeout = 30
    server_version = "gametree"
    sys_version = ""

    def do_GET(self) -> None:
        """The page."""
        if not self._known(self.server.path):
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")
        else:
            self._send(HTTPStatus.OK, self.server.page, "text/html")

    def do_POST(self) -> None:
        """The answer to a message."""
        length = self.headers.get("Content-Length", "")
        media = self.headers.get("Content-Type", "").partition(";")[0].strip()
        if not self._known(f"{self.server.path}ask"):
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", "text/plain")
        elif (
            not length.isascii()
            or not length.isdigit()
            or len(length) > 9
            or int(length) > MAX_MESSAGE_LENGTH
        ):
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"This message is too long.", "text/plain")
        elif media != "application/json":  # which a form of another site cannot send
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, b"Messages are JSON.", "text/plain")
        else:
            text = self.rfile.read(int(length)).decode("utf-8", "replace")
            self._send(HTTPStatus.OK, self.server.desk.reply(text).encode(), "application/json")

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Nothing is logged: what students write is nobody's business."""

    def _known(self, path: str) -> bool:
        return secrets.compare_digest(self.path.encode(), path.encode())

    def _send(self, status: HTTPStatus, content: bytes, media: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{media}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", f"{self.server.policy}; frame-ancestors 'none'")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
