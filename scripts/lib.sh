# shellcheck shell=bash
# What the scripts share; sourced, never run. Sets `root`, the checkout, `tools`, where setup.sh puts tools, and `unpacked`, where it unpacks
# packages of Debian.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=$root/target/tools
unpacked=$tools/root
# The target of Rust without an operating system, for which the library is built.
# shellcheck disable=SC2034 # the scripts that build use it
web=wasm32-unknown-unknown

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

# need_web: dies unless what is built for $web can be built.
need_web() {
    [[ -d $(rustc --print sysroot)/lib/rustlib/$web ]] || die "needs the standard library of $web: run 'rustup target add $web'"
}

# Whether a spirv-val knows SPV_INTEL_function_variants: it must accept a module that is nothing but the capabilities
# Addresses (4), Linkage (5), Kernel (6), SpecConditionalINTEL (6245) and FunctionVariantsINTEL (6246), the extension's
# name and the memory model.
knows_function_variants() {
    local capabilities='\021\0\2\0\4\0\0\0\021\0\2\0\5\0\0\0\021\0\2\0\6\0\0\0\021\0\2\0\145\030\0\0\021\0\2\0\146\030\0\0'
    local extension='\012\0\010\0SPV_INTEL_function_variants\0'
    printf '\3\2\043\7\0\6\1\0\0\0\0\0\1\0\0\0\0\0\0\0%b%b\016\0\3\0\2\0\0\0\2\0\0\0' "$capabilities" "$extension" |
        "$1" - >/dev/null 2>&1
}

# Exports SPIRV_VAL, SPIRV_AS, SPIRV_DIS, SPIRV_OPT and SPIRV_LINK for tests and scripts: the user's own, or those on PATH, where that
# spirv-val knows the extension; else ours, which setup.sh brings. Tests that need a missing tool fail from here on, and are not ignored.
use_spirv_tools() {
    local candidate folder=$tools/bin name variable
    export SPIRV_IF_TOOLS=required
    for candidate in "${SPIRV_VAL:-}" "$(command -v spirv-val || true)"; do
        if [[ -n $candidate ]] && knows_function_variants "$candidate"; then
            folder=$(dirname "$(command -v "$candidate")")
            break
        fi
        if [[ -n $candidate && $candidate == "${SPIRV_VAL:-}" ]]; then
            say "SPIRV_VAL=$candidate does not know SPV_INTEL_function_variants; looking for another"
            unset SPIRV_VAL
        fi
    done
    # The newest grammar comes with ours.
    if [[ ! -f ${SPIRV_GRAMMAR:-$tools/root/usr/include/spirv/unified1/spirv.core.grammar.json} ]]; then
        "$root/scripts/setup.sh" spirv-tools
    fi
    for name in val as dis opt link; do
        variable=SPIRV_${name^^}
        if [[ -z ${!variable:-} ]]; then
            if [[ ! -x $folder/spirv-$name ]]; then
                "$root/scripts/setup.sh" spirv-tools
                folder=$tools/bin
            fi
            export "$variable=$folder/spirv-$name"
        fi
    done
}

# Sets `loader`, the dynamic loader of the unpacked packages, and `triplet`, the name of their folder of libraries: both below
# the unpacked root. They need not run with this system's C library.
find_loader() {
    loader=$(cd "$unpacked" && find . -name 'ld-linux*.so*' -print -quit)
    triplet=$(cd "$unpacked/usr/lib" && find . -name 'libc.so.6' -print -quit)
    loader=${loader#./}
    triplet=${triplet#./} triplet=${triplet%/*}
}

# Prints the path of ggml's Vulkan library, and brings it if it is not there: Debian's package has more than a thousand shaders in it.
ggml_library() {
    "$root/scripts/setup.sh" ggml-library
    find "$unpacked" -name libggml-vulkan.so -type f -print -quit
}
