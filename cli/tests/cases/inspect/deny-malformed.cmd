; RUN: inspect %fixtures/glsl/reduce.spv --deny 'cap(Flaot64)'
; EXIT: 2
