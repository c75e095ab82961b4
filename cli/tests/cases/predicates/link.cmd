; Units count their predicates from 0: linked, equal ones have equal SpecIds, and there is one table.
; RUN: sycl post-link %fixtures/amd/kernels-O2.spv %fixtures/amd/sums.spv --mode off -o %t.table
; RUN: inspect %t_0.spv %t_1.spv
; RUN: sycl post-link %fixtures/amd/kernels-O2.spv %fixtures/amd/sums.spv --mode off --jit pack --target amd_gpu_gfx90a,spir64 -o %t.packed.table
; MESSAGES: facts
; DIS: none
