; RUN: inspect %fixtures/glsl/reduce.spv --deny 'cap(Flaot64)'
; MESSAGES: facts
; EXIT: 2
