#!/usr/bin/env bash
# Writes what fuzzing begins with into target/fuzz/seeds, a folder for each kind of input: modules and other files of the fixtures and
# test cases, at most as long as the first argument says, in bytes; and into target/fuzz/dictionaries the words of each kind of text.
# scripts/fuzz.sh runs it, with SPIRV_AS set.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

most=$1
seeds=$root/target/fuzz/seeds
dictionaries=$root/target/fuzz/dictionaries
rm -rf "$seeds" "$dictionaries"
mkdir -p "$seeds"/{modules,programs,select,properties,tables,annotations,devices,reports,conditions,series,bundle} "$dictionaries"
cd "$root"

# flat PATH: a name for a file without folders.
flat() { printf '%s' "${1//\//-}"; }

find fixtures -name '*.spv' -size "-$((most + 1))c" | while read -r module; do
    cp "$module" "$seeds/modules/$(flat "$module")"
done
find cli/tests/cases -name '*.spvasm' | while read -r module; do
    environment=$(sed -n 's/^; ENV: //p' "$module")
    "$SPIRV_AS" --target-env "${environment:-spv1.6}" "$module" -o "$seeds/modules/$(flat "$module").spv"
done
find "$seeds/modules" -type f -size "+${most}c" -delete
# Libraries with their users, and the parts of a program.
for library in fixtures/link/*library*.spv; do
    cat "$library" "${library/library/user}" >"$seeds/programs/$(flat "$library")"
done
cat fixtures/link/inline-{one,two}.spv >"$seeds/programs/inline"
cat fixtures/program/{means,sums}.spv >"$seeds/programs/program"
cat fixtures/link/stage-{vert,frag}.spv >"$seeds/programs/stages"
find "$seeds/programs" -type f -size "+${most}c" -delete

# The files that cases write (`; FILE: %t.yaml`, and the lines after it), by extension.
find cli/tests/cases -name '*.spvasm' -o -name '*.cmd' | while read -r case; do
    awk -v seeds="$seeds" -v name="$(flat "$case")" '
        BEGIN { kinds["prop"] = "properties"; kinds["table"] = "tables"; kinds["yaml"] = "annotations"; kinds["json"] = "reports" }
        !/^;   / { file = "" }
        /^; FILE: / {
            extension = $3
            sub(/.*[.%]/, "", extension)
            if (extension in kinds) file = seeds "/" kinds[extension] "/" name "-" ++count
        }
        /^;   / && file { print substr($0, 5) > file }' "$case"
done
# Properties of other images for those of a program, and other modules for theirs.
image=0
for file in "$seeds"/properties/*; do
    { printf '@%s\n' "$((++image % 7))"; cat "$file"; printf '\n!run\n!action\n'; } >"$seeds/select/$(flat "${file##*/}")"
done
cp "$seeds"/programs/* "$seeds"/modules/fixtures-drivers-*.spv "$seeds/select/"
for file in fixtures/*/*.yaml; do cp "$file" "$seeds/annotations/$(flat "$file")"; done
# Configurations are YAML too; the devices of ours, one by one.
cp "$seeds"/annotations/* "$seeds/devices/"
awk -v seeds="$seeds" '/^[a-z].*:/ { file = seeds "/devices/" ++count } file { print > file }' spec-extensions/devices.yaml
# The JSON in tests of reports.
awk -v seeds="$seeds" '
    /r#"/ { sub(/.*r#"/, ""); file = seeds "/reports/" ++count }
    file { last = sub(/"#.*/, ""); print > file; if (last) file = "" }' src/device/reports/json/tests.rs
# What the cases of conditions ask for.
sed -n "s/^; RUN: condition [\"']\([^\"']*\)[\"'].*/\1/p" cli/tests/cases/condition/*.cmd | awk -v seeds="$seeds" '
    { file = seeds "/conditions/" NR; printf "%s", $0 > file; close(file) }'
# Bundles of a few modules, and modules.
for solid in '' --solid; do
    cargo run --quiet --locked -- --quiet bundle fixtures/merge -o "$seeds/bundle/bundle$solid" ${solid:+"$solid"}
done
cargo run --quiet --locked -- --quiet pack fixtures/glsl/tint.spv -o "$seeds/tint.spv"
for uncompressed in "" --uncompressed; do
    cargo run --quiet --locked -- --quiet bundle "$seeds/tint.spv" fixtures/merge/scale.spv -o "$seeds/bundle/ready$uncompressed" --ready ${uncompressed:+"$uncompressed"}
done
rm "$seeds"/tint.*
cp fixtures/merge/*.spv "$seeds/bundle/"
printf '\001\005\377\001\006' >"$seeds/series/short"

# words FILE...: the words in files, as a dictionary.
words() { cat "$@" | grep -aoE '[A-Za-z_][A-Za-z0-9_-]{2,60}' | sort -u | sed 's/.*/"&"/'; }
words "$seeds"/properties/* >"$dictionaries/properties"
cp "$dictionaries/properties" "$dictionaries/select"
words "$seeds"/tables/* >"$dictionaries/tables"
words "$seeds"/annotations/* spec-extensions/annotations.schema.json >"$dictionaries/annotations"
words "$seeds"/devices/* spec-extensions/devices.md >"$dictionaries/devices"
words "$seeds"/reports/* spec-extensions/vulkan-{uses,values,structures}.csv >"$dictionaries/reports"
words "$seeds"/conditions/* spec-extensions/{aspects,architectures}.csv >"$dictionaries/conditions"
