"""Serve a page on this machine until Ctrl-C, and print its address."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import report, say

if TYPE_CHECKING:
    from grader.web.server import ServedPage, Server

Port = Annotated[int, option("The port. Default: a free one.", metavar="N", min=0, max=65535)]

OpenBrowser = Annotated[bool, option("Whether to open the page in the browser.", "--open/--no-open")]


def serve(
    page: "ServedPage",
    port: int,
    open_browser: bool,
    host: str = "127.0.0.1",
    staff: Callable[[str], "Sequence[ServedPage]"] = lambda _address: (),
) -> None:
    """Serve a page until Ctrl-C, and print its addresses; refuse a host or port that cannot be used.

    The first address opens it on this machine. For everyone in the network there is one more, with its QR
    code on a terminal. `staff` makes more pages from the address that a class opens; then the first of them
    is the one to open on this machine.
    """
    from grader.web.server import EVERY_ADDRESS, LOOPBACK, Server, network_address

    hint = "Take another --port or --host."
    with refusing(f"The page cannot be served at {host}:{port}", OSError, hint=hint):
        server = Server(page, host, port)
    own_host = LOOPBACK if host == EVERY_ADDRESS else host
    shared_host = network_address() if host == EVERY_ADDRESS else None
    shared_address = _address(server, shared_host or own_host)
    staff_pages = staff(shared_address)
    server.pages += staff_pages
    opened = staff_pages[0] if staff_pages else page
    address = f"http://{own_host}:{server.server_port}{opened.path}"
    say(address)
    sys.stdout.flush()  # a program that reads the address waits for it
    if shared_host is not None:
        report(f"In the local network: {shared_address}")
        _show_code(shared_address)
    elif staff_pages:
        report(f"The class joins at: {shared_address}")
        if host == EVERY_ADDRESS:
            report("This machine is in no network, so phones cannot reach it.")
    report("Ctrl-C ends it.")
    if open_browser:
        import webbrowser

        webbrowser.open(address)
    with server:
        server.serve_forever()


def _address(server: "Server", host: str) -> str:
    return f"http://{host}:{server.server_port}{server.path}"


def _show_code(address: str) -> None:
    """Draw the QR code of an address, for a class that would have to type it."""
    if sys.stderr.isatty():
        import segno

        segno.make(address).terminal(sys.stderr, compact=True)
