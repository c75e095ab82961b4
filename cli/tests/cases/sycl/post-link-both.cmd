; RUN: sycl post-link %fixtures/opencl/device_if.spv -o intel_gpu_pvc,%t.table --target spir64
; EXIT: 2
; DIS: none
