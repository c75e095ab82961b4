; The decision of the host is in the condition of the whole module.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) -o %t.packed.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_pvc --set half:false -o %t.spv
; MESSAGES: facts
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 3
