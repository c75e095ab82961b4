; All modules together, and bundles of bundles.
; DIS: none
; RUN: bundle %fixtures/merge -o %t.solid.spvb --solid
; RUN: bundle %t.solid.spvb %fixtures/glsl/reduce.spv -o %t.all.spvb
; RUN: unbundle %t.all.spvb
; MESSAGES: facts
