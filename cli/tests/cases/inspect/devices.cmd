; Which devices run what.
; RUN: inspect %fixtures/opencl/device_if.spv --devices intel_gpu_*1*
; RUN: inspect %fixtures/opencl/plain.spv --devices x86_64
