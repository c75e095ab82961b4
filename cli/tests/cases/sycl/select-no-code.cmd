; The device has what is required, and the code is missing.
; RUN: sycl select %t.table --kernel other_kernel --device intel_gpu_dg1 -o %t.out.spv
; MESSAGES: facts
; EXIT: 1
; FILE: %t.table
;   [Code|Properties|Symbols]
;   %t.main.spv|%t.main.prop|%t.main.sym
;   %t.library.spv|%t.library.prop|%t.library.sym
;   %t.real.spv|%t.real.prop|%t.real.sym
;   %t.stub.spv|%t.stub.prop|%t.stub.sym
;   %t.other.spv|%t.other.prop|%t.other.sym
; FILE: %t.main.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   [SYCL/add on images]
;   1=2|ABAAAAAAAAw/////GAAAAA
;   [SYCL/imported symbols]
;   action=1|1
;   helper=1|1
; FILE: %t.main.sym
;   kernel
; FILE: %t.library.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_work_group_size=2|gBAAAAAAAAgAAAAAABAAAACAAAA
; FILE: %t.library.sym
;   helper
; FILE: %t.real.prop
;   [SYCL/device requirements]
;   aspect=2|gAAAAAAAAAgBAAAA
;   [SYCL/add on image]
;   1=1|1
; FILE: %t.real.sym
;   action
; FILE: %t.stub.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   [SYCL/add on image]
;   1=1|0
; FILE: %t.stub.sym
;   action
; FILE: %t.other.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   reqd_sub_group_size=2|gAAAAAAAAAACAAAA
; FILE: %t.other.sym
;   other_kernel
