#!/usr/bin/env bash
# Question: is the SPIR-V that a compiler for Vulkan puts into its own container valid, and can a tool that reads it rely on declared extensions?
#
# Good guess: yes. IREE targets named GPUs, its modules run on drivers every day, and SPIR-V 1.0 has no NoSignedWrap: whoever writes it declares
# SPV_KHR_no_integer_wrap_decoration, without which the decoration has no meaning before version 1.4.
#
# Truth: a product of two matrices becomes a module of version 1.0 with dozens of NoSignedWrap, and only SPV_KHR_storage_buffer_storage_class is
# declared. spirv-val refuses it. Drivers take it, since they ignore decorations that they need not know.
#
# Why it matters: a pipeline that validates what it ships stops at the first such module, whatever its own step changed. A tool that finds the extensions a module
# requires by its declarations misses one, and one that adds what is missing changes every module of such a container. Validate the input before you blame
# the result.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages spirv-tools=2026.4~rc2-1
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check iree-base-compiler==3.13.0

cat >"$folder/product.mlir" <<'MLIR'
func.func @product(%left: tensor<64x128xf32>, %right: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %sums = linalg.matmul ins(%left, %right : tensor<64x128xf32>, tensor<128x32xf32>) outs(%zeros : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %sums : tensor<64x32xf32>
}
MLIR
"$folder/python/bin/iree-compile" --iree-hal-target-device=vulkan --iree-vulkan-target=rdna3 "$folder/product.mlir" -o "$folder/product.vmfb"
# The module inside: from its header to the end of its last function.
python3 - "$folder/product.vmfb" "$folder/product.spv" <<'PYTHON'
import struct
import sys

data = open(sys.argv[1], "rb").read()
start = data.index(struct.pack("<I", 0x07230203))
place, end = start + 20, 0
while place + 4 <= len(data):
    first = struct.unpack_from("<I", data, place)[0]
    count, opcode = first >> 16, first & 0xFFFF
    if count == 0 or place + 4 * count > len(data):
        break
    place += 4 * count
    if opcode == 56:  # OpFunctionEnd
        end = place
open(sys.argv[2], "wb").write(data[start:end])
PYTHON

text=$(in_root spirv-dis --no-color "$folder/product.spv")
said=$(in_root spirv-val --target-env vulkan1.1 "$folder/product.spv" 2>&1 || true)
echo "IREE 3.13.0, $(in_root spirv-val --version | head -n 1)"
grep -E '^; Version|OpExtension' <<<"$text"
wraps=$(grep -c 'OpDecorate .* NoSignedWrap' <<<"$text")
echo "$wraps decorations NoSignedWrap"
head -n 1 <<<"$said"
[[ $wraps -gt 10 && $text == *'; Version: 1.0'* && $text != *no_integer_wrap* && $said == *'requires one of these extensions: SPV_KHR_no_integer_wrap_decoration'* ]] || changed 'the module is another one'
