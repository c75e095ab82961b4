; RUN: sycl filter %t.table --target intel_gpu_dg1 -o -
; FILE: %t.table
;   [Code|Properties]
