"""A served lesson and an open page, with all that it asked for and complained of."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "out" / "browser"
SIZES = {"desk": (1280, 900), "telephone": (390, 844)}
PATIENCE = 60.0
"""Seconds after which a server or a page is given up."""


def start(lesson: str, servers: ExitStack) -> str:
    """Start the server of a lesson, wait until it listens, and have it stopped with the others."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "teacherstudent", "lesson", lesson, "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
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
            return f"http://127.0.0.1:{port}"


class Visit:
    """A page that is open, and all that it asked for and complained of."""

    def __init__(self, browser: Browser, address: str, size: tuple[int, int]) -> None:
        self.page: Page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(address)
        self.page.locator("svg.picture").first.wait_for(timeout=1000 * PATIENCE)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def keep(self, name: str) -> None:
        """Leave a screenshot of the whole page, however long it is."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        size = self.page.viewport_size
        assert size
        whole = self.page.evaluate("document.getElementById('App').scrollHeight")
        self.page.set_viewport_size({"width": size["width"], "height": max(whole, size["height"])})
        self.page.screenshot(path=PICTURES / f"{name}.png")
        self.page.set_viewport_size(size)
