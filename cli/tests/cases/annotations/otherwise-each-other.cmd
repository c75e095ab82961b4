; Two functions that stand in for each other.
; FILE: %t.yaml
;   functions:
;     sum_in_half: {when: fp16, otherwise: sum_in_float}
;     sum_in_float: {when: fp64, otherwise: sum_in_half}
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
