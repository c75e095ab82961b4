; EXIT: 1
; RUN: merge %fixtures/merge/scale.spv=fp64 %fixtures/debug/glslang.spv=else -o %t.spv
