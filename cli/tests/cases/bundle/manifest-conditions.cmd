; EXIT: 1
; FILE: %t.yaml
;   shaders:
;     a: [x.spv, y.spv]
; RUN: bundle --manifest %t.yaml -o %t.spvb
