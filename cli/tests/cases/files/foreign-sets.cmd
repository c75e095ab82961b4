; Property sets of another program are not replaced either.
; FILE: %t.prop
;   [SYCL/misc properties]
;   optLevel=1|2
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.spv
; EXIT: 2
