; Twins are for ready shaders.
; EXIT: 2
; RUN: bundle %fixtures/annotations/guarded.spv -o %t.spvb --lower=Float16
