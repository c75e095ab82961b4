#!/usr/bin/env bash
# Question: is a kernel complete that clang's SPIR-V backend compiles without a warning, and that spirv-val accepts?
#
# Good guess: yes. The kernel calls only functions of OpenCL C, such as atomic_inc, which SPIR-V has instructions for, and a compiler that knows a function in the source
# either translates it or says that it cannot.
#
# Truth: atomic_inc, atomic_dec, atomic_xchg, atomic_min, atomic_max and mem_fence become calls of functions with mangled names that the module imports, while atomic_add,
# atomic_cmpxchg and barrier become instructions. For spirv-val this is a valid module with Linkage. No module of the program has the functions, so spirv-link
# reports an unresolved reference. Intel's compiler builds the kernel all the same.
#
# Why it matters: "it compiles, it is valid, it runs on my device" does not say that another driver takes the module: OpenCL's environment for SPIR-V has no functions of
# these names. A tool that links or packs modules must not take each import for something that another module of the program will have. Look for imports with names of
# mangled built-in functions before you ship; atomic_add(p, 1) does what atomic_inc(p) does.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages clang-23=1:23.1.4-2 spirv-tools=2026.4~rc2-1 intel-ocloc=26.27.39122.14-1 libigc2=2.40.14-1

# build NAME CALL: compiles a kernel with this call, checks that it is valid, and says what it imports, and what the linker and Intel's compiler say.
build() {
    local imports linked built
    echo "kernel void k(volatile global int *p) { $2; }" >"$folder/$1.cl"
    in_root clang-23 -resource-dir="$unpacked/usr/lib/llvm-23/lib/clang/23" -target spirv64 -cl-std=CL1.2 -Werror -c "$folder/$1.cl" -o "$folder/$1.spv"
    in_root spirv-val "$folder/$1.spv"
    imports=$(in_root spirv-dis "$folder/$1.spv" | sed -n 's/.*LinkageAttributes "\(.*\)" Import/\1/p')
    linked=$(in_root spirv-link "$folder/$1.spv" -o "$folder/linked.spv" 2>&1 && echo links || true)
    built=$(in_root ocloc-26.27.1 compile -spirv_input -file "$folder/$1.spv" -device bmg-g21 -output "$folder/out" 2>&1 | grep -o 'Build succeeded' || true)
    printf '%-14s imports %-26s %s; Intel: %s\n' "$1" "${imports:-nothing}" "$linked" "$built"
}
in_root clang-23 --version | head -n 1
found=$(
    build atomic_add 'atomic_add(p, 1)'
    build atomic_cmpxchg 'atomic_cmpxchg(p, 1, 2)'
    build barrier 'barrier(CLK_GLOBAL_MEM_FENCE)'
    build atomic_inc 'atomic_inc(p)'
    build atomic_dec 'atomic_dec(p)'
    build atomic_xchg 'atomic_xchg(p, 1)'
    build atomic_min 'atomic_min(p, 1)'
    build atomic_max 'atomic_max(p, 1)'
    build mem_fence 'mem_fence(CLK_GLOBAL_MEM_FENCE)'
)
echo "$found"
[[ $(grep -c 'imports nothing  *links; Intel: Build succeeded$' <<<"$found") == 3 &&
    $(grep -c 'imports _Z.* error: 0: Unresolved external reference to ".*"\.; Intel: Build succeeded$' <<<"$found") == 6 ]] || changed 'the tools do something else'
