#!/usr/bin/env bash
# Question: where does a member of a block begin that comes after an array whose length is computed from a specialization constant?
#
# Good guess: where it begins for the default of the constant, since GLSL for Vulkan lays blocks out by the defaults. It is so for `values[N]`, and if glslang
# did otherwise for `values[N + 1]`, the members would overlap and spirv-val would say so.
#
# Truth: glslang gives an array of a computed length the room of one element. With `N` 4, `values[N + 1]` takes bytes 4 to 23, and the vec4 after it begins at byte 16: a
# store to values[3] changes the vector. spirv-val does not evaluate the length and accepts the module; it refuses it once the constants are frozen at their own defaults.
#
# Why it matters: a host that fills the buffer by the layout of GLSL, or by reflection of another tool, puts the vector at byte 32 and the shader reads it at 16. And a
# tool that only gives constants their default values makes an invalid module of a valid one, and seems to be at fault. Computed lengths belong last in a block.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1 glslang-tools=16.6.0-1

# offset NAME LENGTH: compiles a shader with an array of this length in front of a vector, checks that it is valid, and prints the offset of the vector.
offset() {
    cat >"$folder/$1.comp" <<GLSL
#version 450
layout(constant_id = 0) const int N = 4;
layout(set = 0, binding = 0) buffer Block { float head; float values[$2]; vec4 tail; } block;
void main() { block.values[0] = block.tail.x; }
GLSL
    in_root glslangValidator --quiet -V "$folder/$1.comp" -o "$folder/$1.spv" >/dev/null
    in_root spirv-val --target-env vulkan1.1 "$folder/$1.spv"
    in_root spirv-dis "$folder/$1.spv" | sed -n 's/.*OpMemberDecorate %Block 2 Offset \([0-9]*\)/\1/p'
}
in_root glslangValidator --version | head -n 1
fixed=$(offset fixed 5) plain=$(offset plain N) computed=$(offset computed 'N + 1')
in_root spirv-opt --freeze-spec-const --fold-spec-const-op-composite "$folder/computed.spv" -o "$folder/frozen.spv"
said=$(in_root spirv-val --target-env vulkan1.1 "$folder/frozen.spv" 2>&1 || true)
printf 'the vector begins after values[5] at %s, after values[N] at %s, after values[N + 1] at %s\nfrozen: %s\n' "$fixed" "$plain" "$computed" "${said%%.*}"
[[ $fixed == 32 && $plain == 32 && $computed == 16 && $said == *overlaps* ]] || changed 'the tools do something else'
