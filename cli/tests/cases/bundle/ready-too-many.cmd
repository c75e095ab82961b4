; A shader with too many results is stored with its conditions.
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.packed.spv
; RUN: bundle %t.packed.spv -o %t.spvb --ready --max-results 1
; RUN: unbundle %t.spvb
