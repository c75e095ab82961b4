; A module on standard input.
; STDIN: %fixtures/opencl/plain.spv
; RUN: inspect -
