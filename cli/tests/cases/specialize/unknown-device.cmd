; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --device nosuch
; EXIT: 2
