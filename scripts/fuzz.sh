#!/usr/bin/env bash
# Coverage-guided fuzzing of the library: `scripts/fuzz.sh MINUTES [TARGET]`, for so many minutes in all. The targets are those of
# fuzz/Cargo.toml; the inputs that reach new code stay in target/fuzz/corpus, so that the next run goes on from there, and those that
# fail are in target/fuzz/failures. FUZZ_SEED=N makes runs from an equal corpus try the same. Results for valid modules are validated in the end. docs/testing.md says more.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The size of inputs, in bytes, and the seconds after which a call hangs.
most=8192
hangs=10
# The inputs of each target whose results are validated.
validated=2000

(($# == 1 || $# == 2)) || die "usage: scripts/fuzz.sh MINUTES [TARGET]"
cd "$root"
mapfile -t targets < <(sed -n '/^\[\[bin\]\]/,$ s/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml)
if (($# == 2)); then
    [[ " ${targets[*]} " == *" $2 "* ]] || die "no target $2; there are: ${targets[*]}"
    targets=("$2")
fi
seconds=$(($1 * 60 / ${#targets[@]}))
folder=$root/target/fuzz

use_spirv_tools
scripts/setup.sh cargo-fuzz
# Sanitizers need a nightly compiler, and find what safe code cannot do.
PATH=$tools/bin:$PATH cargo fuzz build --sanitizer none --fuzz-dir fuzz --target-dir "$folder/build"
programs=$folder/build/$(rustc -vV | sed -n 's/^host: //p')/release
fuzz/seeds.sh "$most"

# seeds TARGET: its folder of seeds.
seeds() {
    case $1 in
    load | pack | specialize | trim | split | inspect) printf '%s' "$folder/seeds/modules" ;;
    link) printf '%s' "$folder/seeds/programs" ;;
    *) printf '%s' "$folder/seeds/$1" ;;
    esac
}

# valid MODULE...
valid() {
    local module
    for module in "$@"; do
        "$SPIRV_VAL" --target-env spv1.6 "$module" >/dev/null 2>&1 || return 1
    done
}

# validate TARGET: changes its seeds in ways that leave most valid, and validates what it makes of those that are.
validate() {
    local target=$1 results=$folder/results/$1 result valid_inputs=0 invalid=0
    rm -rf "$results" "$results-inputs"
    mkdir -p "$results" "$results-inputs"
    SPIRV_IF_FUZZ_RESULTS=$results "$programs/$target" -runs="$validated" -max_len="$most" "$results-inputs" "$(seeds "$target")" \
        >"$results.log" 2>&1 || say "$target: failed: see $results.log"
    for result in "$results"/*; do
        valid "$result"/input-*.spv || continue
        valid_inputs=$((valid_inputs + 1))
        valid "$result"/result-*.spv && continue
        invalid=$((invalid + 1))
        say "$target: an invalid result of a valid module: $result"
    done
    printf '%s\n' "$valid_inputs results for valid modules, $invalid of them invalid"
    ((invalid == 0 && valid_inputs > 0))
}

# minimize TARGET: leaves the inputs of its corpus that reach anything that others do not.
minimize() {
    local corpus=$folder/corpus/$1
    rm -rf "$corpus-least"
    mkdir "$corpus-least"
    if (ulimit -s 2048 && exec "$programs/$1" -merge=1 -max_len="$most" -timeout="$hangs" "$corpus-least" "$corpus") \
        >"$folder/$1-merge.log" 2>&1; then
        rm -rf "$corpus"
        mv "$corpus-least" "$corpus"
    else
        rm -rf "$corpus-least"
        say "$1: the corpus cannot be minimized: see $folder/$1-merge.log"
    fi
}

failed=no
for target in "${targets[@]}"; do
    failures=$folder/failures/$target
    log=$folder/$target.log
    mkdir -p "$folder/corpus/$target" "$failures"
    options=(-max_total_time="$seconds" -max_len="$most" -timeout="$hangs" -artifact_prefix="$failures/" -print_final_stats=1)
    if [[ -n ${FUZZ_SEED:-} ]]; then options+=(-seed="$((FUZZ_SEED % 4294967295 + 1))"); fi
    if [[ -f $folder/dictionaries/$target ]]; then options+=(-dict="$folder/dictionaries/$target"); fi
    # A thread's usual stack is a quarter of the main thread's.
    if (ulimit -s 2048 && exec "$programs/$target" "${options[@]}" "$folder/corpus/$target" "$(seeds "$target")") >"$log" 2>&1; then
        outcome=passed
    else
        outcome="failed: see $log, and $failures" failed=yes
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%s\t%s\n' "$target" "${executions:-0}" >>"$folder/executions.tsv"
    minimize "$target"
    case $target in
    pack | specialize | trim | split | link | select) outcome+=", $(validate "$target")" || failed=yes ;;
    esac
    all=$(awk -F '\t' -v target="$target" '$1 == target { sum += $2 } END { print sum }' "$folder/executions.tsv")
    say "$target: ${executions:-0} executions, $all so far; $(find "$folder/corpus/$target" -type f | wc -l) inputs in the corpus; $outcome"
done
[[ $failed == no ]]
