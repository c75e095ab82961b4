#!/usr/bin/env bash
# Compares `spirv-if specialize --set ... --trim` with the passes of spirv-opt for the same, on every module of some folders that
# branches on a specialization constant, for several settings of all its constants: every result must be valid, and have no
# capability and no block that spirv-opt's has not. A block counts if the first block of its function leads to it, whatever the
# conditions; both keep the labels' ids, so blocks are compared one by one.
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
exec cargo test --quiet --release --locked --lib -- --ignored --exact transform::fold::tests::compare::folders --nocapture
