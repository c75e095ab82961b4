; No such devices.
; EXIT: 2
; RUN: inspect %fixtures/opencl/plain.spv --devices intel_cpu_*
; MESSAGES: facts
