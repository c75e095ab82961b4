; RUN: sycl filter %t.table --target intel_gpu_dg1 -o -
; MESSAGES: facts
; FILE: %t.table
;   [Code|Properties]
