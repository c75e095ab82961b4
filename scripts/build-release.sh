#!/usr/bin/env bash
# Builds what a release has for this system into a folder: an archive of the program and the libraries, the wheel for Python, and on Linux
# a Debian package and the package for npm.
#
#   scripts/build-release.sh FOLDER        by the profiles of Cargo.toml for users
#   scripts/build-release.sh FOLDER dev    by the profile `dev`, to try it
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=${1:?a folder for the files}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"
options=()
wheel=()
if [[ ${2:-} == dev ]]; then
    options=(-DSPIRV_IF_CARGO_PROFILE=dev -DSPIRV_IF_PROGRAM_PROFILE=dev)
    wheel=(dev)
fi
generators=TGZ
case $(uname -s) in
Linux) generators='TGZ;DEB' ;;
MINGW* | MSYS*) generators=ZIP ;;
esac

if ! command -v cpack >/dev/null; then
    scripts/setup-build-tools.sh --cmake
    export PATH=$tools/cmake/cmake/data/bin:$PATH
fi
say "the program and the libraries"
export CARGO_PROFILE_DIST_STRIP=symbols
build=target/release-build
cmake -S capi -B "$build" -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" -DCMAKE_INSTALL_LIBDIR=lib "${options[@]}"
cmake --build "$build"
cpack --config "$build/CPackConfig.cmake" -G "$generators" -B "$folder"
rm -rf "$folder/_CPack_Packages"

say "the wheel"
scripts/build-wheel.sh "$folder" "${wheel[@]}"

if [[ $generators == *DEB* ]]; then
    say "the package for npm"
    scripts/build-web.sh
    npm pack --silent ./target/web --pack-destination "$folder"
fi
say "done: $(cd "$folder" && echo *)"
