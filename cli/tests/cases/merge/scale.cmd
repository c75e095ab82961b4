; Two builds that differ in one function: its caller is there once, with a conditional call for each. Specializing gives back the builds.
; RESULT-ENV: spv1.6
; RUN: merge %fixtures/merge/scale-fp16.spv=fp16 %fixtures/merge/scale.spv=else -o %t.spv
; RUN: specialize -q %t.spv -o %t.half.spv --aspects fp16
; RUN: specialize -q %t.spv -o %t.plain.spv --aspects gpu
; MESSAGES: facts
; SHOW: OpCapability OpConditional OpExtension OpEntryPoint SpecId OpSpec OpFunction OpName
