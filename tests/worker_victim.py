"""A process whose two workers never end by themselves, interrupted once both are at work."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

from teacherstudent.cli.workers import on_workers
from teacherstudent.house.files import whole_file


def writing_for_hours(path: str) -> None:
    """A file that is begun and never finished."""
    with whole_file(Path(path)):
        Path(path).with_suffix(".begun").touch()
        time.sleep(3600)


def two_workers(folder: str) -> None:
    """Two workers at work, and Ctrl-C once both are."""

    def stop() -> None:
        while len(list(Path(folder).glob("*.begun"))) < 2:
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=stop, daemon=True).start()
    list(on_workers(writing_for_hours, [f"{folder}/a.txt", f"{folder}/b.txt"], 2, lambda each: None))
