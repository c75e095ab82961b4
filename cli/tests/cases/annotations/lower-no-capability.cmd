; What annotations list for lowering are capabilities.
; FILE: %t.yaml
;   lower: [Int64, fp64]
; RUN: pack %fixtures/annotations/guarded.spv --annotations %t.yaml -o %t.spv
; EXIT: 1
