; Two entries that say the same in other words, and two that add up.
; FILE: %t.yaml
;   functions:
;     "sum_in_ha*":
;       when: fp16 && !arch(intel_gpu_pvc)
;       otherwise: sum_in_float
;     "%11":
;       when: "!(arch(intel_gpu_pvc) || !fp16)"
;       otherwise: "%15"
;     sum_in_half(u1;u1;:
;       uses: fp64
; RUN: inspect -q %fixtures/glsl/reduce.spv --annotations %t.yaml --why fp64
