#!/usr/bin/env bash
# Brings Vulkan applications that nobody here wrote into target/tools, for scripts/test-layers.sh: Khronos' cube, vkmark, and the tests of ggml's
# Vulkan backend, a machine learning library; with Weston, a compositor that shows windows nowhere.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

debian_packages=(vulkan-tools vkmark weston xkb-data llama.cpp-tests libggml0-backend-vulkan)
if ! is_done applications "${debian_packages[@]}"; then
    prepare_apt
    bring "${debian_packages[@]}"
    mark_done applications "${debian_packages[@]}"
fi
