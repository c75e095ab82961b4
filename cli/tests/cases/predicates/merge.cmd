; Variants with predicates of their own, whose SpecIds are of other ones before.
; RUN: merge '%fixtures/amd/kernels-O0.spv=fp64 && arch(amd_gpu_gfx90a)' %fixtures/amd/kernels-O2.spv=else -o %t.spv
; RUN: specialize %t.spv --device gfx90a -o %t.gfx90a.spv
; RUN: specialize %t.spv --device gfx1201 -o %t.gfx1201.spv
; MESSAGES: facts
; DIS: none
