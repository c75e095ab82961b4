#!/usr/bin/env bash
# Question: does spirv-opt keep floating-point arithmetic as strict as a shader of Vulkan 1.4 asks for by SPV_KHR_float_controls2?
#
# Good guess: yes. It folds nothing in a shader with SignedZeroInfNanPreserve of the first extension, and nothing that has NoContraction. The second extension says the
# same for each instruction, by FPFastMathMode, or for all, by FPFastMathDefault; with None, no NaN, infinity or zero's sign may get lost and nothing may be reordered.
#
# Truth: it knows only the older ones. With None, by a default or by decorations, -O makes 0 of x * 0, though that is NaN for an infinite x; x of (x - y) + y, though the
# subtraction rounds; and x * 0.3 of (x * 3) * 0.1. The older ones cannot be added for it: spirv-val refuses NoContraction and SignedZeroInfNanPreserve beside FPFastMathDefault.
#
# Why it matters: code that asks for strict arithmetic in the new way, because the API now has it, loses it in a build step that has no warning and gives a valid
# module. Infinities get lost, and sums that add up their own rounding errors get worse than plain ones. Leave -O and --simplify-instructions out, or decorate with NoContraction.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

# shader NAME CAPABILITY EXTENSION MODE DECORATION: assembles a shader that computes x * 0, (x - y) + y and (x * 3) * 0.1. A line may be empty; the decoration is for each result.
shader() {
    in_root spirv-as --target-env vulkan1.3 - -o "$folder/$1.spv" <<ASM
OpCapability Shader
$2
$3
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffer
OpExecutionMode %main LocalSize 1 1 1
$4
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
${5:+$(printf "OpDecorate %s $5\n" %product %difference %sum %triple %scaled)}
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%i0 = OpConstant %uint 0
%i1 = OpConstant %uint 1
%i2 = OpConstant %uint 2
%i3 = OpConstant %uint 3
%i4 = OpConstant %uint 4
%zero = OpConstant %float 0
%three = OpConstant %float 3
%tenth = OpConstant %float 0.1
%numbers = OpTypeRuntimeArray %float
%block = OpTypeStruct %numbers
%to_block = OpTypePointer StorageBuffer %block
%buffer = OpVariable %to_block StorageBuffer
%to_float = OpTypePointer StorageBuffer %float
%main = OpFunction %void None %type
%start = OpLabel
%p0 = OpAccessChain %to_float %buffer %i0 %i0
%p1 = OpAccessChain %to_float %buffer %i0 %i1
%p2 = OpAccessChain %to_float %buffer %i0 %i2
%p3 = OpAccessChain %to_float %buffer %i0 %i3
%p4 = OpAccessChain %to_float %buffer %i0 %i4
%x = OpLoad %float %p0
%y = OpLoad %float %p1
%product = OpFMul %float %x %zero
OpStore %p2 %product
%difference = OpFSub %float %x %y
%sum = OpFAdd %float %difference %y
OpStore %p3 %sum
%triple = OpFMul %float %x %three
%scaled = OpFMul %float %triple %tenth
OpStore %p4 %scaled
OpReturn
OpFunctionEnd
ASM
}
# optimize NAME: checks that a shader is valid, and prints what is stored after -O.
optimize() {
    in_root spirv-val --target-env vulkan1.3 "$folder/$1.spv"
    in_root spirv-opt --target-env=vulkan1.3 -O "$folder/$1.spv" -o "$folder/small.spv"
    in_root spirv-val --target-env vulkan1.3 "$folder/small.spv"
    printf '%-10s ' "$1:"
    in_root spirv-dis --no-color "$folder/small.spv" | awk '
        BEGIN { sign["OpFMul"] = "*"; sign["OpFAdd"] = "+"; sign["OpFSub"] = "-" }
        $3 == "OpLoad" { value[$1] = loads++ ? "y" : "x" }
        $3 in sign { value[$1] = "(" value[$5] " " sign[$3] " " ($6 in value ? value[$6] : $6) ")" }
        $1 == "OpStore" { printf "%s%s", comma, $3 in value ? value[$3] : $3; comma = ", " }
        END { print "" }'
}
new='OpCapability FloatControls2' extension='OpExtension "SPV_KHR_float_controls2"' default='OpExecutionModeId %main FPFastMathDefault %float %i0'
old='OpCapability SignedZeroInfNanPreserve' mode='OpExecutionMode %main SignedZeroInfNanPreserve 32'
shader plain '' '' '' ''
shader preserve "$old" '' "$mode" ''
shader held '' '' '' NoContraction
shader default "$new" "$extension" "$default" ''
shader decorated "$new" "$extension" '' 'FPFastMathMode None'
shader with-mode "$new"$'\n'"$old" "$extension" "$default"$'\n'"$mode" ''
shader with-held "$new" "$extension" "$default" NoContraction
in_root spirv-opt --version | head -n 1
found=$(
    for name in plain preserve held default decorated; do optimize $name; done
    for name in with-mode with-held; do in_root spirv-val --target-env vulkan1.3 "$folder/$name.spv" 2>&1 | head -n 1 || true; done
)
echo "$found"
[[ $(tr -s ' ' <<<"$found") == 'plain: %float_0, x, (x * %float_0_300000012)
preserve: (x * %float_0), ((x - y) + y), ((x * %float_3) * %float_0_100000001)
held: (x * %float_0), ((x - y) + y), ((x * %float_3) * %float_0_100000001)
default: %float_0, x, (x * %float_0_300000012)
decorated: %float_0, x, (x * %float_0_300000012)
error: '*'FPFastMathDefault and SignedZeroInfNanPreserve execution modes cannot be applied to the same entry point'*'
error: '*'NoContraction cannot be used by an entry point with the FPFastMathDefault execution mode'* ]] || changed 'the tools do something else'
