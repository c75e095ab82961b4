#!/usr/bin/env bash
# Builds the wheel for Python, with the program in it, into a folder.
#
#   scripts/build-wheel.sh FOLDER [PROFILE [TARGET]]    by the profile `library` of Cargo.toml, or another one
#
# maturin comes from PyPI into target/tools. On Linux, zig links for the C library of manylinux2014 (glibc 2.17) and newer ones, and TARGET may
# be that of another processor, such as aarch64-unknown-linux-gnu, whose standard library rustup brings.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

maturin=maturin==1.16.0
zigbuild=cargo-zigbuild==0.24.1
glibc=2.17

folder=${1:?a folder for the wheel}
profile=${2:-library}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"

# bring_program PACKAGE==VERSION: brings a package of PyPI that is a program.
bring_program() {
    local name=${1%%==*}
    if is_done "$name" "$1"; then return; fi
    bring_python "$1"
    chmod +x "$tools/$name"/*.data/scripts/*
    mark_done "$name" "$1"
}

bring_program "$maturin"
suffix=
built=target
cargo=(cargo rustc)
options=()
case $(uname -s) in
Linux)
    target=${3:-$(uname -m)-unknown-linux-gnu}
    [[ -d $(rustc --print sysroot)/lib/rustlib/$target ]] || die "needs the standard library of $target: run 'rustup target add $target'"
    bring_program "$zigbuild"
    bring_zig
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
