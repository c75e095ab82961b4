#!/usr/bin/env python3
"""Writes the tables of bundle/c/spvb_vulkan.h and spvb_opencl.h anew from those in spec-extensions/, between the marks in both.

    scripts/bundle-headers.py          writes them
    scripts/bundle-headers.py --check  fails if they are not what the tables have
"""

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "/* scripts/bundle-headers.py writes this. */\n", "/* until here */\n"


def rows(name):
    """The rows of a table, as mappings from columns."""
    with open(ROOT / f"spec-extensions/{name}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def text(value):
    return f'"{value}"' if value else "0"


def version(value):
    """`1.2` as a number: 0x102; 0 for none."""
    major, minor = value.split(".") if value else (0, 0)
    return f"0x{int(major) << 8 | int(minor):x}"


class Members:
    """Members of the structures in chains, by name: each with the structures that have it."""

    def __init__(self):
        self.by_name = {}
        for row in rows("vulkan-structures"):
            if row["kind"] == "core":
                continue
            end = 0
            for member in row["members"].split():
                member, _, layout = member.partition(":")
                member, _, gathered = member.partition("=")
                size, _, count = (layout or "4*1").partition("*")
                size, count = int(size), int(count)
                start = -(-end // size) * size
                end = start + size * count
                if size == 4:
                    place = (row["stype"], start)
                    self.by_name.setdefault(member, []).append(place)
                    if gathered:
                        self.by_name.setdefault(gathered, []).append(place)
        self.used = {}

    def number(self, member):
        """The number of a member among those that are used."""
        if member not in self.by_name:
            sys.exit(f"no structure has {member}")
        return self.used.setdefault(member, len(self.used))

    def tables(self):
        places, members = [], []
        for name in self.used:
            members.append(f"    {{{len(places)}, {len(self.by_name[name])}}}, /* {name} */")
            places.extend(f"    {{{stype}, {start}}}," for stype, start in self.by_name[name])
        return places, members


def test_of(value, values):
    """How a property is compared: kind and number."""
    if value in ("", "VK_TRUE"):
        return "SPVB_VULKAN_ON", 0
    if "INDEPENDENCE" in value:
        return "SPVB_VULKAN_IS", values[value]
    return "SPVB_VULKAN_HAS_BIT", values[value]


def vulkan():
    members = Members()
    values = {row["name"]: int(row["value"], 0) for row in rows("vulkan-values")}
    ways = {}

    def add(key, row, with_version=True):
        structure, member = row["structure"], row["member"]
        if structure == "VkPhysicalDeviceProperties":
            number, (kind, value) = "0xffff", ("SPVB_VULKAN_TYPE", values[row["value"]])
        elif member:
            number, (kind, value) = members.number(member), test_of(row["value"], values)
        else:
            number, (kind, value) = "0xffff", ("SPVB_VULKAN_ON", 0)
        extension = row["extension"] if with_version or row["extension"].startswith("!") else ""
        way = (version(row["version"]) if with_version else "0x0", text(extension), number, kind, value)
        of_key = ways.setdefault(key, [])
        if way not in of_key:
            of_key.append(way)

    for row in rows("vulkan-aspects"):
        add(f"a {row['aspect']}", row)
    for row in rows("vulkan-capabilities"):
        add(f"c {row['capability']}", row)
    for row in rows("vulkan-extensions"):
        add(f"e {row['spirv_extension']}", {**row, "structure": "", "member": "", "value": ""})
    # What a capability or a use names is a feature of its own, whichever structure has it.
    for row in rows("vulkan-capabilities") + rows("vulkan-uses"):
        if row["member"]:
            value = "" if row["value"] in ("", "VK_TRUE") else f".{row['value']}"
            add(f"f {row['member']}{value}", row, with_version=False)
    for row in rows("vulkan-structures"):
        if row["kind"] != "features":
            continue
        for member in row["members"].split():
            if ":" not in member and "[" not in member:
                name = member.split("=")[0]
                if f"f {name}" not in ways:
                    add(f"f {name}", {"structure": row["structure"], "member": name, "value": "", "extension": "", "version": ""}, False)
    questions, all_ways = [], []
    for key in sorted(ways):
        questions.append(f'    {{"{key}", {len(all_ways)}, {len(ways[key])}}},')
        all_ways.extend("    {{{}, {}, {}, {}, {}}},".format(*way) for way in ways[key])
    limits = []
    known = set()
    for row in rows("vulkan-limits") + [
        {"structure": row["structure"], "limit": row["member"]} for row in rows("numbers")
    ]:
        member = row["limit"]
        if row["structure"] != "VkPhysicalDeviceLimits" or member in known:
            continue
        known.add(member)
        name = member.replace("[", ".").replace("]", "")
        limits.append(f'    {{"{name}", offsetof(VkPhysicalDeviceLimits, {member})}},')
    spirv = []
    for row in rows("api-spirv-versions"):
        if row["api"] == "vulkan":
            spirv.append(f"    {{{version(row['spirv'])}, {version(row['version'])}, {text(row['extension'])}}},")
    drivers = []
    # Those of OpenCL have no number.
    for row in (row for row in rows("drivers") if row["id"]):
        # Other encodings are unknown.
        widths = [int(bits) for bits in row["version"].split(".") if bits.isdigit()]
        widths += [0] * (4 - len(widths))
        drivers.append(f'    {{"{row["name"]}", {row["id"]}, {{{", ".join(map(str, widths))}}}}},')
    places, of_members = members.tables()
    return "\n".join(
        [
            "static const spvb_vulkan_place spvb_vulkan_places[] = {", *places, "};",
            "static const spvb_vulkan_member spvb_vulkan_members[] = {", *of_members, "};",
            "static const spvb_vulkan_way spvb_vulkan_ways[] = {", *all_ways, "};",
            "static const spvb_row spvb_vulkan_questions[] = {", *questions, "};",
            "static const spvb_vulkan_limit spvb_vulkan_limits[] = {", *sorted(limits), "};",
            "static const spvb_vulkan_spirv spvb_vulkan_spirv_versions[] = {", *spirv, "};",
            "static const spvb_vulkan_driver spvb_vulkan_drivers[] = {", *drivers, "};", "",
        ]
    )


def opencl():
    numbers = {row["query"]: row for row in rows("opencl-queries")}
    values = {row["name"]: row["value"] for row in rows("opencl-values")}
    ways = {}
    for name, column, letter in (("aspects", "aspect", "a"), ("capabilities", "capability", "c"), ("extensions", "spirv_extension", "e")):
        for row in rows(f"opencl-{name}"):
            kind, value = "SPVB_OPENCL_ANY", "0"
            if row["value"] in ("not 0", "CL_TRUE"):
                kind = "SPVB_OPENCL_NOT_0"
            elif row["value"] == "FULL_PROFILE":
                kind = "SPVB_OPENCL_FULL_PROFILE"
            elif row["value"].startswith("with "):
                kind, value = "SPVB_OPENCL_HAS_BIT", values[row["value"].removeprefix("with ")]
            elif row["value"]:
                sys.exit(f"unknown value {row['value']}")
            first, _, last = row["version"].partition("-")
            first, last = version(first), version(last or ("255.255" if first else ""))
            query = numbers[row["query"]]["number"] if row["query"] else "0"
            ways.setdefault(f"{letter} {row[column]}", []).append((first, last, text(row["extension"]), query, kind, value))
    questions, all_ways = [], []
    for key in sorted(ways):
        questions.append(f'    {{"{key}", {len(all_ways)}, {len(ways[key])}}},')
        all_ways.extend("    {{{}, {}, {}, {}, {}, {}}},".format(*way) for way in ways[key])
    return "\n".join(
        [
            "static const spvb_opencl_way spvb_opencl_ways[] = {", *all_ways, "};",
            "static const spvb_row spvb_opencl_questions[] = {", *questions, "};", "",
        ]
    )


def main():
    for name, table in (("spvb_vulkan.h", vulkan), ("spvb_opencl.h", opencl)):
        path = ROOT / "bundle/c" / name
        before, rest = path.read_text(encoding="utf-8").split(BEGIN)
        _, after = rest.split(END)
        written = before + BEGIN + table() + END + after
        if "--check" in sys.argv[1:]:
            if written != path.read_text(encoding="utf-8"):
                sys.exit(f"{path.relative_to(ROOT)} is not what the tables have: run scripts/bundle-headers.py")
        else:
            path.write_text(written, encoding="utf-8")


main()
