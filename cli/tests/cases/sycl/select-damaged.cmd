; An image that is not a module is named.
; FILE: %t.table
;   [Code|Properties|Symbols]
;   %t_0.spv|%t_0.prop|%t_0.sym
; FILE: %t_0.spv
;   damaged
; FILE: %t_0.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
; FILE: %t_0.sym
;   kernel
; RUN: sycl select %t.table --kernel kernel --device spir64_x86_64 --set 3:64 --set tile:32 -o %t.spv
; EXIT: 1
