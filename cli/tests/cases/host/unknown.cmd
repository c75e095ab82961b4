; A name that no condition has is an error, as one that no constant has.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: specialize %t.packed.spv --device intel_gpu_pvc --set half:true --set fast:true -o %t.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
