; As those write it who know sycl-post-link and the aspect filter.
; RUN: sycl post-link %fixtures/opencl/device_if.spv -split=kernel -symbols -properties -emit-only-kernels-as-entry-points -o intel_gpu_pvc,%t.table
; RUN: sycl filter %t.table -target=intel_gpu_dg1 -o %t.dg1.table
; MESSAGES: facts
; DIS: none
