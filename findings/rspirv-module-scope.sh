#!/usr/bin/env bash
# Question: does a library that has an instruction in its grammar load a valid module with it?
#
# Good guess: yes. rspirv 0.12 knows OpTypeCooperativeMatrixKHR and its operands by name, and an OpExtInst in any case; a parser that
# knows an instruction can place it.
#
# Truth: the loader has its own list of what may stand outside of functions, and both are not on it: "not inside block". So it refuses what declares a cooperative
# matrix, and all debug information of NonSemantic.Shader.DebugInfo.100, which consists of OpExtInsts between types. That is what `glslang -gV` and `dxc
# -fspv-debug=vulkan` write.
#
# Why it matters: programs that reflect or rewrite shaders by this library work in tests and fail on the shaders of a debug build, and on those of machine learning. To know a
# grammar is not to know the layout of a module; carry what you do not know.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

# assemble NAME: assembles standard input, which is valid.
assemble() {
    in_root spirv-as --target-env vulkan1.3 - -o "$folder/$1.spv"
    in_root spirv-val --target-env vulkan1.3 "$folder/$1.spv"
}
common='OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1'
main='%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%start = OpLabel
OpReturn
OpFunctionEnd'
assemble plain <<ASM
OpCapability Shader
OpCapability VulkanMemoryModel
$common
$main
ASM
assemble matrix <<ASM
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpExtension "SPV_KHR_cooperative_matrix"
$common
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%scope = OpConstant %uint 3
%size = OpConstant %uint 16
%use = OpConstant %uint 0
%matrix = OpTypeCooperativeMatrixKHR %float %scope %size %size %use
$main
ASM
assemble debug <<ASM
OpCapability Shader
OpCapability VulkanMemoryModel
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
$common
%file = OpString "shader.comp"
%nothing = OpTypeVoid
%source = OpExtInst %nothing %set DebugSource %file
%type = OpTypeFunction %nothing
%main = OpFunction %nothing None %type
%start = OpLabel
OpReturn
OpFunctionEnd
ASM

mkdir -p "$folder/load/src"
cat >"$folder/load/Cargo.toml" <<'TOML'
[package]
name = "load"
version = "0.1.0"
edition = "2021"

[dependencies]
rspirv = "=0.12.0"
TOML
cat >"$folder/load/src/main.rs" <<'RUST'
fn main() {
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap();
        match rspirv::dr::load_bytes(std::fs::read(&path).unwrap()) {
            Ok(_) => println!("{name}: loaded"),
            Err(error) => println!("{name}: {error}"),
        }
    }
}
RUST
echo 'rspirv 0.12.0'
found=$(cargo run --quiet --manifest-path "$folder/load/Cargo.toml" -- "$folder"/{plain,matrix,debug}.spv)
echo "$found"
[[ $found == *'plain.spv: loaded'* && $found == *'matrix.spv: '*'TypeCooperativeMatrixKHR'*'not inside block'* && $found == *'debug.spv: '*'ExtInst'*'not inside block'* ]] || changed 'rspirv does something else'
