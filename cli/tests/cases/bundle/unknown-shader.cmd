; EXIT: 2
; RUN: bundle %fixtures/merge/scale.spv -o %t.spvb
; RUN: trim %t.spvb#scala -o %t.spv
