; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set ' 0:true'
; EXIT: 2
