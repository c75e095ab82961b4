#!/usr/bin/env bash
# Measures against spirv-opt without any pass, which loads a module and writes it, in one run: on modules of 8 MB and on a
# shader of 16 KB, whose process is also measured against one that only says its version. Prints the median and the best time,
# how many times as fast as spirv-opt on the same file the median is, and the goals. Exits with 1 if a goal is missed.
#
#   scripts/compare-speed.sh [REPETITIONS]     default 5; the shader is measured ten times as often
#
# `inspect` is measured against spirv-val: on modules of 1, 2, 4 and 8 MB and, if INSPECT_LIBRARY names a file with many modules
# inside (such as libggml-vulkan.so of Debian's libggml0-backend-vulkan), on all of them against spirv-val on a fiftieth.
#
# Rows marked "library" are from `cargo bench`: from words in memory to words in memory. The others are whole processes,
# files read and written; they take turns, so that a busy moment of the machine hits them all. Peak memory is sampled in
# runs of its own. spirv-opt may be started by a wrapper script: what starting a shell takes is taken off its time.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

repetitions=${1:-5}
device=intel_gpu_acm_g10
work=$root/target/compare-speed
missed=0

# Runs a command and puts its time in microseconds into `elapsed`.
time_once() {
    local start=${EPOCHREALTIME/[.,]/}
    "$@" >/dev/null 2>&1 || die "failed: $*"
    elapsed=$((${EPOCHREALTIME/[.,]/} - start))
}

# Runs a command five times and puts its peak resident memory in kB into `peak`: the most that /proc shows before it ends.
sample_peak() {
    local pid key value round
    peak=0
    for round in 1 2 3 4 5; do
        "$@" >/dev/null 2>&1 &
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
        wait "$pid" || die "failed (round $round): $*"
    done
}

# measure TIMES NAME...: runs the command in each array `command_<NAME>` so many times, taking turns. Puts the median and the
# best time, in microseconds, into `median[NAME]` and `best[NAME]`.
declare -A median best
measure() {
    local times=$1 name round elapsed
    shift
    local -A all=()
    local -a sorted
    for ((round = 0; round < times; ++round)); do
        for name; do
            local -n words=command_$name
            time_once "${words[@]}"
            all[$name]+="$elapsed "
        done
    done
    for name; do
        mapfile -t sorted < <(tr ' ' '\n' <<<"${all[$name]}" | grep . | sort -n)
        median[$name]=${sorted[${#sorted[@]} / 2]}
        best[$name]=${sorted[0]}
    done
}

# Takes what starting a shell takes off the times of a tool of spirv-tools, if it is a script. NAME:COUNT were started COUNT
# times.
without_shell() {
    local name count
    [[ $(head -c 2 "$SPIRV_OPT") == '#!' ]] || return 0
    for name; do
        count=1
        [[ $name != *:* ]] || count=${name#*:}
        name=${name%:*}
        median[$name]=$((median[$name] - count * median[shell]))
        best[$name]=$((best[$name] - count * best[shell]))
    done
}

# Puts the times that `cargo bench` prints into `median[bench_<name>]` and `best[bench_<name>]`.
read_bench() {
    local name fastest middle
    while read -r name fastest middle; do
        best[bench_$name]=$fastest
        median[bench_$name]=$middle
    done < <(cargo bench --locked --bench main 2>/dev/null | awk -F '│' '
        function microseconds(text) {
            split(text, part, " ")
            return part[1] * (part[2] == "s" ? 1e6 : part[2] == "ms" ? 1e3 : part[2] == "ns" ? 1e-3 : 1)
        }
        $1 ~ /^[├╰]/ {
            split($1, start, " ")
            print start[2], microseconds(start[3] " " start[4]), microseconds($3)
        }')
    [[ -n ${median[bench_load_and_index]:-} ]] || die 'cargo bench printed no times'
}

# heading TITLE [TOOL]: the titles of a table; TOOL is what the times are compared with.
heading() {
    printf '\n%s\n  %-42s %11s %11s %16s %8s\n' "$1" '' 'median ms' 'best ms' "times ${2:-spirv-opt}" 'goal'
}

# row LABEL NAME BASE [GOAL]: a row; the goal is how many times as fast as BASE the median must be.
row() {
    local label=$1 name=$2 base=$3 goal=${4:-}
    awk -v label="$label" -v median="${median[$name]}" -v best="${best[$name]}" -v base="${median[$base]}" -v goal="$goal" '
        BEGIN {
            ratio = base / median
            verdict = goal == "" ? "" : ratio >= goal ? "reached" : "MISSED"
            printf "  %-42s %11.3f %11.3f %16.2f %8s %s\n", label, median / 1000, best / 1000, ratio, goal, verdict
            exit goal != "" && ratio < goal
        }' || missed=1
}

# memory LABEL NAME FILE [GOAL]: a row on peak memory as a multiple of a file; the goal is what it must stay under.
memory() {
    local label=$1 file=$3 goal=${4:-} peak
    local -n words=command_$2
    sample_peak "${words[@]}"
    awk -v label="$label" -v peak="$peak" -v size="$(wc -c <"$file")" -v goal="$goal" 'BEGIN {
        ratio = peak * 1024 / size
        verdict = goal == "" ? "" : ratio < goal ? "reached" : "MISSED"
        printf "  %-42s %11.1f %28.2f %8s %s\n", label, peak / 1024, ratio, goal, verdict
        exit goal != "" && ratio >= goal
    }' || missed=1
}

"$root/scripts/build-large.sh"
use_spirv_tools
cd "$root"
cargo build --profile dist --locked
mkdir -p "$work"
# Installed, as spirv-opt is: a file that a linker wrote, in small pieces, takes longer to map.
spirv_if=$work/spirv-if
install "${CARGO_TARGET_DIR:-$root/target}/dist/spirv-if" "$spirv_if"

plain=target/large/large.spv
conditional=target/large/large-conditional.spv
shader=fixtures/glsl/debug.spv
packed=$work/large-packed.spv
packed_shader=$work/shader-packed.spv

# shellcheck disable=SC2034 # Read by name.
{
    command_shell=(sh -c :)
    command_opt_plain=("$SPIRV_OPT" "$plain" -o "$work/opt.spv")
    command_opt_conditional=("$SPIRV_OPT" "$conditional" -o "$work/opt.spv")
    command_opt_packed=("$SPIRV_OPT" "$packed" -o "$work/opt.spv")
    command_opt_shader=("$SPIRV_OPT" "$shader" -o "$work/opt.spv")
    command_opt_packed_shader=("$SPIRV_OPT" "$packed_shader" -o "$work/opt.spv")
    command_pack=("$spirv_if" pack "$conditional" -o "$packed")
    command_specialize=("$spirv_if" specialize "$packed" -o "$work/large-special.spv" --device "$device")
    command_rewrite=(dd "if=$packed" "of=$work/copy.spv" bs=16M)
    command_copy=(cp "$packed" "$work/copy.spv")
    command_split=("$spirv_if" split "$plain" --mode kernel -o "$work/split/")
    command_split_kernels=("$spirv_if" split "$plain" --mode kernel --only-kernels -o "$work/split/")
    command_pack_shader=("$spirv_if" pack "$shader" -o "$packed_shader")
    command_version=("$spirv_if" --version)
    command_specialize_shader=("$spirv_if" specialize "$packed_shader" -o "$work/shader-special.spv" --device "$device")
}

# What is specialized must have been packed.
time_once "${command_pack[@]}"
time_once "${command_pack_shader[@]}"
read_bench
measure "$repetitions" shell opt_plain opt_conditional opt_packed pack split split_kernels
measure $((repetitions * 5)) rewrite copy specialize
without_shell opt_plain opt_conditional opt_packed

heading "A large OpenCL module ($(wc -c <"$plain") bytes)"
row 'spirv-opt, no pass' opt_plain opt_plain
row 'load and index (library)' bench_load_and_index opt_plain 250
row 'load, trim and write (library)' bench_trim_large opt_plain
row 'spirv-if split, one image per kernel' split_kernels opt_plain 1
row 'spirv-if split, and per exported function' split opt_plain 1
heading "The same with conditional calls ($(wc -c <"$conditional") bytes)"
row 'spirv-opt, no pass' opt_conditional opt_conditional
row 'pack (library)' bench_pack_large opt_conditional 25
row 'spirv-if pack' pack opt_conditional
heading "That, packed ($(wc -c <"$packed") bytes)"
row 'spirv-opt, no pass' opt_packed opt_packed
row 'specialize, with fp64 (library)' bench_specialize_with_double opt_packed 100
row 'specialize, without (library)' bench_specialize_without_double opt_packed 100
row 'the same, prepared before (library)' bench_specialize_prepared opt_packed 300
row 'spirv-if specialize, without' specialize opt_packed
heading 'The same, beside a process that only copies the file' that
row 'cp, which leaves it to the system' copy copy
row 'dd, which reads all of it and writes it' rewrite copy
row 'spirv-if specialize, without' specialize copy 0.33
row 'the same, beside dd' specialize rewrite 0.33

printf '\n%-44s %11s %28s %8s\n' 'Peak memory' 'MB' 'times the file' 'goal'
memory 'spirv-opt, no pass' opt_conditional "$conditional"
memory 'spirv-if pack' pack "$conditional" 4
memory 'spirv-if specialize' specialize "$packed" 2.5

measure $((repetitions * 10)) shell opt_shader opt_packed_shader version pack_shader specialize_shader
without_shell opt_shader opt_packed_shader
heading "A compute shader ($(wc -c <"$shader") bytes), whole processes"
row 'starting a shell' shell opt_shader
row 'spirv-opt, no pass' opt_shader opt_shader
row 'spirv-if pack' pack_shader opt_shader 1
row 'spirv-opt, no pass, packed' opt_packed_shader opt_packed_shader
row 'spirv-if specialize, packed' specialize_shader opt_packed_shader 1
heading 'The same, beside a process that only says its version' that
row 'spirv-if --version' version version
row 'spirv-if specialize, packed' specialize_shader version 0.66

# shellcheck disable=SC2034 # Read by name.
for size in 1 2 4 8; do
    module=target/large/inspect-$size.spv
    ((size < 8)) || module=$plain
    declare -a "command_val_$size=('$SPIRV_VAL' --target-env spv1.2 '$module')"
    declare -a "command_inspect_$size=('$spirv_if' inspect --format json '$module')"
done
measure "$repetitions" shell {val,inspect}_{1,2,4,8}
without_shell val_{1,2,4,8}
heading 'Inspecting OpenCL modules' spirv-val
for size in 1 2 4 8; do
    row "spirv-val, $size MB" "val_$size" "val_$size"
    # What a process takes in any case weighs on small modules.
    goal=10
    ((size == 8)) || goal=''
    row "spirv-if inspect --format json, $size MB" "inspect_$size" "val_$size" $goal
done

# shellcheck disable=SC2034 # Read by name.
command_link_units=("$SPIRV_LINK" --create-library --allow-partial-linkage target/large/link-{1,2,3}.spv -o "$work/linked.spv")
measure "$repetitions" link_units
heading "Linking three OpenCL modules ($(cat target/large/link-{1,2,3}.spv | wc -c) bytes)" spirv-link
row 'spirv-link' link_units link_units
row 'link (library)' bench_link_units link_units 25

# Puts the modules of the library into a folder, and every 51st into another.
extract_modules() {
    local number=0 offset size
    rm -rf "$work/modules" "$work/fiftieth"
    mkdir "$work/modules" "$work/fiftieth"
    while read -r offset size; do
        tail -c +$((offset + 1)) "$INSPECT_LIBRARY" | head -c "$size" >"$work/modules/$number.spv" || true
        ((number % 51)) || cp "$work/modules/$number.spv" "$work/fiftieth"
        number=$((number + 1))
    done < <("$spirv_if" inspect --format json "$INSPECT_LIBRARY" |
        awk '/^          "offset":/ { offset = $2 + 0 } /^          "size":/ { print offset, $2 + 0 }')
}

# Whatever it thinks of them: some modules have extensions that it does not know.
validate_fiftieth() {
    local module
    for module in "$work"/fiftieth/*.spv; do
        "$SPIRV_VAL" --target-env vulkan1.3 "$module" || true
    done
}

if [[ -n ${INSPECT_LIBRARY:-} ]]; then
    extract_modules
    count=$(find "$work/fiftieth" -name '*.spv' | wc -l)
    # shellcheck disable=SC2034 # Read by name.
    {
        command_val_fiftieth=(validate_fiftieth)
        command_inspect_library=("$spirv_if" inspect "$INSPECT_LIBRARY")
        command_inspect_modules=("$spirv_if" inspect "$work"/modules/*.spv)
        command_trim_modules=("$spirv_if" -q trim "$work"/modules/*.spv -o "$work/trimmed/")
    }
    measure "$repetitions" shell val_fiftieth inspect_library inspect_modules trim_modules
    without_shell "val_fiftieth:$count"
    heading "$(basename "$INSPECT_LIBRARY") ($(wc -c <"$INSPECT_LIBRARY") bytes)" spirv-val
    row "spirv-val, a fiftieth ($count modules)" val_fiftieth val_fiftieth
    row 'spirv-if inspect, all' inspect_library val_fiftieth 1
    heading "Its modules, a file each" trim
    row 'spirv-if trim' trim_modules trim_modules
    row 'spirv-if inspect' inspect_modules trim_modules 0.5
fi

exit "$missed"
