; A number with a sign or blanks is not a name.
; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set -1:1
; EXIT: 2
