#!/usr/bin/env bash
# Compares the aspects that we find in SYCL kernels with those that DPC++ wrote beside them, image by image. Then reads all property
# sets of these images as .prop files and writes them again, which must change nothing.
#
#   scripts/compare-aspects.sh [FOLDER]
#
# FOLDER is where a package of libraries is unpacked that DPC++ linked. Without it, it is dpnp's, as `scripts/build-corpus.sh dpnp`
# fetches it. spec-extensions/property-sets.md has the result.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=${1:-$root/target/corpus-work/dpnp}
if [[ ! -d $folder ]]; then
    (($# == 0)) || die "there is no folder $folder"
    "$root/scripts/build-corpus.sh" dpnp
fi
if [[ -z ${SPIRV_IF:-} ]]; then
    cargo build --quiet --release --locked --manifest-path "$root/Cargo.toml"
    export SPIRV_IF=$root/target/release/spirv-if
fi
mapfile -t libraries < <(find "$folder" -name '*.so*' -type f | sort)
((${#libraries[@]})) || die "there is no library in $folder"
differ=0
"$root/scripts/dpnp-properties.py" "${libraries[@]}" || differ=$?

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/scripts/dpnp-properties.py" --write "$work" "${libraries[@]}"
cd "$work"
# The filter reads every file, and its target runs all.
printf 'all:\n  aspects: [%s]\n' "$(seq -s, 0 99)" >all.yaml
{
    printf '[Code|Properties]\n'
    find . -name '*.spv' -printf '%P\n' | sort | sed 's/\(.*\)\.spv/&|\1.prop/'
} >in.table
"$SPIRV_IF" sycl filter in.table --target all --device-config all.yaml -o out.table
cmp in.table out.table
# trim takes property sets along.
find . -name '*.spv' -print0 | xargs -0 "$SPIRV_IF" trim --quiet -o trimmed/
for file in *.prop; do cmp "$file" "trimmed/$file"; done
say "$(find . -maxdepth 1 -name '*.prop' | wc -l) files of property sets are the same when read and written again"
exit "$differ"
