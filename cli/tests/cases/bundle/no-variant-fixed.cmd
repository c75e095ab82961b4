; No variant is for a fixed target. The other shader is checked.
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/glsl/shade.spv: fp64}
;     reduce: [%fixtures/glsl/reduce.spv]
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: check %t.spvb --fixed-targets intel_gpu_bmg_g21,intel_gpu_acm_g10
; MESSAGES: facts
; EXIT: 1
