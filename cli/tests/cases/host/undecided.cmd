; What the host has not decided is an error, which says how it decides; the rest of the message is as for other conditions.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half)&&fp16 %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: specialize %t.packed.spv --device intel_gpu_pvc -o %t.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
