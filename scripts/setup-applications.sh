#!/usr/bin/env bash
# Brings Vulkan applications that nobody here wrote into target/tools, for scripts/test-layers.sh: Khronos' cube, vkmark, and the tests of ggml's
# Vulkan backend, a machine learning library; with Weston, a compositor that shows windows nowhere.
#
# With --opencl, it brings hashcat instead, and Khronos' program that lists layers of OpenCL, for scripts/test-opencl-layer.sh.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

if [[ ${1:-} == --opencl ]]; then
    opencl_packages=(hashcat libminizip1t64 libxxhash0)
    lists_layers=khronos-opencl-icd-loader-bin
    if ! is_done applications-opencl "${opencl_packages[@]}" "$lists_layers"; then
        prepare_apt
        bring "${opencl_packages[@]}"
        bring_alone "$lists_layers" "$tools/khronos-loader"
        mark_done applications-opencl "${opencl_packages[@]}" "$lists_layers"
    fi
    # It looks for its files beside the program that the system runs, which is the dynamic loader of the packages.
    find_loader
    for path in "$unpacked"/usr/share/hashcat/* "$unpacked"/usr/lib/hashcat/*; do
        ln -sfn "../../${path#"$unpacked"/usr/}" "$unpacked/usr/lib/$triplet/${path##*/}"
    done
    exit
fi
debian_packages=(vulkan-tools vkmark weston xkb-data llama.cpp-tests libggml0-backend-vulkan)
if ! is_done applications "${debian_packages[@]}"; then
    prepare_apt
    bring "${debian_packages[@]}"
    mark_done applications "${debian_packages[@]}"
fi
