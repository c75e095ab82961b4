#!/usr/bin/env bash
# Question: what does clang's option -ffp-contract say in the SPIR-V of a kernel with `a * b + c`?
#
# Good guess: what it says for processors. With `fast`, drivers may contract a product and a sum. With `on`, OpenCL C's default, they may do so within an expression: the kernel
# gets `mad`, which may be computed in any precision. With `off`, they may not: the kernel has the execution mode ContractionOff.
#
# Truth: clang's own backend gives ContractionOff to every kernel. With `fast` there are a product and a sum that must stay apart, as with `off`. With `on`, and with
# -cl-mad-enable, there is `fma` of OpenCL.std, which must round once: a permission became a duty. llvm-spirv makes of the same code what one would guess. From
# version 23 on, clang's option `-mllvm -spirv-fp-contract=fast` does without ContractionOff.
#
# Why it matters: the option that should leave drivers the most freedom leaves them none, and devices without an instruction for fma compute it in many. Last bits of results
# change with the way to SPIR-V, not with the source. Who merges or compares builds of one kernel by both ways meets other execution modes and other instructions.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages clang-23=1:23.1.4-2 clang-22=1:22.1.8-3 llvm-spirv-22=22.1.0-1 spirv-tools=2026.4~rc2-1

echo 'kernel void k(global float *p, float a, float b, float c) { *p = a * b + c; }' >"$folder/k.cl"
# compile VERSION OPTION...: compiles the kernel.
compile() { in_root "clang-$1" -resource-dir="$unpacked/usr/lib/llvm-$1/lib/clang/$1" -target spirv64 -cl-std=CL3.0 -O2 "${@:2}" -c "$folder/k.cl"; }
# show WAY OPTION...: prints what the module has of contraction. clang writes the body of a kernel twice.
show() {
    in_root spirv-val "$folder/k.spv"
    printf '%-10s %-35s %s\n' "$1" "${*:2}" "$(in_root spirv-dis "$folder/k.spv" | grep -oE 'ContractionOff|OpFMul|OpFAdd|fma|mad' | awk '!seen[$0]++' | paste -sd ' ')"
}
in_root clang-22 --version | head -n 1
in_root clang-23 --version | head -n 1
found=$(
    for option in -ffp-contract={off,on,fast} -cl-mad-enable; do
        for version in 22 23; do
            compile $version "$option" -o "$folder/k.spv"
            show clang-$version "$option"
        done
        compile 22 "$option" -emit-llvm -o "$folder/k.bc"
        in_root llvm-spirv-22 "$folder/k.bc" -o "$folder/k.spv"
        show llvm-spirv "$option"
    done
    compile 23 -ffp-contract=fast -mllvm -spirv-fp-contract=fast -o "$folder/k.spv"
    show clang-23 -mllvm -spirv-fp-contract=fast
)
echo "$found"
[[ $(tr -s ' ' <<<"$found") == 'clang-22 -ffp-contract=off ContractionOff OpFMul OpFAdd
clang-23 -ffp-contract=off ContractionOff OpFMul OpFAdd
llvm-spirv -ffp-contract=off ContractionOff OpFMul OpFAdd
clang-22 -ffp-contract=on ContractionOff fma
clang-23 -ffp-contract=on ContractionOff fma
llvm-spirv -ffp-contract=on mad
clang-22 -ffp-contract=fast ContractionOff OpFMul OpFAdd
clang-23 -ffp-contract=fast ContractionOff OpFMul OpFAdd
llvm-spirv -ffp-contract=fast OpFMul OpFAdd
clang-22 -cl-mad-enable ContractionOff fma
clang-23 -cl-mad-enable ContractionOff fma
llvm-spirv -cl-mad-enable mad
clang-23 -mllvm -spirv-fp-contract=fast OpFMul OpFAdd' ]] || changed 'the compilers do something else'
