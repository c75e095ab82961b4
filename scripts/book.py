#!/usr/bin/env python3
"""Copies the pages of the book, and checks the result. scripts/build-book.sh runs it.

book.py stage FOLDER   copies the pages of docs/SUMMARY.md, in the folders of the checkout, with the files that they link to
book.py check FOLDER   every link of the built book leads to a file of it, and to an element there if it names one
"""

import html.parser
import os
import re
import shutil
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs/SUMMARY.md"


def links(page):
    """The targets of links and pictures in a page, as paths in the checkout; not those of the web, nor within the page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
        if "://" not in target:
            yield Path(os.path.relpath(page.parent / target, ROOT))


def stage(folder):
    shutil.rmtree(folder, ignore_errors=True)
    pages = list(links(SUMMARY))
    files = {link for page in pages for link in links(ROOT / page)}
    for file in files.union(pages):
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, place)

    def from_root(match):
        return f"]({os.path.relpath(SUMMARY.parent / match[1], ROOT)})"

    (folder / "SUMMARY.md").write_text(re.sub(r"\]\(([^)]+)\)", from_root, SUMMARY.read_text()))


class Page(html.parser.HTMLParser):
    """The links of a page, and the ids that links may name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]


def check(folder):
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    broken, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            count += 1
            target = Path(os.path.normpath(path.parent / urllib.parse.unquote(url.path))) if url.path else path
            has_element = target not in pages or not url.fragment or urllib.parse.unquote(url.fragment) in pages[target].ids
            if not target.is_file() or not has_element:
                broken.append(f"{path.relative_to(folder)}: {link}")
    sys.exit("\n".join(["broken links:", *broken]) if broken or not count else None)


if __name__ == "__main__":
    {"stage": stage, "check": check}[sys.argv[1]](Path(sys.argv[2]))
