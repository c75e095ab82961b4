; No variant is for a required device.
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/glsl/shade.spv: fp64}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: inspect %t.spvb --require-devices intel_gpu_bmg_g21,intel_gpu_acm_g10
; EXIT: 3
