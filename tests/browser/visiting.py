"""A served lesson and an open page, with all that it asked for and complained of."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PICTURES = ROOT / "out" / "browser"
SIZES = {"desk": (1280, 900), "telephone": (390, 844)}
PATIENCE = 120.0
"""Seconds after which a server, a page or a simulation is given up."""


@dataclass(frozen=True)
class Opened:
    """A lesson that is served at an address, with its page at a desk.

    seconds: from the command to the first picture.
    """

    name: str
    address: str
    visit: Visit
    seconds: float

    def keep_times(self, moved: list[float | None]) -> None:
        """Leave the seconds to the first picture, and each slider's milliseconds to a moved curve."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        times = {"seconds_to_first_picture": self.seconds, "milliseconds_to_moved_curve": moved}
        (PICTURES / f"{self.name}-times.json").write_text(json.dumps(times), encoding="utf-8")


def opened(browser: Browser, name: str, stack: ExitStack) -> Opened:
    """Serve a lesson and open its page, both until `stack` is left."""
    started = time.monotonic()
    address = start(name, stack)
    visit = Visit(browser, address, "desk")
    stack.callback(visit.page.close)
    return Opened(name, address, visit, time.monotonic() - started)


def start(lesson: str, servers: ExitStack) -> str:
    """Start the server of a lesson, wait until it listens, and have it stopped with the others."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "teacherstudent", "lesson", lesson, "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    assert server.stdout
    servers.callback(server.stdout.close)
    said = next(line for line in server.stdout if "access_token=" in line)
    token = said.split("access_token=")[1].split()[0]
    servers.callback(server.wait, PATIENCE)
    servers.callback(server.terminate)
    until = time.monotonic() + PATIENCE
    while True:
        assert server.poll() is None, f"the server ended with status {server.returncode}"
        assert time.monotonic() < until, "the server does not listen"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return f"http://127.0.0.1:{port}/?access_token={token}"


class Visit:
    """A page that is open, and all that it asked for and complained of."""

    def __init__(self, browser: Browser, address: str, size: str) -> None:
        self.width, self.height = SIZES[size]
        self.page: Page = browser.new_page(viewport={"width": self.width, "height": self.height})
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.add_init_script(path=HERE / "watching.js")
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(address)
        self.page.locator("svg.picture").first.wait_for()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def strangers(self) -> list[str]:
        """What was asked of anybody but this machine."""
        elsewhere = [url for url in self.asked if not url.startswith(("data:", "blob:"))]
        return [url for url in elsewhere if url.split("/")[2].split(":")[0] != "127.0.0.1"]

    def whole(self) -> Page:
        """The page, once all of it has been computed and drawn."""
        self.page.wait_for_function("window.runs > 0")
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate("window.drawn()")
        return self.page

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Do something to the page, and wait until all that it sets off has been computed and drawn."""
        runs = self.page.evaluate("window.runs")
        yield
        self.page.wait_for_function("runs => window.runs > runs", arg=runs)
        self.page.evaluate("window.drawn()")

    def press(self, slider: Any, key: str) -> float | None:
        """Press a key on a slider: milliseconds until a curve has moved, None where none moves."""
        slider.focus()
        self.page.evaluate("window.watched = window.followed(); null")
        with self.answered():
            self.page.keyboard.press(key)
        return self.page.evaluate("window.watched")

    def keep(self, name: str) -> None:
        """Leave a screenshot of the whole page, however long it is."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        for _ in range(2):  # letters grow a little with the window, and the page with them
            tall = self.page.evaluate("document.getElementById('App').scrollHeight")
            self.page.set_viewport_size({"width": self.width, "height": max(tall, self.height)})
        self.page.screenshot(path=PICTURES / f"{name}.png")
        self.page.set_viewport_size({"width": self.width, "height": self.height})
