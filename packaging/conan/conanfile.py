"""The C interface of spirv-if and its program, from the checkout that this recipe is in: `conan create packaging/conan`."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy

# What cargo builds the two packages from. It reads the manifests of the whole workspace.
SOURCES = [
    "Cargo.*",
    "CHANGELOG.md",
    "LICENSE-*",
    "README.md",
    "benches/*",
    "bundle/*",
    "capi/*",
    "cli/*",
    "examples/*",
    "generate/*",
    "include/*",
    "inspect/*",
    "layers/*",
    "lowering/*",
    "probe/*",
    "python/*",
    "spec-extensions/*",
    "src/*",
    "sycl/*",
    "web/*",
]


class SpirvIfConan(ConanFile):
    name = "spirv-if"
    license = "MIT OR Apache-2.0"
    description = "One SPIR-V module for every device: packs shader code that is conditional on device features, and cuts it down for a device"
    topics = ("spirv", "vulkan", "opencl", "sycl", "shader")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "lean": [True, False],
        "probe": [True, False],
        "program": [True, False],
    }
    default_options = {"shared": False, "lean": False, "probe": True, "program": True}

    def set_version(self):
        manifest = (self._checkout() / "Cargo.toml").read_text()
        self.version = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self._checkout(), self.export_sources_folder, excludes=["*/target/*", "*/node_modules/*"])

    def validate(self):
        if self.settings.os not in ("Linux", "Macos", "Windows"):
            raise ConanInvalidConfiguration("spirv-if is built for Linux, macOS and Windows")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SPIRV_IF_LEAN"] = bool(self.options.lean)
        toolchain.cache_variables["SPIRV_IF_PROBE"] = bool(self.options.probe)
        toolchain.cache_variables["SPIRV_IF_BUILD_PROGRAM"] = bool(self.options.program)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="capi")
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE-*", self.source_folder, Path(self.package_folder) / "licenses")

    def package_info(self):
        # The installed CMake package has the targets and the functions.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "spirv-if")
        self.cpp_info.builddirs = ["lib/cmake/spirv-if"]
        self.cpp_info.libs = ["spvif_static" if self._is_static_on_windows() else "spvif"]
        if self.options.shared:
            self.cpp_info.defines = ["SPVIF_SHARED"]
        elif self.settings.os == "Linux":
            self.cpp_info.system_libs = ["gcc_s", "m", "pthread", "dl"]
        elif self.settings.os == "Windows":
            self.cpp_info.system_libs = ["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"]

    def _is_static_on_windows(self):
        return self.settings.os == "Windows" and not self.options.shared

    def _checkout(self):
        return Path(self.recipe_folder).parents[1]
