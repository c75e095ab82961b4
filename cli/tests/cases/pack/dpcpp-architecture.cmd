; What DPC++ writes of its own header: the callers are imports, which get a function as their argument. spirv-val rejects that, but not what is made of it.
; DIS: none
; RUN: pack %fixtures/rejected/architecture-O2.spv -o %t.O2.spv
; RUN: pack %fixtures/rejected/architecture-O0.spv -o %t.O0.spv -q
; RUN: specialize %t.O2.spv -o %t.O2.pvc.spv --device intel_gpu_pvc
; RUN: specialize %t.O0.spv -o %t.O0.sm_80.spv --device nvidia_gpu_sm_80
; MESSAGES: facts
