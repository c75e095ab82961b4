#!/usr/bin/env bash
# Checks bundles: the package with both decoders, the reader in C against the one in Rust, also with sanitizers and on damaged bundles, and all modules
# of ggml's Vulkan library. zstd's sources are those of its crate.
#
#   scripts/test-bundle.sh            everything
#   scripts/test-bundle.sh --figures  sizes and speeds beside plain zstd, and nothing else: on ggml's library, on variants of ubershaders
#                                     (shader-variants.py), and on a library of dpnp's SYCL kernels, which comes from PyPI
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

cd "$root"
GGML_LIBRARY=$(find "$unpacked/usr/lib" -name libggml-vulkan.so -print -quit 2>/dev/null || true)
if [[ -z $GGML_LIBRARY ]]; then
    prepare_apt
    bring libggml0-backend-vulkan
    GGML_LIBRARY=$(find "$unpacked/usr/lib" -name libggml-vulkan.so -print -quit)
fi
ZSTD_SOURCES=$(cargo metadata --quiet --locked --format-version 1 | python3 -c '
import json, pathlib, sys
packages = json.load(sys.stdin)["packages"]
print(next(pathlib.Path(package["manifest_path"]).parent / "zstd/lib" for package in packages if package["name"] == "zstd-sys"))')
export GGML_LIBRARY ZSTD_SOURCES

case ${1:-} in
--figures)
    scripts/setup-tools.sh --compilers
    variants=$root/target/shader-variants
    [[ -f $variants/post-255.spv ]] || python3 scripts/shader-variants.py "$variants"
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
    exit
    ;;
'') ;;
*) die "unknown option $1 (there is only --figures)" ;;
esac

say "the crate, with each decoder"
cargo clippy --quiet --package spirv-if-bundle --all-targets --locked -- -D warnings
cargo clippy --quiet --package spirv-if-bundle --no-default-features --features ruzstd --locked -- -D warnings
cargo clippy --quiet --package spirv-if-bundle --no-default-features --features zstd --locked -- -D warnings
cargo test --quiet --package spirv-if-bundle --features ruzstd --locked -- --include-ignored

say "CMake"
scripts/setup-build-tools.sh
cargo build --quiet --locked
work=$root/target/bundle-cmake
rm -rf "$work"
"$tools/bin/cmake" -G Ninja "-DCMAKE_MAKE_PROGRAM=$tools/bin/ninja" -S bundle/tests/cmake -B "$work" "-DZSTD_SOURCES=$ZSTD_SOURCES" \
    "-DSPIRV_IF_PROGRAM=$root/target/debug/spirv-if" >/dev/null
"$tools/bin/cmake" --build "$work" >/dev/null
for name in app included; do "$work/with-$name" fixtures/merge/scale.spv; done
target/debug/spirv-if unbundle "$work/file.spvb" | grep -q '  scale$'

say "ten shaders of a bundle on lavapipe"
scripts/setup-drivers.sh
cargo run --quiet --locked -- bundle -q fixtures/vulkan fixtures/ubershaders -o target/app.spvb
cargo build --quiet --locked --package spirv-if-bundle --example vulkan_bundle
printed=$("$tools/drivers/vulkan-lavapipe" target/debug/examples/vulkan_bundle target/app.spvb)
grep -q '^  10 pipelines of ' <<<"$printed" || die "other pipelines: $printed"
say "all passed"
