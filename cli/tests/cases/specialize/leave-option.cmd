; An option is not a name of a constant.
; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --leave --strip --ignore-unknown
; EXIT: 2
