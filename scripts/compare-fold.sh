#!/usr/bin/env bash
# Compares `spirv-if specialize --set ... --trim` with passes of spirv-opt for the same, on modules of some folders, for several settings of all
# their specialization constants: every result must be valid, and have no capability and no block that spirv-opt's does not have. A block counts if
# the first block of its function leads to it, whatever the conditions.
#
# First come passes that leave functions as they are, on modules with branches that constants decide within their function: both results keep the
# labels' ids, so that blocks are compared one by one. Then come passes that inline all calls, on all modules with constants and branches: each block
# gets a store that no pass removes, and the copies of each are counted. What a bound of clones leaves is listed. The sizes are those of spirv-opt -O;
# settings for which it drops a capability more are listed, and must be at most one in a hundred: stores that
# others overwrite stay, and what the module does not use as it is.
#
#   scripts/compare-fold.sh [--sample N] [DIR...]
#
# DIR has modules (*.spv) at any depth; without any, it is target/corpus/ggml, which build-corpus.sh makes. N modules of each
# folder are taken, always the same; all, without the option.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folders=()
while (($#)); do
    case $1 in
    --sample)
        [[ ${2:-} =~ ^[0-9]+$ ]] || die "--sample wants a number"
        export FOLD_SAMPLE=$2
        shift
        ;;
    -*) die "unknown option $1 (there is only --sample)" ;;
    *) folders+=("$(realpath "$1")") ;;
    esac
    shift
done
((${#folders[@]})) || folders=("$root/target/corpus/ggml")
FOLD_DIRS=$(IFS=: && printf '%s' "${folders[*]}")
export FOLD_DIRS

cd "$root"
use_spirv_tools
tests=transform::fold::tests
exec cargo test --quiet --release --locked --lib -- --ignored --exact $tests::compare::folders $tests::inlined::folders --nocapture --test-threads 1
