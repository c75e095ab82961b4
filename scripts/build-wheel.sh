#!/usr/bin/env bash
# Builds the wheel for Python, with the program in it, into a folder.
#
#   scripts/build-wheel.sh FOLDER [PROFILE]    by the profile `library` of Cargo.toml, or another one
#
# maturin comes from PyPI into target/tools. On Linux, the wheel is for the C library of this system and newer ones.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

maturin=maturin==1.16.0

folder=${1:?a folder for the wheel}
profile=${2:-library}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"
command -v strip >/dev/null || die "needs strip, of binutils"
if ! is_done maturin "$maturin"; then
    bring_python "$maturin"
    chmod +x "$tools"/maturin/*.data/scripts/maturin*
    mark_done maturin "$maturin"
fi

suffix=
compatibility=()
case $(uname -s) in
Linux) compatibility=(--compatibility linux) ;;
MINGW* | MSYS*) suffix=.exe ;;
esac
# The program is built for speed by a profile of its own.
of_program=${profile/#library/dist}
say "building the program by the profile $of_program, which takes minutes the first time"
cargo build --quiet --locked --profile "$of_program" --package spirv-if-cli
built=target/$of_program
[[ $of_program != dev ]] || built=target/debug
# Where pyproject.toml says that the program is.
program=python/wheel-data/scripts/spirv-if$suffix
rm -rf python/wheel-data
mkdir -p "$(dirname "$program")"
strip -o "$program" "$built/spirv-if$suffix"
chmod +x "$program"
say "building the module by the profile $profile, and the wheel of both"
"$tools"/maturin/*.data/scripts/maturin"$suffix" build --quiet --locked --profile "$profile" --manifest-path python/Cargo.toml \
    --out "$folder" "${compatibility[@]}"
rm -rf python/wheel-data
say "done: the wheel is in $folder"
