; Constants to fix are for bundles.
; EXIT: 1
; FILE: %t.yaml
;   shaders:
;     a.spv: {x.spv: fp16, y.spv: else}
;   constants:
;     a.spv: {0: 1}
; RUN: merge --manifest %t.yaml -o %t.out/
