#!/usr/bin/env bash
# Brings some compute shaders of ggml, a machine learning library, into target/ggml: nobody here wrote them, and cli/tests/all/drivers runs them.
# The sources are those of a crate, which is not built; glslang compiles them with the macros that the library's own build defines. Debian's build of
# the library comes too, libggml-vulkan.so, with more than a thousand shaders in it: api::tests::verdicts reads them.
#
# `setup.sh ggml` runs this, and `setup.sh ggml-more` with --more, which adds all that need no other macros, also optimized, in target/ggml/more:
# benches/prepared.rs reads them.
set -euo pipefail
# shellcheck source=scripts/setup/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

crate=llama-cpp-sys-2
version=0.1.161
shaders=llama.cpp/ggml/src/ggml-vulkan/vulkan-shaders
out=$root/target/ggml

more=${1:-}
# What is there was made by this script as it is now.
stamp="$version $(cksum <"${BASH_SOURCE[0]}")"
if [[ -f $out/done && $(<"$out/done") == "$stamp" && (-z $more || -d $out/more) ]]; then exit 0; fi
rm -rf "$out"
"$root/scripts/setup.sh" glslang ggml-library

# A package that depends on the crate, and on nothing else, has cargo fetch it. It is a workspace of its own: it stands below another.
say "fetching $crate"
package=$out/package
mkdir -p "$package/src"
: >"$package/src/lib.rs"
printf '[package]\nname = "fetch"\nedition = "2024"\n[dependencies]\n%s = "=%s"\n[workspace]\n' "$crate" "$version" \
    >"$package/Cargo.toml"
manifest=$(cargo metadata --quiet --format-version 1 --manifest-path "$package/Cargo.toml" | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["name"] == sys.argv[1]: print(package["manifest_path"])' "$crate")
folder=$(dirname "$manifest")/$shaders

# shader NAME SOURCE MACRO=VALUE...
shader() {
    local name=$1 source=$2
    shift 2
    "$tools/bin/glslangValidator" --quiet -V --target-env vulkan1.2 '-P#extension GL_GOOGLE_include_directive : require' \
        -I"$folder" "${@/#/-D}" "$folder/$source" -o "$out/$name.spv" >&2
}

floats=(FLOAT_TYPE=float FLOAT_TYPEV2=vec2)
unary=(A_TYPE=float B_TYPE=float D_TYPE=float "${floats[@]}")
vectors=(B_TYPE=float B_TYPEV2=vec2 B_TYPEV4=vec4 D_TYPE=float "${floats[@]}")
shader upscale upscale.comp "${unary[@]}"
shader rms_norm rms_norm.comp "${unary[@]}"
shader soft_max soft_max.comp "${unary[@]}"
shader argsort argsort.comp A_TYPE=float
shader mul_mat_vec_f32 mul_mat_vec.comp DATA_A_F32=1 "${vectors[@]}"
shader mul_mat_vec_q4_0 mul_mat_vec.comp DATA_A_Q4_0=1 "${vectors[@]}"
shader matmul_quant mul_mm.comp MULMAT_QUANT=1 LOAD_VEC_B=4 B_TYPE=vec4 B_TYPE_SCALAR=float B_TYPEV4=vec4 D_TYPE=float \
    ACC_TYPE=float ACC_TYPEV2=vec2 ACC_TYPE_VEC4=vec4 "${floats[@]}" FLOAT_TYPEV4=vec4 FLOAT_TYPEV8=mat2x4
# Multiplication of float matrices, in half floats, in floats, and by cooperative matrices: benches and tests set its tiles.
matrix=(DATA_A_F32=1 D_TYPE=float ACC_TYPE=float ACC_TYPEV2=vec2 ACC_TYPE_VEC4=vec4 B_TYPE_SCALAR=float B_TYPEV4=vec4)
shader matmul_fp32 mul_mm.comp "${matrix[@]}" LOAD_VEC_A=4 LOAD_VEC_B=4 B_TYPE=vec4 "${floats[@]}" FLOAT_TYPEV4=vec4 FLOAT_TYPEV8=mat2x4
shader matmul_fp16 mul_mm.comp "${matrix[@]}" FLOAT16=1 LOAD_VEC_A=8 LOAD_VEC_B=8 B_TYPE=mat2x4 FLOAT_TYPE=float16_t FLOAT_TYPEV2=f16vec2 \
    FLOAT_TYPEV4=f16vec4 FLOAT_TYPEV8=f16mat2x4
# Multiplication of half matrices, also in buffers, whose sums are halves.
shader matmul_half mul_mm.comp FLOAT16=1 DATA_A_F16=1 LOAD_VEC_A=8 LOAD_VEC_B=8 B_TYPE=f16mat2x4 B_TYPE_SCALAR=float16_t B_TYPEV4=f16vec4 D_TYPE=float \
    ACC_TYPE=float16_t ACC_TYPEV2=f16vec2 ACC_TYPE_VEC4=f16vec4 'ACC_TYPE_MAX=float16_t(65504.0)' FLOAT_TYPE=float16_t FLOAT_TYPEV2=f16vec2 \
    FLOAT_TYPEV4=f16vec4 FLOAT_TYPEV8=f16mat2x4
shader matmul_cm1 mul_mm.comp "${matrix[@]}" COOPMAT=1 FLOAT16=1 LOAD_VEC_A=8 LOAD_VEC_B=8 B_TYPE=mat2x4 FLOAT_TYPE=float16_t \
    FLOAT_TYPEV2=f16vec2 FLOAT_TYPEV4=f16vec4 FLOAT_TYPEV8=f16mat2x4
if [[ -n $more ]]; then
    "$root/scripts/setup.sh" spirv-tools
    mkdir "$out/more"
    for source in "$folder"/*.comp; do
        name=more/$(basename "$source" .comp)
        # Most of the others need macros of their own.
        shader "$name" "$(basename "$source")" A_TYPE=float DATA_A_F32=1 FLOAT_TYPEV4=vec4 "${vectors[@]}" 2>/dev/null || continue
        "$tools/bin/spirv-opt" -O "$out/$name.spv" -o "$out/$name-O.spv"
    done
fi
rm -rf "$package"
ln -s "$(ggml_library)" "$out/libggml-vulkan.so"
printf '%s\n' "$stamp" >"$out/done"
say "ggml's shaders are in $out"
