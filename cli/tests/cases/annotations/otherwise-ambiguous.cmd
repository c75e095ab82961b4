; `otherwise` names instances of a template that have the same type.
; FILE: %t.yaml
;   functions:
;     "simpson<double>*":
;       when: fp64
;       otherwise: simpson
; RUN: inspect %fixtures/opencl/device_if.spv --annotations %t.yaml
; EXIT: 1
