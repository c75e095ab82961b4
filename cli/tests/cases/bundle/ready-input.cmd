; The modules of a ready shader are its variants as an input: a device chooses one.
; SHOW: OpCapability OpTypeFloat
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv
; RUN: bundle -q %t.reduce.spv -o %t.spvb --ready
; RUN: specialize %t.spvb#ready-input.reduce -o %t.spv --device intel_gpu_bmg_g21
; RUN: specialize %t.reduce.spv -o %t.same.spv --device intel_gpu_bmg_g21
; RUN: trim %t.spvb#ready-input.reduce:0 -o %t.0.spv
; MESSAGES: facts
