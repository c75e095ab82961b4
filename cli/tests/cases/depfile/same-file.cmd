; The rule would take the place of a result.
; RUN: trim %fixtures/glsl/reduce.spv -o %t.spv --depfile %t.spv
; MESSAGES: facts
; EXIT: 2
