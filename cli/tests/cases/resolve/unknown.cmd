; EXIT: 2
; RUN: specialize %fixtures/glsl/reduce.spv --device intel_gpu_pcv* -o %t.spv
; MESSAGES: facts
