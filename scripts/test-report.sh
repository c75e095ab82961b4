#!/usr/bin/env bash
# Checks the report of `inspect --format html` in Chromium: what it draws is what its data says, and axe-core finds nothing that keys or screen
# readers could not use, in light and dark. Needs chromium, node and npm; axe-core comes from npm.
#
#   scripts/test-report.sh               everything
#   scripts/test-report.sh --pictures    the same, and writes docs/report.png
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

axe=4.14.1

case ${1:-} in
'' | --pictures) ;;
*) die "unknown option $1 (there is only --pictures)" ;;
esac
for program in chromium node npm; do
    command -v "$program" >/dev/null || die "needs $program"
done

cd "$root"
work=$root/target/report
rm -rf "$work" && mkdir -p "$work"
if [[ ! -e $tools/axe-$axe.js ]]; then
    (cd "$work" && npm pack --silent "axe-core@$axe" >/dev/null && tar xzf "axe-core-$axe.tgz" && cp package/axe.min.js "$tools/axe-$axe.js")
fi
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
for colours in light dark; do
    dark=()
    if [[ $colours == dark ]]; then dark=(--force-dark-mode); fi
    for page in conditional several large against findings; do
        node scripts/test-report.js "$work/$page.html" "$tools/axe-$axe.js" >"$work/$page.probe.html"
        timeout 300 chromium --headless --no-sandbox --disable-gpu "${dark[@]}" --virtual-time-budget=120000 --dump-dom "file://$work/$page.probe.html" \
            >"$work/$page.dom" 2>"$work/log" || { cat "$work/log" && die "chromium failed"; }
        result=$(grep -o '<pre id="probe">.*</pre>' "$work/$page.dom") || die "$page: the page did not draw itself"
        [[ $result == '<pre id="probe">[]</pre>' ]] || die "$page, $colours: $result"
        say "$page, $colours: drawn as the data says, nothing inaccessible"
    done
done

if [[ ${1:-} == --pictures ]]; then
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1500 --screenshot=docs/report.png \
        "file://$work/conditional.html" 2>"$work/log" || { cat "$work/log" && die "chromium failed"; }
fi
say "all passed, in $(chromium --version 2>/dev/null)"
