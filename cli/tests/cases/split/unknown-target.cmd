; RUN: split %fixtures/opencl/plain.spv --fixed-targets intel_gpu_pvx -o %t.spv
; MESSAGES: facts
; EXIT: 2
