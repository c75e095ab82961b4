; RUN: specialize %fixtures/spec/precision.spv --set 0:true --depfile %fixtures -o %t.spv
; EXIT: 1
