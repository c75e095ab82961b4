#!/usr/bin/env bash
# Question: how many descriptors does a binding need, by SPIRV-Cross' reflection of a shader with `sampler2D images[N * M]` and specialization constants N and M?
#
# Good guess: the JSON has the length by the defaults, or the constants to compute it from: it has a list of specialization constants with numbers and defaults.
#
# Truth: "array" is then not a length but the id of the constant in SPIR-V, marked by "array_size_is_literal": false. For `images[N]` the id is in the list of constants. For
# a computed length it is the id of an operation, which is nowhere in the file: no reader of the JSON can know the length, and one that overlooks the mark allocates as many
# descriptors as the id says.
#
# Why it matters: layouts and descriptor pools are made from such files. The same shader with frozen constants has plain lengths: reflect after specializing, or
# evaluate OpSpecConstantOp in the module itself.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1 spirv-cross=2021.01.15+1.4.357.0-1 glslang-tools=16.6.0-1

cat >"$folder/images.frag" <<'GLSL'
#version 450
layout(constant_id = 0) const int N = 4;
layout(constant_id = 1) const int M = 3;
layout(set = 0, binding = 0) uniform sampler2D some[N];
layout(set = 0, binding = 1) uniform sampler2D more[N * M];
layout(location = 0) out vec4 colour;
void main() { colour = texture(some[1], vec2(0)) + texture(more[2], vec2(0)); }
GLSL
in_root glslangValidator --quiet -V "$folder/images.frag" -o "$folder/images.spv"
in_root spirv-val --target-env vulkan1.1 "$folder/images.spv"
in_root spirv-opt --freeze-spec-const --fold-spec-const-op-composite "$folder/images.spv" -o "$folder/frozen.spv"
echo "SPIRV-Cross 1.4.357.0, glslang 16.6.0"
found=$(for file in images frozen; do
    in_root spirv-cross "$folder/$file.spv" --reflect | python3 -c '
import json, sys

reflection = json.load(sys.stdin)
constants = {constant["variable_id"]: constant["default_value"] for constant in reflection.get("specialization_constants", [])}
for texture in reflection["textures"]:
    [length], [literal] = texture["array"], texture["array_size_is_literal"]
    known = f"length {length}" if literal else f"id of a constant with default {constants[length]}" if length in constants else "id of nothing in the file"
    print(sys.argv[1], texture["name"] + ":", known)
' "$file"
done)
echo "$found"
[[ $found == 'images some: id of a constant with default 4
images more: id of nothing in the file
frozen some: length 4
frozen more: length 12' ]] || changed 'the tools do something else'
