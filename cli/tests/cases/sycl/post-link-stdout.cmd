; RUN: sycl post-link %fixtures/opencl/device_if.spv -o -
; EXIT: 2
; DIS: none
