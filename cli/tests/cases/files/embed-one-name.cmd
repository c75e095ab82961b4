; Two headers of one name: the second to be included would be none.
; RUN: trim %fixtures/glsl/reduce.spv -o %t.a-b.spv
; RUN: trim %fixtures/glsl/reduce.spv -o %t.a_b.spv
; RUN: trim %t.a-b.spv %t.a_b.spv -o %t/ --embed c
; MESSAGES: facts
; DIS: none
; EXIT: 2
