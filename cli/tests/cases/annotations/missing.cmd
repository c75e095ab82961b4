; No such file.
; FILE: %t.yaml
;   functions: {}
; RUN: inspect %fixtures/glsl/reduce.spv --annotations no.yaml
; MESSAGES: facts
; EXIT: 1
