; A type without aspects says nothing; nested lists count as one.
; FILE: %t.yaml
;   types:
;     half4: [[]]
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
