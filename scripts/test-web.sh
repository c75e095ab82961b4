#!/usr/bin/env bash
# Builds WebAssembly (build-web.sh) and uses it as people do: the package for npm in node, in a clean folder, and bundled by esbuild and Vite for node
# and for browsers; the page and the bundles in Chromium. Needs node, npm and Python 3, and for the page chromium; playwright-core, axe-core, esbuild, Vite and
# TypeScript come from npm, a library of 40 MB from Debian.
#
#   scripts/test-web.sh               everything
#   scripts/test-web.sh --node        the package for npm alone, without a browser
#   scripts/test-web.sh --pictures    everything, and writes docs/page.png
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

esbuild=0.25.12
typescript=5.9.3
vite=7.3.8
# Of the WebAssembly compressed by gzip -9, in bytes: a bound on growth, three per cent above what it was on 2026-11-30, which is compared last. Most of
# it is code.
most_bytes=1730000

case ${1:-} in
'' | --node | --pictures) ;;
*) die "unknown option $1 (there are only --node and --pictures)" ;;
esac
for program in node npm python3; do
    command -v "$program" >/dev/null || die "needs $program"
done
need_web

cd "$root"
cargo fmt --check --package spirv-if-web
# The library by itself, where there is neither a file nor a thread.
cargo clippy --quiet --package spirv-if --lib --no-default-features --target "$web" --locked -- -D warnings
cargo clippy --quiet --package spirv-if-web --target "$web" --locked -- -D warnings
cargo build --quiet --locked
# Without the target, it says how to add it.
mkdir -p target/no-web
printf '#!/bin/sh\necho /nowhere\n' >target/no-web/rustc
chmod +x target/no-web/rustc
said=$(PATH=$root/target/no-web:$PATH scripts/build-web.sh 2>&1) && die "build-web.sh works without $web"
[[ $said == *"run 'rustup target add $web'"* ]] || die "build-web.sh does not say how to add $web: $said"
scripts/build-web.sh
bytes=$(gzip -9 -c target/web/spirv-if.wasm | wc -c)
program=$root/target/debug/spirv-if
work=$root/target/web-test
rm -rf "$work" && mkdir -p "$work/user" "$work/out"
use_spirv_tools
for name in call-clones max-clones; do "$SPIRV_AS" --target-env spv1.5 "cli/tests/cases/specialize/$name.spvasm" -o "$work/out/$name.spv"; done

# An executable with two images, of which the first is cut off.
PYTHONPATH=python/tests python3 -B - fixtures/program/means.spv "$work/out/app" <<'SCRIPT'
import sys
from pathlib import Path

import linked

module = Path(sys.argv[1]).read_bytes()
images = [linked.Image(3, code, "means", ("SYCL/device requirements", "aspects", bytes(8))) for code in [module[:-8], module]]
Path(sys.argv[2]).write_bytes(linked.executable(images))
SCRIPT

say "the package for npm"
(cd "$work" && npm pack --silent "$root/target/web" >/dev/null)
(
    cd "$work/user"
    echo '{ "type": "module", "private": true }' >package.json
    npm install --silent --no-audit --no-fund "$work"/spirv-if-*.tgz "esbuild@$esbuild" "typescript@$typescript" "vite@$vite"
    cp "$root/scripts/test-web.mjs" .
    node test-web.mjs "$program" "$root/fixtures" "$work/out"
    # One file, with the bytes in it.
    cat >bundled.mjs <<'SCRIPT'
import { load, pack, trim } from "spirv-if";
import wasm from "spirv-if/spirv-if.wasm";
import { readFileSync } from "node:fs";
load(wasm);
const { setByHost, module } = await pack(readFileSync(process.argv[2]));
const trimmed = await trim(module);
if (setByHost[0].when !== "fp16" || trimmed.module.length === 0) throw new Error(JSON.stringify(setByHost));
SCRIPT
    # The types are those of the calls, by the compiler that people use: what it must refuse is marked.
    cat >typed.mts <<'SCRIPT'
import { compatibility, devices, disassemble, inspect, libraryAnswer, load, pack, report, specialize, SpirvIfError, trim, vulkanRequirements, type Compatibility, type Packed } from "spirv-if";
export async function use(bytes: Uint8Array, wasm: ArrayBuffer): Promise<string> {
    load(wasm);
    const packed: Packed = await pack(bytes, { dialect: "function-variants", annotations: "spec-constants: { 0: fp16 }" });
    const plain = await specialize(packed.module, { device: (await devices())[0].name, providerFeatures: "amdgpu:gfx12-insts", set: { 3: 64, fast: true }, unset: "default" });
    const { verdict, missing, unknown }: Compatibility = await compatibility(bytes, { device: "gfx90a", strict: true });
    if (verdict === "not known" && plain.notKnown.length) return [...missing, ...unknown].join();
    // @ts-expect-error: there is no such verdict.
    if (verdict === "fails") return verdict;
    const { removed, readOnly, properties } = await trim(plain.module, { strip: true });
    const text: string = await disassemble(plain.module, { name: (await devices())[0].products[0] ?? properties ?? "a module" });
    const found = await inspect(bytes, { devices: "*", details: true });
    const library = await libraryAnswer(found.files[0].modules.map(({ answer }) => answer));
    const { features } = await vulkanRequirements(plain.module, { apiVersion: [1, 3], device: "intel_gpu_pvc" });
    const enabled: string[] = features.map(({ structure, member }) => `${structure}::${member}`);
    // @ts-expect-error: there is no such dialect.
    await pack(bytes, { dialect: "neither" });
    // @ts-expect-error: nor such an option.
    await trim(bytes, { stripped: true });
    const error = found.failures.find((failure) => failure instanceof SpirvIfError && failure.kind === "refused");
    const clones = plain.callClones.map(([name, clone, calls]) => `${name} ${clone} ${calls + 1}`);
    return [text, ...removed, ...readOnly, ...clones, ...enabled, found.files[0].file, error?.details.missing?.join() ?? "", library?.text ?? "", await report(bytes)].join();
}
SCRIPT
    npx --no-install tsc --noEmit --strict --target esnext --lib esnext,dom --module nodenext typed.mts
    npx --no-install esbuild bundled.mjs --bundle --format=esm --platform=node --loader:.wasm=binary --log-level=warning --outfile="$work/out/bundled.mjs"

    # For browsers, and nothing of node in it: with the WebAssembly beside the script, and with its address from the bundler.
    mkdir -p src "$work/browser"/{esbuild,esbuild-address,vite}
    cat >src/main.ts <<'SCRIPT'
import { devices, pack, SpirvIfError } from "spirv-if";
const show = (text: string) => { document.querySelector("#o")!.textContent = text; };
devices().then((all) => show(`${all.length} devices`)).catch((error: unknown) => show(error instanceof SpirvIfError ? error.message : String(error)));
void pack;
SCRIPT
    echo '<!doctype html><title>bundle</title><link rel="icon" href="data:,"><p id="o"></p><script type="module" src="./main.js"></script>' >src/page.html
    browser=(npx --no-install esbuild --bundle --format=esm --platform=browser --log-level=warning)
    "${browser[@]}" src/main.ts --outfile="$work/browser/esbuild/main.js"
    cp node_modules/spirv-if/spirv-if.wasm "$work/browser/esbuild"
    printf '%s\n' 'import { load } from "spirv-if";' 'import address from "spirv-if/spirv-if.wasm";' 'load(address);' | cat - src/main.ts >src/address.ts
    "${browser[@]}" src/address.ts --loader:.wasm=file --outfile="$work/browser/esbuild-address/main.js"
    for own in esbuild esbuild-address; do cp src/page.html "$work/browser/$own/index.html"; done
    sed 's,./main.js,/src/main.ts,' src/page.html >index.html
    npx --no-install vite build --logLevel warn --emptyOutDir --outDir "$work/browser/vite" 2>"$work/vite.log" >&2
    [[ ! -s $work/vite.log ]] || die "Vite warns: $(<"$work/vite.log")"
    printf '%s\n' 'import { load } from "spirv-if";' 'import address from "spirv-if/spirv-if.wasm?url";' 'load(address);' | cat - src/main.ts >src/dev.ts
    sed 's,./main.js,/src/dev.ts,' src/page.html >dev.html
)
node "$work/out/bundled.mjs" "$root/fixtures/glsl/reduce.spv"
if grep -rl 'node:' "$work/browser" --include='*.js'; then die "a bundle for browsers has something of node"; fi
check_size() { ((bytes <= most_bytes)) || die "all else passed; spirv-if.wasm has $bytes bytes compressed, more than $most_bytes"; }
if [[ ${1:-} == --node ]]; then
    check_size
    exit
fi

say "the page"
need_browser
library=$(ggml_library)
picture=()
if [[ ${1:-} == --pictures ]]; then picture=("$root/docs/page.png"); fi
node scripts/test-web-page.mjs "$chromium" "$playwright" "$axe" "$root/target/web/index.html" "$program" \
    "$root/fixtures" "$library" "$work/out" "${picture[@]}"
say "bundles"
node scripts/test-web-bundles.mjs "$chromium" "$playwright" "$("$program" devices | wc -l)" "$work/browser" "$work/user"
check_size
say "all passed, in $("$chromium" --version 2>/dev/null)"
