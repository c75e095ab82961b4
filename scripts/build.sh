#!/usr/bin/env bash
# Builds what users install.
#
#   scripts/build.sh web
#       WebAssembly, the page and the package for npm into target/web: index.html works from anywhere, a disk too; package.json and what it lists are
#       the package. Needs node.
#   scripts/build.sh wheel FOLDER [PROFILE [TARGET]]
#       the wheel for Python, with the program in it, by the profile `library` of Cargo.toml, or another one. On Linux, zig links for the C library of
#       manylinux2014 (glibc 2.17) and newer ones, and TARGET may be that of another processor, such as aarch64-unknown-linux-gnu, whose standard
#       library rustup brings.
#   scripts/build.sh release FOLDER [dev]
#       what a release has for this system: an archive of the program and the libraries, the wheel, and on Linux a Debian package and the package for
#       npm; by the profiles of Cargo.toml for users, or by the profile `dev`, to try it
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build_web() {
    local built=$root/target/web-build out=$root/target/web
    command -v node >/dev/null || die "needs node"
    need_web
    say "building WebAssembly, which takes minutes the first time"
    # In a folder of its own: what cargo builds for this machine by the profile `web` would be in target/web. Numbers of functions are as short as they
    # are, not padded to the largest: that takes 2 % off.
    # Panics name files below the registry of crates, not below the home of whoever builds it.
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=crates" \
        cargo rustc --quiet --locked --package spirv-if-web --profile web --target "$web" --target-dir "$built" -- -C link-arg=--compress-relocations
    say "making the package for npm in target/web"
    rm -rf "$out" && mkdir -p "$out"
    scripts/setup.sh binaryen
    # With the features that rustc enables. A second round takes 0.2 per cent more away.
    "$tools/bin/wasm-opt" -Oz -Oz --enable-{bulk-memory,multivalue,mutable-globals,nontrapping-float-to-int,reference-types,sign-ext} \
        "$built/$web/web/spirv_if_web.wasm" -o "$out/spirv-if.wasm"
    cp web/{spirv-if.js,spirv-if-node.js,spirv-if.d.ts,package.json,README.md} LICENSE-* "$out"
    say "making the page, target/web/index.html"
    node web/build-page.mjs "$out"
    say "done; spirv-if.wasm has $(gzip -9 -c "$out/spirv-if.wasm" | wc -c) bytes compressed by gzip"
}

build_wheel() {
    local folder=${1:?a folder for the wheel} profile=${2:-library} glibc=2.17 target suffix='' built=target of_program program
    local cargo=(cargo rustc) options=()
    scripts/setup.sh maturin
    case $(uname -s) in
    Linux)
        target=${3:-$(uname -m)-unknown-linux-gnu}
        [[ -d $(rustc --print sysroot)/lib/rustlib/$target ]] || die "needs the standard library of $target: run 'rustup target add $target'"
        scripts/setup.sh cargo-zigbuild zig
        export CARGO_ZIGBUILD_ZIG_PATH=$tools/bin/zig
        built=target/$target
        cargo=("$tools"/cargo-zigbuild/*.data/scripts/cargo-zigbuild rustc --target "$target.$glibc")
        options=(--zig --target "$target" --compatibility "manylinux_${glibc/./_}" --auditwheel check)
        ;;
    MINGW* | MSYS*) suffix=.exe ;;
    esac
    # The program is built for speed by a profile of its own.
    of_program=${profile/#library/dist}
    say "building the program by the profile $of_program, which takes minutes the first time"
    "${cargo[@]}" --quiet --locked --profile "$of_program" --package spirv-if-cli --bin spirv-if -- -C strip=symbols
    # Where pyproject.toml says that the program is.
    program=python/wheel-data/scripts/spirv-if$suffix
    rm -rf python/wheel-data
    mkdir -p "$(dirname "$program")"
    cp "$built/${of_program/#dev/debug}/spirv-if$suffix" "$program"
    say "building the module by the profile $profile, and the wheel of both"
    "$tools"/maturin/*.data/scripts/maturin"$suffix" build --quiet --locked --profile "$profile" --manifest-path python/Cargo.toml \
        --out "$folder" ${options[@]+"${options[@]}"}
    rm -rf python/wheel-data
    say "done: the wheel is in $folder"
}

build_release() {
    local folder=${1:?a folder for the files} dev=${2:-} build=target/release-build generators=TGZ options=()
    if [[ $dev == dev ]]; then options=(-DSPIRV_IF_CARGO_PROFILE=dev -DSPIRV_IF_PROGRAM_PROFILE=dev); fi
    case $(uname -s) in
    Linux) generators='TGZ;DEB' ;;
    MINGW* | MSYS*) generators=ZIP ;;
    esac
    if ! command -v cpack >/dev/null; then
        scripts/setup.sh cmake
        export PATH=$tools/cmake/cmake/data/bin:$PATH
    fi
    say "the program and the libraries"
    export CARGO_PROFILE_DIST_STRIP=symbols
    cmake -S capi -B "$build" -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" -DCMAKE_INSTALL_LIBDIR=lib ${options[@]+"${options[@]}"}
    cmake --build "$build"
    cpack --config "$build/CPackConfig.cmake" -G "$generators" -B "$folder"
    rm -rf "$folder/_CPack_Packages"
    say "the wheel"
    build_wheel "$folder" ${dev:+"$dev"}
    if [[ $generators == *DEB* ]]; then
        say "the package for npm"
        build_web
        npm pack --silent ./target/web --pack-destination "$folder"
    fi
    say "done: $(cd "$folder" && echo *)"
}

package=${1:-}
# The folder is the caller's.
if (($# > 1)); then
    mkdir -p "$2"
    set -- "$1" "$(cd "$2" && pwd)" "${@:3}"
fi
cd "$root"
case $package in
web | wheel | release) "build_$package" "${@:2}" ;;
*) die "usage: scripts/build.sh web, wheel FOLDER [PROFILE [TARGET]], or release FOLDER [dev]" ;;
esac
