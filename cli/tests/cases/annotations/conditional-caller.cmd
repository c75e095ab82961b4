; `when` of a function that is a conditional caller already.
; FILE: %t.yaml
;   functions:
;     call_if_on_device_conditionally_half:
;       when: fp16
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
