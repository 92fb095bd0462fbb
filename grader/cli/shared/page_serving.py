"""Serve a page on this machine until Ctrl-C, and print its address."""

import sys
from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import report, say

if TYPE_CHECKING:
    from grader.web.server import MessageResponder

Port = Annotated[int, option("The port. Default: a free one.", metavar="N", min=0, max=65535)]

OpenBrowser = Annotated[bool, option("Whether to open the page in the browser.", "--open/--no-open")]


def serve(
    page: str,
    policy: str,
    desk: "MessageResponder",
    port: int,
    open_browser: bool,
    host: str = "127.0.0.1",
    token: str | None = None,
) -> None:
    """Serve a page until Ctrl-C, and print its address; refuse a host or port that cannot be used."""
    from grader.web.server import EVERY_ADDRESS, LOOPBACK, Server, network_address

    hint = "Take another --port or --host."
    with refusing(f"The page cannot be served at {host}:{port}", OSError, hint=hint):
        server = Server(page, policy, desk, host, port, token)
    visible_host = LOOPBACK if host == EVERY_ADDRESS else host
    page_path = f":{server.server_port}{server.path}"
    address = f"http://{visible_host}{page_path}"
    say(address)
    sys.stdout.flush()  # a program that reads the address waits for it
    shared_host = network_address() if host == EVERY_ADDRESS else None
    if shared_host is not None:
        report(f"In the local network: http://{shared_host}{page_path}")
    report("Ctrl-C ends it.")
    if open_browser:
        import webbrowser

        webbrowser.open(address)
    with server:
        server.serve_forever()
