; `otherwise` names the function itself, as a glob matches both.
; FILE: %t.yaml
;   functions:
;     "sum_in_*":
;       when: fp16
;       otherwise: sum_in_float
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
