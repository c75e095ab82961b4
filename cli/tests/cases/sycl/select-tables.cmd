; Two tables, whose ids of add-on images are the same: an image has those of its own table. Imports may be those of the other one.
; RUN: sycl select %t.table %t.other.table --list --device intel_gpu_pvc --device intel_gpu_dg1
; RUN: sycl select %t.table %t.other.table --list --format json --kernel helped --device intel_gpu_pvc
; RUN: sycl select %t.table %t.none.table --list --device intel_gpu_pvc
; EXIT: 1
; FILE: %t.table
;   [Code|Properties|Symbols|Target]
;   %t.main.spv|%t.main.prop|%t.main.sym|spir64
;   %t.real.spv|%t.real.prop|%t.action.sym|spir64
;   %t.stub.spv|%t.stub.prop|%t.action.sym|spir64
; FILE: %t.other.table
;   [Code|Properties|Symbols]
;   %t.helper.spv|%t.helper.prop|%t.helper.sym
;   %t.helper_real.spv|%t.real.prop|%t.other_action.sym
;   %t.helper_stub.spv|%t.stub.prop|%t.other_action.sym
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
; FILE: %t.action.sym
;   action
; FILE: %t.other_action.sym
;   other_action
; FILE: %t.helper.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   [SYCL/add on images]
;   1=2|ABAAAAAAAAw/////GAAAAA
;   [SYCL/imported symbols]
;   other_action=1|1
;   [SYCL/exported symbols]
;   helper=1|1
; FILE: %t.helper.sym
;   helped
;   helper
; FILE: %t.real.prop
;   [SYCL/device requirements]
;   aspect=2|gAAAAAAAAAgBAAAA
;   [SYCL/add on image]
;   1=1|1
; FILE: %t.stub.prop
;   [SYCL/device requirements]
;   aspect=2|AAAAAAAAAAA
;   [SYCL/add on image]
;   1=1|0
