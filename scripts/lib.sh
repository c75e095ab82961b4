# shellcheck shell=bash
# What the scripts share; sourced, never run. Sets `root`, the checkout, and `tools`, where setup-tools.sh unpacks.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=$root/target/tools

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
    say "error: $*"
    exit 1
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

# Prints the spirv-val to use: the user's $SPIRV_VAL, or one on PATH, where it knows the extension; else ours.
find_spirv_val() {
    local candidate
    for candidate in "${SPIRV_VAL:-}" "$(command -v spirv-val || true)"; do
        if [[ -n $candidate ]] && knows_function_variants "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    if [[ -n ${SPIRV_VAL:-} ]]; then
        say "SPIRV_VAL=$SPIRV_VAL does not know SPV_INTEL_function_variants; using $tools/bin/spirv-val"
    fi
    printf '%s\n' "$tools/bin/spirv-val"
}
