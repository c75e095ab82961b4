#!/usr/bin/env bash
# Checks the OpenCL layer as users have it: its crate, what CMake installs, both loaders, valgrind, and applications that nobody here wrote, with and
# without it. The tools come from setup.sh; valgrind is the system's.
#
# --full CTS HEADERS also runs Khronos' conformance tests of SPIR-V, from checkouts of OpenCL-CTS and OpenCL-Headers, and some of dpnp's tests, whose
# packages take 3 GB. That takes an hour.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Stripped, in bytes: a bound on growth.
most_bytes=4330000

cts=
if (($#)); then
    [[ $# == 3 && $1 == --full ]] || die "expected nothing, or --full CTS HEADERS"
    cts=$(realpath "$2")
    headers=$(realpath "$3")
fi
command -v valgrind >/dev/null || die "needs valgrind: apt-get install valgrind"
cd "$root"
scripts/setup.sh spirv-tools drivers cmake opencl-applications
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
    if "$driver" "$python" layers/opencl/tests/pyopencl_kernel.py "$module" >"$work/log" 2>&1; then die "$driver takes a packed module without the layer"; fi
    printed=$(OPENCL_LAYERS=$library "$driver" "$python" layers/opencl/tests/pyopencl_kernel.py "$module" 2>"$work/log") || { cat "$work/log" && die "pyopencl fails on $driver"; }
    say "${driver##*/}: $printed"
done

# Its kernels are source code. It says how long it takes, and how fast it is, unless it is quiet.
say "hashcat"
same hashcat '' env HOME="$work" "$tools/drivers/opencl-pocl" "$unpacked/usr/bin/hashcat" --force --potfile-disable --quiet -D 1 -a 3 -m 0 \
    5f4dcc3b5aa765d61d8327deb882cf99 'passw?l?l?l'
grep -q ':password$' "$work/hashcat.with" || die "hashcat does not find the password"

say "valgrind"
tests=$(cargo test --package spirv-if-opencl-layer --lib --locked --no-run --message-format json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[[ -x $tests ]] || die "found no test executable of the layer"
(cd layers/opencl && valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite,indirect "$tests" tests:: >"$work/log" 2>&1) || { cat "$work/log" && die "valgrind finds errors"; }

# Builds the tests of SPIR-V alone, and prints what becomes of each, without seeds.
conformance() {
    OPENCL_LAYERS=$1 "$2" "$work/cts-build/test_conformance/spirv_new/test_spirv_new" \
        --spirv-binaries-path "$work/cts-build/test_conformance/spirv_new/spirv_bin" 2>&1 |
        sed -nE 's/^(\(seed = [0-9]+\) )?([a-z0-9_]+) (passed|failed|skipped)$/\2 \3/p; /^(PASSED|FAILED) [0-9]+ of/p'
}

if [[ -n $cts ]]; then
    say "Khronos' conformance tests"
    rm -rf "$work/cts" "$work/cts-include"
    mkdir -p "$work"/{cts,cts-include/include,cts-library}
    cp -r "$cts"/{CMakeLists.txt,test_common,test_conformance} "$work/cts"
    printf 'set(HARNESS_LIB harness)\nadd_subdirectory(spirv_new)\n' >"$work/cts/test_conformance/CMakeLists.txt"
    ln -s "$unpacked/usr/include/spirv" "$work/cts-include/include/spirv"
    ln -sfn "$tools/khronos-loader/usr/lib/$triplet/libOpenCL.so.1" "$work/cts-library/libOpenCL.so"
    # The loader is for a newer C library.
    cmake -G Ninja -S "$work/cts" -B "$work/cts-build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS="-O0 -w" -DCMAKE_C_FLAGS="-O0 -w" \
        -DCL_INCLUDE_DIR="$headers" -DCL_LIB_DIR="$work/cts-library" -DOPENCL_LIBRARIES=OpenCL -DSPIRV_INCLUDE_DIR="$work/cts-include" \
        -DSPIRV_TOOLS_DIR="$tools/bin" -DCMAKE_EXE_LINKER_FLAGS="-Wl,--allow-shlib-undefined" >"$work/log" || { cat "$work/log" && exit 1; }
    cmake --build "$work/cts-build" >"$work/log" || { tail -n 20 "$work/log" && exit 1; }
    for driver in "$tools"/drivers/opencl-*; do
        conformance '' "$driver" >"$work/cts.without" || true
        conformance "$library" "$driver" >"$work/cts.with" || true
        grep -q ' passed$' "$work/cts.without" || die "no test passes on $driver"
        diff "$work/cts.without" "$work/cts.with" >&2 || die "conformance tests differ with the layer on $driver"
        say "${driver##*/}: $(grep -c ' passed$' "$work/cts.with") tests pass with and without the layer"
    done
    say "dpnp"
    dpnp=$work/dpnp
    [[ -x $dpnp/bin/pytest ]] || { python3 -m venv "$dpnp" && "$dpnp/bin/python" -m pip install --quiet dpnp==0.20.0 intel-opencl-rt==2026.2.0 pytest scipy; }
    export ONEAPI_DEVICE_SELECTOR=opencl:cpu OCL_ICD_FILENAMES=$dpnp/lib/libintelocl.so LD_LIBRARY_PATH=$dpnp/lib
    for kind in without with adapted; do
        CL_SPIRVIF_ADAPT=$([[ $kind != adapted ]] || echo true) OPENCL_LAYERS=$([[ $kind == without ]] || echo "$library") \
            "$dpnp/bin/pytest" -q -p no:cacheprovider --pyargs dpnp.tests.test_{bitwise,counting,sort,flipping,product} 2>&1 |
            sed -E 's/ in [0-9.]+s.*//' | grep -E '^FAILED|passed' >"$work/dpnp.$kind" || true
        diff "$work/dpnp.without" "$work/dpnp.$kind" >&2 || die "dpnp's tests differ with the layer"
    done
    say "dpnp: $(tail -n 1 "$work/dpnp.with")"
fi
say "all passed; the layer has $bytes bytes"
