; Errors have the line of the manifest, each shader's its own.
; EXIT: 1
; FILE: %t.yaml
;   shaders:
;     a.spv: [missing.spv]
;     b.spv: [%fixtures/merge/scale.spv]
;     c.spv:
;       %fixtures/merge/scale.spv: fp16
;       %fixtures/opencl/plain.spv: else
; RUN: merge -q --manifest %t.yaml -o %t.out/
; MESSAGES: facts
