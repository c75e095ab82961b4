#!/usr/bin/env bash
# Builds what a release has for this system, by the profile `dev`, and uses each file: the archive with CMake and pkg-config, the Debian
# package, the wheel, and the package for npm. Needs dpkg-dev, node and npm, and pkg-config.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
built=$root/target/release-test
rm -rf "$built"
scripts/build.sh release "$built" dev
command -v cmake >/dev/null || export PATH=$tools/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# only PATTERN: the one file that is named so.
only() {
    local files=("$built"/$1)
    [[ ${#files[@]} == 1 && -f ${files[0]} ]] || die "expected one file $1 in $built"
    printf '%s\n' "${files[0]}"
}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
module=$root/fixtures/glsl/tint.spv
"$root/target/debug/spirv-if" pack -q "$module" -o "$work/expected.spv"

# packs COMMAND...: a program packs as that of the checkout does.
packs() {
    "$@" pack -q "$module" -o "$work/packed.spv"
    cmp "$work/packed.spv" "$work/expected.spv" || die "$* packs in another way"
}

say "the archive"
tar -xzf "$(only "spirv-if-$version-linux-*.tar.gz")" -C "$work"
archive=$(echo "$work/spirv-if-$version"-linux-*)
packs "$archive/bin/spirv-if"
mkdir "$work/user"
cat >"$work/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.19)
project(user LANGUAGES C)
find_package(spirv-if REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE spirv-if::spirv-if)
CMAKE
echo '#include <spvif.h>
int main(void) { return spvif_abi_version() != SPVIF_ABI_VERSION; }' >"$work/user/user.c"
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$archive" >/dev/null
cmake --build "$work/user/build" >/dev/null
"$work/user/build/user" || die "a program with the library of the archive fails"
PKG_CONFIG_PATH=$archive/lib/pkgconfig pkg-config --modversion spirv-if | grep -qx "$version" || die "pkg-config finds another version"

say "the Debian package"
deb=$(only "spirv-if_${version}_*.deb")
dpkg-deb --field "$deb" Depends | grep -q 'libc6 (>= ' || die "$deb names no version of libc6"
dpkg-deb --extract "$deb" "$work/deb"
packs "$work/deb/usr/bin/spirv-if"
for file in share/man/man1/spirv-if-pack.1 share/bash-completion/completions/spirv-if share/zsh/site-functions/_spirv-if \
    share/fish/vendor_completions.d/spirv-if.fish share/doc/spirv-if/LICENSE-MIT lib/libspvif.so include/spirv_if/device_if.glsl; do
    [[ -s $work/deb/usr/$file ]] || die "$deb has no $file"
done

say "the wheel"
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --no-deps "$(only "spirv_if-$version-*.whl")"
packs "$work/python/bin/spirv-if"
"$work/python/bin/python" -c 'import spirv_if'

say "the package for npm"
(cd "$work" && npm install --silent --no-save "$(only "spirv-if-$version.tgz")")
(
    cd "$work"
    rm packed.spv
    node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
import { pack } from "spirv-if";
writeFileSync("packed.spv", (await pack(readFileSync(process.argv[1]))).module);' "$module"
    cmp packed.spv expected.spv || die "the package for npm packs in another way"
)
say "all passed"
