; RUN: sycl filter %t.prop --target intel_gpu_pvc -o %t.out.table
; EXIT: 1
; FILE: %t.prop
;   a.spv|a.prop
