; Without names, a packed module still says what is conditional.
; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv --strip
; RUN: specialize %t.spv -o %t.pvc.spv --device intel_gpu_bmg_g21 --strip
; MESSAGES: facts
; ENV: spv1.6
; DIS: %t.spv
; SHOW: OpCapability OpConditional OpString OpSource OpName OpModuleProcessed SpecId OpSpec OpFunction
