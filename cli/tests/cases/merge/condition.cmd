; EXIT: 2
; RUN: merge %fixtures/merge/scale.spv=fp61 -o %t.spv
