#!/usr/bin/env bash
# Proofs over whole folders of real modules and over the table of devices, by comparisons that share no code with what is proved.
#
#   scripts/prove.sh PROOF [--sample N] [DIR...]
#
# DIR has modules (*.spv) at any depth. N modules of each DIR are taken, always the same; all, without the option. Without DIR, build-corpus.sh and
# setup.sh bring modules. A PROOF is one of
#
#   merge     Merges pairs of modules, and compares what comes back on every device of the table with the builds. Each module is merged with the one
#             of the same DIR whose code has most in common with its own. Without DIR, these are the compute shaders of ggml as its sources and as
#             Debian's library have them, and kernels of hashcat, ufo-filters and satdump that clang builds in four ways; without N, 400.
#   ready     Compares ready shaders with what is specialized: each module as a compiler wrote it, and packed. All ways of a diagram and random
#             answers, also unknown ones, are tried in the library, and every device of the table with a bundle. Without DIR, these are the SYCL kernels
#             of dpnp and ggml's shaders.
#   lower     Lowers what modules have of 8 and 16 bits: integers, halves, bfloat16, memory, and all together. Every result must be valid and declare nothing of it, and
#             what is refused must have cooperative matrices. It prints the counts and the reasons. Without DIR, these are ggml's shaders.
#   trim      Compares `spirv-if trim` with spirv-val: each declared capability and extension is removed alone, and spirv-val asked whether the module
#             is still valid. What trim removes although spirv-val needs it must be none. Beside our figures stand those of
#             spirv-opt --trim-capabilities. Without DIR, it is all that build-corpus.sh has made. Verdicts are kept in target/trim-proof
#             (TRIM_PROOF_CACHE names another folder), so that a second run takes seconds.
#   fold      Compares `spirv-if specialize --set ... --trim` with passes of spirv-opt for the same, for several settings of all specialization
#             constants: every result must be valid, and have no capability and no block that spirv-opt's does not have. A block counts if the first
#             block of its function leads to it, whatever the conditions. First come passes that leave functions as they are, on modules with branches
#             that constants decide within their function: both results keep the labels' ids, so that blocks are compared one by one. Then come passes
#             that inline all calls, on all modules with constants and branches: each block gets a store that no pass removes, and the copies of each
#             are counted. What a bound of clones leaves is listed. The sizes are those of spirv-opt -O; settings for which it drops a capability more
#             are listed, and must be at most one in a hundred: stores that others overwrite stay, and what the module does not use as it is. Without
#             DIR, these are ggml's shaders.
#   added     Adds each capability to modules, and removes it again. It takes one DIR; ggml's shaders without.
#   devices   Compares the table of devices, row by row, with what the devices' own compilers and drivers say without the devices: every chip of
#             Mesa's drivers reports what its entry has (cli/tests/all/drivers/table.rs), and Intel's compiler accepts what the entries of its GPUs
#             list (cli/tests/all/intel.rs). Differences with a reason are rows of cli/tests/all/drivers/device-differences.csv. `cargo test` compares
#             a share. It takes neither DIR nor N.
#
# scripts/amd.py and scripts/compare-aspects.py prove what compilers of others say.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

proof=${1:?a proof: merge, ready, lower, trim, fold, added or devices}
shift
folders=()
sample=
while (($#)); do
    case $1 in
    --sample)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "--sample wants a number"
        sample=$2
        shift
        ;;
    -*) die "unknown option $1 (there is only --sample)" ;;
    *) folders+=("$(realpath "$1")") ;;
    esac
    shift
done
cd "$root"
use_spirv_tools

# corpus COMPILER...: without DIR, takes what build-corpus.sh has of these compilers.
corpus() {
    if ((${#folders[@]})); then return; fi
    scripts/build-corpus.sh "$@"
    folders=("${@/#/$root/target/corpus/}")
}

# prove NAME ARGUMENT...: runs tests that read NAME_DIRS, the folders with `:` between them, and NAME_SAMPLE.
prove() {
    local dirs
    dirs=$(IFS=: && printf '%s' "${folders[*]}")
    export "$1_DIRS=$dirs"
    if [[ -n $sample ]]; then export "$1_SAMPLE=$sample"; fi
    cargo test --quiet --locked "${@:2}"
}

case $proof in
merge)
    if ! ((${#folders[@]})); then
        scripts/setup.sh ggml-more
        corpus ggml builds
        folders+=("$root/target/ggml/more")
    fi
    sample=${sample:-400}
    prove MERGE_PROOF --release --test all merge::proof
    ;;
ready)
    corpus dpnp ggml
    prove READY_PROOF --release --package spirv-if-bundle --test ready -- --ignored --exact folders --nocapture
    prove READY_PROOF --release --lib -- --ignored --exact api::tests::ready::folders --nocapture
    ;;
lower)
    corpus ggml
    prove LOWER_PROOF --release --package spirv-if-cli --test all -- lowered::proof --nocapture
    ;;
trim)
    ((${#folders[@]})) || folders=("$root/target/corpus")
    prove TRIM_PROOF --lib -- --ignored --exact transform::trim::tests::folders --nocapture
    ;;
fold)
    corpus ggml
    tests=transform::fold::tests
    prove FOLD --release --lib -- --ignored --exact $tests::compare::folders $tests::inlined::folders --nocapture --test-threads 1
    ;;
added)
    corpus ggml
    ((${#folders[@]} == 1)) || die "added takes one DIR"
    export ADDED_DIR=${folders[0]}
    if [[ -n $sample ]]; then export ADDED_COUNT=$sample; fi
    cargo test --quiet --locked --release --lib -- --ignored --exact analysis::requirements::tests::added::folders --nocapture
    ;;
devices)
    [[ -z $sample ]] && ((${#folders[@]} == 0)) || die "devices takes neither --sample nor a folder"
    scripts/setup.sh drivers
    export SPIRV_IF_SHARE=all
    for tests in ::table intel::; do cargo test --quiet --locked --package spirv-if-cli --test all -- "$tests"; done
    ;;
*) die "no proof $proof: there are merge, ready, lower, trim, fold, added and devices" ;;
esac
