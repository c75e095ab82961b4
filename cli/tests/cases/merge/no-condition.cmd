; EXIT: 2
; RUN: merge %fixtures/merge/scale.spv -o %t.spv
