; Every command compares the requirements in the property sets beside a module, and not only those of its code.
; RUN: sycl post-link %fixtures/opencl/plain.spv --mode off --fixed-targets intel_gpu_pvc -o %t.table -q
; RUN: inspect %t_0.spv --devices 'intel_gpu_pvc,intel_gpu_skl'
; RUN: check %t_0.spv --fixed-targets intel_gpu_skl
; RUN: inspect %t_0.spv --require-devices 'intel_gpu_pvc,intel_gpu_skl'
; EXIT: 3
; DIS: none
