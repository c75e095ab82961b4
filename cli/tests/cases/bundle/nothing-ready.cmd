; Changes to modules for devices need ready shaders.
; EXIT: 1
; FILE: %t.yaml
;   shaders:
;     scale: [%fixtures/merge/scale.spv]
; RUN: bundle --manifest %t.yaml -o %t.spvb --trim
