#!/usr/bin/env bash
# Question: does a module survive a library that loads it into its data representation and assembles it again, with nothing changed in between?
#
# Good guess: all but the header does. rspirv keeps every instruction, and its tests compare round trips. A tool may load, look, and write without
# harm, and what it did not change stays as it was.
#
# Truth: an OpLine before an OpFunction, which says where the function begins, is put with the types and constants. So lines of all functions come before the first
# one, which gets the last of them, and the others have none. The module stays valid, and no error is reported. The generator in the header becomes rspirv's.
#
# Why it matters: a debugger and a crash dump name the wrong line for a function, or the wrong function, though nobody touched its code. Caches by the bytes of a
# module miss after a tool that "only looked". A driver that works around the defects of a front end by its number in the header no longer knows it.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1

cat >"$folder/lines.spvasm" <<'ASM'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "lines.comp"
%void = OpTypeVoid
%type = OpTypeFunction %void
OpLine %file 10 1
%main = OpFunction %void None %type
%start = OpLabel
%call = OpFunctionCall %void %other
OpReturn
OpFunctionEnd
OpLine %file 20 1
%other = OpFunction %void None %type
%begin = OpLabel
OpReturn
OpFunctionEnd
ASM
in_root spirv-as --target-env vulkan1.1 "$folder/lines.spvasm" -o "$folder/lines.spv"
in_root spirv-val --target-env vulkan1.1 "$folder/lines.spv"

mkdir -p "$folder/round/src"
cat >"$folder/round/Cargo.toml" <<'TOML'
[package]
name = "round"
version = "0.1.0"
edition = "2021"

[dependencies]
rspirv = "=0.12.0"
TOML
cat >"$folder/round/src/main.rs" <<'RUST'
use rspirv::binary::Assemble;
use std::fs;

fn main() {
    let mut paths = std::env::args().skip(1);
    let bytes = fs::read(paths.next().unwrap()).unwrap();
    let words = rspirv::dr::load_bytes(&bytes).unwrap().assemble();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(paths.next().unwrap(), bytes).unwrap();
}
RUST
cargo run --quiet --manifest-path "$folder/round/Cargo.toml" -- "$folder/lines.spv" "$folder/after.spv"
in_root spirv-val --target-env vulkan1.1 "$folder/after.spv"

# lines FILE: the instructions with lines and functions, and the generator.
lines() {
    in_root spirv-dis "$1" | grep -oE 'Generator: .*|OpLine .*|OpFunction %' | tr '\n' ',' | sed 's/,$//'
}
echo 'rspirv 0.12.0'
before=$(lines "$folder/lines.spv")
after=$(lines "$folder/after.spv")
printf 'before: %s\nafter:  %s\n' "$before" "$after"
[[ $before == *'OpLine %2 10 1,OpFunction %,OpLine %2 20 1,OpFunction %' && $after == *'OpLine %2 10 1,OpLine %2 20 1,OpFunction %,OpFunction %' &&
    ${before%%,*} != "${after%%,*}" ]] || changed 'rspirv does something else'
