#!/usr/bin/env bash
# Checks the Vulkan layer as users have it: its crate, what CMake installs, and applications that nobody here wrote, with and without it. The tools
# come from setup.sh.
#
# scripts/test.sh runs the tests of the crate, which this script does too.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Stripped, in bytes: a bound on growth.
most_bytes=4100000
# The part of the time that the creation of a pipeline may take with the layer, where it leaves the module alone.
most_ratio=1.01

(($# == 0)) || die "unknown option $1"
cd "$root"
scripts/setup.sh drivers ggml cmake vulkan-applications
find_loader
export PATH="$tools/bin:$PATH"
work=$root/target/layer-test
layer=VK_LAYER_SPIRVIF_specialize
validation=VK_LAYER_KHRONOS_validation
run=$tools/layers/vulkan-lavapipe
libraries=$unpacked/usr/lib/$triplet
mkdir -p "$work"

say "the crate"
cargo fmt --check --package spirv-if-vulkan-layer
cargo clippy --quiet --package spirv-if-vulkan-layer --all-targets --locked -- -D warnings
cargo test --quiet --package spirv-if-vulkan-layer --locked -- --include-ignored

say "building and installing"
installed=$work/installed
rm -rf "$installed" "$work/elsewhere"
cmake -G Ninja -S layers/vulkan -B "$work/build" -DCMAKE_INSTALL_PREFIX="$work/configured" -DCMAKE_INSTALL_LIBDIR=lib \
    -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" >"$work/log" || { cat "$work/log" && exit 1; }
cmake --build "$work/build"
# Installed with another prefix than the configured one, and then moved.
cmake --install "$work/build" --prefix "$work/elsewhere" >"$work/log"
mv "$work/elsewhere" "$installed"
library=$installed/lib/libvk_layer_spirv_if.so
manifest=$installed/share/vulkan/explicit_layer.d/VkLayer_spirv_if.json
bytes=$(stat -c %s "$library")
((bytes <= most_bytes)) || die "$library has $bytes bytes, more than $most_bytes"
others=$(nm -D --defined-only "$library" | awk '$3 !~ /^vk(NegotiateLoaderLayerInterfaceVersion|Get(Instance|Device)ProcAddr|Enumerate(Instance|Device)(Layer|Extension)Properties)$/ { print $3 }')
[[ -z $others ]] || die "$library exports more than functions of Vulkan: $others"
for name in $(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
    [[ $name =~ ^(libc|libm|libgcc_s|ld-linux.*)\.so ]] || die "$library loads $name"
done
python3 -m json.tool "$manifest" >"$work/log" || die "$manifest is not JSON"

export VK_LAYER_PATH=${manifest%/*}:$unpacked/usr/share/vulkan/explicit_layer.d
export XDG_DATA_HOME=$work/data XDG_RUNTIME_DIR=$work/runtime
mkdir -p -m 700 "$XDG_RUNTIME_DIR"

# with LAYERS COMMAND...: runs a command with layers between it and the driver.
with() { VK_INSTANCE_LAYERS=$1 "$run" "${@:2}"; }
# same NAME FILTER COMMAND...: prints of a command, but for what the filter takes away, are the same with and without the layer, also if it adapts
# modules.
same() {
    local name=$1 filter=$2 kind
    shift 2
    say "$name"
    with '' "$@" 2>&1 | sed -E "$filter" >"$work/$name.without" || die "$name fails without the layer: $work/$name.without"
    [[ -s $work/$name.without ]] || die "$name prints nothing"
    for kind in with adapted; do
        VK_SPIRVIF_SPECIALIZE_ADAPT=$([[ $kind == with ]] || echo true) with "$layer" "$@" 2>&1 | sed -E "$filter" >"$work/$name.$kind" ||
            die "$name fails with the layer: $work/$name.$kind"
        diff "$work/$name.without" "$work/$name.$kind" >&2 || die "$name prints something else with the layer"
    done
}

say "the loader finds the layer"
with '' "$unpacked/usr/bin/vulkaninfo" --summary 2>/dev/null | grep -q "^$layer " || die "vulkaninfo does not list the layer"
with "$layer" "$unpacked/usr/bin/vulkaninfo" --summary >"$work/log" 2>&1 || { cat "$work/log" && die "vulkaninfo fails with the layer"; }

# A window has frames, which another layer writes to files. Xvfb would run the /usr/bin/xkbcomp of the system, whatever it is; Weston runs nothing.
say "vkcube"
WESTON_MODULE_MAP="headless-backend.so=$libraries/libweston-16/headless-backend.so;kiosk-shell.so=$libraries/weston/kiosk-shell.so" \
    XKB_CONFIG_ROOT=$unpacked/usr/share/X11/xkb "$unpacked/$loader" --library-path "$libraries:$libraries/weston" "$unpacked/usr/bin/weston" \
    --backend=headless --renderer=noop --shell=kiosk --socket=layer-test --no-config >"$work/weston" 2>&1 &
weston=$!
trap 'kill "$weston" 2>/dev/null || true' EXIT
for ((tries = 0; tries < 100; ++tries)); do
    if [[ -S $XDG_RUNTIME_DIR/layer-test ]]; then break; fi
    sleep 0.1
done
[[ -S $XDG_RUNTIME_DIR/layer-test ]] || { cat "$work/weston" && die "weston does not start"; }
# cube NAME LAYERS: its frames are in the folder.
cube() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    WAYLAND_DISPLAY=layer-test VK_LAYER_MESA_SCREENSHOT_CONFIG="frames=0/1/10/20,output_dir=$work/$1" \
        with "${2:+$2:}VK_LAYER_MESA_screenshot" "$unpacked/usr/bin/vkcube" --wsi wayland --c 30 >"$work/$1.log" 2>&1 ||
        { cat "$work/$1.log" && die "vkcube fails"; }
    [[ $(find "$work/$1" -name '*.png' | wc -l) == 4 ]] || die "vkcube has no frames in $work/$1"
    if grep Validation "$work/$1.log"; then die "the validation is not silent"; fi
}
cube cube ''
for layers in "$layer" "$layer:$validation"; do
    cube cube-with "$layers"
    diff -r "$work/cube" "$work/cube-with" || die "vkcube draws something else with $layers"
done
VK_SPIRVIF_SPECIALIZE_ADAPT=true cube cube-with "$layer:$validation"
diff -r "$work/cube" "$work/cube-with" || die "vkcube draws something else with adapted shaders"
kill "$weston"

scenes=()
for scene in vertex texture shading effect2d desktop cube clear; do scenes+=(-b "$scene:duration=0.5"); done
same vkmark 's/FPS:.*//; /Score/d' "$unpacked/usr/bin/vkmark" --winsys-dir "$libraries/vkmark" --data-dir "$unpacked/usr/share/vkmark" \
    --winsys headless --size 64x64 "${scenes[@]}"
with "$layer:$validation" "$unpacked/usr/bin/vkmark" --winsys-dir "$libraries/vkmark" --data-dir "$unpacked/usr/share/vkmark" \
    --winsys headless --size 64x64 "${scenes[@]}" >"$work/vkmark.with" 2>&1 || die "vkmark fails with the layer and the validation"
with "$validation" "$unpacked/usr/bin/vkmark" --winsys-dir "$libraries/vkmark" --data-dir "$unpacked/usr/share/vkmark" \
    --winsys headless --size 64x64 "${scenes[@]}" >"$work/vkmark.without" 2>&1 || die "vkmark fails with the validation"
# What the validation says of vkmark itself, it says with the layer too.
complaints() { grep -o 'VUID-[A-Za-z0-9-]*' "$1" | sort -u; }
diff <(complaints "$work/vkmark.without") <(complaints "$work/vkmark.with") || die "the validation complains of what the layer does"

# The backend looks for those of processors in the working directory, and takes no processor as a GPU unless it is told to.
cd "$libraries/ggml/backends0"
for operation in ADD SOFT_MAX; do
    GGML_VK_VISIBLE_DEVICES=0 same "ggml-$operation" 's/[0-9.]+ (us|ms).*//; s/0x[0-9a-f]+//g; /memory|MiB|MB|compil/Id' \
        "$unpacked/usr/libexec/$triplet/ggml/test-backend-ops" test -o "$operation" -b Vulkan0
    grep -q '2/2 backends passed' "$work/ggml-$operation.with" || die "ggml's tests of $operation do not pass"
done
cd "$root"

say "overhead"
cargo run --quiet --locked -- pack -q fixtures/vulkan/chain.spv -o "$work/chain.spv"
cargo build --quiet --package spirv-if-vulkan-layer --example application --locked
for module in target/ggml/rms_norm.spv target/ggml/mul_mat_vec_q4_0.spv; do
    printed=$(with '' target/debug/examples/application entrance=overhead "layers=$layer" "module=$module" features=shaderInt16 rounds=300 \
        "packed=$work/chain.spv")
    say "${module##*/}: ${printed//$'\n'/; }"
    ratio=${printed##*$'
'ratio }
    awk -v ratio="$ratio" -v most="$most_ratio" 'BEGIN { exit !(ratio <= most) }' || die "with the layer it takes $ratio times as long"
done
# switches SHADER SHARE: values of the constants of an ubershader of which a share of the switches is on, in percent (benches/pipelines).
switches() {
    awk -v shader="$1" -v share="$2" 'BEGIN {
        count = shader == "post" ? 24 : shader == "combiner" ? 20 : 40
        for (i = 0; i < count; ++i) {
            on = i * 7 % count < count * share / 100
            bits += on * 2 ^ i
            spec_id = shader == "forward" ? i : i < 16 ? 11 * i : i == 19 ? 205 : 200 + 2 * (i - 16)
            list = list (i ? "," : "") spec_id ":" on
        }
        print shader == "post" ? "0:" bits : list
    }'
}
say "folding"
rm -rf "$work/folded"
for shader in forward combiner post; do
    for share in 0 10 50; do
        gains=
        for size in 0 256; do
            printed=$(with '' target/debug/examples/application entrance=first-run "layers=$layer" "module=fixtures/ubershaders/$shader.spv" words=65536 \
                rounds=9 "constants=$(switches "$shader" "$share")" "settings=fold:true,fold_cache:$work/folded,fold_cache_size:$size")
            gains+="; $([[ $size == 0 ]] && echo folded || echo cached): $printed"
        done
        say "$shader, $share % on$gains"
    done
done
[[ $(find "$work/folded" -type f | wc -l) == 9 ]] || die "the cache of folded modules does not have one file for each setting"
say "all passed; the layer has $bytes bytes"
