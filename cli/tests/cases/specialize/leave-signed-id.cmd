; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set 0:true --leave +1
; MESSAGES: facts
; EXIT: 2
