; EXIT: 2
; RUN: merge --infer %fixtures/merge/scale.spv=fp16 %fixtures/merge/scale-fp16.spv -o %t.spv
