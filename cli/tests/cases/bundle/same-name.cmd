; EXIT: 1
; RUN: bundle %fixtures/merge/scale.spv %fixtures/merge/scale.spv -o %t.spvb
