; The build that requires more comes first, whatever the order; what both require is not a condition.
; RESULT-ENV: spv1.6
; RUN: merge --infer %fixtures/merge/scale.spv %fixtures/merge/scale-fp16.spv -o %t.spv
; RUN: specialize -q %t.spv -o %t.half.spv --device intel_gpu_acm_g10
; RUN: specialize -q %t.spv -o %t.plain.spv --device nvidia_gpu_sm_50
; MESSAGES: facts
; DIS: none
