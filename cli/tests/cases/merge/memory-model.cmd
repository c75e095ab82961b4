; EXIT: 1
; RUN: merge %fixtures/opencl/plain.spv=fp64 %fixtures/merge/scale.spv=else -o %t.spv
