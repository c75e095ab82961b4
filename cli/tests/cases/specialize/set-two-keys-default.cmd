; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set 0:true --set-default use_half:false
; EXIT: 2
