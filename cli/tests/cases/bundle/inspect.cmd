; All shaders of a bundle.
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp16, %fixtures/merge/scale.spv: else}
;     reduce: [%fixtures/glsl/reduce.spv]
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: inspect %t.spvb
; MESSAGES: facts
