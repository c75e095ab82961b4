; No variant is for a required device. The other shader is reported, and the other device asked.
; FILE: %t.yaml
;   shaders:
;     scale: {%t.shade.spv: fp64}
;     reduce: [%t.reduce.spv]
; RUN: pack -q %fixtures/glsl/shade.spv -o %t.shade.spv
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: inspect %t.spvb --require-devices intel_gpu_bmg_g21,intel_gpu_acm_g10
; MESSAGES: facts
; EXIT: 3
; DIS: none
