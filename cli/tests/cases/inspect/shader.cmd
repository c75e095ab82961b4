; A shader that has a choice, as it is and packed: the properties beside it say what its constants mean.
; DIS: none
; RUN: inspect %fixtures/glsl/reduce.spv
; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv -q
; RUN: inspect %t.spv
; MESSAGES: facts
