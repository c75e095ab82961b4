; All modules of a ready shader are inputs; without a device, one that needs one module names them.
; EXIT: 2
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv
; RUN: bundle -q %t.reduce.spv -o %t.spvb --ready
; RUN: inspect %t.spvb
; RUN: trim %t.spvb#ready-inputs.reduce -o %t.spv
