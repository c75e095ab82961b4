; RUN: sycl filter %t.table --target intel_gpu_pvc -o %t.out.table
; EXIT: 1
; FILE: %t.table
;   [Code|Properties]
;   a.spv|%t.prop
; FILE: %t.prop
;   [SYCL/device requirements]
;   aspect=2|gAAAAAAAAAQBAAAA
;   condition-7=2|ABAAAAAAAAw/////FAAAAA
