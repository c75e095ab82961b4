; `otherwise` names an entry point.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       when: fp16
;       otherwise: main
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
