; A name must be one in C and in C++.
; RUN: trim %fixtures/glsl/reduce.spv -o %t.h --embed c --embed-name while
; MESSAGES: facts
; EXIT: 2
