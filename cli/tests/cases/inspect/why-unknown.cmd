; A name that nothing has.
; EXIT: 2
; RUN: inspect %fixtures/glsl/reduce.spv --why flaot16
; MESSAGES: facts
