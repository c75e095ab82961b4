; RUN: split %fixtures/opencl/plain.spv -o /dev/null
; EXIT: 2
