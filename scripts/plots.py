#!/usr/bin/env python3
"""Writes the plots of docs/plots, and the tables of measured figures: from the CSV files of docs/results, and the tables that speed.py writes.

    scripts/plots.py            writes the files that differ
    scripts/plots.py --check    fails where one differs

A picture has the colours of light or dark pages, as its reader prefers, on a ground of its own.
"""

import csv
import html
import itertools
import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/results"

STYLE = """
svg { --ground: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0;
      --a: #0969da; --b: #bc4c00; --c: #1a7f37; --d: #8250df; --soft: #ddf4ff; --warm: #fff1e5; }
@media (prefers-color-scheme: dark) {
svg { --ground: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --line: #3d444d;
      --a: #58a6ff; --b: #f0883e; --c: #3fb950; --d: #bc8cff; --soft: #12263f; --warm: #3a2412; } }
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; fill: var(--ink); }
.faint { fill: var(--faint); } .small { font-size: 12px; } .bold { font-weight: 600; }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.ground { fill: var(--ground); stroke: var(--line); } .grid { stroke: var(--line); } .axis { stroke: var(--faint); }
"""


class Picture:
    """An SVG file, made of elements."""

    def __init__(self, width, height, title):
        self.size = width, height
        self.title = title
        self.parts = []
        self.rect(0.5, 0.5, width - 1, height - 1, "ground", rx=8)

    def add(self, tag, content=None, **attributes):
        written = "".join(f' {name.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"' for name, value in attributes.items())
        self.parts.append(f"<{tag}{written}/>" if content is None else f"<{tag}{written}>{content}</{tag}>")

    def text(self, x, y, text, kind="", **attributes):
        self.add("text", html.escape(text, quote=False), x=number(x), y=number(y), class_=kind, **attributes)

    def rect(self, x, y, width, height, kind="", **attributes):
        self.add("rect", x=number(x), y=number(y), width=number(width), height=number(height), class_=kind, **attributes)

    def line(self, x, y, to_x, to_y, kind="grid", **attributes):
        self.add("line", x1=number(x), y1=number(y), x2=number(to_x), y2=number(to_y), class_=kind, **attributes)

    def path(self, points, colour):
        steps = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.add("polyline", points=steps, fill="none", stroke=f"var(--{colour})", stroke_width=2)
        for x, y in points:
            self.add("circle", cx=number(x), cy=number(y), r=3.5, fill=f"var(--{colour})")

    def svg(self):
        width, height = self.size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        return "\n".join([head, f"<title>{html.escape(self.title)}</title>", f"<style>{STYLE}</style>", *self.parts, "</svg>\n"])


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def rows(name):
    with open(RESULTS / name, newline="") as file:
        return list(csv.DictReader(file))


def gains_plot():
    """The gains with a cold cache by the share of switches that are on, for each driver."""
    picture = Picture(900, 380, "How many times as fast pipelines are created, by the share of switches that are on")
    colours = {"forward": "a", "combiner": "b", "post": "c"}
    measured = rows("gains.csv")
    bottom, top, low, high = 310, 70, 0.5, 10
    for at, driver in enumerate(dict.fromkeys(row["driver"] for row in measured)):
        left, right = 60 + 440 * at, 60 + 440 * at + 350
        to_y = lambda gain: bottom - (bottom - top) * math.log(gain / low) / math.log(high / low)
        to_x = lambda share: left + (right - left) * share / 100
        picture.text((left + right) / 2, 34, driver, "bold middle")
        for gain in (0.5, 1, 2, 5, 10):
            picture.line(left, to_y(gain), right, to_y(gain), "axis" if gain == 1 else "grid")
            picture.text(left - 8, to_y(gain) + 5, f"{gain:g}×", "faint small end")
        for share in (0, 25, 50, 75, 100):
            picture.text(to_x(share), bottom + 20, f"{share} %", "faint small middle")
        picture.text((left + right) / 2, bottom + 44, "of the switches are on", "faint small middle")
        for module, colour in colours.items():
            gains = [row for row in measured if (row["driver"], row["module"]) == (driver, module)]
            picture.path([(to_x(int(row["setting"].split()[0])), to_y(float(row["gain"]))) for row in gains], colour)
    for at, (module, colour) in enumerate(colours.items()):
        x = 250 + 130 * at
        picture.line(x, 367, x + 22, 367, "", stroke=f"var(--{colour})", stroke_width=3)
        picture.text(x + 30, 372, module, "small")
    picture.text(64, 60, "faster specialized", "faint small")
    picture.text(64, 328 - 22, "slower", "faint small")
    return picture.svg()


def bars(title, groups, ticks, at_share, width=900, left=430):
    """Horizontal bars: groups of bars, each with a name, a value and the text at its end. `at_share` places a value between 0 and 1."""
    height = 84 + sum(30 + 24 * len(group) for _, group in groups)
    picture = Picture(width, height, title)
    picture.text(20, 30, title, "bold")
    to_x = lambda value: left + (width - 80 - left) * at_share(value)
    for value, text in ticks:
        picture.line(to_x(value), 50, to_x(value), height - 34, "axis" if value == ticks[0][0] else "grid")
        picture.text(to_x(value), height - 14, text, "faint small middle")
    y = 44
    for (name, group), colour in zip(groups, itertools.cycle("abcd")):
        picture.text(20, y + 18, name, "bold small")
        y += 30
        for label, value, text in group:
            picture.text(left - 10, y + 13, label, "small end")
            picture.rect(left, y, to_x(value) - left, 17, rx=2, fill=f"var(--{colour})")
            picture.text(to_x(value) + 6, y + 13, text, "small")
            y += 24
    return picture.svg()


UBERSHADERS = ("forward", "combiner", "post")


def ratios(measured, share):
    """How many times as fast ubershaders compile with their constants set before, with a share of the switches on."""
    of_share = [row for row in measured if row["module"] in UBERSHADERS and row["setting"] == f"{share} % on"]
    return [float(row["by_driver_ms"]) / float(row["before_ms"]) for row in of_share]


def mean(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def by_driver(name):
    """The rows of a file by driver, without the version."""
    drivers = {}
    for row in rows(name):
        drivers.setdefault(row["driver"].split(";")[0], []).append(row)
    return drivers


def variants_plot():
    """How many times as fast drivers compile what is left, by the share of switches that are on."""
    groups = []
    for driver, measured in by_driver("variants.csv").items():
        bars_of_driver = []
        for share in (0, 10, 50, 100):
            times = mean(ratios(measured, share))
            bars_of_driver.append((f"{share} % of the switches on", times, f"{times:.3g}×"))
        groups.append((driver, bars_of_driver))
    title = "How many times as fast drivers compile ubershaders whose constants are set before"
    ticks = [(1, "as fast"), (3, "3×"), (10, "10×"), (30, "30×"), (100, "100×"), (300, "300×")]
    return bars(title, groups, ticks, lambda times: max(0.004, math.log10(max(times, 1)) / math.log10(500)), left=330)


def variants_table():
    lines = ["| driver | equal code | instructions or bytes, set by the driver | set before | as fast, 0 % on | 10 % | 25 % | 50 % | 75 % | 100 % |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for driver, measured in by_driver("variants.csv").items():
        told = [row for row in measured if row["equal_code"]]
        equal = f"{sum(row['equal_code'] == 'yes' for row in told)} of {len(told)}" if told else "not told"
        # NVIDIA's driver tells the bytes of the code alone.
        figure, unit = ("instructions", "") if measured[0]["instructions_before"] else ("code_size", " bytes")
        counts = [f"{sum(int(row[f'{figure}_{way}']) for row in told):,}{unit}" if told else "" for way in ("by_driver", "before")]
        times = [f"{mean(ratios(measured, share)):.3g}×" for share in (0, 10, 25, 50, 75, 100)]
        lines.append(f"| {driver} | {equal} | {' | '.join(counts + times)} |")
    return lines


def searches_table():
    lines = ["| driver | modules | compiled, of each at most | largest regret, cheapest | dearest | compared with |", "|---|---:|---:|---:|---:|---:|"]
    for driver, found in by_driver("variant-searches.csv").items():
        most = max(int(row["compiled"]) for row in found)
        regrets = [f"{max(float(row[column]) for row in found):g} %" for column in ("regret_percent", "dearest_regret_percent")]
        tried = sum(int(row["tried"]) for row in found)
        lines.append(f"| {driver} | {len(found)} | {most} | {' | '.join(regrets)} | {tried:,} combinations |")
    return lines


def speed_plot():
    """How many times as many instructions a program of SPIRV-Tools executes, from the tables of the page."""
    groups, name = [], None
    for line in (ROOT / "docs/speed.md").read_text().splitlines():
        if line.startswith("## "):
            name = line[3:]
        found = re.match(r"\| (.*?) \| (1/)?([\d.]+) of `(.*?)` \|", line)
        # The reader in C copies what was made before.
        if found and "(spvb.c)" not in line:
            label, inverse, value, peer = found.groups()
            times = float(value) if inverse else 1 / float(value)
            if not groups or groups[-1][0] != name:
                groups.append((name, []))
            # The rest of a name says what the row before has said.
            label = re.sub(r", (one image|with).*|`", "", label)
            groups[-1][1].append((label, times, f"{times:.3g}× ({peer})"))
    title = "Instructions of a program of SPIRV-Tools, in proportion to those of spirv-if"
    ticks = [(1, "as many"), (10, "10×"), (100, "100×"), (1000, "1000×")]
    return bars(title, groups, ticks, lambda times: math.log10(max(times, 1)) / 3)


def bundles_plot():
    """The sizes of bundles and of other codings, in percent of the modules."""
    table = rows("bundles.csv")
    whole, *codings = [row for row in table if all(value.isdigit() for value in list(row.values())[1:])]
    groups = []
    for column in list(whole)[1:]:
        shares = [(row[""].replace("`", ""), 100 * int(row[column]) / int(whole[column])) for row in codings]
        size = f"{int(whole[column]) / 1e6:.1f} MB"
        groups.append((f"{column}, {size}", [(label, share, f"{share:.1f} %") for label, share in shares]))
    title = "Bytes of modules in one file, in percent of the modules"
    return bars(title, groups, [(share, f"{share} %") for share in (0, 4, 8, 12)], lambda share: share / 12)


def drawing():
    """What pack and specialize do, for the top of the README."""
    picture = Picture(900, 304, "pack makes one module for every device when you build; specialize cuts it down for a device when you load it")

    def module(x, y, name, parts):
        picture.rect(x, y, 190, 34 + 26 * len(parts), rx=6, fill="var(--ground)", stroke="var(--faint)")
        picture.text(x + 12, y + 22, name, "code bold")
        for at, (text, colour) in enumerate(parts):
            top = y + 34 + 26 * at
            if colour:
                picture.rect(x + 8, top, 174, 22, rx=4, fill=f"var(--{colour})")
            picture.text(x + 16, top + 16, text, "small")

    def arrow(x, y, to_x, to_y, text):
        picture.line(x, y, to_x - 8, to_y, "axis", stroke_width=2)
        angle = math.degrees(math.atan2(to_y - y, to_x - 8 - x))
        picture.add("path", d="M0,0 l-10,-5 v10 z", transform=f"translate({number(to_x)},{number(to_y)}) rotate({number(angle)})", fill="var(--faint)")
        for line, kind in text:
            picture.text((x + to_x) / 2, y - 10 if kind == "code middle bold" else y + 22, line, kind)

    main, single = ("main", ""), ("tint: single floats", "warm")
    half = [("tint: half floats", "soft"), ("capability Float16", "soft")]
    picture.text(115, 36, "from your compiler", "faint small middle")
    module(20, 80, "tint.spv", [main, single, *half])
    arrow(220, 149, 340, 149, [("pack", "code middle bold"), ("when you build", "faint small middle")])
    picture.text(445, 36, "one file for every device", "faint small middle")
    conditional = [(f"where {condition}: {text.removeprefix('capability ').removeprefix('tint: ')}", colour)
                   for text, colour, condition in [(*single, "!fp16"), *((*part, "fp16") for part in half)]]
    module(350, 80, "packed.spv", [main, *conditional])
    arrow(550, 130, 680, 110, [])
    picture.text(606, 102, "specialize", "code middle bold")
    picture.text(606, 153, "when you load it", "faint small middle")
    arrow(550, 170, 680, 216, [])
    picture.text(785, 36, "plain modules for drivers", "faint small middle")
    module(690, 52, "with half floats", [main, *half])
    module(690, 176, "without", [main, single])
    picture.text(450, 284, "A driver gets what its device runs: no branch, and no capability that it does not have.", "faint small middle")
    return picture.svg()


def gains_table(driver):
    head = "| module | setting | remains | specialize | again | original | result | gain | warm: original | result | gain |"
    lines = [head, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for row in rows("gains.csv"):
        if row.pop("driver") == driver:
            module, size, setting, remains, *times = row.values()
            lines.append(f"| {module}, {size} KB | {setting} | {remains} % | {' | '.join(times)} |")
    return lines


def bundles_table():
    table = rows("bundles.csv")
    lines = [f"| | {' | '.join(list(table[0])[1:])} |", "|---|---:|---:|---:|"]
    for row in table:
        cells = [f"{int(cell):,}" if cell.isdigit() else cell for cell in row.values()]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def with_tables(path, tables):
    """The text of a page with its tables."""
    text = path.read_text()
    for name, lines in tables.items():
        begin, end = f"<!-- scripts/plots.py writes this: {name} -->\n", "<!-- until here -->\n"
        before, rest = text.split(begin)
        text = before + begin + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]
    return text


def files():
    """The files, with what they should be."""
    gains, bundles = RESULTS / "gains.md", ROOT / "docs/bundles.md"
    drivers = dict.fromkeys(row["driver"] for row in rows("gains.csv"))
    yield gains, with_tables(gains, {f"gains.csv, {driver}": gains_table(driver) for driver in drivers})
    page = ROOT / "docs/gains.md"
    yield page, with_tables(page, {"variants.csv": variants_table(), "variant-searches.csv": searches_table()})
    yield bundles, with_tables(bundles, {"bundles.csv": bundles_table()})
    plots = {"gains": gains_plot, "variants": variants_plot, "speed": speed_plot, "bundles": bundles_plot, "pack-specialize": drawing}
    for name, plot in plots.items():
        yield ROOT / "docs/plots" / f"{name}.svg", plot()


def main():
    differing = [(path, text) for path, text in files() if not path.exists() or path.read_text() != text]
    if sys.argv[1:] == ["--check"]:
        names = ", ".join(str(path.relative_to(ROOT)) for path, _ in differing)
        sys.exit(f"plots.py: error: {names} differ: run scripts/plots.py" if names else None)
    for path, text in differing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


main()
