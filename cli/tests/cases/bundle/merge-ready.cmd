; Ready shaders are for bundles.
; EXIT: 1
; FILE: %t.yaml
;   shaders:
;     a.spv: {x.spv: fp16, y.spv: else}
;   ready: a.spv
; RUN: merge --manifest %t.yaml -o %t.out/
