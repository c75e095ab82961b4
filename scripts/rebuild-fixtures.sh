#!/usr/bin/env bash
# Rebuilds the .spv files beside the fixtures' sources, and checks each with spirv-val.
#
#   scripts/rebuild-fixtures.sh [--out DIR] [NAME...]
#
# NAME is a fixture as in `glsl/reduce`; without any, all are rebuilt. With --out they go below DIR, in the same folders,
# and the checkout stays as it is.
#
# How to build a source is said in its first lines, where %s is the source and %o the output:
#   // BUILD: glslangValidator -V %s -o %o         makes <source name>.spv
#   // BUILD wrapper-O2: clang -O2 %s -o %o        makes wrapper-O2.spv; there may be several
#   // ENV: vulkan1.2                              what spirv-val checks it as; none, where it rejects it
# Commands run in the source's own folder, and find spirv-if.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fixtures=$root/fixtures
out=$fixtures
if [[ ${1:-} == --out ]]; then
    [[ -n ${2:-} ]] || die "--out needs a folder"
    mkdir -p "$2"
    out=$(cd "$2" && pwd)
    shift 2
fi
wanted=("$@")

is_wanted() {
    local name
    ((${#wanted[@]})) || return 0
    for name in "${wanted[@]}"; do
        if [[ $name == "$1" ]]; then return 0; fi
    done
    return 1
}

"$root/scripts/setup.sh" compilers
export PATH=$tools/bin:$root/target/debug:$PATH
use_spirv_tools

# Debug information names clang's own headers by their path below the unpacked packages, so that it is the same in every checkout.
# shellcheck disable=SC2329 # commands of fixtures call it
clang() { command clang "-ffile-prefix-map=$tools/bin/../root/=" "$@"; }
export -f clang
export tools

built=0
for source in "$fixtures"/*/*; do
    [[ -f $source && $source != *.spv && $source != *.yaml ]] || continue
    folder=$(basename "$(dirname "$source")")
    file=$(basename "$source")
    environment=$(sed -nE 's,^(//|;) ENV: ,,p' "$source")
    while read -r line; do
        [[ $line =~ ^[^\ ]+\ BUILD(\ ([^:]+))?:\ (.*)$ ]]
        fixture=$folder/${BASH_REMATCH[2]:-${file%.*}}
        command=${BASH_REMATCH[3]}
        is_wanted "$fixture" || continue
        if [[ $command == *spirv-if\ * ]]; then cargo build --quiet --manifest-path "$root/Cargo.toml"; fi
        say "$fixture"
        mkdir -p "$out/$folder"
        command=${command//%s/$file}
        (cd "$fixtures/$folder" && bash -c "${command//%o/\"\$0\"}" "$out/$fixture.spv" >/dev/null)
        [[ $environment == none ]] || "$SPIRV_VAL" --target-env "$environment" "$out/$fixture.spv" || die "$fixture is not valid for $environment"
        built=$((built + 1))
    done < <(grep -E '^(//|;) BUILD' "$source")
done
((built > 0)) || die "no such fixture: ${wanted[*]}"
