; A manifest names the shaders that are decided when the bundle is made.
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp16, %fixtures/merge/scale.spv: else}
;     other: {%fixtures/merge/scale-fp16.spv: fp16, %fixtures/merge/scale.spv: else}
;   ready: [scale]
; RUN: bundle --manifest %t.yaml -o %t.spvb --uncompressed --trim
; RUN: unbundle %t.spvb
; MESSAGES: facts
