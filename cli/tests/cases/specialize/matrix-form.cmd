; RUN: specialize %fixtures/spec/precision.spv -o %t/ --set 1:1,2,1
; EXIT: 2
