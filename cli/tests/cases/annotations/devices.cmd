; A device that there is none of.
; FILE: %t.yaml
;   functions:
;     sum_in_half:
;       fixed-targets: inte_gpu_pvc
; RUN: check %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
