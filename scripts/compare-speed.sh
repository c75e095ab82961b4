#!/usr/bin/env bash
# Measures whole processes against spirv-opt without any pass, which loads a module and writes it: on a module of 8 MB and on
# a shader of 16 KB. Prints for each command the median and the best time, the peak memory, and the median as a share of
# spirv-opt's.
#
#   scripts/compare-speed.sh [REPETITIONS]     default 11
#
# The commands take turns, so that a busy moment of the machine hits them all. Peak memory is sampled in a run of its own.
# spirv-opt may be started by one of our wrapper scripts: the row `sh` shows what starting such a script takes.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

repetitions=${1:-11}
device=intel_gpu_acm_g10
work=$root/target/compare-speed

# Runs a command and puts its time in microseconds into `elapsed`.
time_once() {
    local start=${EPOCHREALTIME/[.,]/}
    "$@" >/dev/null || die "failed: $*"
    elapsed=$((${EPOCHREALTIME/[.,]/} - start))
}

# Runs a command and puts its peak resident memory in kB into `peak`: the last that /proc shows before it ends.
sample_peak() {
    local pid key value
    peak=0
    "$@" >/dev/null &
    pid=$!
    while [[ -r /proc/$pid/status ]]; do
        key='' value=''
        while read -r key value _; do
            [[ $key != VmHWM: ]] || break
        done 2>/dev/null <"/proc/$pid/status" || true
        # A process that has ended but was not waited for has no memory to show.
        [[ $key == VmHWM: ]] || break
        ((value <= peak)) || peak=$value
    done 2>/dev/null
    wait "$pid" || die "failed: $*"
}

# add LABEL COMMAND...: adds a row to the table; its command is kept in the array `command_<row>`.
labels=()
add() {
    local row=${#labels[@]}
    labels+=("$1")
    shift
    declare -ga "command_$row=()"
    local -n words=command_$row
    words=("$@")
}

# compare TITLE INPUT: the rows for one input, measured and printed.
compare() {
    local title=$1 input=$2 row round base median peak elapsed
    labels=()
    printf '%s (%s bytes)\n' "$title" "$(wc -c <"$input")"
    local pack=("$spirv_if" pack "$input" -o "$work/packed.spv" --properties "$work/packed.prop")
    "${pack[@]}" || die "failed: ${pack[*]}"
    local specialize=("$spirv_if" specialize "$work/packed.spv" -o "$work/plain.spv" --properties "$work/packed.prop"
        --device "$device")
    add 'spirv-opt, no pass' "$SPIRV_OPT" "$input" -o "$work/opt.spv"
    add 'spirv-if pack' "${pack[@]}"
    add "spirv-if specialize (packed, $device)" "${specialize[@]}"
    add 'sh' sh -c :
    local -a times=()
    for ((round = 0; round < repetitions; ++round)); do
        for row in "${!labels[@]}"; do
            local -n words=command_$row
            time_once "${words[@]}"
            times[row]+="$elapsed "
        done
    done
    printf '  %-50s %11s %11s %9s %7s\n' '' 'median ms' 'best ms' 'peak MB' 'share'
    for row in "${!labels[@]}"; do
        local -n words=command_$row
        sample_peak "${words[@]}"
        local -a sorted
        mapfile -t sorted < <(tr ' ' '\n' <<<"${times[row]}" | grep . | sort -n)
        median=${sorted[${#sorted[@]} / 2]}
        ((row > 0)) || base=$median
        awk -v label="${labels[row]}" -v median="$median" -v best="${sorted[0]}" -v peak="$peak" -v base="$base" 'BEGIN {
            printf "  %-50s %11.2f %11.2f %9.1f %6.1f%%\n",
                label, median / 1000, best / 1000, peak / 1024, 100 * median / base
        }'
    done
}

"$root/scripts/build-large.sh"
use_spirv_tools
(cd "$root" && cargo build --release --locked)
spirv_if=${CARGO_TARGET_DIR:-$root/target}/release/spirv-if
mkdir -p "$work"
compare 'a large OpenCL module' "$root/target/large/large-conditional.spv"
compare 'a compute shader' "$root/fixtures/glsl/debug.spv"

# Library-level rates (load and index, without starting a process) come from `cargo bench`, which prints `load <MB/s>`.
