#!/usr/bin/env bash
# Builds WebAssembly, the page and the package for npm into target/web: index.html works from anywhere, a disk too; package.json and what it lists
# are the package. Needs node.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
command -v node >/dev/null || die "needs node"
need_web
say "building WebAssembly, which takes minutes the first time"
# In a folder of its own: what cargo builds for this machine by the profile `web` would be in target/web. Numbers of functions are as short as they
# are, not padded to the largest: that takes 2 % off.
built=$root/target/web-build
cargo rustc --quiet --locked --package spirv-if-web --profile web --target "$web" --target-dir "$built" -- -C link-arg=--compress-relocations
out=$root/target/web
say "making the package for npm in target/web"
rm -rf "$out" && mkdir -p "$out"
cp "$built/$web/web/spirv_if_web.wasm" "$out/spirv-if.wasm"
cp web/{spirv-if.js,spirv-if-node.js,spirv-if.d.ts,package.json,README.md} LICENSE-* "$out"
say "making the page, target/web/index.html"
node web/build-page.mjs "$out"
say "done; spirv-if.wasm has $(gzip -9 -c "$out/spirv-if.wasm" | wc -c) bytes compressed by gzip"
