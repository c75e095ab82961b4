; RUN: split %fixtures/opencl/plain.spv -o -
; EXIT: 2
