; A key that there is none of.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       other: fp16
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
