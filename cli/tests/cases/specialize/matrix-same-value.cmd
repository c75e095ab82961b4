; The type tells that two texts are one value.
; RUN: specialize %fixtures/spec/precision.spv -o %t/ --set 10:4,0x4,04
; EXIT: 2
