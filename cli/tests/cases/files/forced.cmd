; FILE: %t.prop
;   by hand
; RUN: pack -q %fixtures/glsl/wave.spv -o %t.spv --force
; RUN: inspect %t.spv
; DIS: none
