#!/usr/bin/env bash
# Runs every check of the project, after bringing the tools that the tests run. The first that fails ends it.
#
# SPIRV_VAL, SPIRV_AS, SPIRV_DIS, SPIRV_OPT and SPIRV_LINK name other builds of spirv-tools; see lib.sh for what is used else.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

step() {
    say "$*"
    "$@" || die "failed: $*"
}

# Brings what tests run.
bring() {
    use_spirv_tools
    step scripts/setup.sh tests drivers ggml
}

# Parses all scripts: some are run by hand, once in months.
parse_scripts() {
    git ls-files -z .ci/run '*.sh' | xargs -0 -n 1 bash -n &&
        git ls-files -z '*.py' | xargs -0 python3 -c 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]'
}

# What else builds. Documents are tested, and made for users and, with the links of private items, for those who read the code.
build_others() {
    local items
    step scripts/lowering.sh --check
    step scripts/bundle-headers.py --check
    step scripts/book.py
    step cargo clippy --locked --package spirv-if --lib --no-default-features -- -D warnings
    step cargo clippy --locked --package generate --package interpreter -- -D warnings
    step cargo test --doc --locked "${packages[@]}"
    for items in '' --document-private-items; do
        RUSTDOCFLAGS="-D warnings" step cargo doc --no-deps --locked --package=spirv-if{,-bundle,-inspect,-probe,-sycl} ${items:+"$items"}
    done
}

# Runs a function beside what follows, until `joined`, which says what it said and fails if it does. One at a time.
beside() {
    set -m # A group of its own, to end all of it.
    "$@" >"$log" 2>&1 &
    set +m
    running=$!
}

joined() {
    local failed=
    wait "$running" || failed=yes
    running=
    cat "$log" >&2
    [[ -z $failed ]] || exit 1
}

cd "$root"
# A checkout is tested once: to remember for the next build takes a tenth of the time of this one.
export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
# A panic says its own line; the lines of a backtrace take a quarter of the build.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-false}"
# Built together, these have the same features of what they depend on, so that it is built once. Alone, a layer has other features of macros and
# bindings, with which the library and all that it depends on were built once more.
packages=()
for package in spirv-if{,-bundle,-cli,-inspect,-layer-common,-opencl-layer,-probe,-sycl,-vulkan-layer}; do packages+=(--package "$package"); done
log=$(mktemp)
running=
trap '[[ -z $running ]] || kill -- "-$running" 2>/dev/null || true; rm -f "$log"' EXIT
step cargo fmt --check
step parse_scripts
# The network leaves processors idle, and so does a single crate.
beside bring
step cargo clippy --locked --all-targets "${packages[@]}" -- -D warnings
step cargo test --locked --no-run "${packages[@]}"
joined
use_spirv_tools
beside build_others
# Each unit test runs once. Those that are not marked as ignored use no tools themselves; their texts and results are compared and validated.
SPIRV_IF_TOOLS=hidden step cargo test --locked "${packages[@]}" --lib
# Proofs over folders of modules are run by soak.sh.
step cargo test --locked "${packages[@]}" --lib -- --ignored --skip ::folders
step cargo test --locked "${packages[@]}" --bins --test '*'
step cargo test --locked "${packages[@]}" --test vulkan_layer -- --ignored
# Applications over drivers of OpenCL take minutes: scripts/test-opencl-layer.sh runs them.
joined
say "all passed, with $("$SPIRV_VAL" --version | head -n 1) from $SPIRV_VAL"
