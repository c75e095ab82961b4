; A bundle is made of modules, and of bundles that have them.
; EXIT: 1
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv
; RUN: bundle -q %t.reduce.spv -o %t.spvb --ready
; RUN: bundle %t.spvb -o %t.again.spvb
