#!/usr/bin/env bash
# Compares `spirv-if trim` with spirv-val on whole folders of modules: each declared capability and extension is removed
# alone, and spirv-val asked whether the module is still valid. What trim removes although spirv-val needs it must be none.
#
#   scripts/prove-trim.sh [--sample N] [DIR...]
#
# DIR has modules (*.spv) at any depth, by folder; without any, target/corpus, which build-corpus.sh makes. N modules of each
# folder are taken, always the same; all, without the option. Beside our figures stand those of spirv-opt --trim-capabilities.
#
# Verdicts are kept in target/trim-proof (TRIM_PROOF_CACHE names another folder), so that a second run takes seconds.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folders=()
while (($#)); do
    case $1 in
    --sample)
        [[ ${2:-} =~ ^[0-9]+$ ]] || die "--sample wants a number"
        export TRIM_PROOF_SAMPLE=$2
        shift
        ;;
    -*) die "unknown option $1 (there is only --sample)" ;;
    *) folders+=("$(realpath "$1")") ;;
    esac
    shift
done
((${#folders[@]})) || folders=("$root/target/corpus")
TRIM_PROOF_DIRS=$(IFS=: && printf '%s' "${folders[*]}")
export TRIM_PROOF_DIRS

cd "$root"
use_spirv_tools
exec cargo test --quiet --locked --lib -- --ignored --exact transform::trim::tests::folders --nocapture
