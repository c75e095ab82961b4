; RUN: sycl post-link %fixtures/opencl/device_if.spv -o intel_gpu_pcv,%t.table
; MESSAGES: facts
; EXIT: 2
; DIS: none
