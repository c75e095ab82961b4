#!/usr/bin/env bash
# Long searches for what the tests do not find: `scripts/soak.sh MINUTES [SEED]`. The seed decides which programs and inputs
# are made; without one, it is the time.
#
# Two thirds of the minutes go to random programs on every driver and in the interpreter (search.sh), and a third to fuzzing (fuzz.sh). Proofs over
# real modules follow: prove-merge.sh takes as many as without options and brings them, the others take ten of each folder for each minute, always
# the same. The table of devices is compared with their compilers and drivers, and what docs/speed.md says is measured again. Every part runs, and the script fails if one does.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

(($# == 1 || $# == 2)) && [[ $1 =~ ^[1-9][0-9]*$ && ${2:-0} =~ ^[0-9]+$ ]] || die "usage: scripts/soak.sh MINUTES [SEED]"
minutes=$1
seed=${2:-$(date +%s)}
sample=$((minutes * 10))
failed=()

part() {
    say "$*"
    "$@" || failed+=("$1")
}

# Adds each capability to modules of a folder, and removes it again.
prove_added() {
    use_spirv_tools
    ADDED_DIR=$root/target/corpus/ggml ADDED_COUNT=$sample \
        cargo test --quiet --release --locked --lib -- --ignored --exact analysis::requirements::tests::added::folders --nocapture
}

# Long unit tests with all inputs: all fixtures, ggml's shaders and devices. test.sh takes a share.
prove_all_shares() {
    use_spirv_tools
    scripts/setup-ggml.sh
    SPIRV_IF_SHARE=all cargo test --quiet --release --locked --lib -- --include-ignored --skip ::folders
}

cd "$root"
say "minutes and seed: $minutes $seed"
part scripts/search.sh $(((minutes * 2 + 2) / 3)) "$seed"
FUZZ_SEED=$seed part scripts/fuzz.sh $(((minutes + 2) / 3))
part scripts/prove-merge.sh
part scripts/prove-ready.sh --sample "$sample"
part scripts/prove-trim.sh --sample "$sample"
part scripts/compare-fold.sh --sample "$sample"
part prove_added
part prove_all_shares
part scripts/compare-devices.sh
part scripts/compare-speed.sh
((${#failed[@]} == 0)) || die "failed with seed $seed: ${failed[*]}"
