; A merged module as source code, and, for an assembler, beside it.
; RUN: merge %fixtures/merge/scale.spv=fp16 -o %t.h --embed c --embed-name scale
; RUN: merge %fixtures/merge/scale.spv=fp16 -o %t.large.S --embed incbin
; MESSAGES: facts
; DIS: none
