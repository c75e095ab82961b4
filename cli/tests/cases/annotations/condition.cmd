; A condition with an unknown aspect.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       uses: fp64
;       when: fp16 && fp61
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
