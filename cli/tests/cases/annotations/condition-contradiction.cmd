; Two conditions that differ.
; FILE: %t.yaml
;   functions:
;     "%11": {when: fp16}
;     sum_in_half: {when: fp16 && fp64, otherwise: undef}
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; MESSAGES: facts
; EXIT: 1
