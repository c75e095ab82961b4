; Properties can go to standard output, but not beside the module.
; DIS: none
; EXIT: 2
; RUN: pack %fixtures/glsl/wave.spv -o %t.spv --properties - -q
; RUN: pack %fixtures/glsl/wave.spv -o - --properties - -q
