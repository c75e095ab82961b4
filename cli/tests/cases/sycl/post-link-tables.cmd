; As sycl-post-link is asked for a table for each target. Without --pack, what is conditional is told of.
; RUN: sycl post-link %fixtures/opencl/device_if.spv --split=source -o spir64,%t.any.table -o intel_gpu_pvc,%t.pvc.table --symbols
; MESSAGES: facts
; DIS: none
