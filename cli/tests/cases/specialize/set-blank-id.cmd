; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set ' 0:true'
; MESSAGES: facts
; EXIT: 2
