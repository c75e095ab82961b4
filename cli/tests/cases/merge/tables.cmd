; The tables of spirv-link: the first module is for all remaining devices. Rows that fit the same devices are a warning.
; RESULT-ENV: spv1.6
; DIS: %t.spv
; FILE: %t.targets.csv
;   module,target,features
;   %fixtures/merge/scale-fp16.spv,9,
;   %fixtures/merge/scale-fp16.spv,8,1/002
;   %fixtures/merge/../merge/scale-fp16.spv,8,
; FILE: %t.csv
;   module,category,family,op,architecture
;   %fixtures/merge/scale-fp16.spv,2,3,174,4
;   %fixtures/merge/scale-fp16.spv,2,3,176,9
;   %fixtures/merge/../merge/scale-fp16.spv,2,3,170,8
;   %fixtures/merge/../merge/scale-fp16.spv,2,2,170,1
; RUN: merge %fixtures/merge/scale.spv %fixtures/merge/scale-fp16.spv %fixtures/merge/../merge/scale-fp16.spv --fnvar-targets %t.targets.csv --fnvar-architectures %t.csv -o %t.spv
; SHOW: OpCapability OpConditional OpExtension OpEntryPoint OpSpec OpFunction
