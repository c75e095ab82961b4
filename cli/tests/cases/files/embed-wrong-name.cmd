; RUN: trim %fixtures/glsl/reduce.spv -o %t.h --embed c --embed-name 3d
; EXIT: 2
