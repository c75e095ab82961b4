#!/usr/bin/env bash
# Compares ready shaders with what is specialized, on whole folders of modules: each module as a compiler wrote it, and packed. All ways of a diagram and
# random answers, also unknown ones, are tried in the library, and every device of the table with a bundle.
#
#   scripts/prove-ready.sh [--sample N] [DIR...]
#
# DIR has modules (*.spv) at any depth; without any, these are the SYCL kernels of dpnp and ggml's shaders, which build-corpus.sh brings. N modules of each
# DIR are taken, always the same; all, without the option.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folders=()
while (($#)); do
    case $1 in
    --sample)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "--sample wants a number"
        export READY_PROOF_SAMPLE=$2
        shift
        ;;
    -*) die "unknown option $1 (there is only --sample)" ;;
    *) folders+=("$(realpath "$1")") ;;
    esac
    shift
done
cd "$root"
if ! ((${#folders[@]})); then
    scripts/build-corpus.sh dpnp ggml
    folders=("$root"/target/corpus/{dpnp,ggml})
fi
READY_PROOF_DIRS=$(IFS=: && printf '%s' "${folders[*]}")
export READY_PROOF_DIRS
cargo test --quiet --release --locked --package spirv-if-bundle --test ready -- --ignored --exact folders --nocapture
exec cargo test --quiet --release --locked --lib -- --ignored --exact api::tests::ready::folders --nocapture
