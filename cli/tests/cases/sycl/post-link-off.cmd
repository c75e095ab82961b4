; By kernel there are three images; together they are split where devices differ. Devices that get the same share files.
; RUN: sycl post-link -v %fixtures/opencl/device_if.spv --mode off -o %t.table --dedupe --target intel_gpu_dg1,intel_gpu_tgllp,intel_gpu_pvc
; MESSAGES: facts
; DIS: none
