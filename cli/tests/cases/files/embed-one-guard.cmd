; RUN: trim %fixtures/glsl/reduce.spv -o %t.A.spv
; RUN: trim %fixtures/glsl/reduce.spv -o %t.a.spv
; RUN: trim %t.A.spv %t.a.spv -o %t/ --embed c
; MESSAGES: facts
; DIS: none
; EXIT: 2
