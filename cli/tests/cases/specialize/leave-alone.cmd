; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --leave 0
; EXIT: 2
