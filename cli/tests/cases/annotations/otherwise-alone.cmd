; `otherwise` without `when`.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       otherwise: sum_in_float
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
