#!/usr/bin/env bash
# Checks bundles: the package with both decoders, the reader in C against the one in Rust, also with sanitizers and on damaged bundles, and all modules
# of ggml's Vulkan library. zstd's sources are those of its crate.
#
#   scripts/test-bundle.sh            everything
#   scripts/test-bundle.sh --figures  sizes and speeds beside plain zstd, and nothing else: on ggml's library, on variants of ubershaders
#                                     (shader_variants.py), and on a library of dpnp's SYCL kernels, which comes from PyPI
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
GGML_LIBRARY=$(ggml_library)
ZSTD_SOURCES=$(cargo metadata --quiet --locked --format-version 1 | python3 -c '
import json, pathlib, sys
packages = json.load(sys.stdin)["packages"]
print(next(pathlib.Path(package["manifest_path"]).parent / "zstd/lib" for package in packages if package["name"] == "zstd-sys"))')
export GGML_LIBRARY ZSTD_SOURCES

# Links the headers of Vulkan and OpenCL alone: the C library of those packages is another one.
link_headers() {
    scripts/setup.sh drivers
    export VULKAN_HEADERS=$root/target/bundle-headers
    rm -rf "$VULKAN_HEADERS"
    mkdir -p "$VULKAN_HEADERS"
    for headers in vulkan vk_video CL; do ln -s "$unpacked/usr/include/$headers" "$VULKAN_HEADERS/$headers"; done
}

# Packs all fixtures that can be packed into a folder.
pack_fixtures() {
    mkdir -p "$1"
    find fixtures -name '*.spv' | while read -r fixture; do
        name=${fixture#fixtures/}
        target/debug/spirv-if pack -q "$fixture" -o "$1/${name//\//_}" 2>/dev/null || true
    done
}

case ${1:-} in
--figures)
    scripts/setup.sh compilers
    variants=$root/target/shader-variants
    [[ -f $variants/post-255.spv ]] || python3 bundle/benches/shader_variants.py "$variants"
    dpnp=$root/target/corpus-work/dpnp
    if [[ ! -d $dpnp/dpnp ]]; then
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$dpnp" dpnp
        python3 -m zipfile -e "$dpnp"/dpnp-*.whl "$dpnp"
    fi
    kernels=$(find "$dpnp/dpnp" -name '_tensor_elementwise_impl.*.so' -print -quit)
    for files in "$GGML_LIBRARY" "$variants" "${kernels:?dpnp has no library _tensor_elementwise_impl}"; do
        say "${files#"$root/"}"
        cargo bench --quiet --locked --package spirv-if-bundle --bench bundle -- "$files"
    done
    say "ready shaders: nanoseconds beside the prepared engine and memcpy"
    cargo bench --quiet --locked --package spirv-if-bundle --bench ready
    say "ready shaders: bytes of the packed fixtures with several results"
    cargo build --quiet --locked
    work=$root/target/bundle-sizes
    rm -rf "$work"
    pack_fixtures "$work/packed"
    target/debug/spirv-if bundle -q --ready "$work/packed" -o "$work/all.spvb"
    mkdir "$work/several"
    target/debug/spirv-if unbundle "$work/all.spvb" | sed -n 's/^ *[0-9]*  \([^ ]*\)  [0-9]* modules by .*/\1/p' | while read -r name; do
        cp "$work/packed/$name.spv" "$work/several"
    done
    target/debug/spirv-if bundle -q --ready "$work/several" -o "$work/ready.spvb"
    target/debug/spirv-if bundle -q "$work/several" -o "$work/packed.spvb"
    echo "$(find "$work/several" -type f | wc -l) modules of $(cat "$work"/several/* | wc -c) bytes"
    wc -c "$work/ready.spvb" "$work/packed.spvb"
    say "bytes of code: spvb.c, spvb.c without zstd, spvb_vulkan.h"
    cc -std=c99 -O2 -c -I bundle/c -I "$ZSTD_SOURCES" bundle/c/spvb.c -o "$work/spvb.o"
    cc -std=c99 -O2 -c -I bundle/c -DSPVB_WITHOUT_ZSTD bundle/c/spvb.c -o "$work/without-zstd.o"
    link_headers
    cc -std=c99 -O2 -x c -c -I bundle/c -I "$VULKAN_HEADERS" -o "$work/vulkan.o" - <<END
#include <spvb_vulkan.h>
void answer(const spvb_bundle *bundle, const spvb_vulkan *device, uint8_t *answers) { spvb_vulkan_answer_all(bundle, device, answers); }
END
    size "$work/spvb.o" "$work/without-zstd.o" "$work/vulkan.o"
    exit
    ;;
'') ;;
*) die "unknown option $1 (there is only --figures)" ;;
esac

use_spirv_tools
link_headers

say "the crate, with each decoder"
cargo clippy --quiet --package spirv-if-bundle --all-targets --locked -- -D warnings
cargo clippy --quiet --package spirv-if-bundle --no-default-features --features ruzstd --locked -- -D warnings
cargo clippy --quiet --package spirv-if-bundle --no-default-features --features zstd --locked -- -D warnings
cargo test --quiet --package spirv-if-bundle --features ruzstd --locked -- --include-ignored --skip folders

say "CMake"
scripts/setup.sh build-tools
cargo build --quiet --locked
work=$root/target/bundle-cmake
rm -rf "$work"
"$tools/bin/cmake" -G Ninja "-DCMAKE_MAKE_PROGRAM=$tools/bin/ninja" -S bundle/tests/cmake -B "$work" "-DZSTD_SOURCES=$ZSTD_SOURCES" \
    "-DSPIRV_IF_PROGRAM=$root/target/debug/spirv-if" >/dev/null
"$tools/bin/cmake" --build "$work" >"$work/log" || { cat "$work/log" && exit 1; }
for name in app included; do "$work/with-$name" fixtures/merge/scale.spv; done
"$work/with-ready"
target/debug/spirv-if unbundle "$work/file.spvb" | grep -q '  scale$'

say "ten shaders of a bundle on lavapipe"
cargo run --quiet --locked -- bundle -q fixtures/vulkan fixtures/ubershaders -o target/app.spvb
cargo build --quiet --locked --package spirv-if-bundle --example vulkan_bundle
printed=$("$tools/drivers/vulkan-lavapipe" target/debug/examples/vulkan_bundle target/app.spvb)
grep -q '^  10 pipelines of ' <<<"$printed" || die "other pipelines: $printed"
say "ready shaders in C on lavapipe and PoCL, against what is specialized for these devices"
work=$root/target/bundle-ready
rm -rf "$work"
pack_fixtures "$work/packed"
target/debug/spirv-if bundle -q --ready "$work/packed" -o "$work/all.spvb"
compile() { # PROGRAM SOURCE LIBRARY
    cc -std=c99 -Wall -Wextra -Werror -O1 -DZSTD_DISABLE_ASM -I bundle/c -I "$VULKAN_HEADERS" -I "$ZSTD_SOURCES" -o "$work/$1" "$2" bundle/c/spvb.c \
        "$ZSTD_SOURCES"/common/*.c "$ZSTD_SOURCES"/decompress/*.c "$unpacked/usr/lib/x86_64-linux-gnu/$3" -Wl,--unresolved-symbols=ignore-in-shared-libs
}
compile vulkan bundle/tests/c/vulkan.c libvulkan.so.1
compile opencl bundle/tests/c/opencl.c libOpenCL.so.1
for driver in vulkan-lavapipe opencl-pocl; do
    api=${driver%%-*}
    mkdir "$work/$driver"
    "$tools/drivers/$driver" "$work/$api" "$work/all.spvb" "$work/$driver" >"$work/$driver.txt"
    equal=0 refused=0
    for packed in "$work"/packed/*.spv; do
        name=$(basename "$packed" .spv)
        status=$(sed -n "s/^$name: status \([0-9]*\):.*/\1/p" "$work/$driver.txt")
        # Questions without an answer, and shaders that are stored with their conditions.
        [[ $status != 8 && $status != 12 ]] || continue
        if "$tools/drivers/$driver" target/debug/spirv-if specialize -q "$packed" --device probe:0 -o "$work/result.spv" --force 2>/dev/null; then
            cmp "$work/result.spv" "$work/$driver/$name.spv" || die "$name on $driver: $(grep "^$name:" "$work/$driver.txt")"
            equal=$((equal + 1))
        else
            [[ $status == 9 ]] || die "$name on $driver is refused, and not by its requirements: status $status"
            refused=$((refused + 1))
        fi
    done
    say "$driver: $equal results are equal, $refused shaders are refused"
    [[ $equal -gt 40 && $refused -gt 40 ]] || die "these are too few"
done

say "the reader in JavaScript against the one in C"
cc -std=c99 -Wall -Wextra -Werror -O1 -DSPVB_WITHOUT_ZSTD -I bundle/c -o "$work/answers" bundle/tests/c/answers.c bundle/c/spvb.c
target/debug/spirv-if bundle -q --ready --uncompressed "$work/packed" -o "$work/stored.spvb"
node bundle/tests/js.mjs "$work/stored.spvb" "$work/answers"
if command -v zstd >/dev/null; then
    cc -std=c99 -O1 -DZSTD_DISABLE_ASM -I bundle/c -I "$ZSTD_SOURCES" -o "$work/answers-zstd" bundle/tests/c/answers.c bundle/c/spvb.c \
        "$ZSTD_SOURCES"/common/*.c "$ZSTD_SOURCES"/decompress/*.c
    node bundle/tests/js.mjs "$work/all.spvb" "$work/answers-zstd"
fi

say "the reader from C++, Zig and Go"
scripts/setup.sh zig go
cc -std=c99 -O1 -DSPVB_WITHOUT_ZSTD -c -I bundle/c -o "$work/spvb.o" bundle/c/spvb.c
ar rc "$work/libspvb.a" "$work/spvb.o"
languages=bundle/tests/languages
c++ -std=c++11 -Wall -Wextra -Werror -O1 -I bundle/c -I "$VULKAN_HEADERS" -o "$work/answers-c++" "$languages/answers.cpp" "$work/libspvb.a"
printf '#include <%s>\n' spvb.h stdio.h stdlib.h >"$work/c.h"
"$tools/bin/zig" translate-c -lc -I bundle/c "$work/c.h" >"$work/c.zig"
cp "$languages/answers.zig" "$work"
"$tools/bin/zig" build-exe "$work/answers.zig" "$work/libspvb.a" -lc "-femit-bin=$work/answers-zig"
GO111MODULE=off CGO_CFLAGS="-I $root/bundle/c" CGO_LDFLAGS=$work/libspvb.a "$tools/bin/go" build -o "$work/answers-go" "$languages/answers.go"
"$work/answers" "$work/stored.spvb" >"$work/answers.txt"
for language in c++ zig go; do
    "$work/answers-$language" "$work/stored.spvb" | cmp - "$work/answers.txt" || die "$language reads something else than C"
done

say "README's shader from a ready bundle on lavapipe"
target/debug/spirv-if pack -q fixtures/glsl/tint.spv -o "$work/tint.spv"
target/debug/spirv-if bundle -q --ready --uncompressed "$work/tint.spv" -o "$work/tint.spvb"
compile ready bundle/examples/ready.c libvulkan.so.1
printed=$("$tools/drivers/vulkan-lavapipe" "$work/ready" "$work/tint.spvb")
grep -q '6.3000 squared is 39.6875$' <<<"$printed" || die "with halves: $printed"
printed=$(NO_HALVES=1 "$tools/drivers/vulkan-lavapipe" "$work/ready" "$work/tint.spvb")
grep -q '6.3000 squared is 39.6900$' <<<"$printed" || die "without halves: $printed"
say "all passed"
