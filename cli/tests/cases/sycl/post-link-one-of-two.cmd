; RUN: sycl post-link %fixtures/opencl/device_if.spv -o intel_gpu_pvc,%t.pvc.table -o %t.table
; EXIT: 2
; DIS: none
