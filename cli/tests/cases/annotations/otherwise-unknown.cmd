; `otherwise` names nothing.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       when: fp16
;       otherwise: sum_in_flaot
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
