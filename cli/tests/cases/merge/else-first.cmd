; EXIT: 2
; RUN: merge %fixtures/merge/scale.spv=else %fixtures/merge/scale.spv=fp16 -o %t.spv
