; Where one module is expected, a bundle is too many.
; EXIT: 2
; RUN: bundle %fixtures/merge -o %t.spvb
; RUN: merge %t.spvb=fp16 %t.spvb#scale=else -o %t.spv
