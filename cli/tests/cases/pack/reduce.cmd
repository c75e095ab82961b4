; A shader of glslang: packed, and cut down for a device with half precision and one without.
; RESULT-ENV: spv1.6
; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv
; RUN: specialize %t.spv -o %t.with.spv --aspects fp16
; RUN: specialize %t.spv -o %t.without.spv --aspects gpu
; SHOW: OpCapability OpConditional OpExtension OpEntryPoint SpecId OpSpec %fp16 OpFunction sum_in_
