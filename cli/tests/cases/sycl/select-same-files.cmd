; Images of two link units whose files have one name cannot be in one folder.
; RUN: sycl select %t.table %t.other.table --kernel kernel --device intel_gpu_pvc --no-link --allow-outside -o %t.out
; EXIT: 1
; FILE: %t.table
;   [Code|Properties|Symbols]
;   %fixtures/drivers/state.spv|%t.main.prop|%t.main.sym
; FILE: %t.other.table
;   [Code|Properties|Symbols]
;   %fixtures/drivers/../drivers/state.spv|%t.helper.prop|%t.helper.sym
; FILE: %t.main.prop
;   [SYCL/imported symbols]
;   helper=1|1
; FILE: %t.main.sym
;   kernel
; FILE: %t.helper.prop
;   [SYCL/exported symbols]
;   helper=1|1
; FILE: %t.helper.sym
;   helper
