#!/usr/bin/env python3
"""Writes the end of spec-extensions/devices.yaml: devices that Vulkan programs are shipped to.

    scripts/vulkan-devices.py REGISTRY MESA PROFILES

REGISTRY is where the Vulkan registry lies (share/vulkan/registry of Debian's libvulkan-dev), with Khronos' profiles; MESA, Mesa's
sources (`apt-get source mesa`); PROFILES, a checkout of KhronosGroup/Vulkan-Profiles. Other facts are those below, each with its source. target/debug/spirv-if (`cargo build`) makes entries
of them, as `spirv-if devices import` does for users. Then `cargo run -p generate` writes the constants that the
library embeds. Same sources, same bytes.

Of a driver of Mesa, the features count that its source says are `true` on every device of the family, and nothing that depends on the
device in another way than written here.
"""

import json
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEVICES = ROOT / "spec-extensions/devices.yaml"
STRUCTURES = ROOT / "spec-extensions/vulkan-structures.csv"
MARK = "# Devices that Vulkan programs are shipped to, written by scripts/vulkan-devices.py.\n"

# Android's Vulkan profiles: KhronosGroup/Vulkan-Profiles, profiles/Android, commit 094e1fb971490552c3da13037d6ed952d5a7d6ba. Those of
# 2022 include those of 2021.
ANDROID_LIMITS = {
    "VkPhysicalDeviceLimits": {"maxComputeWorkGroupInvocations": 128, "maxComputeWorkGroupSize": [128, 128, 64]}
}
ANDROID_2021 = {
    "properties": ANDROID_LIMITS,
    "extensions": ["VK_KHR_storage_buffer_storage_class", "VK_KHR_variable_pointers"],
    "VkPhysicalDeviceFeatures": """depthBiasClamp fragmentStoresAndAtomics fullDrawIndexUint32 imageCubeArray independentBlend
        robustBufferAccess sampleRateShading shaderSampledImageArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing
        shaderUniformBufferArrayDynamicIndexing""",
}
ANDROID_2022 = {
    "properties": ANDROID_LIMITS,
    "extensions": ANDROID_2021["extensions"]
    + ["VK_KHR_multiview", "VK_KHR_device_group", "VK_KHR_shader_draw_parameters", "VK_KHR_16bit_storage"],
    "VkPhysicalDeviceFeatures": ANDROID_2021["VkPhysicalDeviceFeatures"]
    + " shaderInt16 shaderStorageBufferArrayDynamicIndexing largePoints",
    "VkPhysicalDeviceMultiviewFeatures": "multiview",
    "VkPhysicalDeviceShaderDrawParametersFeatures": "shaderDrawParameters",
    "VkPhysicalDeviceVariablePointersFeatures": "variablePointers variablePointersStorageBuffer",
}

# Newer profiles of Android, by the names of their entries.
ANDROID_PUBLISHED = {
    "vulkan_vp_android_2025": "VP_ANDROID_vulkan_profile_2025",
    "vulkan_vp_android_15": "VP_ANDROID_15_requirements",
    "vulkan_vp_android_16": "VP_ANDROID_16_requirements",
    "vulkan_vp_android_17": "VP_ANDROID_17_requirements",
}

# What the drivers of Mesa that have these stages have in common.
GRAPHICS_LIMITS = {"maxTessellationPatchSize": 32, "maxGeometryShaderInvocations": 32}

# A report of vulkan.gpuinfo.org: Apple M1, MoltenVK 1.4.1 (0.2.2209) on macOS 26.5.1, in KhronosGroup/Vulkan-Profiles,
# profiles/LunarG/VP_LUNARG_desktop_baseline_2026, commit 910ea35629aa7ca7cb96335877e1abf253df704e. Features of core versions.
# Of the portability subset, what MoltenVK has on every GPU (MoltenVK/GPUObjects/MVKDevice.mm: Metal has neither isolines nor points), and on
# those of Apple.
MOLTENVK = {
    "extensions": ["VK_KHR_portability_subset"],
    "VkPhysicalDevicePortabilitySubsetFeaturesKHR": "shaderSampleRateInterpolationFunctions",
    "VkPhysicalDeviceFeatures": """alphaToOne depthBiasClamp depthClamp drawIndirectFirstInstance dualSrcBlend fillModeNonSolid
        fragmentStoresAndAtomics fullDrawIndexUint32 imageCubeArray independentBlend inheritedQueries largePoints multiDrawIndirect
        multiViewport occlusionQueryPrecise robustBufferAccess sampleRateShading samplerAnisotropy shaderClipDistance
        shaderImageGatherExtended shaderInt16 shaderInt64 shaderResourceMinLod shaderSampledImageArrayDynamicIndexing
        shaderStorageBufferArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing shaderStorageImageExtendedFormats
        shaderStorageImageReadWithoutFormat shaderStorageImageWriteWithoutFormat shaderTessellationAndGeometryPointSize
        shaderUniformBufferArrayDynamicIndexing tessellationShader vertexPipelineStoresAndAtomics""",
    "VkPhysicalDeviceVulkan11Features": """storageBuffer16BitAccess uniformAndStorageBuffer16BitAccess storagePushConstant16
        storageInputOutput16 multiview variablePointersStorageBuffer variablePointers samplerYcbcrConversion shaderDrawParameters""",
    "VkPhysicalDeviceVulkan12Features": """samplerMirrorClampToEdge storageBuffer8BitAccess uniformAndStorageBuffer8BitAccess
        storagePushConstant8 shaderFloat16 shaderInt8 descriptorIndexing shaderInputAttachmentArrayDynamicIndexing
        shaderUniformTexelBufferArrayDynamicIndexing shaderStorageTexelBufferArrayDynamicIndexing
        shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing
        shaderStorageBufferArrayNonUniformIndexing shaderStorageImageArrayNonUniformIndexing
        shaderInputAttachmentArrayNonUniformIndexing shaderUniformTexelBufferArrayNonUniformIndexing
        shaderStorageTexelBufferArrayNonUniformIndexing runtimeDescriptorArray scalarBlockLayout uniformBufferStandardLayout
        shaderSubgroupExtendedTypes bufferDeviceAddress vulkanMemoryModel vulkanMemoryModelDeviceScope shaderOutputViewportIndex
        shaderOutputLayer subgroupBroadcastDynamicId""",
    "VkPhysicalDeviceVulkan13Features": """shaderDemoteToHelperInvocation shaderTerminateInvocation subgroupSizeControl
        computeFullSubgroups shaderZeroInitializeWorkgroupMemory shaderIntegerDotProduct maintenance4""",
    "properties": {
        "VkPhysicalDeviceProperties": {
            "deviceType": "VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU",
            "limits": {
                "maxComputeWorkGroupInvocations": 1024,
                "maxComputeWorkGroupSize": [1024, 1024, 1024],
                "maxTessellationPatchSize": 32,
            },
        },
        "VkPhysicalDeviceVulkan11Properties": {
            "subgroupSize": 32,
            "subgroupSupportedOperations": [
                f"VK_SUBGROUP_FEATURE_{name}_BIT"
                for name in "BASIC VOTE ARITHMETIC BALLOT SHUFFLE SHUFFLE_RELATIVE CLUSTERED QUAD".split()
            ],
        },
        "VkPhysicalDeviceVulkan12Properties": {
            "shaderSignedZeroInfNanPreserveFloat16": True,
            "shaderSignedZeroInfNanPreserveFloat32": True,
            "shaderRoundingModeRTEFloat16": True,
            "shaderRoundingModeRTEFloat32": True,
        },
    },
}


def lists():
    """By member: the structures of features that have it."""
    found = {}
    for line in STRUCTURES.read_text().splitlines():
        fields = line.split(",")
        if not line.startswith("#") and len(fields) == 8 and fields[1] == "features":
            for member in fields[7].split():
                found.setdefault(member.split(":")[0].split("=")[0], []).append(fields[0])
    return found


def profile(version, facts):
    """A capability of a Vulkan profile, and the version."""
    features = {
        structure: {member: True for member in members.split()}
        for structure, members in facts.items()
        if structure not in ("extensions", "properties")
    }
    capability = {
        "extensions": {name: 1 for name in facts["extensions"]},
        "features": features,
        "properties": facts.get("properties", {}),
    }
    return version, capability


class Driver:
    """The source of a driver of Mesa."""

    def __init__(self, path, holds):
        self.text = path.read_text()
        self.holds = holds  # expressions that are true on all devices of the family

    def body(self, start):
        """The text from a line to the end of the function."""
        at = self.text.index(start)
        return self.text[at : self.text.index("\n}", at)]

    def is_true(self, value):
        """True if the value of a member is, on every device of the family."""
        value = " ".join(value.split())
        return value == "true" or value in self.holds

    def members(self, start):
        assignment = re.compile(r"(?:^|\s)(?:\.|features->)(\w+)\s*=\s*([^,;{}]+)[,;]", re.M)
        return {name for name, value in assignment.findall(self.body(start)) if self.is_true(value)}

    def extensions(self, start):
        return sorted(f"VK_{name}" for name in self.members(start))

    def operations(self):
        """The sub-group operations that every device supports: those of the first expression."""
        expression = re.search(r"subgroupSupportedOperations\s*=([^,;]+)[,;]", self.text)
        return re.findall(r"VK_SUBGROUP_FEATURE_\w+", expression.group(1)) if expression else []


def driver(mesa, path, version, features, extensions, size, limits, holds=(), operations=""):
    """What a driver of Mesa supports on every device of a family. `operations` are those of sub-groups beside the ones of the first expression."""
    source = Driver(mesa / path, holds)
    structures, facts = lists(), {"extensions": source.extensions(extensions)}
    for member in sorted(source.members(features)):
        for structure in structures.get(member, []):
            # A member of several structures of one driver is one value; of extensions, only those that the driver has.
            facts[structure] = f"{facts.get(structure, '')} {member}"
    properties = {"VkPhysicalDeviceProperties": {"deviceType": "VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU"}}
    properties["VkPhysicalDeviceProperties"]["limits"] = limits
    if size:
        found = source.operations() + [f"VK_SUBGROUP_FEATURE_{name}_BIT" for name in operations.split()]
        names = [name if name.endswith(("_BIT", "_KHR")) else f"{name}_BIT" for name in found]
        properties["VkPhysicalDeviceVulkan11Properties"] = {
            "subgroupSize": size,
            "subgroupSupportedOperations": [name.removesuffix("_KHR") for name in names],
        }
    facts["properties"] = properties
    return profile(version, facts)


def entries(name, document):
    """The entries that `spirv-if devices import` prints of a document, without the comments above them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(json.dumps(document))
        command = [ROOT / "target/debug/spirv-if", "devices", "import", path]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # The least that a device has is of no architecture: code for one is left out.
    return re.sub(r"^(#.*|  architecture: unknown)\n", "", printed, flags=re.M).strip("\n") + "\n"


def entry(name, found, size=None, is_profile=False):
    """The entry of one device. Of a profile, `devices import` takes no size of sub-groups. Only profiles list everything that counts."""
    version, capability = found
    document = {
        "capabilities": {"base": capability},
        "profiles": {"VP_X": {"version": 1, "api-version": version, "capabilities": ["base"]}},
    }
    text = entries("x.json", document)
    text = re.sub(r"^\S+:$", f"{name}:", text, count=1, flags=re.M)
    if size:
        text = text.replace("  sub-group-sizes: []\n", f"  sub-group-sizes: [{size}]\n")
    if not is_profile:
        text = re.sub(r"^  exact-.*\n", "", text, flags=re.M)
        text = re.sub(r"^  provider-features: \[[^]]*\]\n", present, text, flags=re.M)
    return text


def of_driver(name, text):
    """The entry with the one driver that the device of this name has."""
    return text.replace("  category: gpu\n", f"  category: gpu\n  driver: {name}\n", 1)


def reported(name, chip):
    """The entry of what a driver of Mesa reports for one chip (target/tools/compilers). The chip has other drivers, too."""
    command = [ROOT / "target/tools/compilers" / f"mesa-{chip}", ROOT / "target/debug/spirv-if", "devices", "probe", "--vulkan"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"^(#.*|  architecture: unknown|  driver: .*|  exact-.*)\n", "", printed, flags=re.M).strip("\n") + "\n"
    text = re.sub(r"^\S+:$", f"{name}:", text, count=1, flags=re.M)
    return re.sub(r',?\s+"!vulkan:\*"', "", text)


def without(text, names):
    """An entry without items of its lists: what the driver does not report for any chip of the family (target/tools/compilers), although its
    source has a line that says `true`."""
    for name in names:
        text = re.sub(rf"{name}, ?|,\s+{name}(?=\])", "", text)
    return text


def published(folder, profiles):
    """The entries of published profiles, by their names, each with that of its entry. All files of the folder are read: profiles build on each other."""
    files = sorted(folder.glob("VP_ANDROID_*.json"))
    texts = []
    for name, profile in profiles.items():
        command = [ROOT / "target/debug/spirv-if", "devices", "import", *files, "--profile", profile]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        text = re.sub(r"^(#.*|  architecture: unknown)\n", "", printed, flags=re.M).strip("\n") + "\n"
        texts.append(re.sub(r"^\S+:$", f"{name}:", text, count=1, flags=re.M))
    return "\n".join(texts)


def present(features):
    """A line of features without those that a device does not have."""
    names = re.findall(r'"(\w+:\w+)"', features.group(0))
    # What the portability subset leaves out, other devices have.
    names += re.findall(r'"!vulkan:tessellation\w+"', features.group(0))
    return textwrap.fill(f"provider-features: [{', '.join(names)}]", 110, initial_indent="  ", subsequent_indent="    ") + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    registry, mesa, profiles = map(Path, sys.argv[1:])
    release = (mesa / "VERSION").read_text().strip()
    roadmap = json.loads((registry / "profiles/VP_KHR_roadmap.json").read_text())
    text = MARK
    text += """#
# A profile is what every device that conforms to it has: a module that runs on a profile runs on all of those. Real devices have more. A profile
# is of no architecture: code that is for one is left out.
#
# Of a driver of Mesa, the features count that its source says are true on every device of the family. Other drivers for the same GPUs,
# such as those of phones, may have more or less: of a phone, import what it reports.
"""
    text += f"""#
# Khronos' roadmap profiles: Vulkan registry {registry_version(registry)}, profiles/VP_KHR_roadmap.json.
"""
    text += entries("VP_KHR_roadmap.json", roadmap)
    text += """
# Android's Vulkan profiles of 2021 and 2022, which most phones and tablets conform to, with GPUs of Arm, Qualcomm and Imagination:
# KhronosGroup/Vulkan-Profiles, profiles/Android.
"""
    text += entry("vulkan_vp_android_2021", profile("1.0.68", ANDROID_2021), is_profile=True)
    text += "\n" + entry("vulkan_vp_android_2022", profile("1.1.106", ANDROID_2022), is_profile=True)
    text += """
# What Android requires of newer chipsets, and the profile of 2025: KhronosGroup/Vulkan-Profiles, profiles/Android, commit
# 9a121df3b059556c032e0a60d2a29b0a37d2091f. That of Android 15 was VP_ANDROID_15_minimums before, and that of 16 VP_ANDROID_16_minimums.
"""
    text += published(profiles / "profiles/Android", ANDROID_PUBLISHED)
    mali = "src/panfrost/vulkan/panvk_physical_device.c"
    text += f"""
# Arm Mali of the architecture Valhall with command streams (v10: G310, G510, G610, G710), by Mesa {release}:
# {mali}.
"""
    found = driver(mesa, mali, "1.1.0", "get_features(", "get_device_extensions(", 16, {}, ["arch >= 10", "arch != 7"])
    text += entry("arm_gpu_mali_v10", found, 16)
    turnip = "src/freedreno/vulkan/tu_device.cc"
    text += f"""
# Qualcomm Adreno 6xx and 7xx, by Mesa {release}: {turnip}, and
# src/freedreno/common/freedreno_devices.py, by which the smallest limit of work-groups is 64 x 16. Limits of graphics are those of the former. 610 and 702 have much less: their driver has
# Vulkan 1.0 (Mesa 26.2.6), and their sub-groups are not known.
"""
    limits = {
        "maxComputeWorkGroupInvocations": 1024,
        "maxComputeWorkGroupSize": [1024, 1024, 1024],
        **GRAPHICS_LIMITS,
        "maxGeometryOutputVertices": 256,
    }
    six = driver(mesa, turnip, "1.3.0", "tu_get_features(", "get_device_extensions(", 64, limits)
    # Each of the tables of 7xx has these (a7xx_base, a7xx_gen1 and later).
    seven_has = ["pdevice->info->a6xx.storage_16bit", "pdevice->info->chip >= 7"]
    seven = driver(mesa, turnip, "1.4.0", "tu_get_features(", "get_device_extensions(", 64, limits, seven_has)
    not_reported = ["SampleMaskPostDepthCoverage", "SPV_KHR_post_depth_coverage"]
    text += without(entry("qualcomm_gpu_adreno_6xx", six, "64, 128"), not_reported) + "\n"
    text += without(entry("qualcomm_gpu_adreno_7xx", seven, "64, 128"), not_reported)
    text += """
# Apple M1 and M2: what Honeykrisp of Mesa 26.2.6 reports for M1 over Mesa's shim (target/tools/compilers), on Linux (Asahi); src/asahi has no difference
# between the two. By MoltenVK 1.4.1 on macOS 26.5: a report of an M1 of vulkan.gpuinfo.org, in KhronosGroup/Vulkan-Profiles, of which the features
# of core versions count.
"""
    text += of_driver("honeykrisp", reported("apple_gpu_asahi", "m1")) + "\n"
    text += of_driver("moltenvk", entry("apple_gpu_moltenvk", profile("1.4.0", MOLTENVK), 32))
    rogue = "src/imagination/vulkan/pvr_device.c"
    text += f"""
# Imagination PowerVR of the architecture Rogue, by Mesa {release}: {rogue}.
"""
    pvr = "pvr_physical_device_get_supported_"
    found = driver(mesa, rogue, "1.0.0", f"{pvr}features(", f"{pvr}extensions(", None, {})
    text += entry("imagination_gpu_rogue", found)
    text += older(mesa, release)
    before = DEVICES.read_text().split(MARK)[0].rstrip("\n")
    DEVICES.write_text(before + "\n\n" + text)


def older(mesa, release):
    """Old phones, integrated GPUs and small computers."""
    mali = "src/panfrost/vulkan/panvk_physical_device.c"
    text = f"""
# Arm Mali of the architecture Bifrost (v6: G71, G72; v7: G31, G51, G52, G76), by Mesa {release}: {mali}, which calls
# itself not well-tested there and has Vulkan 1.0. Midgard, before it, has no driver of Vulkan in Mesa.
"""
    found = driver(mesa, mali, "1.0.0", "get_features(", "get_device_extensions(", None, {})
    # Its list has VK_KHR_create_renderpass2, which depends on the extension that it does not have.
    bifrost = without(entry("arm_gpu_mali_v7", found), ["MultiView", "SPV_KHR_multiview"])
    text += bifrost.replace("arm_gpu_mali_v7:", "arm_gpu_mali_v7: &bifrost")
    text += "arm_gpu_mali_v6: *bifrost\n"
    text += """
# Qualcomm Adreno, single chips: what Turnip of Mesa 26.2.6 reports for them over Mesa's shim (target/tools/compilers). 618 is as 630, and 750 as 740.
"""
    for chip in ["610", "630", "660", "702", "730", "740", "830"]:
        text += reported(f"qualcomm_gpu_adreno_{chip}", f"adreno{chip}") + "\n"
    for name, other in [("618", "630"), ("750", "740")]:
        text = text.replace(f"adreno_{other}:\n", f"adreno_{other}: &adreno_{other}\n")
        text += f"qualcomm_gpu_adreno_{name}: *adreno_{other}\n"
    v3d = "src/broadcom/vulkan/v3dv_device.c"
    text += f"""
# Broadcom VideoCore VI of Raspberry Pi 4 (V3D 4.2) and VideoCore VII of Raspberry Pi 5 (V3D 7.1), by Mesa {release}: {v3d}.
"""
    limits = {
        "maxComputeWorkGroupInvocations": 256,
        "maxComputeWorkGroupSize": [256, 256, 256],
        "maxComputeSharedMemorySize": 16384,
        "maxGeometryShaderInvocations": 32,
        "maxGeometryOutputVertices": 256,
    }
    of_7 = ["physical_device->devinfo.ver >= 71", "device->devinfo.ver >= 71"]
    more = "BALLOT SHUFFLE SHUFFLE_RELATIVE VOTE QUAD"
    for name, holds, operations in [("4_2", [], ""), ("7_1", of_7, more)]:
        found = driver(mesa, v3d, "1.3.0", "get_features(", "get_device_extensions(", 16, limits, holds, operations)
        text += entry(f"broadcom_gpu_v3d_{name}", found, 16) + "\n"
    hasvk = "src/intel/vulkan_hasvk/anv_device.c"
    text += f"""# Intel before Broadwell (Haswell, Ivy Bridge), by Mesa {release}: {hasvk}. SYCL does not know them, and the generic
# targets of its compilers stand for the GPUs of Intel whose names begin with intel_gpu.
"""
    limits = {**GRAPHICS_LIMITS, "maxGeometryOutputVertices": 256}
    found = driver(mesa, hasvk, "1.2.0", "get_features(", "get_device_extensions(", 32, limits)
    haswell = entry("intel_graphics_hsw", found, "8, 16, 32")
    text += haswell.replace("intel_graphics_hsw:", "intel_graphics_hsw: &haswell") + "intel_graphics_ivb: *haswell\n\n"
    rogue = "src/imagination/vulkan/pvr_device.c"
    text += f"""# Imagination PowerVR, single GPUs, by Mesa {release}: {rogue}, and the sizes of work-groups by
# src/imagination/common/device_info.
"""
    pvr = "pvr_physical_device_get_supported_"
    for name in ["gx6250", "axe-1-16m", "bxs-4-64"]:
        info = (mesa / f"src/imagination/common/device_info/{name}.h").read_text()
        number = lambda feature: int(re.search(rf"\.{feature} = (\d+)", info).group(1))
        most = 512 if number("usc_slots") * number("max_instances_per_pds_task") >= 512 else 384
        limits = {
            "maxComputeWorkGroupInvocations": most,
            "maxComputeWorkGroupSize": [most, most, 64],
            "maxComputeSharedMemorySize": 16384,
        }
        found = driver(mesa, rogue, "1.0.0", f"{pvr}features(", f"{pvr}extensions(", None, limits)
        text += entry(f"imagination_gpu_{name.replace('-', '_')}", found) + "\n"
    return text.rstrip("\n") + "\n"


def registry_version(registry):
    """The version of the registry's headers."""
    text = (registry / "vk.xml").read_text()
    return "1.4." + re.search(r"VK_HEADER_VERSION</name> (\d+)", text).group(1)


main()
