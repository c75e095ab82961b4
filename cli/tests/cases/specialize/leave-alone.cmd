; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --leave 0
; MESSAGES: facts
; EXIT: 2
