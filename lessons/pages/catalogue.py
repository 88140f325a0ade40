"""Write the catalogue of strings: `python -m teacherstudent.lessons.pages.catalogue FILE.json [LANGUAGE]`.

All pages are built, and Chromium or Chrome opens each of them and moves every control to all of its values.
Translations that FILE.json already has are kept. A new file needs the code of its language, such as `de`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

from teacherstudent.api import catalogue
from teacherstudent.api.lesson import BROWSERS
from teacherstudent.lessons.pages import language, scripts
from teacherstudent.lessons.pages.build import build

LISTENING = "page/listening.js"
HEARD = re.compile(r'<script type="application/json" id="heard">(.*?)</script>', re.DOTALL)
SAID = re.compile(r"TS\.say(?:Text)?\(\s*([`\"])(.*?)\1", re.DOTALL)
"""A string in a script that is written there whole."""
VALUE = re.compile(r"\$\{[^}]*\}")


def collected() -> list[str]:
    """The patterns of all strings, each once, in the order of the pages."""
    found: dict[str, None] = {}
    with TemporaryDirectory() as work:
        made = build(Path(work) / "pages")
        for page in made:
            found |= dict.fromkeys(language.strings(page.read_text(encoding="utf-8")))
            found |= dict.fromkeys(heard(page, Path(work)))
    return list(found | dict.fromkeys(written_in_scripts()))


def heard(page: Path, work: Path) -> list[str]:
    """What the scripts of a page say while all its controls move; `work` is a folder for temporary files."""
    text = page.read_text(encoding="utf-8")
    if 'src="scripts/page/page.js"' not in text or 'src="scripts/page/story.js"' in text:
        return []  # slides say what pages say
    shutil.copyfile(scripts.FOLDER / LISTENING, page.parent / "scripts" / LISTENING)
    listening = page.with_name(f"listening-{page.name}")
    script = f'<script src="scripts/{LISTENING}"></script></body>'
    listening.write_text(text.replace("</body>", script), encoding="utf-8")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        raise SystemExit("the catalogue needs Chromium or Google Chrome on PATH")
    options = ["--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={work}/profile"]
    options += ["--no-sandbox"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [browser, *options, "--dump-dom", listening.as_uri()], capture_output=True, check=True, timeout=300
    )
    told = HEARD.search(done.stdout.decode())
    if not told:
        raise SystemExit(f"{browser} did not run the scripts of {page.name}")
    return list(json.loads(unescape(told[1])))


def written_in_scripts() -> list[str]:
    """The patterns of strings that are written whole in the scripts of pages."""
    found = []
    for path in sorted((scripts.FOLDER / "page").glob("*.js")):
        for _, text in SAID.findall(path.read_text(encoding="utf-8")):
            pieces = VALUE.split(text)
            places = "".join(f"{piece}\ue000{i}\ue001" for i, piece in enumerate(pieces[:-1]))
            found.append(language.pattern(places + pieces[-1])[0])
    return found


def main(path: Path, code: str | None) -> None:
    """Write the catalogue."""
    before = catalogue.read(path) if path.exists() else catalogue.Catalogue(code or "", {})
    if not catalogue.LANGUAGE.fullmatch(before.code):
        raise SystemExit(f"a new catalogue needs the code of its language, such as: {path} de")
    patterns = collected()
    catalogue.write(path, patterns, before.code, before.texts)
    left = sum(not before.texts.get(each) for each in patterns)
    print(f"{path}: {len(patterns)} strings, {left} without a translation")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if sys.argv[2:] else None)
