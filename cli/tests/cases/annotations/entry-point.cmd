; `when` of an entry point.
; FILE: %t.yaml
;   functions:
;     main:
;       when: fp16
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
