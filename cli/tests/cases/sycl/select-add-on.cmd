; A program with add-on images: the real ones where there is double precision, else the stubs. Each kernel is one plain module, without linkage.
; RUN: sycl add-on %fixtures/program/means.spv %fixtures/program/sums.spv --mode kernel -o %t.table
; RUN: sycl select %t.table --list --device intel_gpu_pvc --device intel_gpu_dg1
; RUN: sycl select %t.table --kernel totals --device intel_gpu_pvc -o %t.with
; RUN: sycl select %t.table --kernel totals --device intel_gpu_dg1 -o %t.without
; RUN: sycl select %t.table --kernel totals --device spir64_x86_64 --no-link -o %t.images
; DIS: %t.with %t.without
; SHOW: OpCapability OpEntryPoint Linkage OpFunction
