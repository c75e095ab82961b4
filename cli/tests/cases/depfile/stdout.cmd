; There is no file to name.
; RUN: trim %fixtures/glsl/reduce.spv -o - --depfile %t.d
; EXIT: 2
