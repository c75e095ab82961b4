; A decision has two names, and one value.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: specialize %t.packed.spv --device intel_gpu_pvc --set half:true --set host(half):false -o %t.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 2
