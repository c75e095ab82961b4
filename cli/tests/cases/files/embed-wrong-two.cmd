; RUN: trim %fixtures/glsl/reduce.spv %fixtures/glsl/wave.spv -o %t/ --embed c --embed-name two
; EXIT: 2
