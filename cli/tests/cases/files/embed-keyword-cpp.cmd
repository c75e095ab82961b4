; RUN: trim %fixtures/glsl/reduce.spv -o %t.S --embed incbin --embed-name class
; EXIT: 2
