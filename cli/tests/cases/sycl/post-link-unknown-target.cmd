; RUN: sycl post-link %fixtures/opencl/device_if.spv -o %t.table --target spir46,intel_gpu_pvc
; EXIT: 2
; DIS: none
