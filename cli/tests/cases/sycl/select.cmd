; The images of a program without conditions: one for each kernel. The result has no linkage, and no other kernel.
; RUN: sycl post-link %fixtures/program/means.spv %fixtures/program/sums.spv --mode kernel -o %t.table
; RUN: sycl select %t.table --list --device intel_gpu_pvc
; RUN: sycl select -v %t.table --kernel totals --device intel_gpu_pvc -o %t.out
; RUN: sycl select %t.table --kernel totals --device intel_gpu_pvc --no-link -o %t.images
; DIS: %t.out
; SHOW: OpCapability OpEntryPoint Linkage OpFunction
