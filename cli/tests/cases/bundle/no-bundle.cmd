; EXIT: 1
; RUN: unbundle %fixtures/merge/scale.spv
