#!/usr/bin/env python3
"""Writes spec-extensions/vulkan-*.csv anew from the Vulkan registry.

    scripts/vulkan-tables.py [FOLDER]

FOLDER is where a registry lies (vk.xml, and validusage.json beside it): share/vulkan/registry of a Vulkan SDK or of Debian's
libvulkan-dev. Without it Debian unstable's is fetched into target/tools, which needs scripts/setup.sh to have run.
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
        sys.exit("vulkan-tables.py: error: no registry given, and nothing to fetch one with: run scripts/setup.sh spirv-tools")
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
        self.root = root
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


class Structures:
    """The structures that vkGetPhysicalDeviceFeatures2 and vkGetPhysicalDeviceProperties2 fill: how they lie in memory."""

    def __init__(self, registry):
        self.registry = registry
        root = registry.root
        self.nodes = {kind.get("name"): kind for kind in root.findall("types/type[@category='struct']")}
        self.kinds = {kind.findtext("name") or kind.get("name"): kind for kind in root.findall("types/type")}
        self.constants = {enum.get("name"): enum.get("value") for enum in root.findall("enums[@name='API Constants']/enum")}
        self.values = {}  # name of an enumerant or bit: number
        enums = [(enum, None) for enums in root.findall("enums") for enum in enums.findall("enum")]
        for node in [*root.findall("feature"), *root.findall("extensions/extension")]:
            enums += [(enum, node.get("number")) for enum in node.findall("require/enum[@extends]")]
        for is_alias in (False, True):
            for enum, extension in enums:
                if is_alias == ("alias" in enum.attrib):
                    self.add_value(enum, extension)

    def add_value(self, enum, extension):
        name = enum.get("name")
        if enum.get("alias") in self.values:
            self.values[name] = self.values[enum.get("alias")]
        elif "value" in enum.attrib and re.fullmatch("-?[0-9]+", enum.get("value")):
            self.values[name] = int(enum.get("value"))
        elif "bitpos" in enum.attrib:
            self.values[name] = 1 << int(enum.get("bitpos"))
        elif "offset" in enum.attrib and enum.get("dir") != "-":
            number = int(enum.get("extnumber") or extension)
            self.values[name] = 1000000000 + (number - 1) * 1000 + int(enum.get("offset"))

    def kind(self, name):
        """features, properties, or nothing for another structure."""
        extends = self.nodes[name].get("structextends", "").split(",")
        for kind in ("features", "properties"):
            if f"VkPhysicalDevice{kind.title()}2" in extends:
                return kind
        return "features" if name == "VkPhysicalDeviceFeatures" else None

    def number(self, name):
        """Its VkStructureType. VkPhysicalDeviceFeatures is what VkPhysicalDeviceFeatures2 has after its head."""
        node = self.nodes["VkPhysicalDeviceFeatures2" if name == "VkPhysicalDeviceFeatures" else name]
        return self.values[node.find("member").get("values")]

    def layout(self, name):
        """The members after sType and pNext: names, bytes of a value, number of values."""
        for member in self.nodes[name].findall("member"):
            if not is_vulkan(member) or member.findtext("name") in ("sType", "pNext"):
                continue
            text = "".join(part for part in member.itertext())
            assert "*" not in text, (name, text)
            kind, count = member.findtext("type"), 1
            if enum := member.findtext("enum"):
                count = int(self.constants[enum])
            elif length := re.search(r"\[(\d+)\]", text):
                count = int(length[1])
            yield member.findtext("name"), self.size(kind), count * (4 if kind == "VkConformanceVersion" else 1)

    def size(self, kind):
        if kind in ("uint8_t", "char", "VkConformanceVersion"):
            return 1
        if kind in ("uint64_t", "int64_t", "VkDeviceSize", "VkFlags64"):
            return 8
        if kind in ("uint32_t", "int32_t", "float", "VkBool32", "VkFlags"):
            return 4
        node = self.kinds[kind]
        if node.get("category") == "bitmask":
            return self.size(self.kinds[node.get("alias")].findtext("type") if node.get("alias") else node.findtext("type"))
        assert node.get("category") == "enum", kind
        return 4

    def gathered(self, wanted):
        """Which structure of a core version has wanted members of another one since."""
        gathering = [name for name in self.nodes if re.fullmatch(r"VkPhysicalDeviceVulkan\d\d(Features|Properties)", name)]
        found = {}
        for name in self.registry.structures:
            if name in gathering or not self.registry.version_of_type.get(name) or not self.kind(name):
                continue
            members = {RENAMED.get((name, member), member) for member in self.registry.structures[name]}
            for one in gathering:
                if any((one, member) in wanted for member in members) and self.kind(one) == self.kind(name):
                    found[name] = one
        return found

    def of_core_features(self):
        """The structures of features whose members all are in one of a core version since, with that one."""
        members = self.registry.structures
        gathering = [name for name in self.nodes if re.fullmatch(r"VkPhysicalDeviceVulkan\d\dFeatures", name)]
        for name in sorted(set(members) - set(gathering)):
            if self.registry.version_of_type.get(name) and self.kind(name) == "features":
                rest = set(members[name]) - {"sType", "pNext"}
                yield from ((name, one) for one in gathering if rest <= set(members[one]))


# Members that have another name in the structure that gathers them.
RENAMED = {
    ("VkPhysicalDeviceSubgroupProperties", "supportedStages"): "subgroupSupportedStages",
    ("VkPhysicalDeviceSubgroupProperties", "supportedOperations"): "subgroupSupportedOperations",
    ("VkPhysicalDeviceSubgroupProperties", "quadOperationsInAllStages"): "subgroupQuadOperationsInAllStages",
}
# vulkan-limits.csv is written by hand; what it names must exist.
LIMITS = [line.split(",") for line in (TABLES / "vulkan-limits.csv").read_text().splitlines() if not line.startswith("#")][1:]
# Likewise numbers.csv; the other structures that it names are asked for what the tables name anyway.
NUMBERS = [line.split(",") for line in (TABLES / "numbers.csv").read_text().splitlines() if not line.startswith("#")][1:]
# What is asked beside what the other tables name: drivers, sizes of sub-groups, and limits.
ASKED_BESIDE = [
    ("VkPhysicalDeviceVulkan12Properties", "driverID"),
    ("VkPhysicalDeviceVulkan11Properties", "subgroupSize"),
    ("VkPhysicalDeviceVulkan11Properties", "subgroupSupportedStages"),
    ("VkPhysicalDeviceVulkan13Properties", "minSubgroupSize"),
    ("VkPhysicalDeviceVulkan13Properties", "maxSubgroupSize"),
    ("VkPhysicalDeviceVulkan13Properties", "requiredSubgroupSizeStages"),
    ("VkPhysicalDeviceVulkan13Features", "subgroupSizeControl"),
] + [(structure, limit) for structure, limit, *_ in LIMITS if structure != "VkPhysicalDeviceLimits"]
# What of VkPhysicalDeviceProperties is of use.
CORE = [
    ("VkPhysicalDeviceProperties", ("vendorID", "deviceID", "deviceType", "driverVersion")),
    ("VkPhysicalDeviceLimits", tuple(dict.fromkeys(
        [limit for structure, limit, *_ in LIMITS if structure == "VkPhysicalDeviceLimits"]
        + [member for _, structure, member, *_ in NUMBERS if structure == "VkPhysicalDeviceLimits"]
    ))),
]
# The enumerations whose values members of ours have.
VALUES = ["VkSubgroupFeatureFlagBits", "VkShaderStageFlagBits", "VkPhysicalDeviceType", "VkShaderFloatControlsIndependence"]


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
    pending = [row[2] for row in capabilities + extensions] + [row[5].removeprefix("!") for row in uses] + ["VK_KHR_spirv_1_4"]
    needed = {}
    while pending:
        name = pending.pop()
        if name and name not in needed:
            needed[name] = registry.extensions[name].get("depends", "")
            pending += re.findall(r"VK_(?!VERSION)\w+", needed[name])
    plain = {name: re.sub(r"VK_VERSION_(\d)_(\d)", r"\1.\2", depends) for name, depends in needed.items()}
    # An instance extension that became part of a version need not be enabled with that, nor can a device enable it.
    for name, node in registry.extensions.items():
        if node.get("type") == "instance" and (version := re.fullmatch(r"VK_VERSION_(\d)_(\d)", node.get("promotedto", ""))):
            alone = re.compile(rf"\b{name}\b(?!\||,)(?<!\|)")
            core = f"({name}|{version[1]}.{version[2]})"
            plain = {key: core[1:-1] if depends == name else alone.sub(core, depends) for key, depends in plain.items()}
    dependencies = [(name, depends.replace(",", "|")) for name, depends in sorted(plain.items()) if depends]
    write("vulkan-dependencies.csv", f"""
What a Vulkan device extension needs to be enabled with: a plus is `and`, a bar is `or`.
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py: the extensions of the other tables, and
those that these need; one that needs nothing is not here.
""", "extension,depends", dependencies)

    # What to ask a device for, and what its answers are called.
    structures = Structures(registry)
    wanted = {(row[3], row[4]) for row in capabilities if row[3]} | {(row[6], row[2]) for row in uses} | set(ASKED_BESIDE)
    gathered = structures.gathered(wanted)
    asked = {structure for structure, _ in wanted}
    asked |= {name for name, one in gathered.items() if one in asked} | {gathered[name] for name in asked if name in gathered}
    rows = [(name, "core", "", "1.0", "", "", "", " ".join(members)) for name, members in CORE]
    for core, members in CORE:
        assert {member.split("[")[0] for member in members} <= set(registry.structures[core])
    for name in sorted(asked):
        extensions_of = sorted(
            extension for extension, kinds in registry.types_of_extension.items() if name in kinds
        )
        own_names = sorted(alias for alias, of in registry.aliases.items() if of == name)
        members = []
        for member, size, count in structures.layout(name):
            if (size, count) == (4, 3):
                members += [f"{member}[{index}]" for index in range(count)]
                continue
            text = member if (size, count) == (4, 1) else f"{member}:{size}*{count}"
            members.append(text + ("=" + RENAMED[name, member] if (name, member) in RENAMED else ""))
        version = registry.version_of_type.get(name, "")
        rows.append((
            name, structures.kind(name), str(structures.number(name)), version, " ".join(extensions_of),
            gathered.get(name, ""), " ".join(own_names), " ".join(members),
        ))
    write("vulkan-structures.csv", f"""
Structures that a Vulkan device fills with its features and properties: those that the other tables name, and those that
a core version gathered into one of them.
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py.
stype: its VkStructureType. version, extensions: what lets a device be asked for it; any one is enough.
gathered: the structure of a core version that has its members too. aliases: its other names.
kind: what it is chained to; core for members of VkPhysicalDeviceProperties, of which only some stand here, out of order.
members: in order, after sType and pNext, each number of three with its index; of 4 bytes each, unless `:BYTES*COUNT` follows; `=NAME` is its name in the
gathering structure, if that is another one. VkPhysicalDeviceFeatures stands for VkPhysicalDeviceFeatures2.
""", "structure,kind,stype,version,extensions,gathered,aliases,members", rows)
    write("vulkan-gathered.csv", f"""
Structures of features, each with the structure of a core version that gathers its members: a chain for vkCreateDevice must not have both
(VUID-VkDeviceCreateInfo-pNext-02829 and the like).
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py.
stype: its VkStructureType.
""", "structure,stype,gathered", [(name, str(structures.number(name)), one) for name, one in structures.of_core_features()])
    values = []
    for kind in VALUES:
        names = [enum.get("name") for enums in registry.root.findall(f"enums[@name='{kind}']") for enum in enums.findall("enum")]
        names += [enum.get("name") for enum in registry.root.findall(f".//require/enum[@extends='{kind}']")]
        values += [(name, str(structures.values[name])) for name in dict.fromkeys(names) if name in structures.values]
    write("vulkan-values.csv", f"""
The numbers of what Vulkan properties are: bits, and enumerants.
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py.
""", "name,value", values)

    # What comes with a version or an extension in any case.
    required = []
    nodes = [(number(node.get("name")), "", node) for node in registry.root.findall("feature") if is_vulkan(node)]
    # What a provisional extension brings may be another thing in the next version of it.
    final = {name: node for name, node in registry.extensions.items() if node.get("provisional") != "true"}
    nodes += [("", name, node) for name, node in final.items()]
    kept = {(name, member) for name in asked for member in registry.structures[name]}
    for version, extension, node in nodes:
        for require in node.findall("require"):
            for feature in require.findall("feature"):
                structure = registry.aliases.get(feature.get("struct"), feature.get("struct"))
                member = feature.get("name")
                # Several names mean that one of them is there.
                if (structure, member) in kept:
                    depends = re.sub(r"VK_VERSION_(\d)_(\d)", r"\1.\2", require.get("depends", ""))
                    required.append((version, extension, depends.replace(",", "|"), structure, member))
    write("vulkan-required.csv", f"""
Features that every Vulkan device has that has a version or an extension, provisional ones left out.
From the Vulkan registry (vk.xml) {registry.version} by scripts/vulkan-tables.py: those in structures of vulkan-structures.csv.
depends: what must hold beside: versions, extensions and features; a plus is `and`, a bar is `or`.
""", "version,extension,depends,structure,member", list(dict.fromkeys(required)))

    # vulkan-uses.csv is written by hand; what it names must exist.
    rules = json.dumps(json.loads((folder / "validusage.json").read_text()))
    for _, _, member, value, version, extension, structure, sources in uses:
        extension = extension.removeprefix("!")
        assert member in registry.structures[structure], (structure, member)
        assert value in ("", "VK_TRUE") or value in structures.values, value
        assert extension in registry.types_of_extension or not extension, extension
        if extension:
            assert structure in registry.types_of_extension[extension], (extension, structure)
        # Properties are named by the structure that gathers them.
        assert value or registry.version_of_type.get(structure, "") == version, (structure, version)
        for source in sources.split():
            assert source in rules, source
    for structure, limit, _, _, _, source in LIMITS:
        assert limit.split("[")[0] in registry.structures[structure], limit
        assert source in rules, source
    for _, structure, member, *_ in NUMBERS:
        assert not structure or member.split("[")[0] in registry.structures[structure], member


main()
