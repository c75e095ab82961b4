#!/usr/bin/env bash
# Runs random programs on every driver that is there, for so many minutes: `scripts/search.sh MINUTES [SEED [DRIVER[::LANGUAGE]]]`. The
# programs are those of SEED, SEED + 1 and so on; `scripts/search.sh 0 SEED` runs that of SEED alone. Without a seed, the time is one. What
# fails is reduced, and kept in target/search. cli/tests/all/search says how programs are made, and what is asked of them. Instead of a driver,
# `interpreter` checks programs without any (cli/tests/all/translation).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

(($# >= 1 && $# <= 3)) || die "usage: scripts/search.sh MINUTES [SEED [DRIVER[::LANGUAGE]]]"
cd "$root"
use_spirv_tools
scripts/setup.sh shaders drivers
export SPIRV_IF_SEARCH="$1 ${2:-$(date +%s)}"
say "minutes and first seed: $SPIRV_IF_SEARCH"
case ${3:-} in
*::*) filter=("search::$3" --exact) ;;
?*) filter=("search::$3::") ;;
*) filter=(search::) ;;
esac
test=(cargo test --locked --test all -- "${filter[@]}")
[[ $("${test[@]}" --list) == *': test'* ]] || die "no driver and language is named ${3:-} here"
# All drivers and languages side by side.
exec "${test[@]}" --test-threads=8
