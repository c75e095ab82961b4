#!/usr/bin/env bash
# Checks the OpenCL layer as users have it: its crate, what CMake installs, both loaders, valgrind, and applications that nobody here wrote, with and
# without it. The tools come from setup-build-tools.sh and setup-drivers.sh; valgrind is the system's.
#
# --cts FOLDER also runs Khronos' conformance tests of SPIR-V from a checkout of OpenCL-CTS, which takes an hour.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

# Stripped, in bytes: a bound on growth.
most_bytes=4100000

cts=
while (($#)); do
    case $1 in
        --cts) cts=$(realpath "$2") && shift ;;
        *) die "unknown option $1" ;;
    esac
    shift
done
command -v valgrind >/dev/null || die "needs valgrind: apt-get install valgrind"
cd "$root"
scripts/setup-drivers.sh
scripts/setup-build-tools.sh --cmake
scripts/setup-applications.sh --opencl
find_loader
export PATH="$tools/bin:$PATH"
work=$root/target/opencl-layer-test
name=CL_LAYER_SPIRVIF_specialize
clinfo=$unpacked/usr/bin/clinfo
mkdir -p "$work"
export XDG_CONFIG_HOME=$work POCL_DEVICES=cpu
unset OPENCL_LAYERS
drivers=("$tools"/drivers/opencl-* "$tools"/layers/opencl-*-khronos)
((${#drivers[@]} >= 4)) || die "there are only the drivers ${drivers[*]}"

say "the crate"
cargo fmt --check --package spirv-if-opencl-layer
cargo clippy --quiet --package spirv-if-opencl-layer --all-targets --locked -- -D warnings
cargo test --quiet --package spirv-if-opencl-layer --locked -- --include-ignored

say "building and installing"
installed=$work/installed
rm -rf "$installed"
cmake -G Ninja -S layers/opencl -B "$work/build" -DCMAKE_INSTALL_PREFIX="$installed" -DCMAKE_INSTALL_LIBDIR=lib \
    -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" >"$work/log" || { cat "$work/log" && exit 1; }
cmake --build "$work/build"
cmake --install "$work/build" >"$work/log"
library=$installed/lib/libcl_layer_spirv_if.so
bytes=$(stat -c %s "$library")
((bytes <= most_bytes)) || die "$library has $bytes bytes, more than $most_bytes"
others=$(nm -D --defined-only "$library" | awk '$3 !~ /^cl(GetLayerInfo|InitLayer|InitLayerWithProperties|DeinitLayer)$/ { print $3 }')
[[ -z $others ]] || die "$library exports more than functions of a layer: $others"
for needed in $(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
    [[ $needed =~ ^(libc|libm|libgcc_s|ld-linux.*)\.so ]] || die "$library loads $needed"
done

# same NAME FILTER COMMAND...: a command prints the same with and without the layer, also if it adapts modules, but for what the filter takes away.
same() {
    local title=$1 filter=$2 kind
    shift 2
    "$@" 2>&1 | sed -E "$filter" >"$work/$title.without" || die "$title fails without the layer: $work/$title.without"
    [[ -s $work/$title.without ]] || die "$title prints nothing"
    for kind in with adapted; do
        CL_SPIRVIF_ADAPT=$([[ $kind == with ]] || echo true) OPENCL_LAYERS=$library "$@" 2>&1 | sed -E "$filter" >"$work/$title.$kind" ||
            die "$title fails with the layer: $work/$title.$kind"
        diff "$work/$title.without" "$work/$title.$kind" >&2 || die "$title prints something else with the layer"
    done
}

say "loaders find the layer"
loaded=$(OPENCL_LAYERS=$library "$tools/layers/opencl-pocl-khronos" "$tools/khronos-loader/usr/bin/cllayerinfo" 2>&1)
[[ $loaded == *"$name"* ]] || die "cllayerinfo does not list the layer: $loaded"
for driver in "${drivers[@]}"; do
    # Addresses, and what is free.
    same "clinfo-${driver##*/}" 's/0x[0-9a-f]+//g; /[Ff]ree|timer|Loader|ICD loader/d' "$driver" "$clinfo"
done

say "pyopencl"
python=$work/python/bin/python3
if [[ ! -x $python ]] || ! "$python" -c 'import pyopencl, numpy' 2>/dev/null; then
    python3 -m venv --clear "$work/python"
    "$python" -m pip install --quiet --disable-pip-version-check pyopencl==2026.1.4 numpy
fi
cargo run --quiet --locked -- pack -q fixtures/drivers/chain.spv -o "$work/chain.spv"
cargo run --quiet --locked -- pack -q fixtures/drivers/histogram.spv -o "$work/histogram.spv"
for driver in "$tools"/drivers/opencl-*; do
    module=$work/chain.spv
    # It accepts no generic pointers.
    if [[ $driver == *rusticl ]]; then module=$work/histogram.spv; fi
    if "$driver" "$python" scripts/opencl-il.py "$module" >"$work/log" 2>&1; then die "$driver takes a packed module without the layer"; fi
    printed=$(OPENCL_LAYERS=$library "$driver" "$python" scripts/opencl-il.py "$module" 2>"$work/log") || { cat "$work/log" && die "pyopencl fails on $driver"; }
    say "${driver##*/}: $printed"
done

# Its kernels are source code.
say "hashcat"
hashes=(0:5f4dcc3b5aa765d61d8327deb882cf99 100:5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8)
for hash in "${hashes[@]}"; do
    same "hashcat-${hash%%:*}" '/Started|Stopped|Time|Speed|Host Mem|Kernel\.|Hardware|Progress|Recovered|Temp|ETA|Util|Candidate|Restore|Rejected|Session|[Cc]ache|compile/d; s/[0-9]+ (MB|MiB|B|KB)//g; s/[0-9]+ms//g' \
        "$tools/drivers/opencl-pocl" "$unpacked/usr/bin/hashcat" --force --potfile-disable --quiet -D 1 -a 3 -m "${hash%%:*}" "${hash#*:}" 'passw?l?l?l'
    grep -q "${hash#*:}:password" "$work/hashcat-${hash%%:*}.with" || die "hashcat does not find the password"
done

say "valgrind"
tests=$(cargo test --package spirv-if-opencl-layer --lib --locked --no-run --message-format json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[[ -x $tests ]] || die "found no test executable of the layer"
(cd layers/opencl && valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite,indirect "$tests" tests:: >"$work/log" 2>&1) || { cat "$work/log" && die "valgrind finds errors"; }

if [[ -n $cts ]]; then
    say "Khronos' conformance tests"
    scripts/opencl-cts.sh "$cts" "$work/cts" "$library"
fi
say "all passed; the layer has $bytes bytes"
