; RUN: specialize %fixtures/spec/precision.spv -o %t/ --set 0:true,false --set use_half:true,false
; EXIT: 2
