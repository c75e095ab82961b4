#!/usr/bin/env bash
# Measures the rows of scripts/speed.txt, and fails where docs/speed.md has a value that is off by more than a tenth.
#
#   scripts/compare-speed.sh            compares
#   scripts/compare-speed.sh --write    writes the tables of the page
#
# target/compare-speed/instructions.txt has all counts: those of commit 7bbfb99b in scripts/speed.txt come from there.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

"$root/scripts/build-large.sh"
"$root/scripts/setup-tools.sh" --valgrind
use_spirv_tools
library=$(ggml_library)
cd "$root"
built=$(cargo build --profile dist --locked --package spirv-if-cli --package spirv-if --bin spirv-if --bench main --message-format json &&
    # Exponents are the same without optimization between crates, which takes minutes.
    cargo build --release --locked --package spirv-if --bench growth --message-format json)
executable() { sed -n "s/.*\"name\":\"$1\".*\"executable\":\"\([^\"]*\)\".*/\1/p" <<<"$built"; }

work=$root/target/compare-speed
rm -rf "$work"
mkdir -p "$work/bin"
cd "$work"
ln -s "$root/fixtures" "$root/target/large" "$library" .
ln -s "$(executable spirv-if)" bin/spirv-if
ln -s "$(executable main)" bin/call
ln -s "$(executable growth)" bin/growth
# The reader of bundles in C, without zstd.
cc -std=c99 -O2 -DSPVB_WITHOUT_ZSTD -I "$root/bundle/c" -o bin/ready "$root"/bundle/tests/c/time.c "$root/bundle/c/spvb.c"
bin/spirv-if pack -q fixtures/glsl/reduce.spv -o reduce.spv
bin/spirv-if bundle -q reduce.spv -o reduce.spvb --ready --uncompressed
PATH=$work/bin:$(dirname "$SPIRV_VAL"):$tools/bin:$PATH python3 "$root/scripts/speed.py" "$@"
