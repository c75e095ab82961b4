; Nothing is written, as the rule cannot be.
; RUN: trim %fixtures/glsl/reduce.spv -o %t.spv --depfile %t.none/a.d
; MESSAGES: facts
; EXIT: 1
