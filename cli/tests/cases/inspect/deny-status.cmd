; RUN: inspect -q %fixtures/check/hw-g.spv --deny 'cap(Float64)' --require-devices intel_gpu_acm_g10 --why SPV_KHR_ray_query
; EXIT: 1
