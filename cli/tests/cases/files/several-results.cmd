; Several results need a folder, and what ends in an extension is none unless it says so.
; RUN: trim -q %fixtures/glsl/wave.spv %fixtures/glsl/reduce.spv -o %t.d/
; RUN: trim -q %fixtures/glsl/wave.spv %fixtures/glsl/reduce.spv -o %t.d
; RUN: trim -q %fixtures/glsl/wave.spv %fixtures/glsl/reduce.spv -o %t-folder
; RUN: trim -q %fixtures/glsl/wave.spv %fixtures/glsl/reduce.spv -o %t.spv
; MESSAGES: facts
; EXIT: 2
; DIS: none
