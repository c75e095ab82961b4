; Findings of a baseline are accepted, and only what is left is an error.
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --require-devices intel_gpu_acm_g1* --write-baseline %t.json --why SPV_KHR_ray_query
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --require-devices intel_gpu_acm_g1* --baseline %t.json --why SPV_KHR_ray_query
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --require-devices intel_gpu_acm_g10 --baseline %t.json --format github
; RUN: inspect %fixtures/check/hw-g.spv --deny cap(Float64) --require-devices intel_gpu_acm_g1*,intel_gpu_dg1 --baseline %t.json -q
; EXIT: 3
; DIS: none
