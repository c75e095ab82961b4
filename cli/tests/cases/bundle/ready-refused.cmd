; A device that does not meet the requirements of its module is refused.
; EXIT: 3
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.packed.spv
; RUN: bundle -q %t.packed.spv -o %t.spvb --ready
; RUN: unbundle %t.spvb -o %t/ --device x86_64
