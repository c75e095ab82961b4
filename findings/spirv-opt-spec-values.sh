#!/usr/bin/env bash
# Question: what does spirv-opt do with a value for a specialization constant that the constant's type cannot have?
#
# Good guess: it says so and fails, as it does for a pair that it cannot read: "Invalid argument for --set-spec-const-default-value". Or it converts, as C would: -1 to the
# largest unsigned number, 1 to true.
#
# Truth: it leaves the constant at its old default, says nothing, and exits with 0. So it does with -1 for unsigned constants, with numbers out of range, 1.5 for integers, 1
# or 0 for Booleans (only true and false are values of theirs), and with an id that no constant has. Values that fit are set.
#
# Why it matters: a build that fixes variants of a shader by a list of values ships the default where one of them is misspelled, and a frozen constant cannot be set
# later. Vulkan takes Booleans as numbers, so a list that was right for VkSpecializationInfo is wrong here. Read the constants back, or fix them by code that checks.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

in_root spirv-as --target-env vulkan1.2 - -o "$folder/constants.spv" <<'ASM'
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Float16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %c0 SpecId 0
OpDecorate %c1 SpecId 1
OpDecorate %c2 SpecId 2
OpDecorate %c3 SpecId 3
OpDecorate %c4 SpecId 4
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int8 = OpTypeInt 8 1
%ushort = OpTypeInt 16 0
%half = OpTypeFloat 16
%c0 = OpSpecConstantFalse %bool
%c1 = OpSpecConstant %uint 7
%c2 = OpSpecConstant %int8 7
%c3 = OpSpecConstant %ushort 7
%c4 = OpSpecConstant %half 7
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%start = OpLabel
OpReturn
OpFunctionEnd
ASM
in_root spirv-val --target-env vulkan1.2 "$folder/constants.spv"
before=$(in_root spirv-dis "$folder/constants.spv")
# set_value PAIR: sets the value, and says if anything in the module is another one than before, and what was said.
set_value() {
    local said status=0 result='as before'
    said=$(in_root spirv-opt --set-spec-const-default-value="$1" "$folder/constants.spv" -o "$folder/set.spv" 2>&1) || status=$?
    [[ $status != 0 || $(in_root spirv-dis "$folder/set.spv") == "$before" ]] || result='set'
    echo "$1: status $status, $result${said:+, $said}"
}
in_root spirv-opt --version | head -n 1
found=$(for pair in 0:true 1:4294967295 2:-3 3:65535 4:0.5 0:1 1:-1 1:1.5 2:200 3:65536 4:70000 9:1 1=5; do set_value "$pair"; done)
echo "$found"
[[ $(grep -c 'status 0, set$' <<<"$found") == 5 && $(grep -c 'status 0, as before$' <<<"$found") == 7 &&
    $found == *'4:0.5: status 0, set'*'0:1: status 0, as before'*'1=5: status 1'*'Invalid argument for --set-spec-const-default-value'* ]] || changed 'spirv-opt does something else'
