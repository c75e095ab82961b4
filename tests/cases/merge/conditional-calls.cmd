; EXIT: 1
; RUN: merge %fixtures/glsl/reduce.spv=fp64 %fixtures/glsl/reduce.spv=else -o %t.spv
