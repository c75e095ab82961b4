; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set-default 1:4 --set 1:4
; EXIT: 2
