; RUN: specialize %fixtures/spec/precision.spv --set 0:true --depfile %fixtures -o %t.spv
; MESSAGES: facts
; EXIT: 1
