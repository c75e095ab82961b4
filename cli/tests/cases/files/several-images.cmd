; RUN: split %fixtures/opencl/plain.spv %fixtures/opencl/device_if.spv --mode kernel -o %t.spv
; EXIT: 2
