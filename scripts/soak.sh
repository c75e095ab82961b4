#!/usr/bin/env bash
# Long searches for what the tests do not find: `scripts/soak.sh MINUTES [SEED]`. The seed decides which programs and inputs
# are made; without one, it is the time.
#
# Two thirds of the minutes go to random programs on every driver and in the interpreter (search.sh), and a third to fuzzing (fuzz.sh). Proofs over
# real modules (prove.sh) follow: of merge as many as without options, and of the others ten of each folder for each minute, always
# the same. The table of devices is compared with their compilers and drivers, and what docs/speed.md says is measured again. Every part runs, and
# the script fails if one does.
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
    "$@" || failed+=("$*")
}

# Long tests with all inputs: all fixtures, ggml's shaders and devices. test.sh takes a share.
prove_all_shares() {
    use_spirv_tools
    scripts/setup.sh ggml
    SPIRV_IF_SHARE=all cargo test --quiet --release --locked --package=spirv-if{,-inspect} --lib -- --include-ignored --skip ::folders
}

cd "$root"
say "minutes and seed: $minutes $seed"
part scripts/search.sh $(((minutes * 2 + 2) / 3)) "$seed"
FUZZ_SEED=$seed part scripts/fuzz.sh $(((minutes + 2) / 3))
part scripts/prove.sh merge
for proof in ready lower trim fold added; do part scripts/prove.sh "$proof" --sample "$sample"; done
part prove_all_shares
part scripts/prove.sh devices
part scripts/speed.py
((${#failed[@]} == 0)) || die "failed with seed $seed: ${failed[*]}"
