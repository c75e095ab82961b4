; A decision is true or false.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: specialize %t.packed.spv --device intel_gpu_pvc --set half:3 -o %t.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
