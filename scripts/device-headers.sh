#!/usr/bin/env bash
# Writes the names in include/spirv_if anew from the tables in spec-extensions/: names.h and names.hpp. The test that it runs
# finds headers that were forgotten.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
BLESS=1 cargo test --quiet --lib headers_have_what_the_tables_have
