; Devices that must run every entry point: names and globs. A module that is packed already counts as specialized for the device.
; RUN: inspect %fixtures/ubershaders/post.spv --require-devices 'nvidia_gpu_sm_8*,amd_gpu_gfx1100' --why SPV_KHR_ray_query
; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv -q
; RUN: inspect %t.spv --require-devices 'nvidia_gpu_sm_5*' --why SPV_KHR_ray_query
; RUN: inspect %fixtures/check/hw.spv --require-devices 'nvidia_gpu_sm_80,intel_gpu_acm_g1*' --why SPV_KHR_ray_query
; EXIT: 3
; DIS: none
; RESULT-ENV: vulkan1.3
