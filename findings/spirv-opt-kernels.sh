#!/usr/bin/env bash
# Question: does spirv-opt take doubles out of an OpenCL kernel once a specialization constant decides against them, as it does for a shader?
#
# Good guess: yes. The passes are about SPIR-V, not about an API: they freeze the constant, remove the branch, then types that nothing uses, and the capabilities
# that nothing needs.
#
# Truth: the branch goes, but OpTypeFloat 64 stays, and Float64 with it. Types are removed by --eliminate-dead-code-aggressive alone, which leaves modules with Addresses
# as they are, that is, all OpenCL kernels; --trim-capabilities keeps what a type needs. If the module declares Linkage, as compilers of OpenCL C do, --trim-capabilities leaves
# it as it is, too: then even a capability stays that nothing has ever used. There is no error and no message.
#
# Why it matters: the specialized kernel has no doubles in its code, and a device without doubles still refuses it. A pipeline that was tried on shaders seems to work on kernels, which get
# smaller. Check capabilities after such a step, not sizes.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

# The code of all three: a product in double precision if constant 0 is true.
body='%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%tenth = OpConstant %double 0.1
%doubles = OpSpecConstantFalse %bool
%to_float = OpTypePointer Private %float
%x = OpVariable %to_float Private
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%start = OpLabel
OpSelectionMerge %end None
OpBranchConditional %doubles %then %end
%then = OpLabel
%single = OpLoad %float %x
%wide = OpFConvert %double %single
%product = OpFMul %double %wide %tenth
%result = OpFConvert %float %product
OpStore %x %result
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd'
# An OpenCL kernel has no Private variables.
kernel=${body/'%x = OpVariable %to_float Private'/} kernel=${kernel/Private/CrossWorkgroup} kernel=${kernel/'OpTypeFunction %void'/'OpTypeFunction %void %to_float'}
kernel=${kernel/'%start ='/$'%x = OpFunctionParameter %to_float\n%start ='}
# specialize NAME: assembles standard input, which is valid, and prints what spirv-opt leaves of it for the default of the constant.
specialize() {
    in_root spirv-as --target-env spv1.2 - -o "$folder/$1.spv"
    in_root spirv-val --target-env spv1.2 "$folder/$1.spv"
    in_root spirv-opt --freeze-spec-const --eliminate-dead-branches -O --eliminate-dead-const --trim-capabilities "$folder/$1.spv" -o "$folder/small.spv"
    in_root spirv-val --target-env spv1.2 "$folder/small.spv"
    printf '%-10s %s\n' "$1:" "$(in_root spirv-dis "$folder/small.spv" | grep -oE 'OpCapability .*|OpFMul|OpTypeFloat 64|OpBranchConditional' | paste -sd ' ')"
}
in_root spirv-opt --version | head -n 1
found=$(
    specialize shader <<ASM
OpCapability Shader
OpCapability Int64
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %doubles SpecId 0
$body
ASM
    for linkage in '' 'OpCapability Linkage'; do
        specialize "${linkage:+linkable-}kernel" <<ASM
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Float64
$linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
OpDecorate %doubles SpecId 0
$kernel
ASM
    done
)
echo "$found"
[[ $(tr -s ' ' <<<"$found") == 'shader: OpCapability Shader
kernel: OpCapability Kernel OpCapability Addresses OpCapability Float64 OpTypeFloat 64
linkable-kernel: OpCapability Kernel OpCapability Addresses OpCapability Int64 OpCapability Float64 OpCapability Linkage OpTypeFloat 64' ]] || changed 'spirv-opt does something else'
