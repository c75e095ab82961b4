; The rows of one target, and those that any device may get.
; RUN: sycl post-link %fixtures/opencl/device_if.spv --pack -o %t.table --target spir64,intel_gpu_pvc,x86_64
; RUN: sycl filter -v %t.table --target intel_gpu_pvc -o %t.pvc.table
; DIS: none
