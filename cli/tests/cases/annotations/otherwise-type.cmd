; `otherwise` names a function of another type.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       when: fp16
;       otherwise: call_if_on_device_conditionally_half
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
