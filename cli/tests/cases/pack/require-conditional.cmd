; Builds that fail where nothing becomes conditional; nothing is written, also of the module that is fine.
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.reduce.spv --require-conditional
; RUN: pack %fixtures/glsl/reduce.spv %fixtures/spec/precision.spv -o %t --require-conditional -q
; EXIT: 1
; DIS: none
