; Variants with conditions, and constants to fix. What is extracted has a manifest of which the same bundle is made.
; RESULT-ENV: spv1.6
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale:
;       %fixtures/merge/scale-fp16.spv: fp16
;       %fixtures/merge/scale.spv: else
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: true}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: unbundle %t.spvb
; RUN: unbundle %t.spvb -o %t.out/
; RUN: bundle --manifest %t.out/manifest.yaml -o %t.again.spvb
; RUN: unbundle %t.again.spvb
; MESSAGES: facts
