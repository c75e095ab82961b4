; An integer that annotations bind to more than a leaf: conditions that depend on it are those of the leaves again.
; FILE: %t.yaml
;   spec-constants:
;     1: fp16
;     2: "cap(GroupNonUniformArithmetic) && !fp64"
; RUN: sycl add-on %fixtures/annotations/guarded.spv --annotations %t.yaml -o %t.table
; MESSAGES: facts
