; RUN: split %fixtures/opencl/plain.spv --mode per_file -o %t.spv
; EXIT: 2
