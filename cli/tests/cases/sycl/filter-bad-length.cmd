; The length says 32 bits, and 64 follow.
; RUN: sycl filter %t.table --target intel_gpu_pvc -o %t.out.table
; MESSAGES: facts
; EXIT: 1
; FILE: %t.table
;   [Code|Properties]
;   a.spv|%t.prop
; FILE: %t.prop
;   [SYCL/device requirements]
;   aspect=2|gAAAAAAAAAQBAAAA
;   fixed_target=2|gAAAAAAAAAQBAAAAGAAAAA
