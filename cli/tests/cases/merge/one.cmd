; One variant, for some devices: nothing in it is conditional, and others are refused all the same.
; EXIT: 3
; RESULT-ENV: spv1.6
; DIS: %t.spv
; RUN: merge %fixtures/merge/scale.spv=fp16 -o %t.spv
; RUN: specialize %t.spv -o %t.none.spv --device nvidia_gpu_sm_50
; SHOW: OpCapability OpEntryPoint OpModuleProcessed Conditional SpecId OpSpecConstant OpFunction
