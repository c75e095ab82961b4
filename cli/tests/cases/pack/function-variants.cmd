; The same in the function-variants dialect, which needs no properties.
; DIS: %t.spv
; STDIN: %fixtures/glsl/reduce.spv
; RUN: pack - -o %t.spv --dialect function-variants -q
; RUN: specialize %t.spv -o %t.with.spv --device intel_gpu_dg1 -q
; RUN: specialize %t.spv -o %t.without.spv --capabilities Shader -q
; SHOW: OpCapability OpConditional OpExtension OpEntryPoint OpSpec OpFunction OpName
