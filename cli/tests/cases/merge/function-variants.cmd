; The other dialect: device constants, which need no properties.
; RESULT-ENV: spv1.6
; DIS: %t.spv
; RUN: merge %fixtures/merge/scale-fp16.spv=fp16&&cap(GroupNonUniformArithmetic) %fixtures/merge/scale.spv=else --dialect function-variants -o %t.spv
; MESSAGES: facts
; SHOW: OpCapability OpConditional OpExtension OpEntryPoint OpSpec OpFunction
