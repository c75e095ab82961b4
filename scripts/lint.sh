#!/usr/bin/env bash
# Stands for rustc (RUSTC_WORKSPACE_WRAPPER=scripts/lint.sh) where tests are built: clippy's compiler is rustc, which checks and says more. The
# library and the program are built twice, and the build that has their tests too has all of their code.
set -euo pipefail

case " $* " in
*" --test "*) ;;
*" --crate-name spirv_if "*) exec "$@" ;;
esac
exec clippy-driver "$@"
