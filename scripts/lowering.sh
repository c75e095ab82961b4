#!/usr/bin/env bash
# Compiles the functions in lowering/ that `specialize --lower` puts into modules: lowering/NAME.comp to lowering/NAME.spv. Names of other things are left out.
#
#   scripts/lowering.sh            writes the modules
#   scripts/lowering.sh --check    fails if one is not what its source compiles to
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check=${1:-}
[[ -z $check || $check == --check ]] || die "unknown option $check (there is only --check)"
"$root/scripts/setup.sh" spirv-tools glslang
export PATH=$tools/bin:$PATH

# Functions without branches must be one block, without variables.
passes=(
    --convert-local-access-chains --eliminate-local-single-block --eliminate-local-single-store --ssa-rewrite --if-conversion
    --simplify-instructions --vector-dce --eliminate-dead-code-aggressive --redundancy-elimination --eliminate-dead-code-aggressive
    --merge-blocks --convert-local-access-chains --ssa-rewrite --eliminate-dead-code-aggressive --compact-ids
)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for source in "$root"/lowering/*.comp; do
    name=$(basename "$source" .comp)
    glslangValidator --quiet -V --target-env vulkan1.0 "$source" -o "$folder/whole.spv"
    spirv-opt "${passes[@]}" "$folder/whole.spv" -o "$folder/small.spv"
    spirv-dis --raw-id "$folder/small.spv" |
        sed -E "/OpSource|OpMemberName|OpModuleProcessed|OpExtInstImport/d; /OpName %[0-9]+ \"${name%%-*}_/!{/OpName/d}; s/^( *OpName %[0-9]+ \"[a-z0-9_]+)\\(.*\"/\\1\"/" |
        spirv-as --preserve-numeric-ids --target-env spv1.0 - -o "$folder/$name.spv"
    spirv-val --target-env vulkan1.0 "$folder/$name.spv"
    if [[ $check == --check ]]; then
        cmp --silent "$folder/$name.spv" "$root/lowering/$name.spv" || die "lowering/$name.spv is not up to date: run scripts/lowering.sh"
    else
        cp "$folder/$name.spv" "$root/lowering/$name.spv"
    fi
done
