; Three kernels with conditional calls, for any device and for three: intel_gpu_dg1 has no fp64, which `integrate` needs where it is
; there, and `scale` everywhere.
; RUN: sycl post-link -v %fixtures/opencl/device_if.spv --pack --mode kernel -o %t.table --target spir64,intel_gpu_pvc,intel_gpu_dg1 --target x86_64 --depfile %t.d
; MESSAGES: facts
; DIS: none
