#!/usr/bin/env python3
"""Makes a book of the pages that docs/SUMMARY.md lists, with search, in target/book/html.

    scripts/book.py

The pages are copied in the folders of the checkout, with the files that they link to. Every link of the built book leads to a file of it, and to an
element there if it names one; pages load nothing of other hosts, and the languages of code have colours. Plots have the measured figures.
"""

import html.parser
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs/SUMMARY.md"
BOOK = ROOT / "target/book"


def links(page):
    """The targets of links and pictures in a page, as paths in the checkout; not those of the web, nor within the page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
        if "://" not in target:
            yield Path(os.path.relpath(page.parent / target, ROOT))


def stage(folder):
    """Copies the pages."""
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
    """The links of a page, the ids that links may name, what it loads, and the classes of its elements."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.loaded, self.classes = [], set(), [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.classes.update((attributes.get("class") or "").split())
        links = [attributes[name] for name in ("href", "src") if attributes.get(name)]
        self.links += links
        if tag != "a":
            self.loaded += links


def known_languages(folder):
    """The languages that the scripts of the book give colours to, with their other names."""
    highlight = next(folder.glob("highlight-*.js")).read_text()
    languages = re.findall(r"^    (\w+): {$", (ROOT / "docs/book.js").read_text(), flags=re.M)
    aliases = ["sh", "console", "toml", "html", "js", "text", "ninja", "cmake"]
    return {*re.findall(r'registerLanguage\("([^"]+)"', highlight), *languages, *aliases}


def check(folder):
    """Looks at the built book."""
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    broken, count = [], 0
    languages = known_languages(folder)
    for path, page in pages.items():
        name = path.relative_to(folder)
        # mdBook's script asks another host for what runs an example, once a page has one.
        if "playground" in page.classes:
            broken.append(f"{name}: an example with a button that runs it")
        broken += [f"{name}: loads {link}" for link in page.loaded if urllib.parse.urlsplit(link).netloc]
        used = {name.removeprefix("language-") for name in page.classes if name.startswith("language-")}
        broken += [f"{name}: no colours for {language}" for language in sorted(used - languages)]
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            count += 1
            target = Path(os.path.normpath(path.parent / urllib.parse.unquote(url.path))) if url.path else path
            has_element = target not in pages or not url.fragment or urllib.parse.unquote(url.fragment) in pages[target].ids
            if not target.is_file() or not has_element:
                broken.append(f"{path.relative_to(folder)}: {link}")
    if broken or not count:
        sys.exit("\n".join(["broken:", *broken]))


def main():
    for command in (["scripts/setup.sh", "mdbook"], ["scripts/plots.py", "--check"]):
        subprocess.run(command, check=True, cwd=ROOT)
    stage(BOOK / "src")
    subprocess.run(["target/tools/bin/mdbook", "build"], check=True, cwd=ROOT)
    check(BOOK / "html")
    print("book.py: wrote target/book/html/index.html", file=sys.stderr)


main()
