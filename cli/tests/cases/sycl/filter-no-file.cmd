; RUN: sycl filter %t.table --target intel_gpu_pvc -o %t.out.table
; MESSAGES: facts
; EXIT: 1
; FILE: %t.table
;   [Code|Properties]
;   
;   a.spv|%t.prop
