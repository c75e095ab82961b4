#!/usr/bin/env bash
# Question: can one learn from Intel's offline compiler which capabilities its GPUs support, by modules that declare one each?
#
# Good guess: yes. OpenCL's environment lists the capabilities that a module may declare, by what the device reports, and the compiler does reject every
# extension that it does not know.
#
# Truth: it checks extensions only. A kernel that declares Geometry, Tessellation and TransformFeedback, which no kernel can use, builds for every GPU,
# and Float64 builds for a GPU without doubles as long as no kernel computes with them. What counts is the code that kernels reach, and the extensions.
#
# Why it matters: tables of what devices accept cannot be made by trying capabilities; "it compiles" does not say that a module is valid for the device's
# API, whose validation layers and other drivers refuse it; and a needless OpCapability goes unnoticed until the module meets another compiler.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages intel-ocloc=26.27.39122.14-1 libigc2=2.40.14-1 spirv-tools=2026.4~rc2-1

# build NAME LINE...: assembles an empty kernel with these lines among its capabilities, checks that it is valid, and says what the compiler does for two GPUs.
build() {
    local name=$1 gpu said
    {
        printf '%s\n' 'OpCapability Kernel' 'OpCapability Addresses' "${@:2}"
        printf '%s\n' 'OpMemoryModel Physical64 OpenCL' 'OpEntryPoint Kernel %kernel "nothing"' '%void = OpTypeVoid' '%type = OpTypeFunction %void' \
            '%kernel = OpFunction %void None %type' '%label = OpLabel' 'OpReturn' 'OpFunctionEnd'
    } >"$folder/$name.spvasm"
    in_root spirv-as --target-env spv1.2 "$folder/$name.spvasm" -o "$folder/$name.spv"
    in_root spirv-val --target-env spv1.2 "$folder/$name.spv"
    for gpu in bmg-g21 acm-g10; do
        said=$(in_root ocloc-26.27.1 compile -spirv_input -file "$folder/$name.spv" -device $gpu -output "$folder/out" 2>&1 |
            grep -m 1 -oE 'Build succeeded|uses unknown extension' || true)
        printf '%-12s %-8s %s\n' "$name" $gpu "$said"
    done
}

echo 'ocloc 26.27.39122.14, IGC 2.40.14'
found=$(
    build none
    build shaders 'OpCapability Geometry' 'OpCapability Tessellation' 'OpCapability TransformFeedback'
    build doubles 'OpCapability Float64'
    build extension 'OpExtension "SPV_KHR_ray_query"'
)
echo "$found"
[[ $(grep -c 'Build succeeded' <<<"$found") == 6 && $(grep -c 'uses unknown extension' <<<"$found") == 2 ]] || changed 'the compiler does something else'
