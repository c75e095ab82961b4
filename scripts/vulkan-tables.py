#!/usr/bin/env python3
"""Writes spec-extensions/vulkan-*.csv anew from the Vulkan registry.

    scripts/vulkan-tables.py [FOLDER]

FOLDER is where a registry lies (vk.xml, and validusage.json beside it): share/vulkan/registry of a Vulkan SDK or of Debian's
libvulkan-dev. Without it Debian unstable's is fetched into target/tools, which needs scripts/setup-tools.sh to have run.
Same registry, same bytes.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "target/tools"
TABLES = ROOT / "spec-extensions"


def fetch():
    """The folder of Debian unstable's registry, fetched and unpacked."""
    configuration = TOOLS / "apt/apt.conf"
    if not configuration.exists():
        sys.exit("vulkan-tables.py: error: no registry given, and nothing to fetch one with: run scripts/setup-tools.sh")
    folder = TOOLS / "vulkan"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.deb"):
        old.unlink()
    for command in (["update"], ["download", "libvulkan-dev"]):
        subprocess.run(["apt-get", "-qq", "-c", configuration, *command], cwd=folder, check=True)
    (package,) = folder.glob("*.deb")
    subprocess.run(["dpkg", "-x", package, folder], check=True)
    return folder / "usr/share/vulkan/registry"


def is_vulkan(node):
    """Whether the part of the registry is Vulkan's (the registry also holds Vulkan SC)."""
    return "vulkan" in node.get("api", node.get("supported", "vulkan")).split(",")


def number(version):
    """`1.2` for VK_VERSION_1_2."""
    return version.removeprefix("VK_VERSION_").replace("_", ".")


class Registry:
    def __init__(self, folder):
        root = ElementTree.parse(folder / "vk.xml").getroot()
        self.capabilities = root.find("spirvcapabilities")
        self.spirv_extensions = root.find("spirvextensions")
        self.structures = {}  # name: members
        self.aliases = aliases = {}
        for kind in root.find("types").findall("type[@category='struct']"):
            if kind.get("alias"):
                aliases[kind.get("name")] = kind.get("alias")
            else:
                self.structures[kind.get("name")] = [
                    member.findtext("name") for member in kind.findall("member") if is_vulkan(member)
                ]

        def types(node):
            names = (kind.get("name") for kind in node.findall("require/type"))
            return [aliases.get(name, name) for name in names]

        self.extensions = {node.get("name"): node for node in root.find("extensions") if is_vulkan(node)}
        self.types_of_extension = {name: types(node) for name, node in self.extensions.items()}
        self.version_of_type = {}  # the first core version that has it
        for feature in filter(is_vulkan, root.findall("feature")):
            for name in types(feature):
                self.version_of_type.setdefault(name, feature.get("number"))
        defines = {node.findtext("name"): "".join(node.itertext()) for node in root.iter("type") if is_vulkan(node)}
        major, minor = re.search(r"\(0, (\d+), (\d+),", defines["VK_HEADER_VERSION_COMPLETE"]).groups()
        patch = re.search(r"VK_HEADER_VERSION (\d+)", defines["VK_HEADER_VERSION"])[1]
        self.version = f"{major}.{minor}.{patch}"

    def structure_of(self, extension, member):
        """The structure of the extension with this member."""
        (found,) = {name for name in self.types_of_extension[extension] if member in self.structures.get(name, ())}
        return found

    def ways(self, enable):
        """The ways that one <enable> stands for: version, extension, structure, member, value."""
        if version := enable.get("version"):
            return [(number(version), "", "", "", "")]
        if extension := enable.get("extension"):
            return [("", extension, "", "", "")]
        structure = enable.get("struct") or enable.get("property")
        structure = self.aliases.get(structure, structure)
        member = enable.get("feature") or enable.get("member")
        value = enable.get("value", "")
        requires = enable.get("requires").split(",")
        versions = [name for name in requires if name.startswith("VK_VERSION_")]
        ways = [(number(version), "", structure, member, value) for version in versions]
        for extension in (name for name in requires if name not in versions):
            # Where a core structure is named with the extension that it gathers, that extension has one of its own.
            own = self.structure_of(extension, member) if versions else structure
            ways.append((self.version_of_type.get(own, ""), extension, own, member, value))
        return ways

    def enabled(self, node):
        """All ways of a capability or SPIR-V extension, in the registry's order."""
        return list(dict.fromkeys(way for enable in node for way in self.ways(enable)))


def write(name, head, titles, rows):
    """Writes a table; fields have no commas."""
    comments = [f"# {line}\n" for line in head.strip().splitlines()]
    lines = [",".join(row) + "\n" for row in rows]
    assert all(line.count(",") == titles.count(",") for line in lines), name
    (TABLES / name).write_text("".join(comments) + titles + "\n" + "".join(lines))


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) == 2 else fetch()
    registry = Registry(folder)
    origin = f"From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py, in the registry's order."

    capabilities = [
        (node.get("name"), *way) for node in registry.capabilities for way in registry.enabled(node)
    ]
    write("vulkan-capabilities.csv", f"""
What lets a Vulkan device take a SPIR-V capability. Each row is one way, and any one of them is enough.
{origin}
version, extension: the core version from which the way exists, or the device extension to enable; of two given, either.
structure, member: the feature to enable; or with a value, the property that must be that value or have that bit.
""", "capability,version,extension,structure,member,value", capabilities)

    extensions = []
    for node in registry.spirv_extensions:
        ways = registry.enabled(node)
        versions = [version for version, *_ in ways if version]
        # The version and the extension that became part of it are one way.
        names = [extension for _, extension, *_ in ways if extension] or [""]
        extensions += [(node.get("name"), (versions or [""])[0], name) for name in names]
        assert len(versions) < 2 and (not versions or len(names) == 1), node.get("name")
    write("vulkan-extensions.csv", f"""
What lets a Vulkan device take a SPIR-V extension: the core version or the device extension. Any one row is enough.
{origin}
""", "spirv_extension,version,extension", extensions)

    # Vulkan's extensions depend on others. Those that the tables name, and what those need.
    lines = (TABLES / "vulkan-uses.csv").read_text().splitlines()
    uses = [line.split(",") for line in lines if not line.startswith("#")][1:]
    pending = [row[2] for row in capabilities + extensions] + [row[3] for row in uses] + ["VK_KHR_spirv_1_4"]
    needed = {}
    while pending:
        name = pending.pop()
        if name and name not in needed:
            needed[name] = registry.extensions[name].get("depends", "")
            pending += re.findall(r"VK_(?!VERSION)\w+", needed[name])
    plain = {name: re.sub(r"VK_VERSION_(\d)_(\d)", r"\1.\2", depends) for name, depends in needed.items()}
    dependencies = [(name, depends.replace(",", "|")) for name, depends in sorted(plain.items()) if depends]
    write("vulkan-dependencies.csv", f"""
What a Vulkan device extension needs to be enabled with: a plus is `and`, a bar is `or`.
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py: the extensions of the other tables, and
those that these need; one that needs nothing is not here.
""", "extension,depends", dependencies)

    # vulkan-uses.csv is written by hand; what it names must exist.
    rules = json.dumps(json.loads((folder / "validusage.json").read_text()))
    for member, when, version, extension, structure, source in uses:
        assert member in registry.structures[structure], (structure, member)
        assert extension in registry.types_of_extension or not extension, extension
        if extension:
            assert structure in registry.types_of_extension[extension], (extension, structure)
        assert registry.version_of_type.get(structure, "") == version, (structure, version)
        assert source in rules, source


main()
