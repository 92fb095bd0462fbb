"""Chromium driven through its pipe: pages opened, clicked, touched and typed into as people do."""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = (
    "no Chromium on this machine: pages are opened where there is one (Debian: apt-get install chromium)"
)

PATIENCE = 60
"""So many seconds anything may take; a busy machine is no failure."""


_LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 20) for each in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads commands from descriptor 3 and writes to 4."""


class Page:
    """One tab."""

    def __init__(self, browser: "Browser", session: str) -> None:
        self._browser, self._session = browser, session
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> Any:
        """One command of the DevTools protocol and its result."""
        return self._browser.send(method, parameters, self._session)

    def open(self, address: str) -> None:
        """Go to an address and wait until it is loaded."""
        self._browser.events.clear()
        self.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; its value."""
        end = time.monotonic() + PATIENCE
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"{script} did not become true; {self.complaints()}"
            time.sleep(0.02)
        return found

    def text(self, selector: str) -> str:
        """What an element shows."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def at(self, selector: str) -> tuple[float, float]:
        """The middle of an element, scrolled into view."""
        script = f"""(() => {{
          const found = document.querySelector({json.dumps(selector)});
          found.scrollIntoView({{block: "center", inline: "center", behavior: "instant"}});
          const box = found.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        x, y = self.run(script)
        return x, y

    def click(self, selector: str) -> None:
        """Press the mouse on an element."""
        x, y = self.at(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector: str) -> None:
        """Touch an element with a finger."""
        x, y = self.at(selector)
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press a key: a letter, or a name such as `ArrowDown`; 2 is Ctrl."""
        codes = {"Enter": 13, "Tab": 9, "Delete": 46, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38}
        codes |= {"ArrowRight": 39, "ArrowDown": 40, "PageDown": 34, "Home": 36, "End": 35, "Backspace": 8}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers else "")
        code = codes.get(key, ord(key.upper()[0]))
        both = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **both)
        self.send("Input.dispatchKeyEvent", type="keyUp", **both)

    def type(self, text: str) -> None:
        """Type a text where the cursor is."""
        self.send("Input.insertText", text=text)

    def look(
        self,
        width: int,
        height: int = 900,
        *,
        dark: bool = False,
        forced: bool = False,
        touch: bool = False,
    ) -> None:
        """Make the window so wide, dark or in forced colours, and with a finger in place of a mouse."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        colors = {"name": "forced-colors", "value": "active" if forced else "none"}
        self.send("Emulation.setEmulatedMedia", features=[scheme, colors])

    def shot(self, path: Path) -> None:
        """A picture of the whole page."""
        seen = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(seen["data"]))

    def requested(self) -> list[str]:
        """The addresses of everything that was asked for since the page was opened."""
        self.run("0")
        sent = [event for event in self._events() if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def complaints(self) -> list[str]:
        """What went wrong in the page: exceptions, and what its policy refused."""
        self.run("0")
        found = []
        for event in self._events():
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def axe_faults(self) -> list[Any]:
        """Return what axe finds in the page: the rule, its sentence, and the elements."""
        spec = find_spec("axe_core_python")
        assert spec is not None
        assert spec.origin is not None
        if not self.run("'axe' in window"):
            self.run(Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
        report = json.loads(
            self.run("""axe.run(document).then(found => JSON.stringify({
              passes: found.passes.length,
              faults: found.violations.map(each => [each.id, each.help, each.nodes.map(node => node.html)]),
            }))""")
        )
        assert report["passes"] > 9
        faults: list[Any] = report["faults"]
        return faults

    def _events(self) -> list[dict[str, Any]]:
        """What happened in this tab; others may still be loading."""
        return [event for event in self._browser.events if event.get("sessionId") == self._session]


class Browser:
    """A Chromium without a window; commands and events are JSON with a NUL behind each."""

    def __init__(self, process: "subprocess.Popen[bytes]", out: int, back: int) -> None:
        self._process, self._out, self._back = process, out, back
        self._number, self._rest = 0, b""
        self.events: list[dict[str, Any]] = []

    def page(self) -> Page:
        """A new tab."""
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Page(self, session)

    def send(self, method: str, parameters: dict[str, Any], session: str = "") -> Any:
        """One command and its result."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                more = os.read(self._back, 1 << 20)
                assert more, "Chromium has ended"
                self._rest += more
            text, _, self._rest = self._rest.partition(b"\0")
            answer = json.loads(text)
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of one's own, which is gone afterwards."""
    assert CHROMIUM is not None
    (there, out), (back, here) = os.pipe(), os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
        command = [CHROMIUM, *options, f"--user-data-dir={folder}", "about:blank"]
        launch = [sys.executable, "-c", _LAUNCH, str(there), str(here), *command]
        process = subprocess.Popen(launch, pass_fds=(there, here), stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        driven = Browser(process, out, back)
        try:
            yield driven
            driven.send("Browser.close", {})
        finally:
            process.terminate()
            process.wait()
            os.close(out)
            os.close(back)
