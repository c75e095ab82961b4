#!/usr/bin/env bash
# Runs every check of the project, after bringing the tools that the tests run. The first that fails ends it.
#
# SPIRV_VAL, SPIRV_AS, SPIRV_DIS, SPIRV_OPT and SPIRV_LINK name other builds of spirv-tools; see setup-tools.sh for what is used else.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

step() {
    say "$*"
    "$@" || die "failed: $*"
}

cd "$root"
oldest=$(oldest_compiler)
step scripts/setup-rust.sh
# What the tests run comes while lints are computed: one waits for the network, the other for processors.
bring() {
    use_spirv_tools
    step scripts/setup-drivers.sh
    step scripts/setup-ggml.sh
}
bring &
brought=$!
step cargo fmt --check
step cargo clippy --all-targets --locked -- -D warnings
# The library by itself, where there is neither a file nor a thread.
step cargo clippy --lib --no-default-features --target "$web" --locked -- -D warnings
step rustup run "$oldest" cargo check --lib --bins --locked --target-dir target/oldest
wait "$brought" || die "the tools of the tests are missing"
use_spirv_tools
step cargo test --locked
step cargo build --benches --locked
export RUSTDOCFLAGS="-D warnings"
step cargo doc --no-deps --locked
say "all passed, with $("$SPIRV_VAL" --version | head -n 1) from $SPIRV_VAL"
