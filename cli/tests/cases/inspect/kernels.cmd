; Many kernels: those that are alike are one. All of them with -v.
; RUN: inspect %fixtures/opencl/many.spv
; RUN: inspect -v %fixtures/opencl/device_if.spv
