; EXIT: 2
; RUN: bundle %fixtures/merge/scale.spv -o %t.spvb
; RUN: unbundle %t.spvb -o -
