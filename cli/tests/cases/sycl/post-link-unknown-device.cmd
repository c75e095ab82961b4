; RUN: sycl post-link %fixtures/opencl/device_if.spv -o intel_gpu_pcv,%t.table
; EXIT: 2
; DIS: none
