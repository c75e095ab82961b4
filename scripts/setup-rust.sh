#!/usr/bin/env bash
# Brings what test.sh compiles with beside the toolchain in use: the oldest compiler that Cargo.toml promises to do with, and
# WebAssembly's standard library. Both stand where rustup keeps toolchains; what is there already is left as it is.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

oldest=$(oldest_compiler)
command -v rustup >/dev/null ||
    die "there is no rustup, which brings Rust $oldest and the standard library of $web: see https://rustup.rs"
if ! rustup run "$oldest" rustc --version >/dev/null 2>&1; then
    say "installing Rust $oldest"
    rustup toolchain install "$oldest" --profile minimal --no-self-update
fi
if [[ $(rustup target list --installed) != *"$web"* ]]; then
    say "installing the standard library of $web"
    rustup target add "$web"
fi
