; A number with a sign or blanks is no name.
; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set -1:1
; EXIT: 2
