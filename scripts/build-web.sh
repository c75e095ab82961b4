#!/usr/bin/env bash
# Builds WebAssembly, the page and the package for npm into target/web: index.html works from anywhere, a disk too; package.json and what it lists
# are the package. Needs node.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Compressed by gzip -9, in bytes: a bound on growth. Most of it is code.
most_bytes=1060000

cd "$root"
command -v node >/dev/null || die "needs node"
# Numbers of functions are as short as they are, not padded to the largest: that takes 2 % off.
cargo rustc --quiet --locked --package spirv-if-web --profile web --target "$web" -- -C link-arg=--compress-relocations
out=$root/target/web
rm -rf "$out" && mkdir -p "$out"
cp "target/$web/web/spirv_if_web.wasm" "$out/spirv-if.wasm"
cp web/{spirv-if.js,spirv-if.d.ts,package.json,README.md} LICENSE-* "$out"
bytes=$(gzip -9 -c "$out/spirv-if.wasm" | wc -c)
((bytes <= most_bytes)) || die "spirv-if.wasm has $bytes bytes compressed, more than $most_bytes"
node web/build-page.mjs "$out"
say "target/web: the page, and the package for npm; spirv-if.wasm has $bytes bytes compressed by gzip"
