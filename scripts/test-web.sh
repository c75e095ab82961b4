#!/usr/bin/env bash
# Checks what runs in browsers and in node, as people use it: the HTML reports of `inspect` and `check` in Chromium, where they draw what their data
# says; WebAssembly, which build.sh builds, as the package for npm in node, in a clean folder, and bundled by esbuild and Vite for node and for browsers;
# the page and the bundles in Chromium. In pages axe-core finds nothing that keys or screen readers could not use, and nothing is wider than a phone, in
# light and dark. Needs node, npm and Python 3, and for pages chromium; the tests are those of web/tests.
#
#   scripts/test-web.sh               everything
#   scripts/test-web.sh --report      the reports alone, without WebAssembly
#   scripts/test-web.sh --node        the package for npm alone, without a browser
#   scripts/test-web.sh --pictures    everything, and writes docs/report.png and docs/page.png
#
# Pictures come into target/report/pictures and target/web-test/out/pictures.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

esbuild=0.25.12
typescript=5.9.3
vite=7.3.8
# Of the WebAssembly compressed by gzip -9, in bytes: a bound on growth, compared last. It is 0.2 per cent above what it was on 2026-11-30.
most_bytes=1730000

option=${1:-}
case $option in
'' | --report | --node | --pictures) ;;
*) die "unknown option $option (there are only --report, --node and --pictures)" ;;
esac
for program in node npm python3; do
    command -v "$program" >/dev/null || die "needs $program"
done
cd "$root"
if [[ $option != --report ]]; then need_web; fi
if [[ $option != --node ]]; then
    command -v chromium >/dev/null || die "needs chromium"
    scripts/setup.sh browser drivers
fi
use_spirv_tools
cargo build --quiet --locked
program=$root/target/debug/spirv-if
work=$root/target/web-test

# in_browser TEST ARGUMENT...: runs a test of pages.
in_browser() { node "web/tests/$1.mjs" "$(command -v chromium)" "$tools/playwright-core" "${@:2}"; }

# Prints a module with 500 functions, each of which calls two that follow.
large_module() {
    local at callee
    printf 'OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%f0 "f0"\n'
    for ((at = 0; at < 500; ++at)); do echo "OpName %f$at \"function_$at\""; done
    printf '%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n'
    for ((at = 0; at < 500; ++at)); do
        printf '%%f%d = OpFunction %%void None %%fn\n%%l%d = OpLabel\n' "$at" "$at"
        for callee in $((2 * at + 1)) $((2 * at + 2)); do
            if ((callee < 500)); then printf '%%c%d_%d = OpFunctionCall %%void %%f%d\n' "$at" "$callee" "$callee"; fi
        done
        printf 'OpReturn\nOpFunctionEnd\n'
    done
}

test_reports() {
    local reports=$root/target/report
    say "reports"
    rm -rf "$reports" && mkdir -p "$reports"
    large_module | "$SPIRV_AS" - -o "$reports/large.spv"
    "$program" inspect fixtures/opencl/device_if.spv --format html -o "$reports/conditional.html"
    "$program" inspect fixtures/check/hw-g.spv fixtures/glsl/*.spv --format html -o "$reports/several.html"
    "$program" inspect "$reports/large.spv" --format html -o "$reports/large.html"
    "$program" check fixtures/check/hw-g.spv --format html -o "$reports/findings.html"
    "$program" inspect fixtures/merge/scale-fp16.spv --against fixtures/merge/scale.spv --format html -o "$reports/against.html"
    "$program" inspect fixtures/check/hw-g.spv --format html -o "$reports/lines.html"
    "$program" inspect fixtures/stages/kernels.spv --format html -o "$reports/roots.html"
    OCLOC=$tools/bin/ocloc "$program" inspect fixtures/flags/clflags-O2.spv --statistics ocloc:pvc --format html -o "$reports/statistics.html"
    in_browser report "$tools/axe-core/axe.min.js" "$reports"
    if [[ $option == --pictures ]]; then cp "$reports/pictures/conditional-1280-light.png" docs/report.png; fi
}

build_package() {
    local says
    cargo fmt --check --package spirv-if-web
    # The library by itself, where there is neither a file nor a thread.
    cargo clippy --quiet --package spirv-if --lib --no-default-features --target "$web" --locked -- -D warnings
    cargo clippy --quiet --package spirv-if-web --target "$web" --locked -- -D warnings
    # Without the target, it says how to add it.
    mkdir -p target/no-web
    printf '#!/bin/sh\necho /nowhere\n' >target/no-web/rustc
    chmod +x target/no-web/rustc
    says=$(PATH=$root/target/no-web:$PATH scripts/build.sh web 2>&1) && die "build.sh web works without $web"
    [[ $says == *"run 'rustup target add $web'"* ]] || die "build.sh web does not say how to add $web: $says"
    scripts/build.sh web
}

test_package() {
    local name bundle
    say "the package for npm"
    rm -rf "$work" && mkdir -p "$work/user/src" "$work/out" "$work/browser"/{esbuild,esbuild-address,vite}
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
    (cd "$work" && npm pack --silent "$root/target/web" >/dev/null)
    cp web/tests/{package.mjs,bundled.mjs,typed.mts} "$work/user"
    cp web/tests/main.ts "$work/user/src"
    (
        cd "$work/user"
        echo '{ "type": "module", "private": true }' >package.json
        npm install --silent --no-audit --no-fund "$work"/spirv-if-*.tgz "esbuild@$esbuild" "typescript@$typescript" "vite@$vite"
        node package.mjs "$program" "$root/fixtures" "$work/out"
        npx --no-install tsc --noEmit --strict --target esnext --lib esnext,dom --module nodenext typed.mts
        npx --no-install esbuild bundled.mjs --bundle --format=esm --platform=node --loader:.wasm=binary --log-level=warning --outfile="$work/out/bundled.mjs"

        # For browsers: with the WebAssembly beside the script, and with its address from the bundler.
        echo '<!doctype html><title>bundle</title><link rel="icon" href="data:,"><p id="o"></p><script type="module" src="./main.js"></script>' >src/page.html
        browser=(npx --no-install esbuild --bundle --format=esm --platform=browser --log-level=warning)
        "${browser[@]}" src/main.ts --outfile="$work/browser/esbuild/main.js"
        cp node_modules/spirv-if/spirv-if.wasm "$work/browser/esbuild"
        printf '%s\n' 'import { load } from "spirv-if";' 'import address from "spirv-if/spirv-if.wasm";' 'load(address);' | cat - src/main.ts >src/address.ts
        "${browser[@]}" src/address.ts --loader:.wasm=file --outfile="$work/browser/esbuild-address/main.js"
        for bundle in esbuild esbuild-address; do cp src/page.html "$work/browser/$bundle/index.html"; done
        sed 's,./main.js,/src/main.ts,' src/page.html >index.html
        npx --no-install vite build --logLevel warn --emptyOutDir --outDir "$work/browser/vite" 2>"$work/vite.log" >&2
        [[ ! -s $work/vite.log ]] || die "Vite warns: $(<"$work/vite.log")"
        printf '%s\n' 'import { load } from "spirv-if";' 'import address from "spirv-if/spirv-if.wasm?url";' 'load(address);' | cat - src/main.ts >src/dev.ts
        sed 's,./main.js,/src/dev.ts,' src/page.html >dev.html
    )
    node "$work/out/bundled.mjs" "$root/fixtures/glsl/reduce.spv"
    if grep -rl 'node:' "$work/browser" --include='*.js'; then die "a bundle for browsers has something of node"; fi
}

test_page() {
    local picture=()
    if [[ $option == --pictures ]]; then picture=("$root/docs/page.png"); fi
    say "the page"
    in_browser page "$tools/axe-core/axe.min.js" "$root/target/web/index.html" "$program" "$root/fixtures" "$(ggml_library)" "$work/out" "${picture[@]}"
    say "bundles"
    in_browser bundles "$("$program" devices | wc -l)" "$work/browser" "$work/user"
}

if [[ $option != --node ]]; then test_reports; fi
if [[ $option != --report ]]; then
    build_package
    bytes=$(gzip -9 -c target/web/spirv-if.wasm | wc -c)
    test_package
    if [[ $option != --node ]]; then test_page; fi
    ((bytes <= most_bytes)) || die "all else passed; spirv-if.wasm has $bytes bytes compressed, more than $most_bytes"
fi
say "all passed"
