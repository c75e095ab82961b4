; RUN: trim %fixtures/glsl/reduce.spv -o %t.spv --embed c
; EXIT: 2
