; There is no module for all devices.
; EXIT: 2
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv
; RUN: bundle -q %t.reduce.spv -o %t.spvb --ready
; RUN: inspect %t.spvb
