; Variants and constants are questions, also to the host.
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: 'fp16 && subgroup_size >= 32', %fixtures/merge/scale.spv: 'fp64'}
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: [true, false]}
; RUN: bundle --manifest %t.yaml -o %t.spvb --ready --uncompressed --trim --strip
; RUN: unbundle %t.spvb
; MESSAGES: facts
