; RUN: sycl filter %t.table --target intel_gpu_pcv -o %t.out.table
; MESSAGES: facts
; EXIT: 2
; FILE: %t.table
;   [Code|Properties]
;   a.spv|%t.prop
; FILE: %t.prop
;   [SYCL/device requirements]
;   aspect=2|ABAAAAAAAAQBAAAAGAAAAA
