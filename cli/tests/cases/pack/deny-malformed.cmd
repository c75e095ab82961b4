; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv --deny 'cap(Flaot64)'
; EXIT: 2
