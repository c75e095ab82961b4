; One of several variants is named by its number.
; EXIT: 2
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp16, %fixtures/merge/scale.spv: else}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: trim %t.spvb#scale:0 -o %t.half.spv
; RUN: trim %t.spvb#scale -o %t.spv
