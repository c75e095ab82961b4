#!/usr/bin/env bash
# Question: does a kernel need a device with doubles if all of its variables are floats?
#
# Good guess: only if somebody forgot the suffix of a constant, as in `x * 2.0`, which OpenCL C computes in double precision. printf("%f", x) is harmless: OpenCL C says
# that it converts a float to double only if the device has doubles. How much the compiler optimizes does not matter for what the source asks for.
#
# Truth: clang declares Float64 for a printed float in any case, since it promotes the argument to double wherever the target might have doubles, and for SPIR-V it might. For constants the
# optimizer decides: without -O each of them needs Float64, with -O2 only those that no float equals, 0.1 but not 2.0 or 3.0, whatever the operation. -cl-single-precision-constant
# helps for constants, not for printf. `-Xclang -cl-ext=-cl_khr_fp64,-__opencl_c_fp64` helps for both.
#
# Why it matters: a device without doubles refuses a module with Float64, and so a line for debugging, a lower level of optimization or another value of a constant costs
# devices. A requirement that is read from one build is not that of the source: ask the module that ships.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages clang-23=1:23.1.4-2 spirv-tools=2026.4~rc2-1

# needs STATEMENT: compiles a kernel with it in four ways, and says which modules declare Float64.
needs() {
    local options words text
    echo "kernel void k(global float *x) { $1; }" >"$folder/k.cl"
    printf '%-24s' "$1"
    for options in -O0 -O2 '-O2 -cl-single-precision-constant' '-O2 -Xclang -cl-ext=-cl_khr_fp64,-__opencl_c_fp64'; do
        read -ra words <<<"$options"
        in_root clang-23 -resource-dir="$unpacked/usr/lib/llvm-23/lib/clang/23" -target spirv64 -cl-std=CL3.0 -w "${words[@]}" -c "$folder/k.cl" -o "$folder/k.spv"
        in_root spirv-val "$folder/k.spv"
        text=$(in_root spirv-dis "$folder/k.spv")
        if [[ $text == *'OpCapability Float64'* ]]; then printf ' Float64'; else printf ' -'; fi
    done
    echo
}
in_root clang-23 --version | head -n 1
echo 'with -O0, -O2, -O2 -cl-single-precision-constant, and -O2 without doubles in the language:'
found=$(
    needs '*x = *x * 2.0f'
    needs '*x = *x * 2.0'
    needs '*x = *x / 3.0'
    needs '*x = *x > 0.5'
    needs '*x = *x * 0.1'
    needs '*x = *x > 0.1'
    needs 'printf("%f\n", *x)'
)
echo "$found"
[[ $(tr -s ' ' <<<"$found") == '*x = *x * 2.0f - - - -
*x = *x * 2.0 Float64 - - -
*x = *x / 3.0 Float64 - - -
*x = *x > 0.5 Float64 - - -
*x = *x * 0.1 Float64 Float64 - -
*x = *x > 0.1 Float64 Float64 - -
printf("%f\n", *x) Float64 Float64 Float64 -' ]] || changed 'clang does something else'
