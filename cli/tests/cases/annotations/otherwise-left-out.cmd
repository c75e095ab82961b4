; `otherwise` names nothing, and nothing like it.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       when: fp16
;       otherwise: elsewhere
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
