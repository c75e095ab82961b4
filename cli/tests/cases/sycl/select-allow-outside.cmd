; A table that is trusted may name files anywhere; a table without a column is an error all the same.
; RUN: sycl select %t.table --list --device intel_gpu_pvc --allow-outside
; RUN: sycl select %t.short.table --list --device intel_gpu_pvc --allow-outside
; EXIT: 1
; FILE: %t.table
;   [Code|Properties|Symbols]
;   ../secret.spv||%t.sym
; FILE: %t.sym
;   kernel
; FILE: %t.short.table
;   [Code|Properties]
;   a.spv|a.prop
