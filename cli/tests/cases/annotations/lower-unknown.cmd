; There are no rules for a capability that annotations list.
; FILE: %t.yaml
;   lower: Sampled1D
; RUN: pack %fixtures/annotations/guarded.spv --annotations %t.yaml -o %t.spv
; EXIT: 1
