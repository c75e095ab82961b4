#!/usr/bin/env bash
# Builds examples/build-systems with CMake, Meson, Make and Cargo, runs what comes out, and touches what it is made of: called by
# test-capi.sh, which brings the tools.
#
#   scripts/test-build-systems.sh PREFIX PROGRAM    where the C interface is installed, and the program spirv-if
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

use_spirv_tools
prefix=$1 program=$2
work=$root/target/capi-test/build-systems
examples=$root/examples/build-systems
export PATH="$tools/bin:$PATH" PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
rm -rf "$work" && mkdir -p "$work/inputs" "$work/make"
inputs=$work/inputs

# What each program prints, by the program spirv-if.
expected() {
    local device
    "$program" pack -q "$inputs/guarded.spv" --annotations "$inputs/guarded.yaml" -o "$work/packed.spv"
    for device in intel_gpu_pvc nvidia_gpu_sm_50; do
        "$program" specialize -q "$work/packed.spv" --device "$device" -o "$work/plain.spv"
        echo "$device: $(stat -c %s "$work/plain.spv") of $(stat -c %s "$work/packed.spv") bytes"
    done
}

# check NAME PACKED BUILD PROGRAM...: BUILD makes the PROGRAMs, which print what they must; again it does nothing to the file PACKED; it makes it
# anew when an input changed.
check() {
    local name=$1 packed=$2 build=$3 before input
    shift 3
    say "$name"
    cp "$root"/fixtures/annotations/{guarded.spv,guarded.yaml,results.spv} "$inputs"
    $build >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "$name does not build"; }
    for own in "$@"; do diff <(expected) <("$own") || die "$own prints something else"; done
    before=$(stat -c %y $packed)
    $build >"$work/log" 2>&1
    [[ $(stat -c %y $packed) == "$before" ]] || die "$name packs again although nothing changed"
    for input in guarded.spv guarded.yaml; do
        before=$(stat -c %y $packed)
        # Times of files are as coarse as a second in some of these.
        sleep 1
        touch "$inputs/$input"
        $build >"$work/log" 2>&1
        [[ $(stat -c %y $packed) != "$before" ]] || die "$name does not pack again when $input changes"
    done
    sleep 1
    sed -i 's/1: fp16/1: fp16 \&\& gpu/' "$inputs/guarded.yaml"
    $build >"$work/log" 2>&1
    for own in "$@"; do diff <(expected) <("$own") || die "$own prints something else after its annotations changed"; done
}

# The first build also configures.
with_cmake() {
    [[ -d $work/cmake ]] || cmake -G "$generator" -S "$examples/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
        -DSPIRV_IF_PROGRAM="$program" -DFIXTURES="$inputs"
    cmake --build "$work/cmake"
}
for generator in Ninja 'Unix Makefiles'; do
    rm -rf "$work/cmake"
    check "CMake, $generator" "$work/cmake/shaders/guarded.h" with_cmake "$work/cmake/header" "$work/cmake/incbin"
    for file in guarded results; do "$SPIRV_VAL" "$work/cmake/files/$file.spv"; done
done
ninja_says=$(rm -rf "$work/cmake" && generator=Ninja with_cmake >"$work/log" && cmake --build "$work/cmake")
[[ $ninja_says == *'no work to do'* ]] || die "CMake with Ninja is never done: $ninja_says"

with_meson() {
    [[ -d $work/meson ]] || meson setup "$work/meson" "$examples/meson" --native-file "$work/native.ini" -Dfixtures="$inputs"
    ninja -C "$work/meson"
}
printf '[binaries]\nspirv-if = %s\n' "'$program'" >"$work/native.ini"
check Meson "$work/meson/guarded.h" with_meson "$work/meson/embedded"

with_make() { make -C "$work/make" -f "$examples/make/Makefile" SPIRV_IF="$program" FIXTURES="$inputs"; }
check Make "$work/make/guarded.h" with_make "$work/make/embedded"

with_cargo() {
    FIXTURES=$inputs cargo build --manifest-path "$examples/cargo/Cargo.toml" --locked --target-dir "$root/target/example"
}
check Cargo "$root/target/example/debug/build/embedded-*/out/guarded.spv" with_cargo "$root/target/example/debug/embedded"
cargo fmt --check --manifest-path "$examples/cargo/Cargo.toml"
