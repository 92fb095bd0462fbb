"""Serve a page on this machine until Ctrl-C, and print its address."""

import socket
import sys
from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import report, say

if TYPE_CHECKING:
    from grader.web.server import MessageResponder, Server

Port = Annotated[int, option("The port. Default: a free one.", metavar="N", min=0, max=65535)]

OpenBrowser = Annotated[bool, option("Whether to open the page in the browser.", "--open/--no-open")]


EVERY_ADDRESS = "0.0.0.0"
"""The host that listens on every address of this machine."""


def serve(
    page: str,
    policy: str,
    desk: "MessageResponder",
    port: int,
    open_browser: bool,
    host: str = "127.0.0.1",
    token: str | None = None,
) -> None:
    """Serve a page until Ctrl-C, and print its addresses; refuse a host or port that cannot be used.

    The first address opens it on this machine. For everyone in the network there is one more, with its QR
    code on a terminal.
    """
    from grader.web.server import Server

    hint = "Take another --port or --host."
    with refusing(f"The page cannot be served at {host}:{port}", OSError, hint=hint):
        server = Server(page, policy, desk, host, port, token)
    address = _address(server, "127.0.0.1" if host == EVERY_ADDRESS else host)
    say(address)
    if host == EVERY_ADDRESS and (own := network_address()) is not None:
        say(_address(server, own))
        _show_code(_address(server, own))
    sys.stdout.flush()  # a program that reads the address waits for it
    report("Ctrl-C ends it.")
    if open_browser:
        import webbrowser

        webbrowser.open(address)
    with server:
        server.serve_forever()


def _address(server: "Server", host: str) -> str:
    return f"http://{host}:{server.server_port}{server.path}"


def network_address() -> str | None:
    """Return the address under which other machines of the network find this one; None without a network.

    No packet is sent: connecting a UDP socket only chooses the way out.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))  # reserved for documentation, so no machine has it
        except OSError:
            return None
        address = str(way_out.getsockname()[0])
    return None if address.startswith("127.") else address


def _show_code(address: str) -> None:
    """Draw the QR code of an address, for a class that would have to type it."""
    if sys.stderr.isatty():
        import segno

        segno.make(address).terminal(sys.stderr, compact=True)
