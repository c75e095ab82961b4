; A variant that no device gets is left out, with a warning.
; RESULT-ENV: spv1.6
; DIS: none
; RUN: merge %fixtures/merge/scale.spv=fp16||!fp16 %fixtures/merge/scale-fp16.spv=fp16 -o %t.spv
