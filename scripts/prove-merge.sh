#!/usr/bin/env bash
# Merges pairs of real modules, and compares what comes back on every device of the table with the builds, by a comparison that shares no code
# with `spirv-if merge`.
#
#   scripts/prove-merge.sh [--sample N] [DIR...]
#
# DIR has modules (*.spv) at any depth; each is merged with the one of the same DIR whose code has most in common with its own. Without any: the
# compute shaders of ggml as its sources and as Debian's library have them, and kernels of hashcat, ufo-filters and satdump that clang builds in
# four ways, which build-corpus.sh and setup-ggml.sh bring. N modules of each DIR are taken, always the same; 400, without the option.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folders=()
export MERGE_PROOF_SAMPLE=400
while (($#)); do
    case $1 in
    --sample)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "--sample wants a number"
        MERGE_PROOF_SAMPLE=$2
        shift
        ;;
    -*) die "unknown option $1 (there is only --sample)" ;;
    *) folders+=("$(realpath "$1")") ;;
    esac
    shift
done
cd "$root"
if ! ((${#folders[@]})); then
    scripts/setup-ggml.sh --more
    scripts/build-corpus.sh ggml builds
    folders=("$root"/target/ggml/more "$root"/target/corpus/{ggml,builds})
fi
MERGE_PROOF_DIRS=$(IFS=: && printf '%s' "${folders[*]}")
export MERGE_PROOF_DIRS
use_spirv_tools
exec cargo test --quiet --release --locked --test all merge::proof
