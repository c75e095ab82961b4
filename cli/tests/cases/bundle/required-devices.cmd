; Required devices and fixed targets are those of the variant that they get: no device without fp64 gets the first one of the bundle.
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/opencl/plain.spv: fp64, %fixtures/merge/scale.spv: else}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: inspect %t.spvb --require-devices intel_gpu_bmg_g21,intel_gpu_acm_g10
; RUN: inspect %t.spvb#scale --require-devices intel_gpu_acm_g10
; RUN: check %t.spvb --fixed-targets intel_gpu_bmg_g21,intel_gpu_acm_g10 --deny-warnings
; RUN: check %t.spvb#scale:0 --fixed-targets intel_gpu_acm_g10
; RUN: inspect %t.spvb#scale:0 --require-devices intel_gpu_acm_g10
; MESSAGES: facts
; EXIT: 3
