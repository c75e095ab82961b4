; RUN: trim %fixtures/glsl/reduce.spv -o %t.h --embed c --embed-name __x
; EXIT: 2
