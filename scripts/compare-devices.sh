#!/usr/bin/env bash
# Compares the table of devices, row by row, with what the devices' own compilers and drivers say without the devices: every chip of
# Mesa's drivers reports what its entry has (cli/tests/all/drivers/table.rs), and Intel's compiler accepts what the entries of its GPUs list
# (cli/tests/all/intel.rs). Differences with a reason are rows of cli/tests/all/drivers/device-differences.csv. `cargo test` compares a share.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
use_spirv_tools
scripts/setup-drivers.sh
export SPIRV_IF_SHARE=all
cargo test --quiet --locked --package spirv-if-cli --test all -- ::table
exec cargo test --quiet --locked --package spirv-if-cli --test all -- intel::
