; YAML takes `!` for the start of a tag.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       when: !fp64
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
