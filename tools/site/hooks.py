"""Hooks that MkDocs calls. The rooms are imported late, because the path to them is set here."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
MARKER = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
FIGURE = re.compile(r"^<!-- figure: ([\w-]+) -->$", re.MULTILINE)
THESIS = re.compile(r"^<!-- thesis: ([\w-]+) -->$", re.MULTILINE)


@event_priority(100)  # before the reference reads its settings
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Formulas, and the reference of the code in the navigation."""
    sys.path.insert(0, str(ROOT))
    from teacherstudent.lessons.pages.words import Formulas
    from tools.site import api

    config.plugins["mkdocstrings"].config["handlers"]["python"]["paths"] = [str(ROOT)]
    config.markdown_extensions.append(Formulas())
    assert config.nav is not None
    (reference,) = (entry["Reference"] for entry in config.nav if "Reference" in entry)
    reference.append({"Python API": list(api.pages())})
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Generated pages and pictures."""
    from tools.site import api
    from tools.site.gallery import pictures

    for name, text in api.pages().items():
        files.append(File.generated(config, name, content=text))
    for name, picture in pictures().items():
        files.append(File.generated(config, f"pictures/{name}", content=picture))
    return files


@event_priority(-100)  # after the search has written its index
def on_post_build(config: MkDocsConfig) -> None:
    """The lessons; and the ranked index of the search, as a script too, for pages opened from a folder."""
    from teacherstudent.api.lesson import pages
    from tools.site.ranking import ranked

    pages(Path(config.site_dir, "lessons"))
    path = Path(config.site_dir, "search", "search_index.json")
    index = json.dumps(ranked(json.loads(path.read_text("utf-8"))), separators=(",", ":"))
    path.write_text(index, encoding="utf-8")
    path.with_suffix(".js").write_text(f"var __index = {index}", encoding="utf-8")


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page with its generated parts and the output of its code."""
    from tools.site.answers import answered
    from tools.site.gallery import shown
    from tools.site.pages import GENERATED
    from tools.site.thesis import facts

    name = page.file.src_uri
    if name.startswith("api/"):
        return markdown
    pictured = FIGURE.sub(lambda found: shown(found[1], "../" * name.count("/") + "pictures"), markdown)
    with_facts = THESIS.sub(lambda found: facts(found[1]), pictured)
    text, pictures = answered(name, MARKER.sub(lambda found: GENERATED[found[1]](), with_facts))
    for picture, content in pictures.items():
        files.append(File.generated(config, str(Path(name).with_name(picture)), content=content))
    return text
