; A table may not name files outside of its folder.
; RUN: sycl select %t.table --list --device intel_gpu_pvc
; EXIT: 1
; FILE: %t.table
;   [Code|Properties|Symbols]
;   ../secret.spv|%t.prop|%t.sym
