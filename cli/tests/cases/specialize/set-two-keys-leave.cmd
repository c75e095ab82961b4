; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set 0:true --leave use_half
; EXIT: 2
