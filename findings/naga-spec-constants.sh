#!/usr/bin/env bash
# Question: do the specialization constants of a SPIR-V module reach a pipeline of an engine that reads the module by naga, as wgpu does?
#
# Good guess: yes. naga reads a constant with a SpecId as an override with that number, and pipelines of WebGPU have values for overrides.
#
# Truth: that holds for a constant that stands alone. A module in which one other constant is computed from it, an array length or `WIDTH - 1`, is refused as a
# whole ("unsupported instruction SpecConstantOp"), since glslang and others write OpSpecConstantOp for that. And what naga writes as SPIR-V has no
# specialization constants any more: without a value for its overrides the writer refuses, and with one they are ordinary constants.
#
# Why it matters: one shader that a tool has to cut down by specialization constants works in Vulkan, and in WebGPU only after they have their values.
# A step with naga between the compiler and a tool takes away all that the tool could decide.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

# shader NAME VALUE LINE...: assembles a shader that stores a value, with these constants.
shader() {
    in_root spirv-as --target-env vulkan1.1 - -o "$folder/$1.spv" <<ASM
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %width SpecId 3
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 0
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%width = OpSpecConstant %uint 64
$(printf '%s\n' "${@:3}")
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%result = OpVariable %to_block StorageBuffer
%to_uint = OpTypePointer StorageBuffer %uint
%main = OpFunction %void None %type
%start = OpLabel
%where = OpAccessChain %to_uint %result %zero
OpStore %where $2
OpReturn
OpFunctionEnd
ASM
    in_root spirv-val --target-env vulkan1.1 "$folder/$1.spv"
}
shader alone %width
shader computed %last '%last = OpSpecConstantOp %uint ISub %width %one'

mkdir -p "$folder/read/src"
cat >"$folder/read/Cargo.toml" <<'TOML'
[package]
name = "read"
version = "0.1.0"
edition = "2021"

[dependencies]
naga = { version = "=30.0.2", features = ["spv-in", "spv-out"] }
TOML
cat >"$folder/read/src/main.rs" <<'RUST'
use naga::back::{spv, pipeline_constants::process_overrides};
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn main() {
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap().to_owned();
        let module = match naga::front::spv::parse_u8_slice(&std::fs::read(&path).unwrap(), &Default::default()) {
            Ok(module) => module,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let ids: Vec<Option<u16>> = module.overrides.iter().map(|(_, constant)| constant.id).collect();
        println!("{name}: overrides {ids:?}");
        let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).unwrap();
        match spv::write_vec(&module, &info, &Default::default(), None) {
            Ok(_) => println!("{name}: written with its overrides"),
            Err(error) => println!("{name}: not written: {error}"),
        }
        let values = [("3".to_owned(), 128.0)].into_iter().collect();
        let (module, info) = process_overrides(&module, &info, None, &values).unwrap();
        let words = spv::write_vec(&module, &info, &Default::default(), None).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(path + ".out", bytes).unwrap();
    }
}
RUST
echo 'naga 30.0.2'
found=$(cargo run --quiet --manifest-path "$folder/read/Cargo.toml" -- "$folder"/{alone,computed}.spv)
written=$(in_root spirv-dis "$folder/alone.spv.out")
found+=$'\n'"in what is written: $(grep -cE 'SpecId|OpSpecConstant' <<<"$written" || true) lines of specialization constants, $(grep -c 'OpConstant .* 128$' <<<"$written") constant 128"
echo "$found"
[[ $found == *'alone.spv: overrides [Some(3)]'* && $found == *'alone.spv: not written'* && $found == *'computed.spv: '*SpecConstantOp* &&
    $found == *': 0 lines'*', 1 constant 128' ]] || changed 'naga does something else'
