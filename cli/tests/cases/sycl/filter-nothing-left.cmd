; RUN: sycl filter %t.table --target intel_gpu_dg1 -o -
; FILE: %t.table
;   [Code|Properties]
;   a.spv|%t.prop
; FILE: %t.prop
;   [SYCL/device requirements]
;   aspect=2|ABAAAAAAAAQBAAAAGAAAAA
