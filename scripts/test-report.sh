#!/usr/bin/env bash
# Checks the report of `inspect --format html` in Chromium: what it draws is what its data says, axe-core finds nothing that keys or screen
# readers could not use, and nothing is wider than a phone, in light and dark. Pictures come into target/report/pictures. Needs chromium, node and
# npm; axe-core and playwright-core come from npm.
#
#   scripts/test-report.sh               everything
#   scripts/test-report.sh --pictures    the same, and writes docs/report.png
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
'' | --pictures) ;;
*) die "unknown option $1 (there is only --pictures)" ;;
esac
need_browser

cd "$root"
work=$root/target/report
rm -rf "$work" && mkdir -p "$work"
cargo build --quiet --locked
program=$root/target/debug/spirv-if

# A module with 500 functions, each of which calls two that follow.
{
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
} >"$work/large.spvasm"
use_spirv_tools
"$SPIRV_AS" "$work/large.spvasm" -o "$work/large.spv"

"$program" inspect fixtures/opencl/device_if.spv --format html -o "$work/conditional.html"
"$program" inspect fixtures/check/hw-g.spv fixtures/glsl/*.spv --format html -o "$work/several.html"
"$program" inspect "$work/large.spv" --format html -o "$work/large.html"
"$program" check fixtures/check/hw-g.spv --format html -o "$work/findings.html"
"$program" inspect fixtures/merge/scale-fp16.spv --against fixtures/merge/scale.spv --format html -o "$work/against.html"
"$program" inspect fixtures/check/hw-g.spv --format html -o "$work/lines.html"
"$program" inspect fixtures/stages/kernels.spv --format html -o "$work/roots.html"
node scripts/test-report.mjs "$chromium" "$playwright" "$axe" "$work"

if [[ ${1:-} == --pictures ]]; then
    cp "$work/pictures/conditional-1280-light.png" docs/report.png
fi
say "all passed, in $(chromium --version 2>/dev/null)"
