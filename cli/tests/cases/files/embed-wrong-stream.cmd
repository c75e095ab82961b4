; RUN: trim %fixtures/glsl/reduce.spv -o - --embed incbin
; EXIT: 2
